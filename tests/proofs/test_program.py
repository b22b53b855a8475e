"""Code of an item becomes a function that can be recorded and shown."""

from __future__ import annotations

import linecache
from typing import Any

import pytest
from worlds import setting

from course.proofs.program import CodeFault, Program, placed
from course.proofs.stage import Stage


def call(program: Program, **names: Any) -> Any:
    with program.function_with(names) as function:
        return function("the client", ["a message"])


def test_a_fragment_is_the_body_of_a_loop() -> None:
    assert call(Program("if client:\n    return messages[0]")) == "a message"


def test_of_several_functions_the_last_is_called() -> None:
    source = "def first(x):\n    return x + '!'\n\n\ndef second(client, messages):\n    return first(client)\n"
    assert call(Program(source)) == "the client!"


def test_a_function_can_be_named() -> None:
    source = "def loop(client, messages):\n    return client\n\n\ndef other():\n    return 0\n"
    assert call(Program(source, "loop")) == "the client"


def test_the_names_of_its_world_are_there() -> None:
    assert call(Program("return MODEL"), MODEL="a model") == "a model"


@pytest.mark.parametrize(
    ("source", "function", "fault"),
    [
        ("return (", None, "Line 1 of the code can't be read: '(' was never closed."),
        ("def other(client, messages): ...", "loop", "There is no function loop in the code."),
        ("break", None, "Line 2 of the code can't be read: 'break' outside loop."),
    ],
)
def test_code_that_is_no_python_says_so(source: str, function: str | None, fault: str) -> None:
    with pytest.raises(CodeFault) as caught:
        Program(source, function)
    assert str(caught.value) == fault


def test_a_function_must_take_the_client_and_the_messages() -> None:
    with pytest.raises(CodeFault) as caught:
        call(Program("def loop(client):\n    return client"))
    assert str(caught.value) == "The function loop must take two arguments: client and messages."


def test_its_lines_are_shown_and_followed_and_then_forgotten() -> None:
    program = Program("reply = ask(messages)\nreturn reply")
    trace = Stage(setting()).run(program).trace
    assert trace.code[0].source == "def loop(client, messages):\n    reply = ask(messages)\n    return reply"
    assert [step.place.line for step in trace.steps if step.place] == [1, 2, 3]
    assert program.file not in linecache.cache


def test_a_part_stands_in_place_of_the_dots_with_their_indentation() -> None:
    code = "for call in calls:\n    ...\nreturn 1\n"
    assert placed(code, "a(call)\nb(call)\n") == "for call in calls:\n    a(call)\n    b(call)\nreturn 1\n"


def test_without_dots_the_part_is_the_whole_code() -> None:
    assert placed(None, "return 1") == "return 1"
    assert placed("x = 1", "return 1") == "return 1"


def test_what_code_prints_goes_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    Stage(setting()).run(Program("print('hello')"))
    assert capsys.readouterr().out == ""
