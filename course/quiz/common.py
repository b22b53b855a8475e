"""What items of all kinds have in common: the fields of an item, and what is said about an option.

The text of an item comes from a file that may be a stranger's. It is only ever shown as text: paragraphs, and `code` between
backticks. Nothing in it is run when a bank is loaded.
"""

from __future__ import annotations

import difflib
from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationInfo, field_validator

from course.quiz.proof_forms import Claim, Outcome, Proof
from course.quiz.tables import misconceptions, objectives
from course.words import _

__all__ = ["MISCONCEPTIONS", "OBJECTIVES", "AnyItem", "AnyOption", "Blocks", "ItemId", "Ref", "Strict", "Text", "Turn"]

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
Turn = dict[str, JsonValue]  # one entry of `messages`, as the API's JSON
Blocks = dict[str, JsonValue]  # one content block, as the API's JSON


class Strict(BaseModel):
    """A mapping in which only known keys may stand."""

    # defer_build: pydantic prepares all kinds at once when a bank is loaded, not each of them while it is imported.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Ref(Strict):
    """Where the fact can be read, and when somebody last looked."""

    url: Annotated[str, Field(pattern=r"^https://\S+$", description="Write a link that starts with https://.")]
    checked: date


class AnyOption(Strict):
    """What is said about an option.

    why: shown after the answer; for a wrong option, what makes it tempting and what really happens.
    gives, says: for a proof that does the option: what comes of it, and a part of the API's error if it is refused.
    claim: for a proof that predicts: what the option says about the run.
    """

    correct: bool = False
    why: Text
    misconception: str | None = Field(default=None, validate_default=True)
    gives: Outcome | None = None
    says: Text | None = None
    claim: Claim | None = None

    @field_validator("misconception")
    @classmethod
    def _is_named(cls, name: str | None, info: ValidationInfo) -> str | None:
        correct = info.data.get("correct")
        if name is None and correct is False:
            raise ValueError(_("A wrong option names no misconception."), _("Add one from course/quiz/tables.py."))
        if name is not None and correct is True:
            raise ValueError(_("A right option names a misconception."), _("Delete it."))
        return known_misconception(name)


class AnyItem(Strict):
    """What all kinds have.

    id: permanent; a learner's record holds it. An item that asks something else gets a new id and names the old in `replaces`.
    scope: "exam" if the certification exam can ask it, "production" if not. messages: the history that was sent.
    response: the reply that came, as the API's JSON. results: what the tools returned, by the call's id or the tool's name.
    proof: how the key is shown to be right by running something (checked by `verify`). pin: keep the order of the options.
    variants: what is drawn anew for each session; what stands here is already drawn (see course.quiz.variants).
    """

    id: ItemId
    objective: str
    scope: Literal["exam", "production"] = "exam"
    difficulty: Literal["easy", "medium", "hard"] = "medium"
    stem: Text
    code: Text | None = None
    messages: tuple[Turn, ...] | None = None
    response: dict[str, JsonValue] | None = None
    results: dict[str, Text] | None = None
    proof: Proof | None = None
    variants: dict[str, JsonValue] | None = None
    refs: tuple[Ref, ...] = ()
    replaces: tuple[ItemId, ...] = ()
    pin: bool = False

    @field_validator("objective")
    @classmethod
    def _is_known(cls, name: str) -> str:
        must_be_known(name, OBJECTIVES, "objective")
        return name

    @field_validator("response")
    @classmethod
    def _has_reason(cls, response: dict[str, JsonValue] | None) -> dict[str, JsonValue] | None:
        if response is not None and "stop_reason" not in response:
            raise ValueError(_('The response has no "stop_reason".'), _("Add it."))
        return response


def lines_of(code: str) -> list[str]:
    """The lines of code as they are counted: only a line feed ends a line, as in the page."""
    return code.rstrip("\n").split("\n")


def known_misconception(name: str | None) -> str | None:
    """The name itself, if there is such a misconception. Raises ValueError if not."""
    if name is not None:
        must_be_known(name, MISCONCEPTIONS, "misconception")
    return name


def must_be_known(name: str, known: frozenset[str], what: str) -> None:
    """Raise ValueError, with the closest name as the remedy, if the name is not known."""
    if name not in known:
        close = difflib.get_close_matches(name, sorted(known), n=1)
        known_ones = _("The known ones stand in course/quiz/tables.py ({names}).").format(names=f"{what}s")
        remedy = _('Did you mean "{name}"?').format(name=close[0]) if close else known_ones
        raise ValueError(_('The {what} "{name}" is not known.').format(what=what, name=name), remedy)
