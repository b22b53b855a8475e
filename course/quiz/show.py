"""What a question shows, as plain text: the same for the card and the terminal. No key is in it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from course.quiz.items import Item
from course.words import _

__all__ = ["Extra", "extras", "pretty_json"]


@dataclass(frozen=True)
class Extra:
    """Something to look at beside the question: `kind` is "code" (with line numbers) or "json"."""

    kind: str
    title: str
    text: str


def extras(item: Item, width: int = 76) -> tuple[Extra, ...]:
    """The code, the messages and the response of an item, as far as it has them. `width`: columns for JSON."""
    found = []
    if item.code is not None:
        found.append(Extra("code", _("Code"), item.code.rstrip("\n")))
    if item.messages is not None:
        found.append(Extra("json", "messages", pretty_json(list(item.messages), width)))
    if item.response is not None:
        found.append(Extra("json", "response", pretty_json(item.response, width)))
    return tuple(found)


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
