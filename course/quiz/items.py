"""What a question is: one class for each kind, all strict. Every fault in a bank is found by these classes and by bank.py.

The text of an item comes from a file that may be a stranger's. It is only ever shown as text: paragraphs, and `code` between
backticks. Nothing in it is run when a bank is loaded.
"""

from __future__ import annotations

import difflib
from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationInfo, field_validator

from course.quiz.tables import misconceptions, objectives
from course.stop_reasons import Action, actions

__all__ = ["ActionItem", "ActionOption", "Item", "OneItem", "Option", "Ref"]

# The names are the same in every language; an item's are looked up here, since making the sentences takes time.
OBJECTIVES = frozenset(objectives())
MISCONCEPTIONS = frozenset(misconceptions())

# A description says what to write; a fault in the file quotes it.
Text = Annotated[str, Field(pattern=r"\S", description="Write some text.")]
ItemId = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$",
        description='Use small letters and digits, with single hyphens between them: "two-calls".',
    ),
]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Ref(_Strict):
    """Where the fact can be read, and when somebody last looked."""

    url: Annotated[str, Field(pattern=r"^https://\S+$", description="Write a link that starts with https://.")]
    checked: date


class _AnyOption(_Strict):
    """`why` is shown after the answer: for a wrong option, what makes it tempting and what really happens."""

    correct: bool = False
    why: Text
    misconception: str | None = Field(default=None, validate_default=True)

    @field_validator("misconception")
    @classmethod
    def _is_named(cls, name: str | None, info: ValidationInfo) -> str | None:
        correct = info.data.get("correct")
        if name is None and correct is False:
            raise ValueError("A wrong option names no misconception.", "Add one from course/quiz/tables.py.")
        if name is not None and correct is True:
            raise ValueError("A right option names a misconception.", "Delete it.")
        if name is not None:
            _must_be_known(name, MISCONCEPTIONS, "misconception")
        return name


class Option(_AnyOption):
    """An option in the author's words."""

    text: Text

    @property
    def shown(self) -> str:
        """The text that a reader sees."""
        return self.text


class ActionOption(_AnyOption):
    """An option that is one of the loop's actions; its words come from course.stop_reasons."""

    action: Action

    @property
    def shown(self) -> str:
        """The text that a reader sees."""
        return actions()[self.action]


class _AnyItem(_Strict):
    """What all kinds have.

    id: permanent; a learner's record holds it. An item that asks something else gets a new id and names the old in `replaces`.
    scope: "exam" if the certification exam can ask it, "production" if not. response: a reply as the API's JSON.
    proof: how the key is shown to be right by running something (checked by `verify`). pin: keep the order of the options.
    """

    id: ItemId
    objective: str
    scope: Literal["exam", "production"] = "exam"
    difficulty: Literal["easy", "medium", "hard"] = "medium"
    stem: Text
    code: Text | None = None
    messages: tuple[dict[str, JsonValue], ...] | None = None
    response: dict[str, JsonValue] | None = None
    proof: dict[str, JsonValue] | None = None
    refs: tuple[Ref, ...] = ()
    replaces: tuple[ItemId, ...] = ()
    pin: bool = False

    @field_validator("objective")
    @classmethod
    def _is_known(cls, name: str) -> str:
        _must_be_known(name, OBJECTIVES, "objective")
        return name


class OneItem(_AnyItem):
    """Choose one of several options."""

    kind: Literal["one"]
    options: Annotated[tuple[Option, ...], Field(min_length=2, max_length=8)]


class ActionItem(_AnyItem):
    """A reply came: choose what the loop does next."""

    kind: Literal["action"]
    options: Annotated[tuple[ActionOption, ...], Field(min_length=2, max_length=8)]

    @field_validator("response")
    @classmethod
    def _has_reason(cls, response: dict[str, JsonValue] | None) -> dict[str, JsonValue] | None:
        if response is not None and "stop_reason" not in response:
            raise ValueError('The response has no "stop_reason".', "Add it.")
        return response


# A further kind is a further class here.
Item = Annotated[OneItem | ActionItem, Field(discriminator="kind")]


def _must_be_known(name: str, known: frozenset[str], what: str) -> None:
    if name not in known:
        close = difflib.get_close_matches(name, sorted(known), n=1)
        remedy = f'Did you mean "{close[0]}"?' if close else f"The known ones stand in course/quiz/tables.py ({what}s)."
        raise ValueError(f'The {what} "{name}" is not known.', remedy)
