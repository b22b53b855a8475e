"""Grading: an item and an answer in, a grade out."""

from __future__ import annotations

import pytest
from quiz.examples import WRONG, action, item, one

from course.quiz.grading import Grade, Ran, Verdict, grade
from course.quiz.proof_forms import Outcome


def test_a_right_answer():
    assert grade(one(texts="ab", right=1), 1) == Grade(
        correct=True,
        credit=1.0,
        verdicts=(
            Verdict(chosen=False, correct=False, why="why a", misconception=WRONG),
            Verdict(chosen=True, correct=True, why="why b", misconception=None),
        ),
        right=1,
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


@pytest.mark.parametrize(
    ("answer", "correct", "credit"),
    [
        ([0, 1], True, 1.0),
        ([1, 0], True, 1.0),
        ([0], False, 0.5),
        ([0, 2], False, 0.0),
        ([2], False, 0.0),
        ([0, 1, 2], False, 0.5),
    ],
)
def test_several_options(answer, correct, credit):
    result = grade(item("two-of-three"), answer)
    assert (result.correct, result.credit, result.right) == (correct, credit, [0, 1])
    assert [verdict.chosen for verdict in result.verdicts] == [at in answer for at in range(3)]
    assert [verdict.correct for verdict in result.verdicts] == [True, True, False]


@pytest.mark.parametrize(
    ("answer", "correct", "credit", "right"),
    [
        ([1, 2, 3, 0], True, 1.0, [1, 2, 3, 0]),
        ([1, 2, 0, 3], True, 1.0, [1, 2, 0, 3]),  # the order that is right too
        ([1, 2, 3, 0, 4], False, 0.8, [1, 2, 3, 0]),  # right, and one piece too many
        ([1, 2, 3], False, 0.6, [1, 2, 3, 0]),
        ([1, 2], False, 0.4, [1, 2, 3, 0]),
        ([0, 3, 2, 1], False, 0.2, [1, 2, 0, 3]),  # nearest to the other right order
        ([4], False, 0.0, [1, 2, 3, 0]),
    ],
)
def test_pieces_in_order(answer, correct, credit, right):
    result = grade(item("build-the-next"), answer)
    assert (result.correct, result.credit, result.right) == (correct, credit, right)


def test_what_is_said_about_pieces():
    assert grade(item("repair-the-array"), [1, 2, 0]).verdicts == (
        Verdict(chosen=True, correct=True, why="", misconception=None),
        Verdict(chosen=True, correct=True, why="", misconception=None),
        Verdict(chosen=True, correct=False, why="It is not needed.", misconception="guide-after-results"),
    )


@pytest.mark.parametrize(
    ("answer", "correct", "credit"),
    [([1, 0], True, 1.0), ([1, 1], False, 0.5), ([None, 0], False, 0.5), ([2, None], False, 0.0)],
)
def test_pairs(answer, correct, credit):
    result = grade(item("reasons-and-actions"), answer)
    assert (result.correct, result.credit, result.right) == (correct, credit, [1, 0])


def test_what_is_said_about_pairs():
    assert grade(item("reasons-and-actions"), [1, 2]).verdicts == (
        Verdict(chosen=True, correct=True, why="It only paused.", misconception=None),
        Verdict(chosen=True, correct=False, why="It has ended.", misconception="only-end-turn-ends"),
    )


def ran(*outcomes: Ran):
    return lambda _item, _source: outcomes


def test_code_that_does_every_task():
    result = grade(item("write-the-loop"), "x", run=ran(Ran(Outcome.ANSWERED), Ran(Outcome.DECLINED)))
    assert (result.correct, result.credit) == (True, 1.0)
    assert result.right == item("write-the-loop").solution
    assert [verdict.why for verdict in result.verdicts] == [
        "The task was done and its answer came.",
        "The refusal was returned, and the refused turn was left out.",
    ]


def test_code_that_ends_like_a_common_wrong_answer():
    result = grade(item("write-the-loop"), "x", run=ran(Ran(Outcome.STOPPED_EARLY), Ran(Outcome.DECLINED)))
    assert (result.correct, result.credit) == (False, 0.5)
    assert result.verdicts[0] == Verdict(
        chosen=True,
        correct=False,
        why="The loop stopped while the work was not done. One request is no loop.",
        misconception="text-means-done",
    )


def test_code_that_ends_so_by_another_way_hears_nothing_of_the_common_wrong_answer():
    other = Ran(Outcome.STOPPED_EARLY, like=())
    result = grade(item("write-the-loop"), "x", run=ran(other, Ran(Outcome.DECLINED)))
    told = "The loop stopped while the work was not done."
    assert result.verdicts[0] == Verdict(chosen=True, correct=False, why=told, misconception=None)


def test_code_that_fails_in_a_way_of_its_own():
    result = grade(item("write-the-loop"), "x", run=ran(Ran(Outcome.RAISED, "KeyError: 1"), Ran(Outcome.RUNAWAY)))
    assert (result.correct, result.credit) == (False, 0.0)
    assert result.verdicts[0] == Verdict(True, False, "Python raised an exception. KeyError: 1", None)


@pytest.mark.parametrize(
    ("id", "answer", "message"),
    [
        ("two-of-three", 1, "two-of-three takes a list of different options, 0 to 2, not 1"),
        ("two-of-three", [], "two-of-three takes a list of different options, 0 to 2, not []"),
        ("two-of-three", [0, 0], "two-of-three takes a list of different options, 0 to 2, not [0, 0]"),
        ("two-of-three", [True], "two-of-three takes a list of different options, 0 to 2, not [True]"),
        ("lines-in-order", [0, 4], "lines-in-order takes a list of different pieces, 0 to 3, not [0, 4]"),
        ("lines-in-order", "01", "lines-in-order takes a list of different pieces, 0 to 3, not '01'"),
        ("reasons-and-actions", [0], "reasons-and-actions takes a list of 2 entries, each null or 0 to 2, not [0]"),
        (
            "reasons-and-actions",
            [0, 3],
            "reasons-and-actions takes a list of 2 entries, each null or 0 to 2, not [0, 3]",
        ),
        ("reasons-and-actions", None, "reasons-and-actions takes a list of 2 entries, each null or 0 to 2, not None"),
        ("pick-the-next", [1], "pick-the-next has the options 0 to 2, not [1]"),
        ("write-the-loop", " ", "write-the-loop takes the source of a function, not ' '"),
        ("write-the-loop", 1, "write-the-loop takes the source of a function, not 1"),
    ],
)
def test_what_is_no_answer(id, answer, message):
    with pytest.raises(ValueError) as caught:
        grade(item(id), answer)
    assert str(caught.value) == message
