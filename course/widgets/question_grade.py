"""What the page gets of a question after it was answered."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from course.quiz.grading import Grade, Verdict
from course.quiz.items import CodeItem, Item, LineItem, ManyItem, MatchItem, Option, OptionItem, PieceItem
from course.quiz.session import Session
from course.quiz.tables import misconceptions
from course.widgets.question_view import to_page
from course.words import _, ngettext

__all__ = ["Run", "runs", "shown_grade"]

Json = dict[str, Any]
Run = tuple[str, Any]  # what a button runs: its words, and the answer that is run


def runs(item: Item, order: Sequence[int], answer: Any) -> list[Run]:
    """What can be run of an item after its answer: each option, or the answer and the right one, or the one run that the
    options predict."""
    if isinstance(item, CodeItem):
        return [(_("Run your answer"), answer), (_("Run the solution"), item.solution)]
    form = item.proof
    if form is None or form.none is not None or isinstance(item, MatchItem):
        return []
    if form.predict is not None:  # a run of the Agent SDK leaves no trace that the stepper could show
        return [] if form.predict.agent_sdk is not None else [(_("Run it"), answer)]
    if isinstance(item, PieceItem):
        rest = [] if answer == list(item.right) else [(_("Run the right one"), list(item.right))]
        return [(_("Run your answer"), answer), *rest]
    return [(_("Run it"), at) for at in order if _can_be_done(item, at)]


def _can_be_done(item: OptionItem, at: int) -> bool:
    """Whether there is something that does this option."""
    option = item.options[at]
    return not isinstance(option, Option) or (option.code or option.do) is not None


def shown_grade(session: Session, number: int, *, can_run: bool) -> Json:
    """The grade as plain data, in the order that is shown."""
    item, order, grade, given = (
        session.item(number),
        session.order(number),
        session.grade(number),
        session.answered(number),
    )
    assert grade is not None and given is not None, "only an answered question has a grade"
    possible = runs(item, order, given.answer) if can_run else []
    each_option = isinstance(item, OptionItem) and item.proof is not None and item.proof.try_ is not None
    about = {
        "correct": grade.correct,
        "partial": _partial(item, grade, given.answer),
        "answer": to_page(item, order, given.answer),
        "refs": [ref.url for ref in item.refs],
        "runs": [] if each_option else [words for words, _answer in possible],
    }
    if isinstance(item, CodeItem):
        return {**about, **_tasks(item, grade)}
    if isinstance(item, MatchItem):
        return {**about, "left": [{**_said(each), "partner": order.index(at)} for each, at in _pairs(item, grade)]}
    if isinstance(item, PieceItem):
        pieces = [{**_said(grade.verdicts[at]), "needed": grade.verdicts[at].correct} for at in order]
        stands = _stand_right(grade, given.answer)
        return {**about, "pieces": pieces, "right": to_page(item, order, grade.right), "stands": stands}
    ran = {at: place for place, (_words, at) in enumerate(possible)} if each_option else {}
    return {**about, "options": [{**_option(item, grade, at), "run": ran.get(at)} for at in order]}


def _said(verdict: Verdict) -> Json:
    """What there is to say about one part. The belief is told where the reader may hold it: at what was chosen and is wrong."""
    belief = misconceptions()[verdict.misconception] if verdict.misconception and verdict.chosen else ""
    return {"correct": verdict.correct, "chosen": verdict.chosen, "why": verdict.why.strip(), "belief": belief}


def _pairs(item: MatchItem, grade: Grade) -> list[tuple[Verdict, int]]:
    return list(zip(grade.verdicts, item.pairs, strict=True))


def _option(item: OptionItem, grade: Grade, at: int) -> Json:
    fix = item.options[at].fix if isinstance(item, LineItem) else None
    return {**_said(grade.verdicts[at]), "fix": fix}


def _tasks(item: CodeItem, grade: Grade) -> Json:
    tasks = _each_task([(verdict.correct, verdict.why.strip()) for verdict in grade.verdicts])
    beliefs = [_said(verdict)["belief"] for verdict in grade.verdicts if verdict.misconception]
    return {"tasks": tasks, "solution": item.solution.rstrip("\n"), "belief": beliefs[0] if beliefs else ""}


def _each_task(results: Sequence[tuple[bool, str]]) -> list[Json]:
    """What came of each task, behind its number. What is the same in all of them is said once."""
    total = len(results)
    if total == 1:
        texts = [text for _correct, text in results]
    elif len(set(results)) == 1:
        results = results[:1]
        texts = [_("In all {total} tasks: {text}").format(total=total, text=results[0][1])]
    else:
        label = _("Task {number} of {total}: {text}")
        texts = [
            label.format(number=at, total=total, text=text) for at, (_correct, text) in enumerate(results, start=1)
        ]
    return [{"correct": correct, "text": text} for (correct, _text), text in zip(results, texts, strict=True)]


def _stand_right(grade: Grade, answer: Sequence[int]) -> list[bool]:
    """Of each piece of an answer whether it follows on the same piece as in the right order, or begins as there."""
    wanted = set(pairwise([None, *grade.right]))
    return [pair in wanted for pair in pairwise([None, *answer])]


def _partial(item: Item, grade: Grade, answer: Any) -> str:
    """How much of the answer is right, where a part of it is."""
    if isinstance(item, PieceItem):
        got, total = sum(_stand_right(grade, answer)), len(grade.right)
        text = ngettext(
            "{got} of {total} steps is in the right order. The exam would count this as wrong.",
            "{got} of {total} steps are in the right order. The exam would count this as wrong.",
            got,
        )
    else:
        total = sum(option.correct for option in item.options) if isinstance(item, ManyItem) else len(grade.verdicts)
        got = round(grade.credit * total)
        text = ngettext(
            "{got} of {total} parts is right. The exam would count this as wrong.",
            "{got} of {total} parts are right. The exam would count this as wrong.",
            got,
        )
    return "" if grade.correct or got == 0 else text.format(got=got, total=total)
