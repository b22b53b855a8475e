"""Which questions are asked: by objective, mixed, and so many."""

from __future__ import annotations

import pytest

from course.errors import LessonError
from course.quiz.bank import named_bank, whole_bank
from course.quiz.selection import select
from course.quiz.session import start

BANK = whole_bank()


def test_every_question_comes_once() -> None:
    assert sorted(select(BANK)) == sorted(item.id for item in BANK.items)


def test_a_focus_point_stands_for_all_its_parts() -> None:
    chosen = {BANK.item(id).objective for id in select(BANK, objective="fuses")}
    assert chosen == {"fuses/limits", "fuses/result"}


def test_a_part_stands_for_itself() -> None:
    assert {BANK.item(id).objective for id in select(BANK, objective="fuses/limits")} == {"fuses/limits"}


def test_the_seed_decides_which_ones_come() -> None:
    assert select(BANK, count=5, seed=1) == select(BANK, count=5, seed=1)
    assert select(BANK, count=5, seed=1) != select(BANK, count=5, seed=2)
    assert len(select(BANK, count=5)) == 5


def test_more_than_there_are_is_all_of_them() -> None:
    assert len(select(BANK, count=10_000)) == len(BANK.items)


def test_a_session_asks_what_was_chosen_in_that_order() -> None:
    ids = select(BANK, count=3, seed=4)
    assert start(BANK, seed=4, items=ids).state.items == ids


@pytest.mark.parametrize(
    ("objective", "message"),
    [
        ("fuse", 'There is no objective "fuse". Did you mean "fuses"?'),
        (
            "x",
            'There is no objective "x". There are: stop-reason, messages, agent-or-workflow, anti-patterns, fuses.',
        ),
    ],
)
def test_an_objective_that_is_not_there_is_told(objective: str, message: str) -> None:
    with pytest.raises(LessonError) as refused:
        select(BANK, objective=objective)
    assert str(refused.value) == message


def test_a_quiz_without_questions_on_it_says_so() -> None:
    with pytest.raises(LessonError) as refused:
        select(named_bank("drill_fuses"), objective="messages")
    assert str(refused.value) == 'There is no question on "messages" in this quiz.'
