"""Running an answer: to grade a `code` item, and to show afterwards what an answer does.

Only items of the course's own banks are run (course.quiz.store.is_of_the_course), and only when the learner asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from course.errors import CourseError
from course.quiz.grading import Ran
from course.quiz.items import CodeItem, Item
from course.trace import Trace
from course.widgets.question_grade import Run
from course.widgets.view_data import view_data
from course.words import _

__all__ = ["run_answer", "trace_data"]


def run_answer(item: CodeItem, source: str) -> Sequence[Ran]:
    """What comes of the source in each task of the item."""
    from course.proofs import answers  # it brings the SDK, which a card needs only here

    return [Ran(result.gives, result.says) for result in answers.run_answer(item, source)]


def trace_data(item: Item, run: Run) -> dict[str, Any]:
    """What the page needs to show a run: a title and the stepper's data, or the sentence that says why there is none."""
    from course.proofs.program import CodeFault

    words, answer = run
    try:
        return {"title": words, "data": view_data([_trace(item, answer)])}
    except (CourseError, CodeFault) as fault:
        return {"fault": _("It can't be run: {fault}").format(fault=fault)}
    except Exception as error:  # what the learner's own code raises outside of its function may be anything
        return {"fault": _("Python raised {kind}: {error}").format(kind=type(error).__name__, error=error)}


def _trace(item: Item, answer: Any) -> Trace:
    from course.proofs.doing import do
    from course.proofs.predictions import predicted_run

    form = item.proof.predict if item.proof else None
    if form is None:
        return do(item, answer).trace
    task = form.tasks[0] if form.tasks else form.task or "own"
    return predicted_run(item, form, task).trace
