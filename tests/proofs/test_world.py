"""What the model of an item's own world says: it follows from the request, the first request and the item."""

from __future__ import annotations

from typing import Any

import pytest
from worlds import CALL, COMPACTION, RESPONSES, SEARCH, SECOND, TASK, assistant, result, setting, text, user

from course.proofs.setting import ANSWER, Setting
from course.proofs.world import World, client_of
from course.settings import MODEL

LONG = {"role": "user", "content": "A long history. " * 20}


def told(start: Setting, *messages: Any, max_tokens: int = 1024) -> tuple[str, Any]:
    """What a request with these messages brings after the first one: the news and the reply."""
    world = World(start)
    client = client_of(world)
    request = {"model": MODEL, "tools": start.definitions}
    client.messages.create(**request, max_tokens=1024, messages=start.start())
    headers = {"extra_headers": {"anthropic-beta": "compact-2026-01-12"}} if start.reason == "compaction" else {}
    reply = client.messages.create(**request, max_tokens=max_tokens, messages=list(messages), **headers)
    return world.news[-1], reply


def news(start: Setting, *messages: Any, max_tokens: int = 1024) -> str:
    return told(start, *messages, max_tokens=max_tokens)[0]


TURN = assistant(*RESPONSES["tool_use"])


@pytest.mark.parametrize(
    ("name", "messages", "expected"),
    [
        ("tool_use", [TASK], "again"),
        ("tool_use", [TASK, TURN, user(result())], "answer"),
        ("tool_use", [TASK, TURN, user(result(), text("Be short."))], "empty"),
        ("tool_use", [TASK, TURN, user(result(), text("Please continue."))], "empty"),
        ("tool_use", [TASK, TURN, user(result()), user(text("Please continue."))], "answer"),
        ("tool_use", [TASK, user(text("read_ticket says: open"))], "again"),
        ("tool_use", [TASK, TURN, user(result()), assistant(text(ANSWER)), user(text("And?"))], "no_more"),
        ("end_turn", [TASK], "again"),
        ("end_turn", [TASK, assistant(*RESPONSES["end_turn"]), user(text("Please continue."))], "no_more"),
        ("end_turn", [TASK, assistant(*RESPONSES["end_turn"]), user(text("And ticket 5?"))], "answer"),
        ("end_turn", [TASK, user(text("And ticket 5?"))], "again"),
        ("end_turn, empty", [TASK, user(text("Please continue."))], "answer"),
        ("end_turn, empty", [TASK], "again"),
        ("max_tokens, text", [TASK], "again"),
        ("max_tokens, text", [TASK, assistant(*RESPONSES["max_tokens, text"]), user(text("Go on."))], "rest"),
        ("max_tokens, a call", [TASK], "again"),
        ("max_tokens, a call", [TASK, TURN, user(result())], "answer"),
        ("max_tokens, a call", [TASK, TURN, user(result(content="It was cut.", is_error=True))], "again"),
        ("pause_turn", [TASK], "again"),
        ("pause_turn", [TASK, assistant(*RESPONSES["pause_turn"])], "answer"),
        ("pause_turn", [TASK, assistant(SEARCH)], "answer"),
        ("compaction", [TASK, assistant(COMPACTION)], "answer"),
        ("refusal", [TASK], "again"),
        ("refusal", [TASK, user(text("Please."))], "again"),
        ("refusal", [user(text("What is a tide?"))], "answer"),
        ("model_context_window_exceeded", [TASK], "again"),
        ("model_context_window_exceeded", [user(text("Open?"))], "answer"),
        ("model_context_window_exceeded", [TASK, LONG], "again"),
    ],
)  # fmt: skip
def test_what_a_later_request_brings(name: str, messages: list[Any], expected: str) -> None:
    assert news(setting(name), *messages) == expected


def test_a_chat_goes_on_when_the_question_that_was_refused_has_left_it() -> None:
    before = [user(text("What is a tide?")), assistant(text("The sea, going up and down."))]
    start = Setting(messages=(*before, TASK), response={"content": RESPONSES["refusal"], "stop_reason": "refusal"})
    assert news(start, *before, user(text("And a spring tide?"))) == "answer"
    assert news(start, *before, TASK, user(text("And a spring tide?"))) == "again"


def test_a_larger_limit_brings_the_whole_text() -> None:
    whole = ({"type": "text", "text": "The first ticket is open, the second is not."},)
    kind, reply = told(setting("max_tokens, text", whole=whole), TASK, max_tokens=2048)
    assert (kind, reply.content[0].text, reply.stop_reason) == ("whole", whole[0]["text"], "end_turn")


def test_behind_the_cut_text_comes_its_rest() -> None:
    whole = ({"type": "text", "text": "The first ticket is open, the second is not."},)
    start = setting("max_tokens, text", whole=whole)
    _kind, reply = told(start, TASK, assistant(*RESPONSES["max_tokens, text"]), user(text("Go on.")))
    assert reply.content[0].text == "open, the second is not."


def test_a_larger_limit_brings_the_whole_call_with_an_id_of_its_own() -> None:
    kind, reply = told(setting("max_tokens, a call"), TASK, max_tokens=2048)
    assert (kind, reply.stop_reason, reply.content[1].input) == ("whole", "tool_use", CALL["input"])
    assert reply.content[1].id != "toolu_01"


def test_the_same_request_brings_the_very_same_response() -> None:
    _kind, reply = told(setting(), TASK)
    assert reply.content[1].id == "toolu_01"


def test_a_call_that_is_asked_for_again_has_a_new_id_where_the_old_one_stands_in_the_history() -> None:
    _kind, reply = told(setting("max_tokens, a call"), TASK, TURN, user(result(is_error=True)))
    assert reply.content[1].id != "toolu_01"


def test_the_rules_of_the_api_check_every_request() -> None:
    import anthropic

    with pytest.raises(anthropic.BadRequestError, match="tool_use` ids were found without"):
        told(setting(), TASK, TURN)


def test_a_refused_request_brings_no_news() -> None:
    import anthropic

    world = World(setting())
    with pytest.raises(anthropic.BadRequestError):
        client_of(world).messages.create(model=MODEL, max_tokens=9, messages=[TURN])
    assert world.news == []


def test_without_a_response_the_first_request_is_answered() -> None:
    world = World(Setting(answer="It is open."))
    reply = client_of(world).messages.create(model=MODEL, max_tokens=9, messages=[TASK])
    assert (reply.content[0].text, reply.stop_reason, world.news) == ("It is open.", "end_turn", ["answer"])


def test_what_the_response_leaves_out_is_filled_in() -> None:
    world = World(setting("refusal"))
    reply = client_of(world).messages.create(model=MODEL, max_tokens=9, messages=[TASK])
    assert reply.stop_details is not None
    assert (reply.stop_details.type, reply.role, reply.type) == ("refusal", "assistant", "message")
    assert reply.usage.input_tokens > 0


def test_a_reply_can_be_streamed() -> None:
    world = World(setting())
    with client_of(world).messages.stream(model=MODEL, max_tokens=9, messages=[TASK]) as stream:
        reply = stream.get_final_message()
    assert (reply.stop_reason, reply.content[1].input) == ("tool_use", {"number": 3})


def test_the_input_of_a_cut_call_is_no_whole_json_in_a_stream() -> None:
    world = World(setting("max_tokens, a call"))
    with client_of(world).messages.stream(model=MODEL, max_tokens=9, messages=[TASK]) as stream:
        deltas = [event.delta for event in stream if event.type == "content_block_delta"]
    parts = [delta.partial_json for delta in deltas if delta.type == "input_json_delta"]
    assert "".join(parts) == '{"number": 3'


def test_thinking_gets_a_signature_that_the_rules_take_and_a_changed_thought_shows() -> None:
    thought = {"type": "thinking", "thinking": "I need the ticket.", "signature": "made up"}
    response = {"content": [thought, CALL], "stop_reason": "tool_use"}
    start = Setting(messages=(TASK,), response=response)
    sent = start.with_signatures([TASK, assistant(thought, CALL), user(result())])
    assert news(start, *sent) == "answer"
    import anthropic

    changed = start.with_signatures([TASK, assistant({**thought, "thinking": "No."}, CALL), user(result())])
    with pytest.raises(anthropic.BadRequestError):
        told(start, *changed)


@pytest.mark.parametrize(
    "thought", [{"type": "thinking", "signature": "x"}, {"type": "thinking", "thinking": "Hm."}], ids=list
)
def test_thinking_that_lacks_something_is_left_as_it_is(thought: dict[str, str]) -> None:
    start = Setting(messages=(TASK,), response={"content": [thought, CALL], "stop_reason": "tool_use"})
    assert start.with_signatures([assistant(thought)])[0]["content"] == [thought]


def test_tools_give_what_the_item_says_by_id_or_by_name() -> None:
    response = {"content": [CALL, SECOND], "stop_reason": "tool_use"}
    by_id = Setting(response=response, results={"toolu_01": "open", "toolu_02": "closed"})
    assert [by_id.tools[0].function(number=number) for number in (3, 4)] == ["open", "closed"]
    by_name = Setting(response=response, results={"read_ticket": "open"})
    assert by_name.tools[0].function(number=4) == "open"
    assert Setting(response=response).tools[0].function() == "(what read_ticket gives)"


def test_a_server_tool_is_offered_where_it_is_used() -> None:
    assert [each["name"] for each in setting("pause_turn").definitions] == ["web_search"]


def test_a_setting_hands_out_copies() -> None:
    start = setting()
    start.start()[0]["content"] = "changed"
    assert start.start() == [TASK]
