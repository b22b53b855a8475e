"""One sitting with a bank: which questions, in which order, and what was answered. A session never changes; each answer
gives a new one. Its `state` is plain data, so that it can be kept and taken up again."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from course.quiz.bank import Bank
from course.quiz.grading import Grade, grade
from course.quiz.items import Item

__all__ = ["Answer", "Score", "Session", "State", "start"]


@dataclass(frozen=True)
class Answer:
    """item: its id. option: the index of the chosen option in the file. at: seconds since 1970, or 0."""

    item: str
    option: int
    correct: bool
    at: float = 0.0


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
        """The state that `to_data` gave. Raises pydantic.ValidationError if it is not one."""
        return TypeAdapter(State).validate_python(data)


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
        """The item that is asked as this number."""
        return self.bank.item(self.state.items[number])

    def order(self, number: int) -> tuple[int, ...]:
        """The options' indexes in the file, in the order in which they are shown."""
        item = self.item(number)
        order = list(range(len(item.options)))
        if not item.pin:
            random.Random(f"{self.state.seed}:{item.id}").shuffle(order)
        return tuple(order)

    def answered(self, number: int) -> Answer | None:
        """The answer to this question, if it was answered."""
        return next((answer for answer in self.state.answers if answer.item == self.state.items[number]), None)

    def answer(self, number: int, option: int, *, at: float = 0.0) -> Session:
        """The session after this answer (`option`: its index in the file). A question is answered once: later answers
        change nothing. Raises ValueError if there is no such option."""
        if self.answered(number) is not None:
            return self
        item = self.item(number)
        given = Answer(item.id, option, grade(item, option).correct, at)
        return replace(self, state=replace(self.state, answers=(*self.state.answers, given)))

    def grade(self, number: int) -> Grade | None:
        """The grade of the answer that was given, if there is one."""
        given = self.answered(number)
        return None if given is None else grade(self.item(number), given.option)

    @property
    def score(self) -> Score:
        """How it stands."""
        answers = self.state.answers
        return Score(sum(answer.correct for answer in answers), len(answers), len(self.state.items))


def start(bank: Bank, *, seed: int = 0) -> Session:
    """A new session over all questions of a bank, in the bank's order. `seed` decides the order of the options."""
    return Session(bank, State(bank.name, seed, tuple(item.id for item in bank.items)))
