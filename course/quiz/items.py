"""What a question is: one class for each kind, all strict. Every fault in a bank is found by these classes and by bank.py."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field, TypeAdapter

from course.quiz.code_kind import CodeItem
from course.quiz.common import Ref, Text
from course.quiz.match_kind import MatchItem
from course.quiz.option_kinds import (
    ActionItem,
    ActionOption,
    LineItem,
    LineOption,
    ManyItem,
    OneItem,
    Option,
    PickItem,
    PickOption,
)
from course.quiz.piece_kinds import BuildItem, OrderItem, RepairItem

__all__ = [
    "ITEM",
    "ActionItem",
    "ActionOption",
    "ArrayItem",
    "BuildItem",
    "CodeItem",
    "Item",
    "LineItem",
    "LineOption",
    "ManyItem",
    "MatchItem",
    "MessagesItem",
    "OneItem",
    "Option",
    "OptionItem",
    "OrderItem",
    "PickItem",
    "PickOption",
    "PieceItem",
    "Ref",
    "RepairItem",
    "Text",
]

OptionItem = OneItem | ManyItem | ActionItem | LineItem | PickItem
ArrayItem = BuildItem | RepairItem
PieceItem = OrderItem | BuildItem | RepairItem
MessagesItem = Annotated[PickItem | BuildItem | RepairItem, Field(discriminator="mode")]

# A further kind is a further class here.
Item = Annotated[
    OneItem | ManyItem | ActionItem | MessagesItem | LineItem | OrderItem | MatchItem | CodeItem,
    Field(discriminator="kind"),
]
ITEM: TypeAdapter[Item] = TypeAdapter(Item, config=ConfigDict(defer_build=True))
