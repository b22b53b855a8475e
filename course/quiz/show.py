"""What a question shows, as plain text: the same for the card and the terminal. No key is in it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from course.quiz.common import AnyItem, AnyOption, lines_of
from course.quiz.items import (
    BuildItem,
    CodeItem,
    Item,
    LineItem,
    ManyItem,
    MatchItem,
    OrderItem,
    PickItem,
    RepairItem,
)
from course.quiz.match_kind import Left, Right
from course.quiz.option_kinds import LineOption
from course.words import _

__all__ = ["Extra", "choices", "extras", "lefts", "pretty_json", "task"]


@dataclass(frozen=True)
class Extra:
    """Something to look at: `kind` is "text", "code" or "json"; `title` may be empty."""

    kind: str
    title: str
    text: str


def extras(item: AnyItem, width: int = 76) -> tuple[Extra, ...]:
    """The code, the messages and the response of an item, as far as it has them. `width`: columns for JSON."""
    found = []
    if item.code is not None:
        found.append(Extra("code", _("Code"), item.code.rstrip("\n")))
    if item.messages is not None:
        found.append(Extra("json", "messages", pretty_json(list(item.messages), width)))
    if item.response is not None:
        found.append(Extra("json", "response", pretty_json(item.response, width)))
    return tuple(found)


def task(item: Item) -> str:
    """What the reader does with this kind, in a sentence."""
    if isinstance(item, ManyItem):
        return _("Choose {count} answers.").format(count=sum(option.correct for option in item.options))
    if isinstance(item, LineItem):
        return _("Choose one line.")
    if isinstance(item, PickItem):
        if item.options[0].messages is not None:
            return _("Choose the messages of the next request.")
        return _("Choose what is appended to messages.")
    if isinstance(item, OrderItem):
        return _("Put these in order. There may be some that you don't need.")
    if isinstance(item, BuildItem):
        return _("Build what is appended to messages from these blocks. There may be some that you don't need.")
    if isinstance(item, RepairItem):
        return _("Repair what was appended to messages: remove, move and add blocks.")
    if isinstance(item, MatchItem):
        return _("Give each entry its partner. One partner may fit several entries, and some may fit none.")
    if isinstance(item, CodeItem):
        return _("Write the function {name}. It is run when you have finished.").format(name=item.function)
    return _("Choose one answer.")


def choices(item: Item, width: int = 76) -> tuple[Extra, ...]:
    """What the answer is made of, in the order of the file: options, pieces, or the right sides of pairs."""
    if isinstance(item, CodeItem):
        return ()
    if isinstance(item, MatchItem):
        return tuple(_side(right, width) for right in item.right)
    if isinstance(item, OrderItem):
        return tuple(Extra(item.form, "", piece.text.rstrip("\n")) for piece in item.pieces)
    if isinstance(item, BuildItem | RepairItem):
        return tuple(Extra("json", piece.role, pretty_json(piece.block, width)) for piece in item.pieces)
    if isinstance(item, PickItem):
        return tuple(_turns(item, at, width) for at in range(len(item.options)))
    return tuple(_option(item, option) for option in item.options)


def lefts(item: Item, width: int = 76) -> tuple[Extra, ...]:
    """The left sides of pairs; nothing for the other kinds."""
    return tuple(_side(left, width) for left in item.left) if isinstance(item, MatchItem) else ()


def _option(item: AnyItem, option: AnyOption) -> Extra:
    if isinstance(option, LineOption):
        line = lines_of(item.code or "")[option.line - 1]
        return Extra("code", _("line {number}").format(number=option.line), line.strip())
    code, text = getattr(option, "code", None), getattr(option, "shown", "")
    return Extra("code" if code else "text", "", text.rstrip("\n"))


def _turns(item: PickItem, at: int, width: int) -> Extra:
    turns = item.added(at)
    return Extra("json", "", pretty_json(turns, width)) if turns else Extra("text", "", _("Nothing."))


def _side(side: Left | Right, width: int) -> Extra:
    if isinstance(side, Right):
        return Extra("text", "", side.shown)
    if side.response is not None:
        return Extra("json", "", pretty_json(side.response, width))
    return Extra("code", "", side.code.rstrip("\n")) if side.code is not None else Extra("text", "", side.text or "")


def pretty_json(value: object, width: int = 76, indent: int = 0, taken: int = 0) -> str:
    """JSON with what is short on one line, and the rest indented by two.

    indent: the column of the line's start. taken: the columns that are taken already on the first line.

    >>> print(pretty_json({"role": "user", "content": ["Hello", "Good morning"]}, width=36))
    {
      "role": "user",
      "content": [
        "Hello",
        "Good morning"
      ]
    }
    """
    flat = json.dumps(value, ensure_ascii=False)
    if taken + len(flat) <= width or not isinstance(value, (dict, list)) or not value:
        return flat
    below = indent + 2
    if isinstance(value, dict):
        names = [json.dumps(key, ensure_ascii=False) + ": " for key in value]
        rows = [
            name + pretty_json(each, width, below, below + len(name))
            for name, each in zip(names, value.values(), strict=True)
        ]
        left, right = "{", "}"
    else:
        rows = [pretty_json(each, width, below, below) for each in value]
        left, right = "[", "]"
    pad = "\n" + " " * below
    return left + pad + f",{pad}".join(rows) + "\n" + " " * indent + right
