"""Histories that the Messages API accepts, made by hypothesis; and mutations of them, each forbidden by one rule."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from course.offline.binding import sign_conversation

Message = dict[str, Any]
Block = dict[str, Any]

TOOL = {"name": "f", "input_schema": {"type": "object", "properties": {"a": {"type": "string"}}}}  # of every request

# What text and JSON may hold

words = st.text(max_size=6).map("a".__add__)  # never only whitespace
scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9)
)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=3,
)
inputs = st.dictionaries(st.text(max_size=9), json_values, max_size=3)
results = st.one_of(
    st.none(),
    st.text(max_size=20),
    st.lists(words.map(lambda text: {"type": "text", "text": text}), max_size=2),
)


def text_block(text: str) -> Block:
    return {"type": "text", "text": text}


def thinking_block(text: str) -> Block:
    """Not signed yet: a signature holds what came before it."""
    return {"type": "thinking", "thinking": text}


def user_turn(text: str, *, as_blocks: bool) -> Message:
    return {"role": "user", "content": [text_block(text)] if as_blocks else text}


# Valid histories


@st.composite
def tool_rounds(draw: st.DrawFn, number: int) -> list[Message]:
    """An assistant turn with calls, and the results: in any order, in one user message or several, text after them or not."""
    ids = [f"toolu_{number}_{index}" for index in range(draw(st.integers(1, 3)))]
    said = [thinking_block(draw(words))] if draw(st.booleans()) else []
    said += [text_block(text) for text in draw(st.lists(words, max_size=2))]
    calls: list[Block] = [{"type": "tool_use", "id": call, "name": "f", "input": draw(inputs)} for call in ids]
    if draw(st.booleans()):
        calls[0]["caller"] = {"type": "direct"}
    answers: list[Block] = []
    for call in draw(st.permutations(ids)):
        answer: Block = {"type": "tool_result", "tool_use_id": call}
        content = draw(results)
        if content is not None:
            answer["content"] = content
        if draw(st.booleans()):
            answer["is_error"] = draw(st.booleans())
        answers.append(answer)
    cut = draw(st.integers(1, len(answers)))
    parts = [answers[:cut], answers[cut:]] if cut < len(answers) else [answers]
    if draw(st.booleans()):
        parts[-1] = [*parts[-1], text_block(draw(words))]
    return [{"role": "assistant", "content": said + calls}, *({"role": "user", "content": part} for part in parts)]


@st.composite
def server_rounds(draw: st.DrawFn, number: int) -> list[Message]:
    """An assistant turn in which the API itself ran a tool, and what the user said then."""
    call = f"srvtoolu_{number}"
    content = [
        {"type": "server_tool_use", "id": call, "name": "web_search", "input": draw(inputs)},
        {"type": "web_search_tool_result", "tool_use_id": call, "content": []},
        text_block(draw(words)),
    ]
    return [{"role": "assistant", "content": content}, user_turn(draw(words), as_blocks=draw(st.booleans()))]


@st.composite
def talk_rounds(draw: st.DrawFn) -> list[Message]:
    """An assistant turn of text, and the next question, in one message or two."""
    answer = draw(words)
    content: Any = [thinking_block(draw(words)), text_block(answer)] if draw(st.booleans()) else answer
    questions = draw(st.lists(words, min_size=1, max_size=2))
    return [
        {"role": "assistant", "content": content},
        *(user_turn(text, as_blocks=draw(st.booleans())) for text in questions),
    ]


@st.composite
def thinking_rounds(draw: st.DrawFn) -> list[Message]:
    """An assistant turn of thinking and text, and the next question."""
    content = [thinking_block(draw(words)), text_block(draw(words))]
    return [{"role": "assistant", "content": content}, user_turn(draw(words), as_blocks=draw(st.booleans()))]


@st.composite
def histories(draw: st.DrawFn, *, needs: str = "") -> list[Message]:
    """A conversation that ends with the user.

    needs: at least these rounds are in it: "tools", "server", "talk", "thinking", or several of them.
    """
    messages = [user_turn(draw(words), as_blocks=draw(st.booleans()))]
    kinds = draw(st.lists(st.sampled_from(["tools", "server", "talk"]), min_size=0 if needs else 1, max_size=4))
    for kind in needs.split():
        kinds.insert(draw(st.integers(0, len(kinds))), kind)
    for number, kind in enumerate(kinds):
        rounds = {
            "tools": tool_rounds(number),
            "server": server_rounds(number),
            "talk": talk_rounds(),
            "thinking": thinking_rounds(),
        }
        messages += draw(rounds[kind])
    return sign_conversation({"tools": [TOOL], "messages": messages})


@st.composite
def paused_histories(draw: st.DrawFn) -> list[Message]:
    """A conversation whose last turn a server tool paused: it ends with the assistant."""
    call = {"type": "server_tool_use", "id": "srvtoolu_paused", "name": "web_search", "input": draw(inputs)}
    return [*draw(histories()), {"role": "assistant", "content": [text_block(draw(words)), call]}]


# Where things are in a history


def blocks_of(messages: list[Message], kind: str) -> list[tuple[int, int]]:
    """The places (message, block) of all blocks of this type."""
    return [
        (number, place)
        for number, message in enumerate(messages)
        if isinstance(message["content"], list)
        for place, block in enumerate(message["content"])
        if block["type"] == kind
    ]


def pick(draw: st.DrawFn, messages: list[Message], kind: str) -> tuple[list[Block], int]:
    """The content list that holds a block of this type, and the block's place in it."""
    number, place = draw(st.sampled_from(blocks_of(messages, kind)))
    return messages[number]["content"], place


def latest_thought(messages: list[Message]) -> tuple[list[Block], int]:
    """The last thinking block, with what comes after its turn taken away."""
    number, place = blocks_of(messages, "thinking")[-1]
    later = (at for at in range(number + 1, len(messages)) if messages[at]["role"] == "assistant")
    del messages[next(later, len(messages)) :]
    return messages[number]["content"], place


# Mutations


@dataclass(frozen=True)
class Mutation:
    """One thing done to a valid history, the rule that forbids it, and words of the refusal that no other rule has.

    needs: the kinds of rounds that the history must have for it.
    """

    rule: int
    words: str
    needs: str
    apply: Callable[[st.DrawFn, list[Message]], None]

    @property
    def name(self) -> str:
        return self.apply.__name__


MUTATIONS: list[Mutation] = []


def breaks(rule: int, words: str, needs: str = "tools") -> Callable[[Any], Any]:
    """Enter the function in `MUTATIONS`. It changes the history that it is given."""

    def enter(apply: Callable[[st.DrawFn, list[Message]], None]) -> Any:
        MUTATIONS.append(Mutation(rule, words, needs, apply))
        return apply

    return enter


UNANSWERED = "`tool_use` ids were found without `tool_result` blocks immediately after"


@breaks(45, UNANSWERED)
def drop_a_result(draw: st.DrawFn, messages: list[Message]) -> None:
    content, place = pick(draw, messages, "tool_result")
    content[place] = text_block("gone")


@breaks(45, UNANSWERED)
def drop_all_results_of_a_turn(draw: st.DrawFn, messages: list[Message]) -> None:
    number, _ = draw(st.sampled_from(blocks_of(messages, "tool_use")))
    while number + 1 < len(messages) and messages[number + 1]["role"] == "user":
        del messages[number + 1]


@breaks(46, UNANSWERED)
def put_text_before_a_result(draw: st.DrawFn, messages: list[Message]) -> None:
    content, place = pick(draw, messages, "tool_result")
    content.insert(place, text_block("Here it is:"))


@breaks(47, UNANSWERED)
def put_text_after_a_call(draw: st.DrawFn, messages: list[Message]) -> None:
    content, place = pick(draw, messages, "tool_use")
    content.insert(place + 1, text_block("I will wait."))


@breaks(49, "unexpected `tool_use_id` found in `tool_result` blocks")
def answer_a_call_that_was_not_made(draw: st.DrawFn, messages: list[Message]) -> None:
    content, place = pick(draw, messages, "tool_result")
    content[place]["tool_use_id"] += "x"


@breaks(49, "unexpected `tool_use_id` found in `tool_result` blocks")
def drop_the_turn_that_called(draw: st.DrawFn, messages: list[Message]) -> None:
    number, _ = draw(st.sampled_from(blocks_of(messages, "tool_use")))
    del messages[number]


@breaks(50, "each tool_use must have a single result")
def answer_twice(draw: st.DrawFn, messages: list[Message]) -> None:
    content, place = pick(draw, messages, "tool_result")
    content.insert(place, copy.deepcopy(content[place]))


@breaks(51, "`tool_use` ids must be unique")
def use_an_id_again(draw: st.DrawFn, messages: list[Message]) -> None:
    number, _ = draw(st.sampled_from(blocks_of(messages, "tool_use")))
    messages += [copy.deepcopy(messages[number]), {"role": "user", "content": "Go on."}]


@breaks(52, "`tool_result` blocks can only be in `user` messages")
def give_results_to_the_assistant(draw: st.DrawFn, messages: list[Message]) -> None:
    number, _ = draw(st.sampled_from(blocks_of(messages, "tool_result")))
    messages[number]["role"] = "assistant"


@breaks(53, "`tool_use` blocks can only be in `assistant` messages")
def give_calls_to_the_user(draw: st.DrawFn, messages: list[Message]) -> None:
    number, _ = draw(st.sampled_from(blocks_of(messages, "tool_use")))
    messages[number]["role"] = "user"


@breaks(54, "String should match pattern '^[a-zA-Z0-9_-]+$'")
def put_a_space_into_an_id(draw: st.DrawFn, messages: list[Message]) -> None:
    content, place = pick(draw, messages, draw(st.sampled_from(["tool_use", "tool_result"])))
    key = "id" if content[place]["type"] == "tool_use" else "tool_use_id"
    content[place][key] += draw(st.sampled_from([" ", "é", "\n", "."]))


@breaks(55, ".tool_use.input: Input should be an object")
def send_the_input_as_json_text(draw: st.DrawFn, messages: list[Message]) -> None:
    content, place = pick(draw, messages, "tool_use")
    content[place]["input"] = json.dumps(content[place]["input"])


@breaks(56, ".tool_result.content: Input should be a valid array")
def send_a_result_that_is_no_text(draw: st.DrawFn, messages: list[Message]) -> None:
    content, place = pick(draw, messages, "tool_result")
    content[place]["content"] = draw(st.integers() | st.booleans() | inputs)


@breaks(36, ": Field required")
def leave_a_field_of_a_block_out(draw: st.DrawFn, messages: list[Message]) -> None:
    kind, field = draw(
        st.sampled_from(
            [("tool_use", "id"), ("tool_use", "input"), ("tool_use", "name"), ("tool_result", "tool_use_id")]
        )
    )
    content, place = pick(draw, messages, kind)
    del content[place][field]


@breaks(37, ": Extra inputs are not permitted")
def add_a_key_to_a_block(draw: st.DrawFn, messages: list[Message]) -> None:
    content, place = pick(draw, messages, draw(st.sampled_from(["tool_use", "tool_result"])))
    content[place][draw(words.map("x-".__add__))] = draw(json_values)


@breaks(37, ": Extra inputs are not permitted")
def add_a_key_to_a_message(draw: st.DrawFn, messages: list[Message]) -> None:
    draw(st.sampled_from(messages))[draw(words.map("x-".__add__))] = draw(json_values)


@breaks(25, "Input should be an object")
def send_a_message_as_text(draw: st.DrawFn, messages: list[Message]) -> None:
    messages[draw(st.integers(0, len(messages) - 1))] = draw(words)  # type: ignore[call-overload]


@breaks(26, ".role: Field required")
def leave_the_role_out(draw: st.DrawFn, messages: list[Message]) -> None:
    del draw(st.sampled_from(messages))["role"]


@breaks(27, 'Allowed roles are "user" or "assistant"')
def use_a_role_of_another_api(draw: st.DrawFn, messages: list[Message]) -> None:
    draw(st.sampled_from(messages))["role"] = draw(st.sampled_from(["tool", "function", "developer", "User"]))


@breaks(32, ".content: Field required")
def leave_the_content_out(draw: st.DrawFn, messages: list[Message]) -> None:
    del draw(st.sampled_from(messages))["content"]


@breaks(33, ".content: Input should be a valid array")
def send_content_that_is_no_text(draw: st.DrawFn, messages: list[Message]) -> None:
    draw(st.sampled_from(messages))["content"] = draw(st.none() | st.integers() | inputs)


@breaks(34, "Input should be an object")
def send_a_block_as_text(draw: st.DrawFn, messages: list[Message]) -> None:
    content, place = pick(draw, messages, "tool_use")
    content[place] = draw(words)  # type: ignore[call-overload]


@breaks(35, "found using 'type' does not match any of the expected tags")
def use_a_block_of_another_api(draw: st.DrawFn, messages: list[Message]) -> None:
    content, place = pick(draw, messages, draw(st.sampled_from(["tool_use", "tool_result"])))
    content[place]["type"] = draw(st.sampled_from(["function_call", "input_text", "image_url"]))


def holds_results(message: Message) -> bool:
    return isinstance(message["content"], list) and message["content"][0]["type"] == "tool_result"


@breaks(38, "user messages must have non-empty content")
def empty_a_user_turn(draw: st.DrawFn, messages: list[Message]) -> None:
    asked = [
        number for number, message in enumerate(messages) if message["role"] == "user" and not holds_results(message)
    ]
    first = draw(st.sampled_from(asked))  # with its results a turn loses more than its words
    while first and messages[first - 1]["role"] == "user":
        first -= 1
    while first < len(messages) and messages[first]["role"] == "user":
        messages[first]["content"] = []
        first += 1


@breaks(41, "text content blocks must contain non-whitespace text", "server")
def blank_a_text(draw: st.DrawFn, messages: list[Message]) -> None:
    content, place = pick(draw, messages, "text")
    content[place]["text"] = draw(st.sampled_from([" ", "\n", "\t\n "]))


@breaks(43, "This model does not support assistant message prefill")
def end_with_an_answer(draw: st.DrawFn, messages: list[Message]) -> None:
    messages.append({"role": "assistant", "content": draw(words)})


@breaks(58, "does not match any of the expected tags: 'code_execution_20250825', 'code_execution_20260120', 'direct'")
def invent_a_caller(draw: st.DrawFn, messages: list[Message]) -> None:
    content, place = pick(draw, messages, "tool_use")
    content[place]["caller"] = {"type": "robot"}


@breaks(60, "was found without a corresponding `web_search_tool_result` block", "server")
def drop_the_result_of_a_server_tool(draw: st.DrawFn, messages: list[Message]) -> None:
    content, place = pick(draw, messages, "web_search_tool_result")
    del content[place]


@breaks(81, "Invalid `signature` in `thinking` block")
def forge_a_signature(draw: st.DrawFn, messages: list[Message]) -> None:
    content, _ = pick(draw, messages, "tool_use")
    content.insert(0, {"type": "thinking", "thinking": draw(words), "signature": draw(st.text(max_size=9))})


@breaks(82, "The block is bound to a different conversation", "thinking")
def change_the_first_question(draw: st.DrawFn, messages: list[Message]) -> None:
    first = messages[0]["content"]
    messages[0]["content"] = [
        text_block("Today is Monday."),
        *(first if isinstance(first, list) else [text_block(first)]),
    ]


@breaks(82, "Content that preceded this block when it was created is missing", "thinking")
def drop_the_first_question(draw: st.DrawFn, messages: list[Message]) -> None:
    del messages[0]


@breaks(82, "The `thinking` block that preceded this one when it was created is missing", "thinking thinking thinking")
def drop_a_thought_in_the_middle(draw: st.DrawFn, messages: list[Message]) -> None:
    number, place = draw(st.sampled_from(blocks_of(messages, "thinking")[1:-1]))
    del messages[number]["content"][place]


@breaks(83, "blocks in the latest assistant message cannot be modified", "thinking")
def change_the_latest_thought(draw: st.DrawFn, messages: list[Message]) -> None:
    content, place = latest_thought(messages)
    content[place]["thinking"] += draw(words)


@breaks(83, "blocks in the latest assistant message cannot be modified", "thinking")
def move_the_latest_thought(draw: st.DrawFn, messages: list[Message]) -> None:
    content, place = latest_thought(messages)
    follower = content[place + 1]
    assume(follower["type"] == "text")  # nothing may stand behind the last call, and thinking not at the end
    content[place : place + 2] = [follower, content[place]]
    content.insert(place + 2, text_block("So."))


@breaks(29, "use the top-level 'system' parameter for the initial system prompt")
def begin_with_a_system_item(draw: st.DrawFn, messages: list[Message]) -> None:
    messages.insert(0, {"role": "system", "content": draw(words)})


@breaks(30, "role 'system' must precede an 'assistant' message")
def put_a_system_item_before_the_user(draw: st.DrawFn, messages: list[Message]) -> None:
    messages += [{"role": "system", "content": draw(words)}, {"role": "user", "content": draw(words)}]
