"""The question card: one question at a time, graded in Python.

What is in the page, in a trait or in a saved notebook before an answer holds no key. All that changes travels in messages and
is kept in the kernel and in the progress folder, so a saved notebook is the same whatever was answered.

    page -> kernel   {"do": "look", "view": "..."}                  what was answered so far? asked by a view that was opened
                     {"do": "draft", "number": 0, "answer": ...}    what is chosen, and not checked yet
                     {"do": "answer", "number": 0, "answer": ...}   by places on the page
                     {"do": "run", "number": 0, "run": 0}           after the answer: show what an answer does
                     {"do": "again"}                                from the start, in another order
    kernel -> page   {"state": {...}, "grades": {"0": {...}}, "notes": [...], "refused": {...}, "trace": {...}}
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

import anywidget
import traitlets

from course.quiz.bank import Bank, named_bank
from course.quiz.code_fault import code_fault
from course.quiz.items import CodeItem
from course.quiz.session import Session, start
from course.quiz.store import QuizStore, is_of_the_course
from course.widgets.bundle import css, javascript
from course.widgets.question_grade import runs, shown_grade
from course.widgets.question_run import run_answer, trace_data
from course.widgets.question_text import as_text
from course.widgets.question_view import shown_question, to_file, to_page
from course.widgets.question_words import question_words
from course.words import _

__all__ = ["QuestionCard", "quiz"]


def quiz(bank: Bank | str, *, seed: int = 0) -> QuestionCard:
    """The card for a bank, or for the bank of this name in `quizzes/`. `seed` decides the variants and the order of options.

    What was answered before is taken up again. Raises LessonError if there is no bank of that name, BankError if it has faults.
    """
    return QuestionCard(named_bank(bank) if isinstance(bank, str) else bank, seed=seed)


class QuestionCard(anywidget.AnyWidget):
    """Shows the questions of a session, collects the answers and grades them."""

    _esm = javascript("question.js")
    _css = css("base.css", "stepper.css", "question.css")

    title = traitlets.Unicode().tag(sync=True)
    questions = traitlets.List(traitlets.Dict()).tag(sync=True)  # of the first attempt; those of a further one are sent
    words = traitlets.Dict().tag(sync=True)

    def __init__(self, bank: Bank, *, seed: int = 0, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._notes: list[str] = []
        self._store = QuizStore(bank, seed, self._notes.append)
        self._can_run = is_of_the_course(bank)
        first = start(bank, seed=seed)
        self._text = as_text(first)
        self.session, self._drafts = self._store.restore()
        super().__init__(title=bank.title, words=question_words(), questions=self._shown(first))
        self.on_msg(self._receive)

    def __repr__(self) -> str:
        return self._text

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget for a page that can show it, and the whole text for all others."""
        bundle = super()._repr_mimebundle_(**kwargs)
        assert bundle is not None, "the card always has a view"
        data, metadata = bundle
        return {**data, "text/plain": repr(self)}, metadata

    def _receive(self, _widget: object, content: dict[str, Any], _buffers: object) -> None:
        """A message from the page. What makes no sense is left alone: the page may be of an older version."""
        do, number = content.get("do"), content.get("number")
        if do == "look":
            self._send_state(view=content.get("view"))
        elif do == "again":
            self._restart()
        elif type(number) is int and 0 <= number < self.session.score.total:
            if do == "draft":
                self._keep_draft(number, content.get("answer"))
            elif do == "answer":
                self._answer(number, content.get("answer"))
            elif do == "run":
                self._run(number, content.get("run"))

    def _answer(self, number: int, value: Any) -> None:
        item = self.session.item(number)
        run = run_answer if self._can_run else None
        refused = self._refusal(number, value)
        if refused is not None:
            self._keep_draft(number, value)
            self.send({"refused": {"number": number, "text": refused}})
            return
        known = self.session.answered(number)
        try:
            answer = to_file(item, self.session.order(number), value)
            self.session = self.session.answer(number, answer, at=self._clock(), run=run)
        except ValueError:
            return
        self._drafts.pop(item.id, None)
        self.send({"grades": self._grades([number])})
        given = self.session.answered(number)
        if given is not None and given is not known:
            self._store.answered(self.session, given)  # after the grade was sent: a slow disk keeps nobody waiting
            self._send_notes()

    def _refusal(self, number: int, value: Any) -> str | None:
        """Why an answer is not taken; the question stays open."""
        item = self.session.item(number)
        if not isinstance(item, CodeItem) or not isinstance(value, str) or self.session.answered(number) is not None:
            return None
        return code_fault(item, value) if self._can_run else _unchecked()

    def _shown(self, session: Session) -> list[dict[str, Any]]:
        questions = [shown_question(session, number) for number in range(session.score.total)]
        if self._can_run:
            return questions
        return [{**each, "unchecked": _unchecked()} if each["form"] == "write" else each for each in questions]

    def _keep_draft(self, number: int, value: Any) -> None:
        item, order = self.session.item(number), self.session.order(number)
        if self.session.answered(number) is not None:
            return
        try:
            self._drafts[item.id] = to_file(item, order, value)
        except ValueError:
            return
        self._store.drafted(self.session, item.id, self._drafts[item.id])
        self._send_notes()

    def _run(self, number: int, run: Any) -> None:
        """Send the trace of what one of the buttons runs. Nothing is run before the answer, nor of a bank from elsewhere."""
        given = self.session.answered(number)
        if given is None or not self._can_run:
            return
        item, order = self.session.item(number), self.session.order(number)
        possible = runs(item, order, given.answer)
        if type(run) is int and 0 <= run < len(possible):
            self.send({"trace": {"number": number, "run": run, **trace_data(item, possible[run][1])}})

    def _restart(self) -> None:
        session = self.session
        self.session, self._drafts = start(session.bank, seed=session.state.seed + 1), {}
        self._store.begin(self.session)
        self._send_state(view=None)

    def _send_state(self, *, view: Any) -> None:
        """How it stands: for the view that asks, or for all (None) when a new attempt begins."""
        session = self.session
        numbers = range(session.score.total)
        questions = self._shown(session)
        at = next((number for number in numbers if session.answered(number) is None), len(numbers))
        self.send(
            {
                "state": {
                    "questions": None if questions == self.questions else questions,
                    "drafts": self._shown_drafts(),
                    "at": at,
                    "view": view,
                },
                "grades": self._grades(numbers),
                "notes": self._taken_notes(),
            }
        )

    def _shown_drafts(self) -> dict[str, Any]:
        shown = {}
        for number in range(self.session.score.total):
            item, order = self.session.item(number), self.session.order(number)
            if item.id in self._drafts and self.session.answered(number) is None:
                shown[str(number)] = to_page(item, order, self._drafts[item.id])
        return shown

    def _grades(self, numbers: Iterable[int]) -> dict[str, Any]:
        return {
            str(number): shown_grade(self.session, number, can_run=self._can_run)
            for number in numbers
            if self.session.answered(number) is not None
        }

    def _taken_notes(self) -> list[str]:
        notes = list(self._notes)
        self._notes.clear()
        return notes

    def _send_notes(self) -> None:
        if self._notes:
            self.send({"notes": self._taken_notes()})


def _unchecked() -> str:
    return _("This bank is not one of the course's, so nothing of it is run: an answer can't be checked here.")
