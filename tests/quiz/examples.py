"""Small items for the tests."""

from __future__ import annotations

from pathlib import Path

from course.quiz.bank import Bank, load_bank
from course.quiz.items import ActionItem, ActionOption, OneItem, Option
from course.stop_reasons import Action

WRONG = "model-remembers"
EVERY_KIND = load_bank(Path(__file__).parent / "banks" / "every_kind.yaml")


def one(id: str = "one", texts: str = "abcd", right: int = 1, **more) -> OneItem:
    """An item with an option for each letter; `right` is the index of the right one."""
    options = tuple(
        Option(text=text, correct=at == right, why=f"why {text}", misconception=None if at == right else WRONG)
        for at, text in enumerate(texts)
    )
    return OneItem(
        **{"id": id, "kind": "one", "objective": "messages/memory", "stem": f"stem {id}", "options": options} | more
    )


def action(id: str = "action") -> ActionItem:
    """An item about a reply that is cut off."""
    return ActionItem(
        id=id,
        kind="action",
        objective="stop-reason/cut-off",
        stem="What next?",
        response={"stop_reason": "max_tokens", "content": [{"type": "text", "text": "The ans"}]},
        options=(
            ActionOption(action=Action.FINISH, why="It is not complete.", misconception="cut-is-complete"),
            ActionOption(action=Action.GET_THE_REST, correct=True, why="It was cut off."),
        ),
    )


def bank(*items) -> Bank:
    """A bank of these items."""
    return Bank("small", "A small bank", tuple(items))


def item(id: str, seed: int | None = None):
    """The item of this id in banks/every_kind.yaml, which has one of every kind."""
    return EVERY_KIND.item(id) if seed is None else EVERY_KIND.drawn(id, seed)
