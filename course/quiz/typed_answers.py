"""Answers as they are typed in a terminal: "3", "1,3", "2 1 3", "1b 2a". Numbers are places as shown, counted from 1; where a
line of code is chosen, they are the numbers of lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from course.quiz.items import CodeItem, Item, LineItem, ManyItem, MatchItem, PieceItem
from course.words import _

__all__ = ["END_OF_CODE", "how_to_answer", "letter", "marks", "read_answer"]

END_OF_CODE = "."  # a line with only this ends the code


def letter(at: int) -> str:
    """The letter of a right side: a, b, c, ..."""
    return "abcdefghijklmnopqrstuvwxyz"[at]


def marks(item: Item, order: Sequence[int]) -> list[str]:
    """What stands before each option, piece or right side. order: the indexes in the file, as they are shown."""
    if isinstance(item, LineItem):
        return [f"{item.options[index].line}." for index in order]
    if isinstance(item, MatchItem):
        return [f"{letter(place)}." for place in range(len(order))]
    return [f"{place}." for place in range(1, len(order) + 1)]


def how_to_answer(item: Item) -> str:
    """What to type, with an example that fits the item."""
    if isinstance(item, CodeItem):
        return _('Type the whole function. A line with only "." ends it; q as the first line stops.')
    if isinstance(item, MatchItem):
        example = " ".join(f"{at + 1}{letter(0)}" for at in range(len(item.left)))
        text = _(
            "Type a letter from a to {last} for each number from 1 to {count}, for example {example}, or q to stop."
        )
        return text.format(last=letter(len(item.right) - 1), count=len(item.left), example=example)
    if isinstance(item, PieceItem):
        text = _("Type numbers from 1 to {count} in their order, for example 2 1, or q to stop.")
        return text.format(count=len(item.pieces))
    if isinstance(item, ManyItem):
        count = sum(option.correct for option in item.options)
        example = ",".join(str(at + 1) for at in range(count))
        text = _("Type {count} different numbers from 1 to {last}, for example {example}, or q to stop.")
        return text.format(count=count, last=len(item.options), example=example)
    if isinstance(item, LineItem):
        lines = ", ".join(str(option.line) for option in sorted(item.options, key=lambda option: option.line))
        return _("Type the number of the line: {numbers}, or q to stop.").format(numbers=lines)
    return _("Type one of the numbers 1 to {count}, or q to stop.").format(count=len(item.options))


def read_answer(item: Item, order: Sequence[int], typed: str) -> Any:
    """The answer that was typed; None if it is none. order: the indexes in the file, in the order in which they are shown."""
    if isinstance(item, MatchItem):
        return _pairs(typed, len(item.left), order)
    if isinstance(item, LineItem):
        return next((at for at, option in enumerate(item.options) if typed.strip() == str(option.line)), None)
    places = _numbers(typed, len(order))
    if places is None:
        return None
    chosen = [order[place] for place in places]
    if isinstance(item, PieceItem):
        return chosen
    if isinstance(item, ManyItem):
        return sorted(chosen) if len(chosen) == sum(option.correct for option in item.options) else None
    return chosen[0] if len(chosen) == 1 else None


def _numbers(typed: str, count: int) -> list[int] | None:
    """Different places, counted from 0; None if something else was typed."""
    words = typed.replace(",", " ").split()
    if not words or not all(re.fullmatch("[0-9]{1,9}", word) for word in words):
        return None
    places = [int(word) - 1 for word in words]
    fits = len(set(places)) == len(places) and all(0 <= place < count for place in places)
    return places if fits else None


def _pairs(typed: str, count: int, order: Sequence[int]) -> list[int] | None:
    """The right side of each left."""
    found: dict[int, int] = {}
    for word in typed.replace(",", " ").split():
        match = re.fullmatch("([0-9]{1,9})([a-z])", word)
        if match is None or not 1 <= int(match[1]) <= count or int(match[1]) - 1 in found:
            return None
        place = ord(match[2]) - ord("a")
        if place >= len(order):
            return None
        found[int(match[1]) - 1] = order[place]
    return [found[at] for at in range(count)] if len(found) == count else None
