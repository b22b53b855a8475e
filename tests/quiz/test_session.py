"""A session: the order of options, the answers, the score, and the way to plain data and back."""

from __future__ import annotations

import json
import re

import pytest
from pydantic import ValidationError
from quiz.examples import EVERY_KIND, action, bank, item, one

from course.errors import BankError
from course.quiz.bank import Bank
from course.quiz.grading import Ran
from course.quiz.proof_forms import Outcome
from course.quiz.session import Answer, Score, Session, State, resume, start


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
    assert after.answered(0) == Answer("a", 1, correct=True, at=12.5, credit=1.0)
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
        "answers": [{"item": "b", "answer": 2, "correct": False, "at": 5.0, "credit": 0.0, "ran": []}],
    }
    assert Session(session.bank, State.from_data(data)) == session


def test_the_state_of_the_first_version_is_still_read():
    old = {"item": "a", "option": 1, "correct": True, "at": 5.0}
    state = State.from_data({"bank": "small", "seed": 3, "items": ["a"], "answers": [old]})
    assert state.answers == (Answer("a", 1, correct=True, at=5.0, credit=1.0),)


@pytest.mark.parametrize("data", [None, [], {}, {"bank": "b", "seed": 1, "items": [], "answers": [{"option": 1}]}])
def test_what_is_no_state_is_refused(data):
    with pytest.raises(ValidationError):
        State.from_data(data)


def session_of(id: str, seed: int = 0) -> Session:
    """A session with one item of banks/every_kind.yaml."""
    template = {id: EVERY_KIND.templates[id]} if id in EVERY_KIND.templates else {}
    return start(Bank("small", "t", (item(id),), EVERY_KIND.places, template), seed=seed)


def test_lines_are_shown_from_top_to_bottom():
    assert orders(session_of("wrong-line")) == {(0, 1, 2)}


def test_pieces_are_never_shown_in_a_right_order():
    shown = orders(session_of("lines-in-order"))
    assert len(shown) == 24 - 4, "all but those in which the three lines stand right, whatever the place of the decoy"
    assert all([at for at in order if at != 3] != [0, 1, 2] for order in shown)


def test_the_right_sides_of_pairs_are_mixed():
    assert len(orders(session_of("reasons-and-actions"))) == 6


def test_code_has_nothing_to_order():
    assert session_of("write-the-loop").order(0) == ()


def test_the_seed_draws_the_variants_too():
    stems = {session_of("limit-of-three", seed).item(0).stem for seed in range(60)}
    assert len(stems) == 8
    session = session_of("limit-of-three", 5)
    assert session.item(0) == session.item(0) == EVERY_KIND.drawn("limit-of-three", 5)


def test_an_answer_of_several_parts_goes_to_json_and_back():
    session = session_of("build-the-next").answer(0, [1, 2, 0, 3])
    state = State.from_data(json.loads(json.dumps(session.state.to_data())))
    assert state.answers[0].answer == [1, 2, 0, 3]
    assert Session(session.bank, state).grade(0) == session.grade(0)


def test_code_is_run_once_and_its_grade_is_kept():
    runs: list[str] = []

    def run(_item, source):
        runs.append(source)
        return [Ran(Outcome.ANSWERED), Ran(Outcome.RAISED, "NameError: name 'x' is not defined")]

    session = session_of("write-the-loop").answer(0, "def loop(): x", run=run)
    kept = Session(session.bank, State.from_data(json.loads(json.dumps(session.state.to_data()))))
    assert kept.grade(0) == session.grade(0)
    assert kept.grade(0).credit == 0.5
    assert "NameError" in kept.grade(0).verdicts[1].why
    assert runs == ["def loop(): x"]


def test_code_without_something_that_runs_it():
    with pytest.raises(ValueError) as caught:
        session_of("write-the-loop").answer(0, "def loop(): x")
    assert str(caught.value) == "write-the-loop is graded by running the answer: give grade() a run="


def test_a_session_goes_on_with_a_bank_that_has_changed():
    before = start(bank(one("gone"), one("b"), one("shorter"), one("kept")), seed=3)
    before = before.answer(0, 1).answer(1, 1).answer(2, 3).answer(3, 0)
    after = resume(bank(one("new"), one("kept"), one("shorter", texts="ab"), one("b")), before.state)
    assert after.state.items == ("b", "shorter", "kept", "new")
    assert after.state.seed == 3
    assert [answer.item for answer in after.state.answers] == ["b", "kept"]
    assert after.score == Score(1, 2, 4)


def test_a_session_goes_on_as_it_was():
    session = start(bank(one("a"), one("b")), seed=3).answer(1, 2, at=5.0)
    assert resume(session.bank, session.state) == session


def test_a_variant_that_can_be_drawn_wrong_is_found_at_the_start():
    raw = one("a").model_dump(mode="json", exclude_defaults=True)
    raw = {**raw, "stem": "${n}", "objective": "${n}", "variants": {"n": ["messages/memory", "nowhere"]}}
    faulty = Bank("small", "t", (one("a"),), {"a": ("small.yaml", 7)}, {"a": raw})
    with pytest.raises(BankError) as caught:
        for seed in range(20):
            start(faulty, seed=seed)
    assert re.sub("[0-9]+, the", "1, the", str(caught.value)) == (
        'small.yaml:7: Drawn by seed 1, the item has a fault: The objective "nowhere" is not known (items 1). '
        "The known ones stand in course/quiz/tables.py (objectives)."
    )
