"""What a notebook imports.

check("01.1")     runs your own answer and says what happened, and why it matters
hint("01.1")      the next of three hints
solution("01.1")  one way to do it; the exercise then counts as solved with help
quiz("01_raw_loop")  the quiz of this name; quiz("mine.yaml") takes a file of your own
"""

from __future__ import annotations

import html
import os
import sys
from pathlib import Path
from typing import Any

from course.clients import async_client, client
from course.errors import LessonError
from course.exercises import Verdict, find
from course.exercises.cells import unreadable
from course.exercises.progress import ExerciseProgress
from course.loop import run_loop
from course.quiz.bank import Bank, load_bank
from course.settings import load_settings
from course.tools import definitions_of, run_tool, tool
from course.trace import Fuse, Trace, compare, record
from course.widgets import question, side_by_side, step
from course.widgets.pictures import decision, life_of_a_turn, stop_reasons
from course.words import _
from course.workspace import Workspace

__all__ = [
    "MODEL",
    "Fuse",
    "Trace",
    "Workspace",
    "async_client",
    "check",
    "client",
    "compare",
    "decision",
    "definitions_of",
    "hint",
    "life_of_a_turn",
    "load_bank",
    "load_settings",
    "quiz",
    "record",
    "run_loop",
    "run_tool",
    "side_by_side",
    "solution",
    "step",
    "stop_reasons",
    "tool",
]

MODEL = load_settings().model  # the id that the lessons ask for; COURSE_MODEL in .env changes it

_progress = ExerciseProgress()


class Note:
    """A short text in the notebook: a heading, lines, perhaps code. Plain in a terminal, a box in the browser."""

    def __init__(self, heading: str, *lines: str, code: str = "", good: bool | None = None) -> None:
        self.heading, self.lines, self.code, self.good = heading, [line for line in lines if line], code, good

    def __repr__(self) -> str:
        code = ["", self.code.rstrip()] if self.code else []
        return "\n".join([self.heading, *self.lines, *code])

    def _repr_html_(self) -> str:
        colour = {True: "#1a7f37", False: "#b35900", None: "#3b6ea5"}[self.good]
        lines = "".join(f"<div>{html.escape(line)}</div>" for line in self.lines)
        code = f"<pre style='margin:.5em 0 0'>{html.escape(self.code.rstrip())}</pre>" if self.code else ""
        return (
            f"<div style='border-left:4px solid {colour};padding:.3em .8em;white-space:pre-line;overflow-wrap:anywhere'>"
            f"<strong>{html.escape(self.heading)}</strong>{lines}{code}</div>"
        )


def check(id: str, answer: Any = None) -> Note:
    """Judge the learner's answer to an exercise: the object of the exercise's name in the notebook, or `answer`."""
    exercise = find(id)
    if answer is None:
        notebook = sys._getframe(1).f_globals
        error = unreadable(notebook.get("In", ()), exercise.answer)
        if error is not None:
            return _not_judged(id, exercise.answer, error)
        answer = notebook.get(exercise.answer)
    if answer is None:
        return Note(
            _("{id}: not answered yet").format(id=id),
            _(
                "Nothing in this notebook has the name {name} yet. Run the cell that defines it, then check again."
            ).format(name=exercise.answer),
            good=False,
        )
    return _told(id, exercise.check(answer))


def _not_judged(id: str, name: str, error: SyntaxError) -> Note:
    return Note(
        _("{id}: not judged").format(id=id),
        _(
            "The last cell that defines {name} has a syntax error in line {line} ({error}), so Python ran none of it."
        ).format(name=name, line=error.lineno, error=error.msg),
        _("Mend it, run the cell, then check again."),
        good=False,
    )


def _told(id: str, verdict: Verdict) -> Note:
    if not verdict.passed:
        more = _('Stuck? hint("{id}") helps.').format(id=id)
        return Note(_("{id}: not yet").format(id=id), verdict.happened, verdict.matters, more, good=False)
    _progress.check_passed(id)
    heading = _("{id}: solved, with help") if _progress.of(id).helped else _("{id}: solved")
    return Note(heading.format(id=id), verdict.happened, verdict.matters, *_progress.notes(), good=True)


def hint(id: str) -> Note:
    """The next hint of an exercise. There are three; after the last one they begin again, and it says so."""
    hints = find(id).hints
    shown = _progress.of(id).hints
    number = shown % len(hints) + 1
    _progress.hint_shown(id, number)
    heading = _("{id}: hint {n} of {all}").format(id=id, n=number, all=len(hints))
    last = (
        _('This was the last hint. solution("{id}") shows one way to do it.').format(id=id)
        if number == len(hints)
        else ""
    )
    again = _("You have seen all hints; here they begin again.") if shown == len(hints) else ""
    return Note(heading, again, hints[number - 1], last, *_progress.notes())


def solution(id: str) -> Note:
    """One way to solve an exercise. From then on it counts as solved with help."""
    exercise = find(id)
    _progress.solution_shown(id)
    return Note(
        _("{id}: one solution").format(id=id),
        _("Copy it into the cell above, run that, and check again."),
        *_progress.notes(),
        code=exercise.solution,
    )


def quiz(bank: Bank | str | os.PathLike[str] | None = None, *, seed: int = 0) -> question.QuestionCard:
    """The card for the quiz of this name, for a bank, or for a file of your own that ends with .yaml.

    `seed` decides the variants and the order of options. What was answered before is taken up again.
    """
    if isinstance(bank, Bank):
        return question.quiz(bank, seed=seed)
    if not isinstance(bank, (str, os.PathLike)):
        example = _(
            'quiz() takes the name of a quiz, such as quiz("01_raw_loop"), or a file, such as quiz("mine.yaml").'
        )
        raise LessonError(example)
    name = os.fspath(bank)
    if not name.endswith((".yaml", ".yml")):
        return question.quiz(name, seed=seed)
    if not Path(name).is_file():
        where = Path(name).absolute()
        raise LessonError(_("There is no file {path}. Write its whole path, or put it there.").format(path=where))
    return question.quiz(load_bank(name), seed=seed)
