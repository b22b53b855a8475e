"""Pieces in an order: what an order gives, and which orders are tried."""

from __future__ import annotations

from pathlib import Path

import pytest
from items import item

from course.proofs.arrangements import _others, arrangement_outcome, try_arrangements
from course.quiz.bank import load_bank

RIGHT = load_bank(Path(__file__).parent / "banks" / "right.yaml")
ROUNDS = """\
kind: messages
mode: build
messages: [{role: user, content: Which doors stick?}]
pieces:
  - {role: assistant, block: {type: text, text: I look.}}
  - {role: assistant, block: {type: tool_use, id: toolu_01, name: doors, input: {floor: 1}}}
  - {role: user, block: {type: tool_result, tool_use_id: toolu_01, content: Door 3.}}
  - {role: assistant, block: {type: tool_use, id: toolu_02, name: doors, input: {floor: 2}}}
  - {role: user, block: {type: tool_result, tool_use_id: toolu_02, content: None.}}
  - {role: user, block: {type: text, text: Hurry.}, why: Nobody waits., misconception: guide-after-results}
right: [0, 1, 2, 3, 4]
proof: {try: {task: own}}
"""


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ([0, 1, 2, 3, 4], "answered"),
        ([1, 2, 3, 4], "changed_turn"),  # the text of the model is left out
        ([0, 1, 2], "changed_turn"),  # the second round is missing
        ([0, 1, 3, 2, 4], "changed_turn"),  # two turns of the model are made one
        ([0, 1, 2, 3, 5, 4], "refused"),
        ([0, 1, 2, 3, 4, 5], "empty_answer"),
        ([5, 0, 1, 2, 3, 4], "changed_turn"),  # the question is not the one that was answered
        ([4, 3, 2, 1, 0], "refused"),
    ],
)
def test_what_an_order_of_blocks_gives(tmp_path: Path, order: list[int], expected: str) -> None:
    assert arrangement_outcome(item(tmp_path, ROUNDS), order).value == expected


def test_of_two_rounds_only_one_order_is_right(tmp_path: Path) -> None:
    assert list(try_arrangements(item(tmp_path, ROUNDS))) == []


def test_of_few_blocks_every_order_of_every_choice_is_tried(tmp_path: Path) -> None:
    assert len(set(_others(item(tmp_path, ROUNDS)))) == 1956  # 6 + 30 + 120 + 360 + 720 + 720


def test_of_many_only_those_near_the_right_ones_are_tried(tmp_path: Path) -> None:
    more = "".join(
        f"  - {{role: user, block: {{type: text, text: Hurry {n}.}}, why: No., misconception: guide-after-results}}\n"
        for n in range(3)
    )
    orders = set(_others(item(tmp_path, ROUNDS.replace("right:", more + "right:"))))
    assert 50 < len(orders) < 200
    assert (0, 1, 2, 4, 3) in orders  # two swapped
    assert (0, 1, 2, 3) in orders  # one left out
    assert (0, 1, 2, 3, 4, 5) in orders  # one put in
    assert (0, 1, 2, 3, 5) in orders  # one in another's place


def test_lines_are_tried_only_where_they_are_python() -> None:
    lines = RIGHT.item("lines-of-a-loop")
    orders = list(_others(lines))
    assert (0, 1, 3, 2, 4) in orders
    assert (1, 0, 2, 3, 4) not in orders  # nothing stands in the loop
    assert (2, 0, 1, 3, 4) not in orders  # it begins with an indented line


def test_lines_that_raise_give_raised(tmp_path: Path) -> None:
    lines = item(
        tmp_path,
        """\
        kind: order
        pieces: ["reply = ask(messages)", "x = reply.stop_reason", "return reply"]
        right: [0, 1, 2]
        proof: {try: {task: plain_chat}}
        """,
    )
    assert arrangement_outcome(lines, [1, 0, 2]).value == "raised"
    assert arrangement_outcome(lines, [0, 2, 1]).value == "answered"
