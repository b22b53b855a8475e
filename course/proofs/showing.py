"""What a card needs: the trace of an answer, and what comes of a learner's own code.

A learner's code runs in a process of its own, which is ended when it takes too long; so it can hold up nobody. Where there are
no processes (JupyterLite) it runs here, and only the recorder's fuse ends it.
"""

from __future__ import annotations

import atexit
import sys
from functools import cache
from typing import Any

from course.errors import LessonError
from course.proofs.answers import compared_answer
from course.proofs.doing import CannotDo, do, form_of, stage_of, whole_code
from course.proofs.outcomes import Run
from course.proofs.predictions import has_own_runs, predicted_run
from course.proofs.program import CodeFault, Program
from course.proofs.worker import Died, Worker
from course.quiz.grading import Ran
from course.quiz.items import CodeItem, Item, LineItem, ManyItem
from course.quiz.proof_forms import Outcome, Predict
from course.trace import Trace
from course.words import _

__all__ = ["run_code", "trace_of"]

SECONDS = 30.0  # for all tasks of one answer; starting the process takes about two of them
HAS_PROCESSES = sys.platform != "emscripten"


def trace_of(item: Item, answer: Any) -> Trace:
    """The trace of an answer, or of the one run that the options of an item predict.

    Only for items whose bank is trusted: their code runs in this process. Raises LessonError, with the reason as a sentence,
    if there is nothing to show.
    """
    try:
        if isinstance(item, CodeItem):
            return _trace_of_code(item, str(answer))
        form = form_of(item)
        if isinstance(form, Predict):
            if form.agent_sdk is not None:
                raise LessonError(_("The Agent SDK runs in a program of its own, whose steps are not seen."))
            task = (form.tasks or (form.task or "own",))[0]
            return (_tried(item, answer, task) if has_own_runs(item) else predicted_run(item, form, task)).trace
        if form is None:
            raise LessonError(_("This question has nothing to run."))
        return _tried(item, answer).trace
    except CannotDo:
        raise LessonError(_("There is nothing to run for this answer.")) from None
    except CodeFault as fault:
        raise LessonError(str(fault)) from None


def _tried(item: Item, answer: Any, task: str | None = None) -> Run:
    if isinstance(item, ManyItem) and isinstance(answer, (list, tuple)):
        answer = answer[0]
    if isinstance(item, LineItem) and item.options[answer].fix is None:
        return stage_of(item).run(Program(whole_code(item, item.code)))  # the line stays: the code as it stands
    return do(item, answer, task)


def run_code(item: CodeItem, source: str) -> tuple[Ran, ...]:
    """What comes of an answer to a `code` item in each of its tasks, for `grade(item, source, run=run_code)`."""
    if not HAS_PROCESSES:
        return tuple(each.ran for each in compared_answer(item, source))
    try:
        results = _asked(item, source)
    except Died as died:
        late = _("It did not come to an end in {seconds:g} seconds.").format(seconds=SECONDS)
        gives, says = (Outcome.RUNAWAY, late) if died.late else (Outcome.RAISED, _("It ended its process."))
        return tuple(Ran(gives, says, like=()) for _task in item.tasks)
    return tuple(
        Ran(Outcome(gives), says, missed, None if like is None else tuple(like))
        for gives, says, missed, like in (each["ran"] for each in results)
    )


def _trace_of_code(item: CodeItem, source: str) -> Trace:
    """Of the first task that the answer fails, or of the first of all."""
    try:
        results = _asked(item, source)
    except Died:
        raise LessonError(_("The code did not come to an end, so there is no trace of it.")) from None
    chosen = next((each for each in results if not each["passed"]), results[0])
    if chosen["trace"] is None:
        raise LessonError(chosen["ran"][1])
    return Trace.from_json(chosen["trace"])


def _asked(item: CodeItem, source: str) -> list[dict[str, Any]]:
    data = item.model_dump(mode="json", by_alias=True, exclude_unset=True)
    results: list[dict[str, Any]] = _worker().ask({"do": "code", "item": data, "source": source}, seconds=SECONDS)[
        "results"
    ]
    return results


@cache
def _worker() -> Worker:
    """One process for all answers: it is started by the first, and ends with this one."""
    worker = Worker()
    atexit.register(worker.close)
    return worker
