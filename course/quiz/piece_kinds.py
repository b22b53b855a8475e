"""The kinds in which pieces are put in order: order, and messages with `mode: build` and `mode: repair`.

`right` and `also` are lists of indexes into `pieces`. A piece that stands in none of them is a decoy: it says why it is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue, field_validator, model_validator

from course.quiz.common import AnyItem, Blocks, Strict, Text, known_misconception
from course.quiz.next_messages import assemble

__all__ = ["BuildItem", "OrderItem", "Piece", "RepairItem", "TurnPiece"]

Indexes = tuple[int, ...]


class _AnyPiece(Strict):
    why: Text | None = None
    misconception: str | None = None

    @field_validator("misconception")
    @classmethod
    def _is_known(cls, name: str | None) -> str | None:
        return known_misconception(name)


class Piece(_AnyPiece):
    """A line of code or a step. In a file it may be only its text."""

    text: Text

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, given: Any) -> Any:
        return {"text": given} if isinstance(given, str) else given


class TurnPiece(_AnyPiece):
    """A content block and the role of the turn that it belongs in."""

    role: Literal["user", "assistant"]
    block: Blocks


class _Pieces(AnyItem):
    """right: the indexes of the pieces in their order. also: other orders that are right too."""

    right: Annotated[Indexes, Field(min_length=1)]
    also: tuple[Indexes, ...] = ()

    @property
    def orders(self) -> tuple[Indexes, ...]:
        """Every order that is right."""
        return (self.right, *self.also)


class OrderItem(_Pieces):
    """Put the pieces in order. form: `code` if the pieces are the lines of a program, `text` if they are steps in words."""

    kind: Literal["order"]
    form: Literal["code", "text"] = "code"
    pieces: Annotated[tuple[Piece, ...], Field(min_length=3, max_length=12)]

    def source(self, order: Sequence[int]) -> str:
        """The program that these pieces make."""
        return "\n".join(self.pieces[at].text.rstrip("\n") for at in order) + "\n"


class _Array(_Pieces):
    kind: Literal["messages"]
    pieces: Annotated[tuple[TurnPiece, ...], Field(min_length=2, max_length=12)]

    def added(self, order: Sequence[int]) -> list[dict[str, Any]]:
        """The turns that these pieces make. Neighbouring pieces of one role form one turn."""
        return assemble([(self.pieces[at].role, self.pieces[at].block) for at in order])

    def next_messages(self, order: Sequence[int]) -> list[dict[str, JsonValue]]:
        """The whole array of the next request: the item's messages, and these pieces."""
        return [*(self.messages or ()), *self.added(order)]


class BuildItem(_Array):
    """Build what is appended to `messages` from pieces."""

    mode: Literal["build"]


class RepairItem(_Array):
    """Repair what was appended to `messages`. start: the indexes of the pieces as they stand."""

    mode: Literal["repair"]
    start: Annotated[Indexes, Field(min_length=1)]
