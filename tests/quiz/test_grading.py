"""Grading: an item and an answer in, a grade out."""

from __future__ import annotations

import pytest
from quiz.examples import WRONG, action, one

from course.quiz.grading import Grade, Verdict, grade


def test_a_right_answer():
    assert grade(one(texts="ab", right=1), 1) == Grade(
        correct=True,
        credit=1.0,
        verdicts=(
            Verdict(chosen=False, correct=False, why="why a", misconception=WRONG),
            Verdict(chosen=True, correct=True, why="why b", misconception=None),
        ),
    )


def test_a_wrong_answer_names_the_misconception():
    result = grade(action(), 0)
    assert (result.correct, result.credit) == (False, 0.0)
    chosen = next(verdict for verdict in result.verdicts if verdict.chosen)
    assert chosen == Verdict(chosen=True, correct=False, why="It is not complete.", misconception="cut-is-complete")


@pytest.mark.parametrize("answer", [-1, 4, True, "1", None, 1.0])
def test_an_answer_that_is_no_option(answer):
    with pytest.raises(ValueError) as caught:
        grade(one(), answer)
    assert str(caught.value) == f"one has the options 0 to 3, not {answer!r}"
