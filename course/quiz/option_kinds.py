"""The kinds in which one or more of some options are chosen: one, many, action, line, and messages with `mode: pick`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from course.quiz.common import AnyItem, AnyOption, Text, Turn, lines_of
from course.quiz.next_messages import MAKES, made
from course.stop_reasons import Action, actions
from course.words import _

__all__ = [
    "ActionItem",
    "ActionOption",
    "LineItem",
    "LineOption",
    "ManyItem",
    "OneItem",
    "Option",
    "PickItem",
    "PickOption",
]

Make = Annotated[Literal[MAKES], Field(description=f"Write one of {', '.join(MAKES)}.")]  # type: ignore[valid-type]


class Option(AnyOption):
    """An option in the author's words (`text`) or as `code`. do: for a proof, the code that does what the text says."""

    text: Text | None = None
    code: Text | None = None
    do: Text | None = None

    @property
    def shown(self) -> str:
        """The text that a reader sees."""
        return self.text or self.code or ""


class ActionOption(AnyOption):
    """An option that is one of the loop's actions; its words come from course.stop_reasons.

    why_right: the `why` if this option is the right one, where a variant draws the stop_reason.
    """

    action: Action
    why_right: Text | None = None

    @property
    def shown(self) -> str:
        """The text that a reader sees."""
        return actions()[self.action]


class LineOption(AnyOption):
    """A line of the item's code, counted from 1. fix: what stands there instead; empty to delete the line."""

    line: int
    fix: str | None = None


class PickOption(AnyOption):
    """What is appended to `messages` before the next request (`add`, or made by `make`), or the whole next array."""

    add: tuple[Turn, ...] | None = None
    make: Make | None = None
    messages: tuple[Turn, ...] | None = None


class OneItem(AnyItem):
    """Choose one of several options."""

    kind: Literal["one"]
    options: Annotated[tuple[Option, ...], Field(min_length=2, max_length=8)]


class ManyItem(AnyItem):
    """Choose several options. How many is said by the card, not by the stem."""

    kind: Literal["many"]
    options: Annotated[tuple[Option, ...], Field(min_length=3, max_length=8)]


class ActionItem(AnyItem):
    """A reply came: choose what the loop does next."""

    kind: Literal["action"]
    options: Annotated[tuple[ActionOption, ...], Field(min_length=2, max_length=8)]


class LineItem(AnyItem):
    """Choose the line of the code that is wrong."""

    kind: Literal["line"]
    code: Text
    options: Annotated[tuple[LineOption, ...], Field(min_length=2, max_length=8)]

    def fixed(self, at: int) -> str:
        """The code with the fix of option `at` in the place of its line. The line's indentation is kept."""
        lines, option = lines_of(self.code), self.options[at]
        old = lines[option.line - 1]
        indent = old[: len(old) - len(old.lstrip())]
        new = [indent + line if line.strip() else line for line in lines_of(option.fix or "") if option.fix]
        return "\n".join([*lines[: option.line - 1], *new, *lines[option.line :]]) + "\n"


class PickItem(AnyItem):
    """Choose what is appended to messages before the next request."""

    kind: Literal["messages"]
    mode: Literal["pick"]
    options: Annotated[tuple[PickOption, ...], Field(min_length=2, max_length=8)]

    @field_validator("options")
    @classmethod
    def _same_form(cls, options: tuple[PickOption, ...]) -> tuple[PickOption, ...]:
        """Either all options are what is added, or all are whole arrays: otherwise the form gives the answer away."""
        if len({option.messages is None for option in options}) == 2:
            what = _("Some options are what is added, others are whole arrays.")
            raise ValueError(what, _('Write all of them with "add" or "make", or all with "messages".'))
        return options

    def added(self, at: int) -> list[dict[str, Any]]:
        """What option `at` shows: the turns that are appended, or the whole next array."""
        option = self.options[at]
        if option.make is not None:
            return made(option.make, self.response or {}, self.results or {})
        return [*(option.add or ()), *(option.messages or ())]

    def next_messages(self, at: int) -> list[dict[str, Any]]:
        """The whole array of the next request if option `at` is chosen."""
        before = () if self.options[at].messages is not None else self.messages or ()
        return [*before, *self.added(at)]
