"""The stores of a Trace: each message once, each state of `messages` as what changed."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import loops
import pytest
import small_model
from hypothesis import given
from hypothesis import strategies as st

from course.trace import Trace, record
from course.trace.events import Change, Ending, Step
from course.trace.versions import Store, Versions, plain_repr, to_json


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


A, B, C, D = (user(letter) for letter in "ABCD")

CHANGES: list[tuple[list[Any], list[Any], Change | None]] = [
    ([A], [A], None),
    ([A], [A, B], Change("append", 1, 1)),
    ([A], [A, B, C], Change("extend", 1, 2)),
    ([], [A], Change("append", 0, 1)),
    ([A, C], [A, B, C], Change("insert", 1, 1)),
    ([A], [B, A], Change("insert", 0, 1)),
    ([A, B], [A, C], Change("edit", 1, 1, 1)),
    ([A], [B], Change("edit", 0, 1, 1)),
    ([A, B, C], [A, D, C], Change("edit", 1, 1, 1)),
    ([A, B, C], [A, C], Change("delete", 1, 0, 1)),
    ([A, B, C], [C], Change("delete", 0, 0, 2)),
    ([A], [], Change("delete", 0, 0, 1)),
    ([A, B], [C, D], Change("rebuild", 0, 2, 2)),
    ([A, B, C], [D], Change("rebuild", 0, 1, 3)),
    ([A, B, C], [A, D], Change("rebuild", 1, 1, 2)),
    ([A, A], [A], Change("delete", 1, 0, 1)),
]


@pytest.mark.parametrize(("old", "new", "change"), CHANGES)
def test_the_kind_of_a_change(old: list[Any], new: list[Any], change: Change | None) -> None:
    versions = Versions()
    versions.update(old)
    assert versions.update(new) == change


def test_the_first_state_is_built() -> None:
    assert Versions().update([A, B]) == Change("rebuild", 0, 2)
    assert Versions().update([]) is None


def trace_of(versions: Versions) -> Trace:
    steps = (Step("start"), Step("end", ending=Ending("returned")))
    return Trace((), tuple(versions.pool.values), tuple(versions.versions), (), steps)


lists = st.lists(st.sampled_from("ABCDEF").map(user), max_size=6)


@given(st.lists(lists, max_size=8))
def test_every_state_can_be_had_again(states: list[list[Any]]) -> None:
    versions = Versions()
    numbers = []
    for state in states:
        versions.update(state)
        numbers.append(versions.number)
    trace = trace_of(versions)
    assert [trace.messages_at(number) for number in numbers] == states
    assert len(trace.pool) <= 6


@given(lists, lists)
def test_what_is_sent_aside_does_not_move_the_state(state: list[Any], sent: list[Any]) -> None:
    versions = Versions()
    versions.update(state)
    aside = versions.aside(sent)
    versions.update([*state, A])
    trace = trace_of(versions)
    assert trace.messages_at(aside) == sent
    assert trace.messages_at(versions.number) == [*state, A]


def test_a_store_keeps_each_value_once() -> None:
    store = Store()
    assert [store.put(value) for value in (A, B, dict(A), {"role": "user", "content": "B"})] == [0, 1, 0, 1]
    assert store.values == [A, B]


def test_json_is_what_the_sdk_sends() -> None:
    from anthropic import BadRequestError
    from anthropic.types import Message

    message = Message.model_validate(small_model.reply({"messages": []}))
    sent: list[Any] = []

    def handler(body: dict[str, Any]) -> Any:
        sent.append(body["messages"])
        return small_model.failure(400, "invalid_request_error", "no message at all")

    content = [*message.content, {"type": "text", "text": "x", "when": date(2026, 11, 30)}, ("a", 1)]
    messages: list[Any] = [message, {"role": "assistant", "content": content}]
    with pytest.raises(BadRequestError):
        small_model.client(handler).messages.create(**loops.ASK, messages=messages)
    assert [to_json(item) for item in messages] == sent[0]


class Odd:
    def __repr__(self) -> str:
        raise ValueError("no repr")


def test_what_can_not_be_sent_becomes_text() -> None:
    itself: list[Any] = []
    itself.append(itself)
    assert to_json(itself) == "[[...]]"
    assert to_json({"a": object(), "b": {1}, "c": b"x"}) == {"a": "<object object>", "b": [1], "c": "b'x'"}
    assert to_json({("a", "b"): 1}) == "{('a', 'b'): 1}"
    assert plain_repr(Odd()) == "<Odd: its repr raised ValueError>"


def test_of_a_reply_the_id_and_the_stop_reason_are_shown() -> None:
    from anthropic.types import Message

    reply = Message.model_validate(small_model.reply({"messages": []}))
    assert plain_repr(reply) == f"Message(id={reply.id!r}, stop_reason='tool_use')"


LOOPS = [loops.appends, loops.edits_a_block, loops.forgets_old_turns, loops.sends_the_end_only, loops.streams]


@pytest.mark.parametrize(
    "loop", [*LOOPS, loops.dies_of_a_tool, loops.sends_text, loops.never_asks], ids=lambda each: each.__name__
)
def test_a_trace_goes_to_json_and_back(loop: Any) -> None:
    trace = record(loop, small_model.client())
    text = trace.to_json()
    assert Trace.from_json(text) == trace
    assert Trace.from_json(text).to_json() == text
    assert json.loads(text)["steps"][0] == {"kind": "start", "place": json.loads(text)["steps"][0]["place"]}


def test_the_state_after_each_step() -> None:
    trace = record(loops.appends, small_model.client())
    assert [len(trace.messages_at(step.messages)) for step in trace.steps] == [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5]
    assert trace.steps[0].messages is None


def test_the_context_window_of_the_model() -> None:
    assert record(loops.appends, small_model.client()).context_window == 1_000_000
    assert record(loops.never_asks, None).context_window is None
