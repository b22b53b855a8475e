"""The question card: one question at a time, graded in Python.

What is in the page, in a trait or in a saved notebook before an answer holds no key. A grade goes to the page as a message,
after the answer, and is kept nowhere but in the kernel.

    page -> kernel   {"do": "look"}                                what was answered so far?
                     {"do": "answer", "number": 0, "choice": 2}    choice: position as shown
                     {"do": "again"}                               from the start, in another order
    kernel -> page   {"grades": {"0": {...}}, "reset": false}
"""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

from course.quiz.bank import Bank, named_bank
from course.quiz.session import Session, start
from course.quiz.show import extras
from course.widgets.bundle import css, javascript
from course.words import _

__all__ = ["QuestionCard", "quiz"]

WIDTH = 96  # columns of JSON that fit into the card on a wide screen; on a narrow one the page breaks the lines


def quiz(bank: Bank | str, *, seed: int = 0) -> QuestionCard:
    """The card for a bank, or for the bank of this name in `quizzes/`. `seed` decides the order of the options.

    Raises LessonError if there is no bank of that name, BankError if it has faults.
    """
    return QuestionCard(named_bank(bank) if isinstance(bank, str) else bank, seed=seed)


class QuestionCard(anywidget.AnyWidget):
    """Shows the questions of a session, collects the answers and grades them."""

    _esm = javascript("question.js")
    _css = css("base.css", "question.css")

    title = traitlets.Unicode().tag(sync=True)
    questions = traitlets.List(traitlets.Dict()).tag(sync=True)
    index = traitlets.Int(0).tag(sync=True)  # len(questions): the score at the end
    score = traitlets.Dict().tag(sync=True)
    words = traitlets.Dict().tag(sync=True)

    def __init__(self, bank: Bank, *, seed: int = 0, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self.session = start(bank, seed=seed)
        super().__init__(title=bank.title, words=_words(), **_shown(self.session))
        self.on_msg(self._receive)

    def __repr__(self) -> str:
        return as_text(self.session)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget for a page that can show it, and the whole text for all others."""
        bundle = super()._repr_mimebundle_(**kwargs)
        assert bundle is not None, "the card always has a view"
        data, metadata = bundle
        return {**data, "text/plain": repr(self)}, metadata

    def _receive(self, _widget: object, content: dict[str, Any], _buffers: object) -> None:
        """A message from the page. What makes no sense is left alone: the page may be of an older version."""
        do = content.get("do")
        if do == "look":
            self._send_grades(range(len(self.questions)))
        elif do == "answer":
            self._answer(content.get("number"), content.get("choice"))
        elif do == "again":
            self._restart()

    def _answer(self, number: Any, choice: Any) -> None:
        if not _is_index(number, len(self.questions)) or not _is_index(choice, len(self.session.order(number))):
            return
        self.session = self.session.answer(number, self.session.order(number)[choice], at=self._clock())
        self.score = _score(self.session)
        self._send_grades([number])

    def _restart(self) -> None:
        state = self.session.state
        self.session = start(self.session.bank, seed=state.seed + 1)
        with self.hold_sync():
            for name, value in _shown(self.session).items():
                setattr(self, name, value)
            self.index = 0
        self.send({"grades": {}, "reset": True})

    def _send_grades(self, numbers: Any) -> None:
        grades = {str(number): shown_grade(self.session, number) for number in numbers if self.session.answered(number)}
        self.send({"grades": grades, "reset": False})


def _is_index(value: Any, length: int) -> bool:
    return type(value) is int and 0 <= value < length


def _shown(session: Session) -> dict[str, Any]:
    numbers = range(session.score.total)
    return {"questions": [shown_question(session, number) for number in numbers], "score": _score(session)}


def shown_question(session: Session, number: int) -> dict[str, Any]:
    """What the page gets of a question before it is answered: no key, no `why`, no misconception."""
    item = session.item(number)
    return {
        "stem": item.stem.strip(),
        "extras": [{"kind": extra.kind, "title": extra.title, "text": extra.text} for extra in extras(item, WIDTH)],
        "options": [item.options[option].shown for option in session.order(number)],
    }


def shown_grade(session: Session, number: int) -> dict[str, Any]:
    """What the page gets after the answer. The options are in the order in which they are shown."""
    grade, order = session.grade(number), session.order(number)
    assert grade is not None, "only an answered question has a grade"
    return {
        "correct": grade.correct,
        "choice": next(position for position, option in enumerate(order) if grade.verdicts[option].chosen),
        "options": [
            {"correct": grade.verdicts[option].correct, "why": grade.verdicts[option].why.strip()} for option in order
        ],
        "refs": [ref.url for ref in session.item(number).refs],
    }


def _score(session: Session) -> dict[str, int]:
    score = session.score
    return {"right": score.right, "answered": score.answered, "total": score.total}


def as_text(session: Session) -> str:
    """The questions where no widget can be drawn: the same text each time, and no key."""
    lines = [session.bank.title, ""]
    for number in range(session.score.total):
        item = session.item(number)
        lines.append(f"{number + 1}. {item.stem.strip()}")
        for extra in extras(item):
            lines += ["", textwrap.indent(extra.text, "      ")]
        lines.append("")
        lines += [f"   ( ) {item.options[option].shown}" for option in session.order(number)]
        lines.append("")
    lines.append(
        _("Answer in JupyterLab, or in a terminal: python -m course drill {name}").format(name=session.bank.name)
    )
    return "\n".join(lines)


def _words() -> dict[str, str]:
    """The card's words, in the reader's language."""
    return {
        "place": _("Question {number} of {total}"),
        "score": _("Right: {right} of {answered}"),
        "choose": _("Choose one answer"),
        "check": _("Check"),
        "previous": _("Previous"),
        "next": _("Next"),
        "finish": _("See the score"),
        "nothing": _("Choose an answer first."),
        "waiting": _("Checking…"),
        "lost": _(
            "Python does not answer: the kernel is busy or has stopped. If it stays like this, run this cell again."
        ),
        "right": _("Right."),
        "not_right": _("Not right."),
        "answer_is": _("The right answer: {answer}"),
        "mark_right": _("right"),
        "mark_wrong": _("wrong"),
        "yours": _("your answer"),
        "read_more": _("Read more"),
        "result": _("Your score"),
        "end": _("{right} of {total} right"),
        "open": _("not answered"),
        "again": _("Start again"),
    }
