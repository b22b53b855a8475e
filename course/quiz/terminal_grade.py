"""What a terminal shows after an answer: for each option, piece, pair or task what it is, and why."""

from __future__ import annotations

from collections.abc import Sequence

from course.quiz.grading import Grade, Verdict
from course.quiz.items import CodeItem, Item, LineItem, MatchItem, PieceItem
from course.quiz.tables import misconceptions
from course.quiz.typed_answers import letter, marks
from course.words import _

__all__ = ["grade_lines"]

Rows = list[tuple[str, str]]  # a mark ("1.", "b.") and a text


def grade_lines(item: Item, order: Sequence[int], grade: Grade) -> list[tuple[str, Rows]]:
    """Groups of rows, each with a title, which may be empty. order: the file's indexes, as they were shown."""
    if isinstance(item, CodeItem):
        solution = [("", item.solution.rstrip("\n"))]
        return [(_("What your function did in each task:"), _tasks(grade)), (_("A solution:"), solution)]
    if isinstance(item, MatchItem):
        return [("", [(f"{at + 1}.", _pair(item, order, grade, at)) for at in range(len(item.left))])]
    if isinstance(item, PieceItem):
        return _pieces(order, grade)
    judged = [_judged(grade.verdicts[index], True) for index in order]
    rows = list(zip(marks(item, order), judged, strict=True))
    if isinstance(item, LineItem):
        return [("", rows), (_("The line, mended:"), [("", (item.options[grade.right].fix or "").rstrip("\n"))])]
    return [("", rows)]


def _tasks(grade: Grade) -> Rows:
    """What came of each task; tasks of which the same is said share a row ("1, 3."), and a belief is told once."""
    said: dict[str, list[str]] = {}
    beliefs: set[str] = set()
    for at, verdict in enumerate(grade.verdicts, start=1):
        text, belief = _judged(verdict), _belief(verdict)
        if belief in beliefs and text not in said:
            text = text.removesuffix(belief)
        beliefs.add(belief)
        said.setdefault(text, []).append(str(at))
    return [(f"{', '.join(numbers)}.", text) for text, numbers in said.items()]


def _judged(verdict: Verdict, says_chosen: bool = False) -> str:
    mark = _("right") if verdict.correct else _("wrong")
    chosen = " " + _("(your answer)") if verdict.chosen and says_chosen else ""
    return f"{mark}{chosen}: {verdict.why.strip()}" + _belief(verdict)


def _belief(verdict: Verdict) -> str:
    """What a reader believes who chose this, on a line of its own."""
    if not verdict.chosen or verdict.misconception is None:
        return ""
    return "\n" + _("It is easy to believe: {belief}").format(belief=misconceptions()[verdict.misconception])


def _pair(item: MatchItem, order: Sequence[int], grade: Grade, at: int) -> str:
    verdict = grade.verdicts[at]
    if verdict.correct:
        return _judged(verdict)
    wrong = _("wrong; {letter} is right").format(letter=letter(order.index(item.pairs[at])))
    return f"{wrong}: {verdict.why.strip()}" + _belief(verdict)


def _pieces(order: Sequence[int], grade: Grade) -> list[tuple[str, Rows]]:
    places = {index: place for place, index in enumerate(order, start=1)}
    right = " ".join(str(places[index]) for index in grade.right)
    groups: list[tuple[str, Rows]] = [(_("The right order: {numbers}").format(numbers=right), [])]
    said = [index for index in order if grade.verdicts[index].why]
    return [*groups, ("", [(f"{places[index]}.", _judged(grade.verdicts[index], True)) for index in said])]
