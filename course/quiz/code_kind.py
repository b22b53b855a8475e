"""The kind `code`: write a function; it is run, and what comes of it is compared with what should."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from course.quiz.common import AnyItem, Strict, Text, known_misconception
from course.quiz.proof_forms import Claim, Name, Outcome

__all__ = ["CodeItem", "Task", "WrongCode"]


class Task(Strict):
    """What the function is run on (as in `proof`), what must come of it, and what must be true of the run besides."""

    task: Name
    gives: Outcome = Outcome.ANSWERED
    claim: Claim | None = None


class WrongCode(Strict):
    """A common wrong answer, and what comes of it in at least one of the tasks."""

    code: Text
    gives: Outcome
    says: Text | None = None
    why: Text
    misconception: str

    @field_validator("misconception")
    @classmethod
    def _is_known(cls, name: str) -> str | None:
        return known_misconception(name)


class CodeItem(AnyItem):
    """start: what the learner begins from. solution: an answer that is right. wrong: answers that are not."""

    kind: Literal["code"]
    function: Annotated[str, Field(pattern=r"^[a-z_][a-z0-9_]*$", description="Write the name of a function.")]
    start: Text
    tasks: Annotated[tuple[Task, ...], Field(min_length=1, max_length=8)]
    solution: Text
    wrong: tuple[WrongCode, ...] = ()
