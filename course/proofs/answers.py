"""The kind `code`: an answer is run on each task, and what comes of it is compared with what should."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

from course.errors import CourseError
from course.proofs.claims import false_claims, values
from course.proofs.doing import do
from course.proofs.outcomes import Run, error_text
from course.proofs.program import CodeFault
from course.proofs.words_of_whys import wrong_words
from course.quiz.code_kind import Task
from course.quiz.grading import Ran
from course.quiz.items import CodeItem
from course.quiz.proof_forms import Outcome
from course.quiz.raw import Found
from course.trace import Trace, explain
from course.words import _

__all__ = ["Result", "compared_answer", "prove_code", "run_answer"]


@dataclass(frozen=True)
class Result:
    """One task of an answer: what came of it and what should.

    says: what went wrong, in a sentence; "" if nothing did. missed: what the task asks for besides, and the run did not do.
    like: as in Ran.
    """

    task: str
    gives: Outcome
    wanted: Outcome
    says: str = ""
    missed: str = ""
    trace: Trace | None = None
    like: tuple[int, ...] | None = None

    @property
    def passed(self) -> bool:
        """Whether the answer does what this task asks for."""
        return self.gives is self.wanted and not self.missed

    @property
    def ran(self) -> Ran:
        """The same for grading."""
        return Ran(self.gives, self.says, self.missed, self.like)


def run_answer(item: CodeItem, source: str) -> tuple[Result, ...]:
    """An answer's result in each task, in their order. Code that can't be run gives `raised` in all of them."""
    return tuple(_result(item, source, task) for task in item.tasks)


def compared_answer(item: CodeItem, source: str) -> tuple[Result, ...]:
    """The same, and where the answer fails, which of the item's wrong answers do the same."""
    results = zip(item.tasks, run_answer(item, source), strict=True)
    return tuple(each if each.passed else replace(each, like=_like(item, task, each)) for task, each in results)


def _like(item: CodeItem, task: Task, result: Result) -> tuple[int, ...]:
    alike = [at for at, wrong in enumerate(item.wrong) if wrong.gives is result.gives]
    return tuple(at for at in alike if _traits(_result(item, item.wrong[at].code, task)) == _traits(result))


def _traits(result: Result) -> tuple[object, ...]:
    """What two runs have in common that went wrong in the same way: the outcome alone is too little."""
    if result.trace is None:
        return (result.gives, result.says)
    refused = [each.error["message"] for each in result.trace.exchanges if each.error is not None]
    raised = (result.trace.ending.error or {}).get("type")
    return (result.gives, len(result.trace.exchanges), refused, raised)


def _result(item: CodeItem, source: str, task: Task) -> Result:
    try:
        run = do(item, source, task.task)
    except CodeFault as fault:
        return Result(task.task, Outcome.NEVER_RAN, task.gives, str(fault))
    except CourseError:  # a task that is not there
        raise
    except Exception as error:  # what an answer raises outside of its functions may be anything
        return Result(task.task, Outcome.RAISED, task.gives, f"{type(error).__name__}: {error}")
    return Result(task.task, run.outcome, task.gives, _said(run.trace), _missed(run, task), run.trace)


def _missed(run: Run, task: Task) -> str:
    """What the task claims of a run and is not true of this one; "" if all is."""
    sentences = [
        _("Wanted: {name} {wanted}; the run had {given}.").format(
            name=name, wanted=json.dumps((task.claim or {})[name]), given=json.dumps(value)
        )
        for name, value in false_claims(task.claim or {}, values(run)).items()
    ]
    return " ".join(sentences)


def _said(trace: Trace) -> str:
    """What went wrong in a run, with the words of the API if it refused a request; "" if nothing did."""
    refused = any(exchange.error is not None for exchange in trace.exchanges)
    quoted = _('The API said: "{text}"').format(text=error_text(trace)) if refused else ""
    return " ".join(filter(None, [explain(trace), quoted]))


def prove_code(item: CodeItem) -> Iterator[Found]:
    """The faults of the solution, of what the learner begins from, and of the wrong answers."""
    for result in run_answer(item, item.solution):
        if not result.passed:
            what = _("The solution gives {given} on {task}, not {wanted}.")
            if result.gives is result.wanted:
                what = _("The solution gives {given} on {task}, as it should.")
            text = what.format(given=result.gives.value, task=result.task, wanted=result.wanted.value)
            found = " ".join(filter(None, [text, result.says, result.missed]))
            yield ("solution",), found, _("Correct the solution or the task.")
    if all(result.passed for result in run_answer(item, item.start)):
        yield ("start",), _("What the learner begins from passes already."), _("Take something out of it.")
    for at, wrong in enumerate(item.wrong):
        path = ("wrong", at)
        failed = [result for result in run_answer(item, wrong.code) if not result.passed]
        matching = [result for result in failed if result.gives is wrong.gives]
        if not failed:
            yield path, _("A wrong answer passes every task."), _("Add a task that it fails, or delete it.")
        elif not matching:
            given = ", ".join(sorted({result.gives.value for result in failed}))
            what = _("This answer says that it gives {said}; in the tasks that it fails it gives {given}.")
            yield (*path, "gives"), what.format(said=wrong.gives.value, given=given), _("Correct it.")
        else:
            texts = [error_text(result.trace) for result in matching if result.trace is not None]
            if wrong.says is not None and not any(wrong.says in text for text in texts):
                what = _("The API says something else: {text}").format(text="; ".join(texts))
                yield (*path, "says"), what, _("Quote a part of that.")
            yield from wrong_words(wrong.why, wrong.gives, path)
