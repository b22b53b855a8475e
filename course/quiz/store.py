"""What was answered in a quiz, kept from one kernel to the next. One file for each bank; each attempt stays in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, JsonValue

from course.progress import Record
from course.quiz.bank import QUIZZES, Bank
from course.quiz.session import Answer, Session, State, resume, start

__all__ = ["Attempt", "Attempts", "QuizStore", "is_of_the_course"]


class Attempt(BaseModel):
    """One time through a bank. seed: the one that the quiz was asked for; a further attempt has another in its state.

    drafts: item id -> an answer that was not given yet, in the form of an answer or not quite in it.
    """

    model_config = ConfigDict(frozen=True)

    seed: int
    state: State
    drafts: dict[str, JsonValue] = {}


class Attempts(BaseModel):
    """What the file of a bank holds: every attempt, the newest last."""

    model_config = ConfigDict(frozen=True)

    attempts: tuple[Attempt, ...] = ()


class QuizStore:
    """The attempts at one bank. seed: the one that the quiz is asked for. tell: gets a sentence where something goes wrong.

    Two kernels may be in the same attempt at once: each adds its answers, and none is taken away.
    """

    def __init__(self, bank: Bank, seed: int, tell: Callable[[str], None]) -> None:
        self._bank, self._seed, self._tell = bank, seed, tell
        self._record = Record(_file_name(bank), Attempts)

    def restore(self) -> tuple[Session, dict[str, Any]]:
        """The newest attempt as it was left, and its drafts; a new one if there is none."""
        attempts = [each for each in self._record.read(self._tell).attempts if each.seed == self._seed]
        if not attempts:
            return start(self._bank, seed=self._seed), {}
        return resume(self._bank, attempts[-1].state), dict(attempts[-1].drafts)

    def begin(self, session: Session) -> None:
        """Keep that a new attempt was begun."""
        self._keep(session, lambda attempt: attempt)

    def answered(self, session: Session, answer: Answer) -> None:
        """Keep an answer of this session."""

        def change(attempt: Attempt) -> Attempt:
            drafts = {id: draft for id, draft in attempt.drafts.items() if id != answer.item}
            known = attempt.state.answers
            answers = known if answer in known else (*known, answer)
            return attempt.model_copy(update={"state": replace(attempt.state, answers=answers), "drafts": drafts})

        self._keep(session, change)

    def drafted(self, session: Session, item: str, draft: JsonValue) -> None:
        """Keep what is chosen or written for an item, and not answered yet."""
        self._keep(session, lambda attempt: attempt.model_copy(update={"drafts": {**attempt.drafts, item: draft}}))

    def _keep(self, session: Session, change: Callable[[Attempt], Attempt]) -> None:
        """Change the session's attempt. The file may have changed since it was read, so the attempt is looked up anew."""

        def change_file(content: Attempts) -> Attempts:
            attempts = list(content.attempts)
            for at, attempt in enumerate(attempts):
                if (attempt.seed, attempt.state.seed) == (self._seed, session.state.seed):
                    attempts[at] = change(attempt)
                    return Attempts(attempts=tuple(attempts))
            begun = Attempt(seed=self._seed, state=replace(session.state, answers=()))
            return Attempts(attempts=(*attempts, change(begun)))

        self._record.change(change_file, self._tell)


def is_of_the_course(bank: Bank) -> bool:
    """Whether the bank is a file in quizzes/. Only what its items hold may be run."""
    files = {Path(file).resolve().parent for file, _line in bank.places.values()}
    return files == {QUIZZES.resolve()}


def _file_name(bank: Bank) -> str:
    """A bank from elsewhere has a file of its own, even if it has the name of one of the course."""
    name = re.sub(r"[^\w-]", "_", bank.name)
    return f"quiz-{name}" if is_of_the_course(bank) else f"quiz-elsewhere-{name}"
