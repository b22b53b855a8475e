"""A Trace in the terminal: the same text each time, at most 100 columns."""

from __future__ import annotations

from typing import Any

import loops
import pytest
import small_model

from course.trace import Fuse, Trace, record, titles
from course.trace.events import Ending, Step

RIGHT = """\
appends: 12 steps, 3 requests
 1 of 12  start    appends                                                                    line 47
 2 of 12  make     user: "How many files are there?"                                          line 48
 3 of 12  ask      request 1, 1 message -> tool_use: list_files                               line 50
 4 of 12  append   assistant: text + tool_use list_files                                      line 53
 5 of 12  tool     list_files({"path": "."}) -> ["a.py", "b.py"]                              line 42
 6 of 12  append   user: tool_result                                                          line 54
 7 of 12  ask      request 2, 3 messages -> tool_use: read_file                               line 50
 8 of 12  append   assistant: text + tool_use read_file                                       line 53
 9 of 12  tool     read_file({"path": "a.py"}) -> "print(1)"                                  line 42
10 of 12  append   user: tool_result                                                          line 54
11 of 12  ask      request 3, 5 messages -> end_turn                                          line 50
12 of 12  end      returned 'There are two files.'                                            line 52
The loop: ended by end_turn after 3 requests."""


def numbered(text: str) -> list[str]:
    """The lines without the numbers of the lines of code, which change when loops.py does."""
    return [line.rpartition(" line ")[0].rstrip() if " line " in line[80:] else line for line in text.splitlines()]


def test_a_right_loop() -> None:
    assert numbered(str(record(loops.appends, small_model.client()))) == numbered(RIGHT)


def test_a_loop_that_fails_says_why_at_the_end() -> None:
    lines = numbered(str(record(loops.forgets_the_results, small_model.client())))
    assert lines[6:11] == [
        "6 of 7  error    request 2, 2 messages -> 400 invalid_request_error: messages.2: `tool_us…",
        "7 of 7  end      raised BadRequestError",
        "The loop: 400 on request 2: messages.2: `tool_use` ids were found without `tool_result` blocks",
        "immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in",
        "the next message.",
    ]
    assert lines[11].startswith("Line ")
    assert lines[-1].endswith("next user turn must begin with one tool_result for each id.")


def test_what_is_gone_is_told() -> None:
    lines = numbered(str(record(loops.forgets_old_turns, small_model.client())))
    assert lines[2] == ' 2 of 10  make     user: "Hello"'
    assert lines[3] == '                   assistant: "Hi"'
    assert lines[6] == " 5 of 10  delete   2 messages are gone"


@pytest.mark.parametrize(
    "loop", [loops.appends, loops.streams, loops.dies_of_a_tool, loops.sends_text, loops.swallows_exceptions]
)
def test_the_text_is_the_same_in_each_run(loop: Any) -> None:
    first, second = (str(record(loop, small_model.client(), fuse=Fuse(requests=3))) for _ in range(2))
    assert first == second


def test_no_line_of_a_step_is_wider_than_100_columns() -> None:
    def says_much(client: Any) -> str:
        messages: list[Any] = [{"role": "user", "content": "many words\n" * 100}]
        client.messages.create(**loops.ASK, messages=messages)
        return "x" * 5000

    trace = record(says_much, small_model.client())
    assert max(len(line) for line in str(trace).splitlines()) <= 100
    assert trace.ending.value is not None
    assert len(trace.ending.value) == 2000


def test_addresses_are_left_out() -> None:
    def returns_an_object(client: Any) -> object:
        return object()

    assert record(returns_an_object, None).ending.value == "<object object>"


def test_titles() -> None:
    assert titles(record(loops.appends, small_model.client()))[:7] == (
        "the loop begins",
        "make messages: a user turn",
        "ask the model: tool_use: list_files",
        "append the assistant turn",
        "run list_files",
        "append the result",
        "ask the model: tool_use: read_file",
    )


TITLES = [
    (loops.begins_empty, 1, "append a user turn"),
    (loops.begins_empty, 4, "append the assistant turn and the result"),
    (loops.inserts_before, 5, "insert the assistant turn at 1"),
    (loops.fills_the_results_later, 5, "change message 2"),
    (loops.forgets_old_turns, 1, "make messages: 2 messages"),
    (loops.forgets_old_turns, 4, "delete 2 messages from 0 on"),
    (loops.forgets_old_turns, 7, "build messages anew: 1 message"),
    (loops.swallows_exceptions, 1, "make messages: 2 messages"),
    (loops.swallows_exceptions, 2, "the request fails: 400 invalid_request_error"),
    (loops.dies_of_a_tool, 4, "run list_files: it fails"),
    (loops.dies_of_a_tool, 5, "the loop raises PermissionError"),
    (loops.leaves_a_stream, 2, "ask the model: no stop_reason, the stream was cut"),
    (loops.is_interrupted, 3, "the loop is interrupted"),
    (loops.appends_nothing, -1, "the fuse ends the loop"),
    (loops.never_asks, -1, "the loop returns"),
]


@pytest.mark.parametrize(("loop", "step", "title"), TITLES, ids=[f"{loop.__name__}-{step}" for loop, step, _ in TITLES])
def test_the_title_of_a_step(loop: Any, step: int, title: str) -> None:
    assert titles(record(loop, small_model.client(), fuse=Fuse(requests=3)))[step] == title


def test_titles_of_retries() -> None:
    trace = record(loops.asks_once, small_model.client(small_model.failing_at_first(2)))
    assert titles(trace)[2:5] == (
        "the request fails: 529 overloaded_error",
        "retry 1: the request fails: 529 overloaded_error",
        "retry 2: ask the model: tool_use: list_files",
    )


def test_a_trace_without_code_has_a_text() -> None:
    steps = (Step("start"), Step("end", ending=Ending("returned", value="None")))
    assert str(Trace((), (), (), (), steps)) == (
        "loop: 2 steps, 0 requests\n1 of 2  start\n2 of 2  end      returned None\n"
        "The loop: returned without asking the model.\n"
        "the loop ended and never asked the model. Call client.messages.create(...) in it."
    )


def test_below_a_cell_a_trace_takes_one_line() -> None:
    assert repr(record(loops.appends, small_model.client())) == (
        "Trace of appends: ended by end_turn after 3 requests. step(trace) shows it."
    )
    endless = record(loops.appends_nothing, small_model.client(), fuse=Fuse(requests=2), name="endless")
    assert repr(endless) == "Trace of endless: stopped by the fuse after 2 requests. step(trace) shows it."


def test_a_trace_without_steps_has_a_short_form_too() -> None:
    assert repr(Trace((), (), (), (), ())) == "Trace of loop, without steps"
