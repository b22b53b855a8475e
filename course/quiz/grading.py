"""Grading: an item and an answer in, a grade out. Nothing else is looked at or changed."""

from __future__ import annotations

from dataclasses import dataclass

from course.quiz.items import Item

__all__ = ["Grade", "Verdict", "grade"]


@dataclass(frozen=True)
class Verdict:
    """What there is to say about one option after the answer."""

    chosen: bool
    correct: bool
    why: str
    misconception: str | None


@dataclass(frozen=True)
class Grade:
    """correct: all of it is right, as the exam counts. credit: the part that is right, 0.0 to 1.0.

    verdicts: one for each option, in the order of the file.
    """

    correct: bool
    credit: float
    verdicts: tuple[Verdict, ...]


def grade(item: Item, answer: int) -> Grade:
    """The grade of `answer`, the index of the chosen option in the file. Raises ValueError if there is no such option."""
    if isinstance(answer, bool) or not isinstance(answer, int) or not 0 <= answer < len(item.options):
        raise ValueError(f"{item.id} has the options 0 to {len(item.options) - 1}, not {answer!r}")
    correct = item.options[answer].correct
    verdicts = tuple(
        Verdict(at == answer, option.correct, option.why, option.misconception)
        for at, option in enumerate(item.options)
    )
    return Grade(correct, 1.0 if correct else 0.0, verdicts)
