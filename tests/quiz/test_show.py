"""What a question shows as text, before the answer."""

from __future__ import annotations

import pytest
from quiz.examples import EVERY_KIND, item

from course.quiz.show import Extra, choices, extras, lefts, pretty_json, task


@pytest.mark.parametrize(
    ("id", "sentence"),
    [
        ("one-of-four", "Choose one answer."),
        ("two-of-three", "Choose 2 answers."),
        ("paused-search", "Choose one answer."),
        ("pick-the-next", "Choose what is appended to messages."),
        (
            "build-the-next",
            "Build what is appended to messages from these blocks. There may be some that you don't need.",
        ),
        ("repair-the-array", "Repair what was appended to messages: remove, move and add blocks."),
        ("wrong-line", "Choose one line."),
        ("lines-in-order", "Put these in order. There may be some that you don't need."),
        (
            "reasons-and-actions",
            "Give each entry its partner. One partner may fit several entries, and some may fit none.",
        ),
        ("write-the-loop", "Write the function loop. It is run when you have finished."),
    ],
)
def test_what_to_do(id, sentence):
    assert task(item(id)) == sentence


def test_options_are_text_or_code():
    assert choices(item("two-of-three"))[0] == Extra(
        "code", "", 'messages.append({"role": "assistant", "content": reply.content})'
    )
    assert choices(item("two-of-three"))[2] == Extra("text", "", "A sleep")


def test_lines_have_their_number_and_no_indentation():
    assert choices(item("wrong-line"))[1] == Extra("code", "line 4", 'if reply.content[0].type == "text":')


def test_arrays_are_json():
    right, _, text = choices(item("pick-the-next"))
    assert (right.kind, right.title) == ("json", "")
    assert '"tool_use_id": "toolu_01"' in right.text
    assert text == Extra("json", "", '[{"role": "user", "content": "a.py"}]')


def test_an_array_to_which_nothing_is_added():
    nothing = item("pick-the-next").options[1].model_copy(update={"make": "nothing"})
    picked = item("pick-the-next").model_copy(update={"options": (nothing,)})
    assert choices(picked) == (Extra("text", "", "Nothing."),)


def test_blocks_have_their_role():
    assert choices(item("repair-the-array"))[2] == Extra("json", "user", '{"type": "text", "text": "Go on."}')


def test_pieces_are_lines_of_code_or_steps():
    lines = item("lines-in-order")
    assert choices(lines)[2] == Extra("code", "", "    return reply")
    assert choices(lines.model_copy(update={"form": "text"}))[2].kind == "text"


def test_both_sides_of_pairs():
    pairs = item("reasons-and-actions")
    assert lefts(pairs)[0] == Extra("json", "", '{"content": [], "stop_reason": "pause_turn"}')
    assert choices(pairs)[0] == Extra("text", "", "Stop: the answer is complete. Return it.")
    assert lefts(item("one-of-four")) == ()


def test_code_to_write_has_no_choices():
    assert choices(item("write-the-loop")) == ()


@pytest.mark.parametrize("each", EVERY_KIND.items, ids=lambda each: each.id)
def test_there_is_something_to_choose_from_for_each_index(each):
    parts = getattr(each, "options", getattr(each, "pieces", getattr(each, "right", ())))
    assert len(choices(each)) == len(parts)


def test_long_json_is_broken_at_the_width():
    shown = extras(item("pick-the-next"), width=30)[0]
    assert shown == Extra(
        "json",
        "messages",
        """\
[
  {
    "role": "user",
    "content": "Which files are here?"
  }
]""",
    )
    assert pretty_json([1, 2]) == "[1, 2]"
