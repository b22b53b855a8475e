"""What an item makes of its parts: the mended code, the program, the next array."""

from __future__ import annotations

import pytest
from quiz.examples import item

from course.quiz.items import LineItem, LineOption

CODE = "def f():\n    a()\n    if b:\n        c()\n"


def line(number: int, fix: str | None) -> str:
    """The code with this fix."""
    right = LineOption(line=number, fix=fix, correct=True, why="w")
    wrong = LineOption(line=1, why="w", misconception="text-means-done")
    fields = {"id": "a", "objective": "messages/memory", "stem": "s", "code": CODE}
    return LineItem(kind="line", options=(right, wrong), **fields).fixed(0)


@pytest.mark.parametrize(
    ("number", "fix", "code"),
    [
        (2, "z()", "def f():\n    z()\n    if b:\n        c()\n"),
        (4, "d()\n\nif e:\n    g()", "def f():\n    a()\n    if b:\n        d()\n\n        if e:\n            g()\n"),
        (2, "", "def f():\n    if b:\n        c()\n"),
        (1, "def g(x):", "def g(x):\n    a()\n    if b:\n        c()\n"),
    ],
)
def test_a_fix_takes_the_place_of_its_line_and_keeps_its_indentation(number, fix, code):
    assert line(number, fix) == code


def test_pieces_make_a_program():
    assert item("lines-in-order").source([0, 2]) == "def loop(client, messages):\n    return reply\n"


def test_what_is_picked_comes_after_the_messages():
    picked = item("pick-the-next")
    assert picked.next_messages(2) == [
        {"role": "user", "content": "Which files are here?"},
        {"role": "user", "content": "a.py"},
    ]
    assert [turn["role"] for turn in picked.next_messages(0)] == ["user", "assistant", "user"]


def test_a_whole_array_takes_the_place_of_the_messages():
    picked = item("pick-the-next")
    whole = picked.options[2].model_copy(update={"add": None, "messages": ({"role": "user", "content": "b.py"},)})
    assert picked.model_copy(update={"options": (whole,)}).next_messages(0) == [{"role": "user", "content": "b.py"}]


def test_blocks_make_turns_after_the_messages():
    built = item("build-the-next")
    assert [(turn["role"], len(turn["content"])) for turn in built.next_messages([1, 2, 3, 0])] == [
        ("user", len("Which files are here?")),
        ("assistant", 2),
        ("user", 2),
    ]
