"""Learners' faults: each is told in a sentence with the line."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import httpx2
import loops
import pytest
import small_model

from course.clients import client
from course.offline.scenario import load_scenario
from course.settings import MODEL, OFFLINE
from course.trace import Fuse, Trace, explain, record
from course.trace.api_faults import _by_message, remedy
from course.trace.events import Ending
from course.trace.explain import SDK_ERRORS


def explained(loop: Any, handler: Any = small_model.answer, **fuse: Any) -> str | None:
    """What is said about a run, with L for the number of the line."""
    trace = record(loop, small_model.client(handler), fuse=Fuse(**{"requests": 3, "seconds": 120, **fuse}))
    return without_line(trace)


def without_line(trace: Trace) -> str | None:
    sentence = explain(trace)
    if sentence is None or not sentence.startswith("Line "):
        return sentence
    number, words = sentence.removeprefix("Line ").split(": ", 1)
    places = {step.place.line for step in trace.steps if step.place is not None}
    assert int(number) in places
    return f"L: {words}"


def replies(message: dict[str, Any]) -> Any:
    return lambda body: httpx2.Response(200, json=message)


def gives(stop_reason: str, *content: dict[str, Any]) -> Any:
    return replies(small_model.message(list(content), stop_reason))


def test_nothing_is_said_about_a_right_loop() -> None:
    assert explained(loops.appends) is None


def test_nothing_is_said_about_an_interrupt() -> None:
    assert explained(loops.is_interrupted) is None


FAULTS = {
    loops.never_asks: "L: the loop ended and never asked the model. Call client.messages.create(...) in it.",
    loops.dies_of_a_tool: (
        "L: the tool list_files raised PermissionError: . is closed, and the loop ended with it. Catch the error and send its "
        'text back as the tool_result with "is_error": True, so that the model can try another way.'
    ),
    loops.sends_text: (
        "L: request 1 failed: 400 invalid_request_error. messages is not a list. "
        'Make it one: [{"role": "user", "content": task}].'
    ),
    loops.has_a_tuple: (
        "L: messages is not a list ('tuple' object has no attribute 'append'). "
        'Make it one: messages = [{"role": "user", "content": task}].'
    ),
    loops.assigns_append: (
        "L: messages is None. messages.append(...) changes the list and returns None: do not assign its result."
    ),
    loops.appends_the_response: (
        "L: request 2 failed: 400 invalid_request_error. A message has a key that the API does not take. Append "
        '{"role": "assistant", "content": response.content}, not the response itself or its model_dump().'
    ),
    loops.forgets_the_assistant_turn: (
        "L: request 2 failed: 400 invalid_request_error. A tool_result answers no tool_use of the turn before it. "
        "Append the assistant turn first, and copy block.id into tool_use_id."
    ),
    loops.stops_at_text: (
        "L: the loop ended while the model waited for a tool (list_files). Go on as long as stop_reason is tool_use."
    ),
    loops.leaves_a_stream: "L: the stream ended before stop_reason came. The reply is not whole: ask again.",
    loops.appends_nothing: (
        "L: the same messages were sent again and again, so the model gave the same answer. "
        "Append its turn and the results to messages before you ask again."
    ),
    loops.swallows_exceptions: (
        "L: the loop goes on although its request fails, so it fails again. A tool_result answers no tool_use of the turn "
        "before it. Append the assistant turn first, and copy block.id into tool_use_id."
    ),
}


@pytest.mark.parametrize(("loop", "sentence"), FAULTS.items(), ids=[loop.__name__ for loop in FAULTS])
def test_a_fault_in_a_loop(loop: Any, sentence: str) -> None:
    assert explained(loop) == sentence


def asks_with_the_same_limit(client: Any) -> None:
    while True:
        client.messages.create(model=small_model.MODEL, max_tokens=50, messages=[{"role": "user", "content": "Write."}])


def test_a_limit_that_cuts_each_reply() -> None:
    assert explained(asks_with_the_same_limit, gives("max_tokens", small_model.text("Once upon"))) == (
        "L: each reply was cut off by max_tokens, and the loop asked again with a limit that cuts it again. "
        "Ask with a larger one."
    )


def test_an_endless_task() -> None:
    assert explained(loops.appends, small_model.by(small_model.endless)) == (
        "L: the model still asks for tools after 3 requests. See in the results whether it gets what it needs."
    )


def test_an_end_that_the_loop_does_not_see() -> None:
    def asks_for_ever(client: Any) -> None:
        messages: list[Any] = []
        while True:
            messages.append({"role": "user", "content": "Hi"})
            client.messages.create(**loops.ASK, messages=messages)

    assert explained(asks_for_ever, gives("end_turn", small_model.text("Hi"))) == (
        "L: the last reply ended with end_turn, and the loop asked again all the same. "
        "Let it end when stop_reason is not tool_use."
    )


def test_a_loop_that_hangs() -> None:
    trace = record(loops.asks_once, small_model.client())
    end = replace(trace.steps[-1], ending=Ending("fuse", fuse="seconds", limit=1.5))
    assert without_line(replace(trace, steps=(*trace.steps[:-1], end))) == (
        "L: 1.5 seconds were over, and after 1 request the loop was still running. Nothing in it has ended it."
    )


def test_a_loop_that_hangs_before_it_asks() -> None:
    def hangs(client: Any) -> None:
        while True:
            str(client)

    assert explained(hangs, seconds=0.1) == "L: the loop ran until the fuse blew, and never asked the model."


@pytest.mark.parametrize(
    ("stop_reason", "sentence"),
    [
        ("pause_turn", "the loop ended at pause_turn. The model is not done: append its turn unchanged and ask again."),
        (
            "max_tokens",
            "the last reply was cut off by max_tokens. It is no whole answer: ask again with a larger limit.",
        ),
        (
            "model_context_window_exceeded",
            "the context window is full, and the last reply was cut off. Shorten messages first.",
        ),
    ],
)
def test_an_end_that_is_none(stop_reason: str, sentence: str) -> None:
    assert explained(loops.asks_once, gives(stop_reason, small_model.text("So"))) == f"L: {sentence}"


@pytest.mark.parametrize("stop_reason", ["end_turn", "stop_sequence", "refusal"])
def test_an_end_that_is_one(stop_reason: str) -> None:
    assert explained(loops.asks_once, gives(stop_reason, small_model.text("So"))) is None


def test_an_empty_reply() -> None:
    assert explained(loops.asks_once, gives("end_turn")) == (
        'L: the last reply is empty. Append a new user turn such as "Please continue" and ask again; '
        "leave out text after the results, which leads to this."
    )


def test_a_request_that_fails_without_an_exception() -> None:
    def returns_anyway(client: Any) -> str:
        try:
            loops.sends_text(client)
        except Exception:
            return "done"
        return "never"

    assert explained(returns_anyway) == FAULTS[loops.sends_text]


def test_a_loop_that_returns_long_after_its_request_failed() -> None:
    def tells(client: Any) -> None:
        messages: list[Any] = [loops.result_for_nobody()]
        try:
            client.messages.create(**loops.ASK, messages=loops.TASK)
        except Exception:
            messages.append({"role": "user", "content": "Hi"})

    assert explained(tells) == FAULTS[loops.sends_text]


def test_an_error_of_the_learner_s_after_a_failed_request() -> None:
    def has_two_faults(client: Any) -> None:
        try:
            loops.sends_text(client)
        except Exception:
            raise KeyError("name") from None

    assert explained(has_two_faults) == FAULTS[loops.sends_text] + " Then the loop raised KeyError: 'name'"


def test_an_error_long_after_a_failed_request() -> None:
    def goes_on(client: Any) -> None:
        messages: list[Any] = []
        try:
            client.messages.create(**loops.ASK, messages=loops.TASK)
        except Exception:
            messages.append({"role": "user", "content": "Hi"})
        raise KeyError("name")

    assert explained(goes_on) == "L: KeyError: 'name'"


def test_missing_arguments() -> None:
    assert without_line(record(loops.appends)) == (
        "L: the loop was not given the arguments it takes: appends() missing 1 required positional argument: 'client'. "
        "Write record(loop, client, ...) with each of them."
    )


def test_arguments_that_are_missing_in_a_call_of_the_loop_s_are_no_fault_of_record() -> None:
    def helper(text: str) -> str:
        return text

    def calls_it_wrongly(client: Any) -> Any:
        return helper()  # type: ignore[call-arg]

    words = "missing 1 required positional argument: 'text'"
    assert explained(calls_it_wrongly) == f"L: TypeError: {helper.__qualname__}() {words}"


def test_parameters_that_the_sdk_does_not_take() -> None:
    def too_warm(client: Any) -> Any:
        return client.messages.create(**loops.ASK, messages=[], temperature=1)

    def nameless(client: Any) -> Any:
        return client.messages.create("model", 100, [])

    def unlimited(client: Any) -> Any:
        return client.messages.create(model="model", messages=[])

    assert explained(too_warm) == (
        "L: a request has a parameter that the SDK does not know "
        "(Messages.create() got an unexpected keyword argument 'temperature'). Leave it out, or look for its right name."
    )
    assert "write model=..., max_tokens=..., messages=..." in str(explained(nameless))
    assert explained(unlimited) == "L: a request needs model, max_tokens and messages, and one of them is missing."


def test_half_a_character() -> None:
    def sends_half(client: Any) -> Any:
        return client.messages.create(**loops.ASK, messages=[{"role": "user", "content": "half \ud800"}])

    assert "Read text as UTF-8" in str(explained(sends_half))


def test_blocks_are_objects_of_several_types() -> None:
    def subscripts(client: Any) -> Any:
        return client.messages.create(**loops.ASK, messages=[{"role": "user", "content": "Hi"}]).content[1]["name"]

    def wants_text(client: Any) -> Any:
        return client.messages.create(**loops.ASK, messages=[{"role": "user", "content": "Hi"}]).content[1].text

    def wants_a_name(client: Any) -> Any:
        return client.messages.create(**loops.ASK, messages=[{"role": "user", "content": "Hi"}]).content[0].name

    assert (
        explained(subscripts) == 'L: a block of a reply is an object, not a dict: write block.name, not block["name"].'
    )
    assert explained(wants_text) == (
        "L: not every block of a reply is text ('ToolUseBlock' object has no attribute 'text'): look at block.type first."
    )
    assert explained(wants_a_name) == (
        "L: not every block of a reply asks for a tool ('TextBlock' object has no attribute 'name'): "
        'look for block.type == "tool_use" first.'
    )


def test_a_message_that_was_changed_is_named() -> None:
    def edits_the_task(client: Any) -> Any:
        messages: list[Any] = [{"role": "user", "content": load_scenario("plain_chat").prompt}]
        ask = {"model": MODEL, "max_tokens": 500, "thinking": {"type": "adaptive"}}
        reply = client.messages.create(**ask, messages=messages)
        messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": "And now?"}]
        messages[0]["content"] += " Be brief."
        return client.messages.create(**ask, messages=messages)

    assert without_line(record(edits_the_task, client("plain_chat", settings=OFFLINE))) == (
        "L: request 2 failed: 400 invalid_request_error. Something before a thinking block was changed, put in or left out. "
        "Only append to messages, and send the same system and tools each time. messages[0] is not what it was in request 1."
    )


def test_no_connection() -> None:
    client = small_model.client(small_model.unreachable).with_options(max_retries=0)
    assert without_line(record(loops.asks_once, client)) == (
        "L: request 1 failed: ConnectError. No answer came (All connection attempts failed). "
        "Check the connection and the address, then ask again."
    )


def test_a_stream_that_breaks() -> None:
    assert explained(loops.streams, small_model.cut) == (
        "L: request 1 failed: RemoteProtocolError. The stream broke off (peer closed connection). Ask again."
    )


# The wordings of the API (messages_api.md part 2), and a part of the remedy.
WORDINGS = {
    "Invalid `signature` in `thinking` block. The block is bound to a different conversation.": "Only append",
    "The block is bound to a different conversation. The `system` prompt differs from the one": "Send the same system",
    "The block is bound to a different conversation. The `tools` list differs from the one": "Send the same tools",
    "bound to a different conversation. The `thinking` block that preceded this one when it was created is missing": "is gone",
    "bound to a different conversation. Content that preceded this block when it was created is missing": "is gone",
    "thinking.adaptive.block_binding: Extra inputs are not permitted": "thinking-binding-controls",
    "messages.1: The final block in an assistant message cannot be `thinking`.": "whole reply",
    "messages.1.content.0: Invalid `signature` in `thinking` block": "whole reply",
    "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.": "whole reply",
    "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks": "Two results",
    "messages.3.content.1: `tool_use` ids must be unique": "twice",
    "messages.1: `tool_result` blocks can only be in `user` messages": "user turn",
    "messages.0: `tool_use` blocks can only be in `assistant` messages": "assistant turn",
    "This model does not support assistant message prefill. The conversation must end with a user message.": "Append a user turn",
    "messages: at least one message is required": "empty",
    'messages: Unexpected role "tool". Allowed roles are "user" or "assistant"': "role",
    "messages.0: Input should be an object": "dict",
    "foo: Extra inputs are not permitted": "parameter",
    "messages: text content blocks must be non-empty": "empty",
    "messages.0: user messages must have non-empty content": "empty",
    "prompt is too long: 214000 tokens > 200000 maximum": "context window",
    "messages.1.content.0.tool_use.input: Input should be an object": "dict",
    "messages.2.content.0.tool_result.content: Input should be a valid array": "str()",
    "messages.2.content.0.tool_result.tool_use_id: Field required": "tool_use_id",
    "tools.0.custom.input_schema: Field required": "input_schema",
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'": "The name of a tool",
    "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'": "parameter",
    "tool_choice.any may only be specified while providing tools": "no tools",
    "The image was specified using the image/jpeg media type, but the image appears to be a image/png image": (
        "Write image/png in place of image/jpeg."
    ),
    "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for x": "larger",
}


@pytest.mark.parametrize(("message", "part"), WORDINGS.items())
def test_the_remedy_of_a_rule(message: str, part: str) -> None:
    assert part in remedy(400, {"type": "invalid_request_error", "message": message})


def test_the_remedy_of_an_unknown_model() -> None:
    dots = "model: claude-haiku-5.5 was not found. Did you mean claude-haiku-5-5?"
    assert remedy(404, {"type": "", "message": dots}) == "There is no model claude-haiku-5.5. Write claude-haiku-5-5."
    assert remedy(404, {"type": "", "message": "model: x"}) == "There is no model x. Use MODEL of the course."


def test_every_remedy_can_be_filled_in() -> None:
    for pattern, sentence in _by_message():
        sentence.format(**dict.fromkeys(re.compile(pattern).groupindex, "x"))


@pytest.mark.parametrize("status", [401, 403, 404, 413, 429, 500, 504, 529])
def test_the_remedy_of_a_status(status: int) -> None:
    assert remedy(status, {"type": "", "message": "the API's words"}) != "the API's words"


@pytest.mark.parametrize("status", [400, 418])
def test_without_a_remedy_the_api_s_own_words_are_shown(status: int) -> None:
    assert remedy(status, {"type": "", "message": "a rule of tomorrow"}) == "a rule of tomorrow"


def test_the_errors_of_the_sdk_are_known() -> None:
    import anthropic

    kinds = {name: each for name, each in vars(anthropic._exceptions).items() if isinstance(each, type)}
    assert sorted(name for name, each in kinds.items() if issubclass(each, anthropic.APIError)) == list(SDK_ERRORS)
