"""Putting what was drawn into an item: `${n}`, `${case.tool}`, `${files.0}`, `${n + 1}`, and `$$` for a dollar sign."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from course.quiz.raw import Path, Raw

__all__ = ["fill", "is_known", "references"]

FIXED = ("id", "kind", "variants")  # what a variant can't change
ALWAYS_TEXT = ("text", "stem", "why", "why_right", "whys", "says", "pieces")  # a number is written out there
_REFERENCE = re.compile(r"\$(?:\$|\{\s*([^${}]*?)\s*\})")
_INSIDE = re.compile(r"([a-z][a-z0-9_]*)((?:\.[A-Za-z0-9_-]+)*)(?:\s*([+-])\s*([0-9]{1,6}))?")
_MISSING = object()


def fill(raw: Raw, values: Raw) -> tuple[Raw, bool]:
    """The item with its references filled in, and whether that was given up because it would grow out of all proportion.

    A reference that is not known is left as it is.
    """
    filler = _Filler(values, room=2000 + 4 * len(json.dumps(raw)))
    filled = {key: value if key in FIXED else filler.fill(value, key) for key, value in raw.items()}
    return filled, filler.room < 0


def is_known(inside: str, values: Raw) -> bool:
    """Whether what stands between `${` and `}` can be filled in."""
    return _looked_up(inside, values) is not _MISSING


def references(raw: Raw) -> Iterator[tuple[Path, str]]:
    """Every reference in the item: its path, and what stands between `${` and `}`."""
    for path, text in _texts({key: value for key, value in raw.items() if key not in FIXED}, ()):
        for inside in filter(None, _REFERENCE.findall(text)):
            yield path, inside


class _Filler:
    """room: how many characters may still be filled in. A short file must not become a huge item."""

    def __init__(self, values: Raw, room: int) -> None:
        self.values = values
        self.room = room

    def fill(self, value: Any, key: str) -> Any:
        """The value with its references filled in. key: the key under which it stands."""
        if isinstance(value, str):
            return self._text(value, key) if "$" in value else value
        if isinstance(value, list):
            return [self.fill(each, key) for each in value]
        if isinstance(value, dict):
            return {str(self.fill(name, "text")): self.fill(each, name) for name, each in value.items()}
        return value

    def _text(self, text: str, key: str) -> Any:
        alone = _REFERENCE.fullmatch(text)
        if alone is not None and alone[1] is not None:
            value = self._taken(alone[1])
            if value is _MISSING:
                return text
            return _written(value) if key in ALWAYS_TEXT and isinstance(value, (int, float)) else value
        return _REFERENCE.sub(self._written_out, text)

    def _written_out(self, reference: re.Match[str]) -> str:
        value = "$" if reference[1] is None else self._taken(reference[1])
        return reference[0] if value is _MISSING else _written(value)

    def _taken(self, inside: str) -> Any:
        value = _looked_up(inside, self.values)
        if value is not _MISSING:
            self.room -= len(_written(value))
        return _MISSING if self.room < 0 else value


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _looked_up(inside: str, values: Raw) -> Any:
    """The value; _MISSING if there is no such thing."""
    match = _INSIDE.fullmatch(inside)
    if match is None or match[1] not in values:
        return _MISSING
    found = values[match[1]]
    for step in match[2].split(".")[1:]:
        if isinstance(found, dict) and step in found:
            found = found[step]
        elif isinstance(found, list) and step.isascii() and step.isdigit() and int(step[:9]) < len(found):
            found = found[int(step[:9])]
        else:
            return _MISSING
    if match[3]:
        return found + int(match[3] + match[4]) if type(found) is int else _MISSING
    return found


def _texts(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """Every text that holds a dollar sign, with its path. A key has the path of its value."""
    if isinstance(value, str):
        if "$" in value:
            yield path, value
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _texts(each, (*path, at))
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _texts(key, (*path, key))
            yield from _texts(each, (*path, key))
