"""Grading: an item and an answer in, a grade out. Nothing else is looked at or changed.

An answer is plain JSON. one, action, line, messages (pick): the index of an option. many: a list of indexes. order, messages
(build, repair): the indexes of the pieces, in order. match: for each left the index of its right, or null. code: the source.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from course.quiz.items import CodeItem, Item, ManyItem, MatchItem, OptionItem, PieceItem
from course.quiz.proof_forms import Outcome, outcomes

__all__ = ["Grade", "Ran", "Run", "Verdict", "grade"]


@dataclass(frozen=True)
class Verdict:
    """What there is to say about one option, piece, pair or task after the answer.

    chosen: it is in the answer. correct: it belongs into the right answer (an option, a piece), or it is as it should be (a
    pair, a task).
    """

    chosen: bool
    correct: bool
    why: str
    misconception: str | None


@dataclass(frozen=True)
class Grade:
    """correct: all of it is right, as the exam counts. credit: the part that is right, 0.0 to 1.0.

    verdicts: one for each option, piece, left or task, in the order of the file. right: the right answer, in the form of an
    answer; of several, the one that is nearest to what was given.
    """

    correct: bool
    credit: float
    verdicts: tuple[Verdict, ...]
    right: Any


@dataclass(frozen=True)
class Ran:
    """What came of running an answer in one task. says: what went wrong, if something did. missed: what the task asks for
    besides, and the run did not do. like: by their indexes, the item's wrong answers that do the same in this task; None if
    they were not run."""

    outcome: Outcome
    says: str = ""
    missed: str = ""
    like: tuple[int, ...] | None = None


Run = Callable[[CodeItem, str], Sequence[Ran]]  # one entry for each task of the item


def grade(item: Item, answer: Any, *, run: Run | None = None) -> Grade:
    """The grade of an answer. run: what runs the answer to a `code` item; nothing is run here.

    Raises ValueError if this can't be an answer to the item, or if it must be run and `run` is missing.
    """
    if isinstance(item, CodeItem):
        return _code(item, answer, run)
    if isinstance(item, MatchItem):
        return _pairs(item, answer)
    if isinstance(item, PieceItem):
        return _pieces(item, answer)
    return _options(item, answer)


def _options(item: OptionItem, answer: Any) -> Grade:
    count, right = len(item.options), [at for at, option in enumerate(item.options) if option.correct]
    if isinstance(item, ManyItem):
        chosen = set(_indexes(item, answer, count, "options"))
        credit = max(0.0, (2 * len(chosen & set(right)) - len(chosen)) / len(right))
    elif isinstance(answer, bool) or not isinstance(answer, int) or not 0 <= answer < count:
        raise ValueError(f"{item.id} has the options 0 to {count - 1}, not {answer!r}")
    else:
        chosen = {answer}
        credit = 1.0 if answer in right else 0.0
    verdicts = [
        Verdict(at in chosen, option.correct, option.why, option.misconception)
        for at, option in enumerate(item.options)
    ]
    return Grade(chosen == set(right), credit, tuple(verdicts), right if isinstance(item, ManyItem) else right[0])


def _indexes(item: Item, answer: Any, count: int, what: str) -> list[int]:
    """The answer, if it is a list of different indexes."""
    entries = list(answer) if isinstance(answer, (list, tuple)) else []
    fits = all(type(at) is int and 0 <= at < count for at in entries)
    if not entries or not fits or len(set(entries)) < len(entries):
        raise ValueError(f"{item.id} takes a list of different {what}, 0 to {count - 1}, not {answer!r}")
    return entries


def _pieces(item: PieceItem, answer: Any) -> Grade:
    given = _indexes(item, answer, len(item.pieces), "pieces")
    right = max(item.orders, key=lambda order: _neighbours_kept(order, given))
    verdicts = [
        Verdict(at in given, at in right, piece.why or "", piece.misconception) for at, piece in enumerate(item.pieces)
    ]
    return Grade(given == list(right), _neighbours_kept(right, given), tuple(verdicts), list(right))


def _neighbours_kept(right: Sequence[int], given: Sequence[int]) -> float:
    """The share of the neighbours in the right order that are neighbours in the given one too; its ends count as
    neighbours of its first and last piece, so that it is 1.0 for the right order alone."""
    wanted = set(pairwise([None, *right, None]))
    return len(wanted & set(pairwise([None, *given, None]))) / len(wanted)


def _pairs(item: MatchItem, answer: Any) -> Grade:
    given = list(answer) if isinstance(answer, (list, tuple)) else []
    fits = all(at is None or (type(at) is int and 0 <= at < len(item.right)) for at in given)
    if len(given) != len(item.left) or not fits:
        what = f"{len(item.left)} entries, each null or 0 to {len(item.right) - 1}"
        raise ValueError(f"{item.id} takes a list of {what}, not {answer!r}")
    verdicts = tuple(
        Verdict(got is not None, got == wanted, why, None if got == wanted else left.misconception)
        for got, wanted, why, left in zip(given, item.pairs, item.whys, item.left, strict=True)
    )
    credit = sum(verdict.correct for verdict in verdicts) / len(verdicts)
    return Grade(given == list(item.pairs), credit, verdicts, list(item.pairs))


def _code(item: CodeItem, answer: Any, run: Run | None) -> Grade:
    if not isinstance(answer, str) or not answer.strip():
        raise ValueError(f"{item.id} takes the source of a function, not {answer!r}")
    if run is None:
        raise ValueError(f"{item.id} is graded by running the answer: give grade() a run=")
    verdicts = tuple(_task(item, wanted.gives, ran) for wanted, ran in zip(item.tasks, run(item, answer), strict=True))
    credit = sum(verdict.correct for verdict in verdicts) / len(verdicts)
    return Grade(all(verdict.correct for verdict in verdicts), credit, verdicts, item.solution)


def _task(item: CodeItem, wanted: Outcome, ran: Ran) -> Verdict:
    """What came of one task; if a common wrong answer does the same, also what is said about that one."""
    happened = " ".join(filter(None, [outcomes()[ran.outcome], ran.says, ran.missed]))
    if ran.outcome is wanted and not ran.missed:
        return Verdict(True, True, happened, None)
    for at, wrong in enumerate(item.wrong):
        fits = ran.like is None or at in ran.like
        if fits and wrong.gives is ran.outcome and (wrong.says or "") in ran.says:
            return Verdict(True, False, f"{happened} {wrong.why}", wrong.misconception)
    return Verdict(True, False, happened, None)
