"""Which questions of a bank are asked, and in which order."""

from __future__ import annotations

import difflib
import random

from course.errors import LessonError
from course.quiz.bank import Bank
from course.quiz.tables import focus_points, objectives
from course.words import _

__all__ = ["select"]


def select(bank: Bank, *, objective: str | None = None, count: int | None = None, seed: int = 0) -> tuple[str, ...]:
    """The ids of the questions, mixed by `seed`.

    objective: a focus point ("fuses") or one of its parts ("fuses/limits"); None: all. count: at most so many; None: all.
    Raises LessonError if there is no such objective, or if the bank has no question on it.
    """
    if objective is not None:
        _must_be_known(objective)
    ids = [item.id for item in bank.items if objective in (None, item.objective, item.objective.partition("/")[0])]
    if not ids:
        raise LessonError(_('There is no question on "{objective}" in this quiz.').format(objective=objective))
    random.Random(seed).shuffle(ids)
    return tuple(ids[:count])


def _must_be_known(objective: str) -> None:
    points = [point.name for point in focus_points()]
    known = [*points, *objectives()]
    if objective in known:
        return
    near = difflib.get_close_matches(objective, known, n=1)
    hint = _('Did you mean "{name}"?').format(name=near[0]) if near else _("There are: {names}.")
    what = _('There is no objective "{objective}".').format(objective=objective)
    raise LessonError(f"{what} {hint.format(names=', '.join(points))}")
