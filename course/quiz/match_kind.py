"""The kind `match`: each entry on the left belongs to one on the right."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue, field_validator

from course.quiz.common import AnyItem, Strict, Text, known_misconception
from course.quiz.proof_forms import Claim, Outcome
from course.stop_reasons import Action, actions

__all__ = ["Left", "MatchItem", "Right"]


class Left(Strict):
    """One of text, code and response. The rest is for a proof, as in an option of the kind `one`.

    misconception: what a reader believes who pairs this one wrongly.
    """

    text: Text | None = None
    code: Text | None = None
    response: dict[str, JsonValue] | None = None
    misconception: str | None = None
    do: Text | None = None
    gives: Outcome | None = None
    says: Text | None = None
    claim: Claim | None = None

    @field_validator("misconception")
    @classmethod
    def _is_known(cls, name: str | None) -> str | None:
        return known_misconception(name)


class Right(Strict):
    """A text, or one of the loop's actions."""

    text: Text | None = None
    action: Action | None = None

    @property
    def shown(self) -> str:
        """The text that a reader sees."""
        return self.text or (actions()[self.action] if self.action else "")


class MatchItem(AnyItem):
    """pairs: for each left, the index of its right. whys: for each left, why it is this one."""

    kind: Literal["match"]
    left: Annotated[tuple[Left, ...], Field(min_length=2, max_length=8)]
    right: Annotated[tuple[Right, ...], Field(min_length=2, max_length=10)]
    pairs: tuple[int, ...]
    whys: tuple[Text, ...]
