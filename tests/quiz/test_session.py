"""A session: the order of options, the answers, the score, and the way to plain data and back."""

from __future__ import annotations

import json

import pytest
from quiz.examples import action, bank, one

from course.quiz.session import Answer, Score, Session, State, start


def orders(session: Session) -> set[tuple[int, ...]]:
    return {start(session.bank, seed=seed).order(0) for seed in range(200)}


def test_a_new_session_asks_everything_in_the_order_of_the_bank():
    session = start(bank(one("a"), action("b")), seed=7)
    assert session.state == State("small", 7, ("a", "b"))
    assert session.score == Score(right=0, answered=0, total=2)
    assert session.answered(0) is None
    assert session.grade(0) is None


def test_the_seed_decides_the_order_of_the_options():
    session = start(bank(one()), seed=1)
    assert session.order(0) == start(bank(one()), seed=1).order(0)
    assert len(orders(session)) == 24


def test_each_position_is_as_likely_as_the_others():
    firsts = [start(bank(one()), seed=seed).order(0)[0] for seed in range(400)]
    assert all(70 <= firsts.count(option) <= 130 for option in range(4))


def test_two_items_of_a_session_have_orders_of_their_own():
    session = start(bank(*(one(f"item-{n}") for n in range(20))), seed=1)
    assert len({session.order(number) for number in range(20)}) > 5


def test_a_pinned_item_keeps_the_order_of_the_file():
    assert orders(start(bank(one(pin=True)))) == {(0, 1, 2, 3)}


def test_an_answer_gives_a_new_session():
    before = start(bank(one("a", right=1), one("b", right=2)))
    after = before.answer(0, 1, at=12.5).answer(1, 0)
    assert before.score == Score(0, 0, 2)
    assert after.score == Score(1, 2, 2)
    assert after.answered(0) == Answer("a", 1, correct=True, at=12.5)
    assert after.grade(1) is not None and not after.grade(1).correct


def test_a_question_is_answered_once():
    session = start(bank(one(right=1))).answer(0, 0)
    assert session.answer(0, 1) is session


def test_an_answer_that_is_no_option_changes_nothing():
    session = start(bank(one()))
    with pytest.raises(ValueError, match="one has the options 0 to 3, not 9"):
        session.answer(0, 9)
    assert session.score.answered == 0


def test_the_state_goes_to_json_and_back():
    session = start(bank(one("a"), one("b")), seed=3).answer(1, 2, at=5.0)
    data = json.loads(json.dumps(session.state.to_data()))
    assert data == {
        "bank": "small",
        "seed": 3,
        "items": ["a", "b"],
        "answers": [{"item": "b", "option": 2, "correct": False, "at": 5.0}],
    }
    assert Session(session.bank, State.from_data(data)) == session
