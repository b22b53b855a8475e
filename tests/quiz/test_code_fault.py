"""Code that can't be an answer is told before it is run, and uses up no question."""

from __future__ import annotations

import warnings

import pytest
from quiz.examples import item

from course.quiz.code_fault import code_fault


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("def loop(client, messages):\n    return 1\n", None),
        ("import os\n\ndef other(): ...\n\ndef loop(client, messages):\n\treturn 1\n", None),
        ("raise SystemExit\ndef loop(): ...", None),  # it is not run
        (
            "def loop(client, messages):\n    if True\n        return 1\n",
            "Line 2 of your code can't be read: expected ':'. Correct it and check again.",
        ),
        (
            "def loop(): ...\nreturn 1",
            "Line 2 of your code can't be read: 'return' outside function. Correct it and check again.",
        ),
        (
            "def lop(client, messages):\n    return 1\n",
            "Your code has no function loop. Write one that begins with `def loop(`, and check again.",
        ),
        ("x = 1", "Your code has no function loop. Write one that begins with `def loop(`, and check again."),
        (
            "class A:\n    def loop(self): ...\n",
            "Your code has no function loop. Write one that begins with `def loop(`, and check again.",
        ),
    ],
)
def test_what_is_wrong_with_code_before_it_is_run(source, fault):
    assert code_fault(item("write-the-loop"), source) == fault


def test_code_with_a_null_is_told():
    fault = code_fault(item("write-the-loop"), "def loop(): \0")
    assert fault is not None
    assert fault.endswith("Correct it and check again.")


def test_nothing_is_printed_about_a_string_with_a_strange_escape():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert code_fault(item("write-the-loop"), 'def loop(): return "\\d"') is None
