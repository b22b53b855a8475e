"""One sitting with a bank: which questions, in which order, and what was answered. A session never changes; each answer
gives a new one. Its `state` is plain data, so that it can be kept and taken up again."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from course.quiz.bank import Bank
from course.quiz.grading import Grade, Ran, Run, grade
from course.quiz.items import CodeItem, Item, LineItem, MatchItem, PieceItem

__all__ = ["Answer", "Score", "Session", "State", "resume", "start"]


@dataclass(frozen=True)
class Answer:
    """item: its id. answer: plain JSON, by the file's indexes (see course.quiz.grading). at: seconds since 1970, or 0.

    ran: what came of running the answer to a `code` item; it is not run again to be shown.
    """

    item: str
    answer: Any
    correct: bool
    at: float = 0.0
    credit: float = 0.0
    ran: tuple[Ran, ...] = ()


@dataclass(frozen=True)
class State:
    """All that a session remembers. items: the ids, in the order in which they are asked."""

    bank: str
    seed: int
    items: tuple[str, ...]
    answers: tuple[Answer, ...] = ()

    def to_data(self) -> dict[str, Any]:
        """The state as what JSON can hold."""
        data: dict[str, Any] = TypeAdapter(State).dump_python(self, mode="json")
        return data

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> State:
        """The state that `to_data` gave, now or in an earlier version. Raises pydantic.ValidationError if it is not one."""
        answers = data.get("answers") if isinstance(data, dict) else None
        if isinstance(answers, (list, tuple)):
            data = {**data, "answers": [_of_today(answer) for answer in answers]}
        return TypeAdapter(State).validate_python(data)


def _of_today(answer: Any) -> Any:
    """An answer in the form of today. The first version kept the chosen option as `option`, and no credit."""
    if not isinstance(answer, dict) or "option" not in answer:
        return answer
    kept = {key: value for key, value in answer.items() if key != "option"}
    return {"answer": answer["option"], "credit": 1.0 if answer.get("correct") is True else 0.0, **kept}


@dataclass(frozen=True)
class Score:
    """right of answered, and how many questions there are."""

    right: int
    answered: int
    total: int


@dataclass(frozen=True)
class Session:
    """A bank and a state. Questions are numbered from 0."""

    bank: Bank
    state: State

    def item(self, number: int) -> Item:
        """The item that is asked as this number, with its variants drawn by the session's seed."""
        return self.bank.drawn(self.state.items[number], self.state.seed)

    def order(self, number: int) -> tuple[int, ...]:
        """The indexes in the file of the options, pieces or right sides, in the order in which they are shown."""
        item = self.item(number)
        return _order(item, random.Random(f"{self.state.seed}:{item.id}"))

    def answered(self, number: int) -> Answer | None:
        """The answer to this question, if it was answered."""
        return next((answer for answer in self.state.answers if answer.item == self.state.items[number]), None)

    def answer(self, number: int, answer: Any, *, at: float = 0.0, run: Run | None = None) -> Session:
        """The session after this answer. A question is answered once: later answers change nothing.

        run: runs the answer to a `code` item. Raises ValueError if this can't be an answer to the question.
        """
        if self.answered(number) is not None:
            return self
        item = self.item(number)
        ran = tuple(run(item, answer)) if run is not None and isinstance(item, CodeItem) else ()
        result = grade(item, answer, run=_replay(ran))
        given = Answer(item.id, answer, result.correct, at, result.credit, ran)
        return replace(self, state=replace(self.state, answers=(*self.state.answers, given)))

    def grade(self, number: int) -> Grade | None:
        """The grade of the answer that was given, if there is one."""
        given = self.answered(number)
        return None if given is None else grade(self.item(number), given.answer, run=_replay(given.ran))

    @property
    def score(self) -> Score:
        """How it stands."""
        answers = self.state.answers
        return Score(sum(answer.correct for answer in answers), len(answers), len(self.state.items))


def _replay(ran: tuple[Ran, ...]) -> Run | None:
    return (lambda item, source: ran) if ran else None


def _order(item: Item, dice: random.Random) -> tuple[int, ...]:
    if isinstance(item, CodeItem):
        return ()
    if isinstance(item, LineItem):  # lines are read from top to bottom
        return tuple(sorted(range(len(item.options)), key=lambda at: item.options[at].line))
    if isinstance(item, PieceItem):
        return _mixed(item, dice)
    order = list(range(len(item.right if isinstance(item, MatchItem) else item.options)))
    if not item.pin:
        dice.shuffle(order)
    return tuple(order)


def _mixed(item: PieceItem, dice: random.Random) -> tuple[int, ...]:
    """The pieces in any order but a right one."""
    order = list(range(len(item.pieces)))
    for _try in range(20):
        dice.shuffle(order)
        if all([at for at in order if at in right] != list(right) for right in item.orders):
            break
    return tuple(order)


def start(bank: Bank, *, seed: int = 0, items: tuple[str, ...] | None = None) -> Session:
    """A new session. `items`: the ids of the questions, in the order in which they are asked; None: all, in the bank's order.
    `seed` decides variants and the order of options.

    Raises BankError if what was drawn for an item has faults.
    """
    asked = tuple(item.id for item in bank.items) if items is None else items
    for id in asked:
        bank.drawn(id, seed)
    return Session(bank, State(bank.name, seed, asked))


def resume(bank: Bank, state: State) -> Session:
    """The session that this state is of. The bank may have changed since: items that are gone, and answers that no longer fit,
    are left out, and items that are new come last."""
    fresh = start(bank, seed=state.seed)
    kept = [id for id in dict.fromkeys(state.items) if id in fresh.state.items]
    items = (*kept, *(id for id in fresh.state.items if id not in kept))
    session = replace(fresh, state=replace(fresh.state, items=items))
    answers = tuple(answer for answer in state.answers if _fits(session, answer))
    return replace(session, state=replace(session.state, answers=answers))


def _fits(session: Session, answer: Answer) -> bool:
    if answer.item not in session.state.items:
        return False
    try:
        grade(session.bank.drawn(answer.item, session.state.seed), answer.answer, run=_replay(answer.ran))
    except ValueError:
        return False
    return True
