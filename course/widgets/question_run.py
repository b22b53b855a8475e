"""Running an answer: to grade a `code` item, and to show afterwards what an answer does.

Only items of the course's own banks are run (course.quiz.store.is_of_the_course), and only when the learner asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from course.errors import CourseError
from course.quiz.grading import Ran
from course.quiz.items import CodeItem, Item, PieceItem
from course.quiz.proof_forms import outcomes
from course.widgets.view_data import view_data
from course.words import _

__all__ = ["run_answer", "trace_data"]


def run_answer(item: CodeItem, source: str) -> Sequence[Ran]:
    """What comes of the source in each task of the item."""
    from course.proofs import run_code  # it brings the SDK, which a card needs only here

    return run_code(item, source)


def trace_data(item: Item, answer: Any) -> dict[str, str]:
    """What the page needs to show what an answer does: the stepper's data, or the sentence that says why there is none."""
    from course.proofs import trace_of

    try:
        return {"data": view_data([trace_of(item, answer)]), **_outcome(item, answer)}
    except CourseError as error:
        return {"fault": _("It can't be run: {error}").format(error=error)}
    except Exception as error:  # what code raises outside of its function may be anything
        return {"fault": _("Python raised {kind}: {error}").format(kind=type(error).__name__, error=error)}


def _outcome(item: Item, answer: Any) -> dict[str, str]:
    """What comes of pieces in this order. A run alone does not always show it: a request may be accepted and change the past."""
    from course.proofs.arrangements import arrangement_outcome

    if not isinstance(item, PieceItem) or item.proof is None or item.proof.try_ is None:
        return {}
    return {"outcome": outcomes()[arrangement_outcome(item, answer)]}
