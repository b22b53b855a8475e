"""Rules 82 and 83: a thinking block goes back as it came, after the conversation that it was made in.

The rows of the page "Preserved thinking" of the API's documentation, and what was measured of them, through the real SDK.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import anthropic
import pytest

from course.clients import client
from course.offline.binding import Prefix, broken, read_bond, sign_conversation
from course.offline.models import MODELS
from course.offline.scenario import load_scenario
from course.settings import MODEL, OFFLINE

CONTROLS = "thinking-binding-controls-2026-08-01"
UNBOUND = "claude-opus-4-8"
LIST: dict[str, Any] = {
    "name": "list_files",
    "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
}
READ: dict[str, Any] = {**LIST, "name": "read_file"}
SHOWN: dict[str, Any] = {"type": "adaptive", "display": "summarized"}
Change = Callable[[dict[str, Any]], None]

OTHER_CONVERSATION = (
    "Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set "
    '`thinking.block_binding.prefix_mismatch_behavior` to "drop_block".'
)
NEEDS_BETA = f" That setting requires the `{CONTROLS}` value in the `anthropic-beta` header."
SYSTEM = " The `system` prompt differs from the one this block was created with."
TOOLS = " The `tools` list differs from the one this block was created with."
BEFORE = " The `thinking` block that preceded this one when it was created is missing from this request."
MISSING = " Content that preceded this block when it was created is missing from this request."
CANNOT_BE_MODIFIED = (
    "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain "
    "as they were in the original response."
)


def ask(body: dict[str, Any], *betas: str, **changes: Any) -> Any:
    """The reply to a body, through the SDK."""
    sdk = client("most_lines", settings=OFFLINE)
    return sdk.beta.messages.create(**{**body, **changes}, betas=list(betas))


def refusal(body: dict[str, Any], *betas: str, **changes: Any) -> str | None:
    """The message that refuses a body; None if it is answered."""
    try:
        ask(body, *betas, **changes)
    except anthropic.BadRequestError as error:
        return error.body["error"]["message"]  # type: ignore[index, no-any-return]
    return None


@pytest.fixture(scope="module")
def first_body() -> dict[str, Any]:
    return {
        "model": MODEL,
        "max_tokens": 2000,
        "system": "Be brief.",
        "tools": [LIST, READ],
        "thinking": SHOWN,
        "messages": [{"role": "user", "content": load_scenario("most_lines").prompt}],
    }


def went_on(body: dict[str, Any], *betas: str) -> dict[str, Any]:
    """The body of the next request: the reply, and made-up results or a question, are appended."""
    reply = ask(body, *betas)
    content = [block.to_dict(exclude_none=True) for block in reply.content]
    results = [
        {"type": "tool_result", "tool_use_id": block["id"], "content": "a.py\nb.py"}
        for block in content
        if block["type"] == "tool_use"
    ]
    more = {"role": "user", "content": results or "And now?"}
    return {**body, "messages": [*body["messages"], {"role": "assistant", "content": content}, more]}


@pytest.fixture(scope="module")
def long_body(first_body: dict[str, Any]) -> dict[str, Any]:
    """Seven messages with three thinking blocks, in messages 1, 3 and 5."""
    body = first_body
    for _ in range(3):
        body = went_on(body)
    assert [message["content"][0]["type"] for message in body["messages"][1::2]] == ["thinking"] * 3
    assert [block["type"] for block in body["messages"][1]["content"]] == ["thinking", "text", "tool_use"]
    return body


def changed(body: dict[str, Any], change: Change) -> dict[str, Any]:
    body = copy.deepcopy(body)
    change(body)
    return body


# Rule 82: what is no change


def add_cache_marks(body: dict[str, Any]) -> None:
    body["system"] = [{"type": "text", "text": body["system"], "cache_control": {"type": "ephemeral"}}]
    body["tools"][1] = {**READ, "cache_control": {"type": "ephemeral"}}
    body["messages"][2]["content"][0]["cache_control"] = {"type": "ephemeral"}


def turn_the_tools_round(body: dict[str, Any]) -> None:
    body["tools"].reverse()


def add_a_tool_for_later(body: dict[str, Any]) -> None:
    body["tools"].append({**LIST, "name": "later", "defer_loading": True})


def say_what_is_default(body: dict[str, Any]) -> None:
    body["tools"][0] = {
        **LIST, "type": "custom", "strict": False, "defer_loading": False, "allowed_callers": ["direct"],
        "description": "", "input_examples": [], "eager_input_streaming": False,
    }  # fmt: skip
    body["messages"][2]["content"][0]["is_error"] = False


def leave_the_caller_out(body: dict[str, Any]) -> None:
    del body["messages"][1]["content"][2]["caller"]


def send_text_as_blocks(body: dict[str, Any]) -> None:
    body["messages"][0]["content"] = [{"type": "text", "text": body["messages"][0]["content"]}]
    result = body["messages"][2]["content"][0]
    result["content"] = [{"type": "text", "text": result["content"]}]


def send_a_turn_as_two_messages(body: dict[str, Any]) -> None:
    thought, *rest = body["messages"][1]["content"]
    body["messages"][1:2] = [{"role": "assistant", "content": [thought]}, {"role": "assistant", "content": rest}]


def leave_the_first_thinking_out(body: dict[str, Any]) -> None:
    del body["messages"][1]["content"][0]


def leave_the_last_thinking_out(body: dict[str, Any]) -> None:
    del body["messages"][5]["content"][0]


def leave_all_thinking_out(body: dict[str, Any]) -> None:
    for number in (1, 3, 5):
        del body["messages"][number]["content"][0]


def change_other_parameters(body: dict[str, Any]) -> None:
    body |= {"max_tokens": 500, "output_config": {"effort": "low"}, "metadata": {"user_id": "me"}}
    body["thinking"] = {"type": "adaptive"}
    body["tool_choice"] = {"type": "none"}


def change_the_words_of_an_earlier_thought(body: dict[str, Any]) -> None:
    body["messages"][1]["content"][0]["thinking"] = "[cleared]"


NO_CHANGES: list[Change] = [
    add_cache_marks, turn_the_tools_round, add_a_tool_for_later, say_what_is_default, leave_the_caller_out,
    send_text_as_blocks, send_a_turn_as_two_messages, leave_the_first_thinking_out, leave_the_last_thinking_out,
    leave_all_thinking_out, change_other_parameters, change_the_words_of_an_earlier_thought,
]  # fmt: skip


def test_a_conversation_that_only_grows_is_accepted(long_body: dict[str, Any]) -> None:
    assert refusal(long_body) is None


@pytest.mark.parametrize("change", NO_CHANGES, ids=lambda change: change.__name__)
def test_rule_82_no_change(long_body: dict[str, Any], change: Change) -> None:
    assert refusal(changed(long_body, change)) is None


# Rule 82: changes


def edit_the_task(body: dict[str, Any]) -> None:
    body["messages"][0]["content"] += " Today is Monday."


def add_a_text_to_the_task(body: dict[str, Any]) -> None:
    send_text_as_blocks(body)
    body["messages"][0]["content"].append({"type": "text", "text": "Today is Monday."})


def put_a_message_in(body: dict[str, Any]) -> None:
    body["messages"].insert(1, {"role": "user", "content": "Today is Monday."})


def drop_the_first_turns(body: dict[str, Any]) -> None:
    body["messages"][0:3] = [{"role": "user", "content": "You listed the files."}]


def drop_the_task(body: dict[str, Any]) -> None:
    del body["messages"][0]


def clear_a_result(body: dict[str, Any]) -> None:
    body["messages"][2]["content"][0]["content"] = "(cleared)"


def mark_a_result_as_an_error(body: dict[str, Any]) -> None:
    body["messages"][2]["content"][0]["is_error"] = True


def change_the_input_of_a_call(body: dict[str, Any]) -> None:
    body["messages"][1]["content"][2]["input"] = {"path": "src"}


def change_what_was_said(body: dict[str, Any]) -> None:
    body["messages"][1]["content"][1]["text"] = "Let me look."


def change_the_system_prompt(body: dict[str, Any]) -> None:
    body["system"] += " Today is Monday."


def leave_the_system_prompt_out(body: dict[str, Any]) -> None:
    del body["system"]


def add_a_tool(body: dict[str, Any]) -> None:
    body["tools"].append({**LIST, "name": "write_file"})


def leave_a_tool_out(body: dict[str, Any]) -> None:
    del body["tools"][1]


def describe_a_tool(body: dict[str, Any]) -> None:
    body["tools"][0]["description"] = "Lists files."


def leave_the_second_thinking_out(body: dict[str, Any]) -> None:
    del body["messages"][3]["content"][0]


CHANGES: list[tuple[Change, int, str]] = [
    (edit_the_task, 1, ""),
    (add_a_text_to_the_task, 1, ""),
    (put_a_message_in, 2, ""),
    (drop_the_first_turns, 1, MISSING),
    (drop_the_task, 0, MISSING),
    (clear_a_result, 3, ""),
    (mark_a_result_as_an_error, 3, ""),
    (change_the_input_of_a_call, 3, ""),
    (change_what_was_said, 3, ""),
    (change_the_system_prompt, 1, SYSTEM),
    (leave_the_system_prompt_out, 1, SYSTEM),
    (add_a_tool, 1, TOOLS),
    (leave_a_tool_out, 1, TOOLS),
    (describe_a_tool, 1, TOOLS),
    (leave_the_second_thinking_out, 5, BEFORE),
]


@pytest.mark.parametrize(("change", "at", "because"), CHANGES, ids=lambda value: getattr(value, "__name__", ""))
def test_rule_82_a_change(long_body: dict[str, Any], change: Change, at: int, because: str) -> None:
    body = changed(long_body, change)
    where = f"messages.{at}.content.0: "
    assert refusal(body) == where + OTHER_CONVERSATION + NEEDS_BETA + because
    assert refusal(body, CONTROLS) == where + OTHER_CONVERSATION + because


@pytest.mark.parametrize("change", [change for change, _at, _why in CHANGES], ids=lambda change: change.__name__)
def test_rule_82_a_model_that_does_not_bind_its_thinking_accepts_it(long_body: dict[str, Any], change: Change) -> None:
    assert refusal(changed(long_body, change), model=UNBOUND) is None


FINDS: dict[str, Any] = {
    "type": "search_result",
    "source": "notes",
    "title": "Notes",
    "content": [{"type": "text", "text": "Nine o'clock."}],
}


def test_rule_82_marks_and_nulls_inside_a_block_are_no_change(first_body: dict[str, Any]) -> None:
    body = went_on(first_body)
    body["messages"][2]["content"][0]["content"] = [FINDS]
    body = went_on(body)
    marked = {**FINDS["content"][0], "cache_control": {"type": "ephemeral"}, "citations": None}
    body["messages"][2]["content"][0]["content"] = [{**FINDS, "content": [marked]}]
    assert refusal(body) is None


def test_rule_82_nothing_and_an_empty_text_are_the_same(first_body: dict[str, Any]) -> None:
    body = went_on({**first_body, "system": ""})
    for result in body["messages"][2]["content"]:
        result["content"] = ""
    body = went_on(body)
    assert refusal({key: value for key, value in body.items() if key != "system"}) is None
    for result in body["messages"][2]["content"]:
        del result["content"]
    assert refusal(body) is None


@pytest.mark.parametrize("scenario", ["research", "research_and_save"])
def test_rule_82_a_reply_with_searches_may_come_back_without_its_nulls(
    scenario: str, first_body: dict[str, Any]
) -> None:
    sdk = client(scenario, settings=OFFLINE)
    search = {"type": "web_search_20250305", "name": "web_search"}
    save = {"name": "save_summary", "input_schema": {"type": "object"}}
    body = {**first_body, "tools": [search, save]}
    body["messages"] = [{"role": "user", "content": load_scenario(scenario).prompt}]
    for _round in range(2):
        reply = sdk.beta.messages.create(**body)
        body["messages"] = [
            *body["messages"],
            {"role": "assistant", "content": [block.to_dict() for block in reply.content]},
        ]
    assert [block["type"] for block in body["messages"][1]["content"]][:2] == ["thinking", "text"]
    assert any(find["page_age"] is None for find in finds_of(body))
    sdk.beta.messages.create(**body)
    for find in finds_of(body):
        del find["page_age"]
    sdk.beta.messages.create(**body)


def finds_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    blocks = [block for message in body["messages"][1:] for block in message["content"]]
    return [find for block in blocks if block["type"] == "web_search_tool_result" for find in block["content"]]


def test_rule_82_the_same_words_from_somebody_else(first_body: dict[str, Any]) -> None:
    said = [{"role": "user", "content": "Note: the sea is calm."}]
    body = went_on({**first_body, "messages": [*first_body["messages"], *said]})
    body["messages"][1]["role"] = "assistant"
    message = refusal(body)
    assert message is not None and "bound to a different conversation" in message


def test_rule_82_thinking_that_is_put_back_again(first_body: dict[str, Any]) -> None:
    body = went_on(first_body)
    without = went_on(changed(body, lambda body: body["messages"][1]["content"].pop(0)))
    assert refusal(without) is None
    back = copy.deepcopy(without)
    back["messages"][1] = body["messages"][1]
    assert refusal(back) == "messages.3.content.0: " + OTHER_CONVERSATION + NEEDS_BETA


def test_rule_82_thinking_from_another_conversation(first_body: dict[str, Any], long_body: dict[str, Any]) -> None:
    other = went_on({**first_body, "messages": [{"role": "user", "content": "What can you do?"}]})
    body = changed(
        long_body, lambda body: body["messages"][1]["content"].__setitem__(0, other["messages"][1]["content"][0])
    )
    assert refusal(body) == "messages.1.content.0: " + OTHER_CONVERSATION + NEEDS_BETA


def test_rule_82_the_first_block_that_fails_is_named(long_body: dict[str, Any]) -> None:
    def change(body: dict[str, Any]) -> None:
        clear_a_result(body)
        body["messages"][4]["content"][0]["content"] = "(cleared)"

    message = refusal(changed(long_body, change))
    assert message is not None and message.startswith("messages.3.content.0: ")


def test_rule_82_a_count_of_tokens_is_refused_in_the_same_way(long_body: dict[str, Any]) -> None:
    body = changed(long_body, edit_the_task)
    del body["max_tokens"]
    with pytest.raises(anthropic.BadRequestError, match="bound to a different conversation"):
        client("most_lines", settings=OFFLINE).beta.messages.count_tokens(**body)


def test_rule_82_the_models() -> None:
    assert {name for name, model in MODELS.items() if model.binds_thinking} == {
        "claude-fable-5-2",
        "claude-mythos-5-2",
        "claude-fable-5-1",
        "claude-mythos-5-1",
        "claude-opus-5-5",
        "claude-sonnet-5-5",
        "claude-haiku-5-5",
    }


# `block_binding` and `input_transformations`

DROP: dict[str, Any] = {**SHOWN, "block_binding": {"prefix_mismatch_behavior": "drop_block"}}


def dropped(reply: Any) -> list[tuple[str, str, str]]:
    return [(each.type, each.path, each.reason) for each in reply.input_transformations]


def drop(*numbers: int) -> list[tuple[str, str, str]]:
    return [("thinking_dropped", f"messages.{number}.content.0", "prefix_binding_mismatch") for number in numbers]


@pytest.mark.parametrize(
    ("change", "numbers"),
    [(change_the_system_prompt, (1, 3, 5)), (edit_the_task, (1, 3, 5)), (clear_a_result, (3, 5)),
     (leave_the_second_thinking_out, (5,)), (add_cache_marks, ())],
    ids=lambda value: getattr(value, "__name__", ""),
)  # fmt: skip
def test_drop_block_drops_what_fails_and_says_so(
    long_body: dict[str, Any], change: Change, numbers: tuple[int, ...]
) -> None:
    reply = ask(changed(long_body, change), CONTROLS, thinking=DROP)
    assert dropped(reply) == drop(*numbers)


def test_thinking_right_behind_a_dropped_block_goes_with_it() -> None:
    thought = {"type": "thinking", "thinking": "Hm."}
    said = {"type": "text", "text": "Hello."}
    task = {"role": "user", "content": "Hi"}
    first, second = (
        sign_conversation(
            {"messages": [{"role": "user", "content": text}, {"role": "assistant", "content": [thought, said]}]}
        )
        for text in ("Other", "Hi")
    )
    both = [first[1]["content"][0], second[1]["content"][0], said]
    assert [at for _number, at, _why in broken({"messages": [task, {"role": "assistant", "content": both}]})] == [0, 1]
    turned = [both[1], both[0], said]
    assert [at for _number, at, _why in broken({"messages": [task, {"role": "assistant", "content": turned}]})] == [1]


def test_what_is_dropped_costs_nothing(long_body: dict[str, Any]) -> None:
    body = changed(long_body, edit_the_task)
    reply = ask(body, CONTROLS, thinking=DROP)
    without = ask(changed(body, leave_all_thinking_out))
    assert reply.usage.input_tokens == without.usage.input_tokens < ask(body, model=UNBOUND).usage.input_tokens


def test_thinking_after_a_drop_is_bound_to_the_changed_conversation(long_body: dict[str, Any]) -> None:
    body = {**changed(long_body, clear_a_result), "thinking": DROP}
    body = went_on(body, CONTROLS)
    assert body["messages"][7]["content"][0]["type"] == "thinking"
    assert dropped(ask(body, CONTROLS)) == drop(3, 5)


def test_with_the_beta_every_response_says_what_was_dropped(first_body: dict[str, Any]) -> None:
    assert ask(first_body, CONTROLS).input_transformations == []
    assert ask(first_body, CONTROLS, model=UNBOUND, thinking=DROP).input_transformations == []
    assert "input_transformations" not in ask(first_body).to_dict()


def test_a_stream_says_it_in_its_first_event(long_body: dict[str, Any]) -> None:
    sdk = client("most_lines", settings=OFFLINE)
    body = changed(long_body, clear_a_result)
    events = list(sdk.beta.messages.create(**{**body, "thinking": DROP}, stream=True, betas=[CONTROLS]))
    assert dropped(events[0].message) == drop(3, 5)
    with sdk.beta.messages.stream(**{**body, "thinking": DROP}, betas=[CONTROLS]) as stream:
        assert dropped(stream.get_final_message()) == drop(3, 5)


def test_block_binding_needs_its_beta(first_body: dict[str, Any]) -> None:
    message = "thinking.adaptive.block_binding: Extra inputs are not permitted"
    assert refusal(first_body, thinking=DROP) == message
    assert refusal(first_body, "compact-2026-01-12", thinking=DROP) == message


@pytest.mark.parametrize("binding", [{}, {"prefix_mismatch_behavior": None}, {"prefix_mismatch_behavior": "error"}])
def test_error_is_the_default(long_body: dict[str, Any], binding: dict[str, Any]) -> None:
    body = changed(long_body, change_the_system_prompt)
    assert refusal(body, CONTROLS, thinking={**SHOWN, "block_binding": binding}) == (
        "messages.1.content.0: " + OTHER_CONVERSATION + SYSTEM
    )


def test_a_forged_signature_is_refused_all_the_same(long_body: dict[str, Any]) -> None:
    body = changed(long_body, lambda body: body["messages"][1]["content"][0].update(signature="bm90LXJlYWw="))
    assert refusal(body, CONTROLS, thinking=DROP) == "messages.1.content.0: Invalid `signature` in `thinking` block"


# Compaction: what a block sums up is not looked at, and thinking that is kept after it stays valid

COMPACT = "compact-2026-09-04"


def summed_up(body: dict[str, Any], model: str = MODEL) -> dict[str, Any]:
    """The turn that a request for a summary of this body brings."""
    reply = ask(body, COMPACT, compaction={"type": "summarize"}, model=model)
    assert reply.stop_reason == "compaction"
    return {"role": "assistant", "content": [block.to_dict() for block in reply.content]}


def with_summary_of(body: dict[str, Any], count: int, model: str = MODEL) -> dict[str, Any]:
    """The body with its first messages replaced by their summary."""
    messages = body["messages"]
    summary = summed_up({**body, "messages": messages[:count]}, model)
    return {**body, "messages": [summary, *messages[count:]]}


def test_thinking_in_kept_turns_stays_valid(long_body: dict[str, Any]) -> None:
    kept = with_summary_of(long_body, 3)
    assert kept["messages"][0]["content"][0]["type"] == "compaction"
    assert kept["messages"][1]["content"][0]["type"] == "thinking"
    assert refusal(kept, COMPACT) is None
    assert refusal(went_on(kept, COMPACT), COMPACT) is None


def test_a_summary_is_a_part_of_the_conversation(long_body: dict[str, Any]) -> None:
    body = went_on(with_summary_of(long_body, 3), COMPACT)
    assert refusal(body, COMPACT) is None
    body["messages"][0]["content"][0]["content"] += " And more."
    message = refusal(body, COMPACT)
    at = len(body["messages"]) - 2
    assert message is not None and message.startswith(f"messages.{at}.content.0: Invalid `signature`")


def test_a_compaction_that_failed_is_no_part_of_the_conversation(long_body: dict[str, Any]) -> None:
    failed = {"type": "compaction", "content": None, "encrypted_content": None, "signature": None}
    body = changed(long_body, lambda body: body["messages"][5]["content"].append(failed))
    assert refusal(body, COMPACT) is None
    body = went_on(body, COMPACT)
    del body["messages"][5]["content"][-1]
    assert refusal(body, COMPACT) is None


def test_thinking_in_turns_kept_through_two_compactions_stays_valid(long_body: dict[str, Any]) -> None:
    twice = with_summary_of(with_summary_of(long_body, 1), 3)
    assert [message["role"] for message in twice["messages"]] == ["assistant", "assistant", "user", "assistant", "user"]
    assert refusal(twice, COMPACT) is None


def test_a_summary_by_a_model_that_does_not_bind_its_thinking_keeps_none_valid(long_body: dict[str, Any]) -> None:
    message = refusal(with_summary_of(long_body, 3, UNBOUND), COMPACT)
    assert message is not None and "bound to a different conversation" in message


def test_what_is_put_between_a_summary_and_the_kept_turns_breaks_them(long_body: dict[str, Any]) -> None:
    kept = with_summary_of(long_body, 3)
    kept["messages"].insert(1, {"role": "user", "content": "Go on."})
    message = refusal(kept, COMPACT)
    assert message is not None and message.startswith("messages.2.content.0: Invalid `signature`")


def test_what_a_summary_stands_for_may_be_changed(long_body: dict[str, Any]) -> None:
    """The block is appended, and the messages before it are left where they are."""
    history = [*long_body["messages"], summed_up(long_body), {"role": "user", "content": "And now?"}]
    body = changed({**long_body, "messages": history}, edit_the_task)
    assert refusal(body, COMPACT) is None


# Rule 83: the latest assistant turn


def refused_83(body: dict[str, Any], at: str) -> bool:
    """True if both a model that binds its thinking and one that does not refuse this by rule 83."""
    wanted = f"{at}: {CANNOT_BE_MODIFIED}"
    return [refusal(body), refusal(body, model=UNBOUND)] == [wanted, wanted]


def test_rule_83_the_words_of_the_latest_thinking(first_body: dict[str, Any]) -> None:
    body = went_on(first_body)
    body["messages"][1]["content"][0]["thinking"] += " Or not."
    assert refused_83(body, "messages.1.content.0")


def test_rule_83_the_latest_thinking_is_not_where_it_was(first_body: dict[str, Any]) -> None:
    body = went_on(first_body)
    thought, text, call = body["messages"][1]["content"]
    body["messages"][1]["content"] = [text, thought, call]
    assert refused_83(body, "messages.1.content.1")


def test_thinking_at_the_end_of_a_turn_is_refused_as_such(first_body: dict[str, Any]) -> None:
    body = went_on(first_body)
    thought, text, call = body["messages"][1]["content"]
    body["messages"][1]["content"] = [text, call, thought]
    assert refusal(body) == "messages.1: The final block in an assistant message cannot be `thinking`."


def test_rule_83_a_second_thinking_beside_the_first(long_body: dict[str, Any]) -> None:
    body = changed(long_body, lambda body: body["messages"][5]["content"].insert(1, body["messages"][1]["content"][0]))
    assert refused_83(body, "messages.5.content.1")


def test_rule_83_two_replies_in_one_turn_are_no_change(first_body: dict[str, Any]) -> None:
    """Measured on Sonnet 5: a turn of thinking, text, thinking, text, from two requests."""
    hello = {**first_body, "tools": [], "messages": [{"role": "user", "content": "What can you do?"}]}
    replies = [ask(hello), ask(first_body, tools=[])]
    content = [block.to_dict() for reply in replies for block in reply.content]
    assert [block["type"] for block in content] == ["thinking", "text", "thinking", "text"]
    messages = [*hello["messages"], {"role": "assistant", "content": content}, {"role": "user", "content": "And now?"}]
    assert refusal(hello, model=UNBOUND, messages=messages) is None


def test_rule_83_other_blocks_of_the_turn_may_change(first_body: dict[str, Any]) -> None:
    body = went_on(first_body)
    del body["messages"][1]["content"][1]
    assert refusal(body) is None


def test_words_in_a_block_whose_words_were_left_out_are_not_looked_at(first_body: dict[str, Any]) -> None:
    body = went_on({**first_body, "thinking": {"type": "adaptive"}})
    assert body["messages"][1]["content"][0]["thinking"] == ""
    body["messages"][1]["content"][0]["thinking"] = "I look at the files."
    assert refusal(body) is None


def test_a_reply_without_its_thinking_may_come_back(first_body: dict[str, Any]) -> None:
    body = went_on(first_body)
    del body["messages"][1]["content"][0]
    assert refusal(body) is None
    assert refusal(body, model=UNBOUND) is None


# Which thinking is shown


def test_what_of_the_thinking_is_shown_depends_on_the_model(first_body: dict[str, Any]) -> None:
    def text(model: str, **thinking: Any) -> str:
        return ask(first_body, model=model, thinking={"type": "adaptive", **thinking}).content[0].thinking  # type: ignore[no-any-return]

    assert text("claude-sonnet-4-6") == text(MODEL, display="summarized") != ""
    assert text(MODEL) == text("claude-opus-4-7") == text("claude-sonnet-4-6", display="omitted") == ""


# The digests


def test_a_tool_s_own_input_is_compared_whole() -> None:
    def prefix(value: Any) -> Any:
        call = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": value}
        return Prefix.of({"messages": [{"role": "assistant", "content": [call]}]}).lines

    assert prefix({"cache_control": 1}) != prefix({})
    assert prefix({"a": None}) != prefix({})
    assert prefix({"a": 1, "b": 2}) == prefix({"b": 2, "a": 1})


def test_the_bytes_behind_a_url_are_not_looked_at() -> None:
    def prefix(url: str) -> Any:
        image = {"type": "image", "source": {"type": "url", "url": url}}
        return Prefix.of({"messages": [{"role": "user", "content": [image]}]}).lines

    assert prefix("https://example.com/a?signature=1") == prefix("https://example.com/a?signature=2")


def test_half_a_character_has_a_digest() -> None:
    messages = [
        {"role": "user", "content": "\ud83d"},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "\ud83d"}]},
    ]
    body = {"messages": messages}
    assert broken({"messages": sign_conversation(body)}) == []


@pytest.mark.parametrize("signature", ["", "AAAA", "é", "no base64!"])
def test_a_signature_that_is_not_of_a_thinking_block_holds_no_bond(signature: str) -> None:
    assert read_bond(signature) is None
