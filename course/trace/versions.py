"""The stores of a Trace: each message once, each state of `messages` as what changed, each set of request parameters once."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence, Set
from datetime import date
from typing import Any

from course.trace.events import Change, ChangeKind, Json, Version

__all__ = ["Store", "Versions", "common_start", "plain_repr", "to_json", "words_of"]

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
LONGEST_REPR = 2_000  # characters


def plain_repr(value: object) -> str:
    """The repr of a value without memory addresses, which differ from run to run, and not longer than 2,000 characters.

    Of a reply of the SDK, whose content is shown elsewhere, only its id and its stop_reason.
    """
    try:
        text = _reply_repr(value) or ADDRESS.sub("", repr(value))
    except Exception as error:  # a learner's own __repr__
        text = f"<{type(value).__name__}: its repr raised {type(error).__name__}>"
    return text if len(text) <= LONGEST_REPR else text[: LONGEST_REPR - 1] + "\u2026"


def words_of(error: BaseException) -> str:
    """The text of an error; that it has none if its own __str__ fails."""
    try:
        return str(error)
    except Exception as another:
        return f"<its text raised {type(another).__name__}>"


def _reply_repr(value: Any) -> str:
    if not all(hasattr(value, name) for name in ("model_dump", "id", "stop_reason")):
        return ""
    return f"{type(value).__name__}(id={value.id!r}, stop_reason={value.stop_reason!r})"


def to_json(value: object) -> Json:
    """A value as the SDK sends it: pydantic objects without the fields that were never set, dates as text.

    What can't be sent becomes its repr. Source: `anthropic._utils._json` of anthropic 2.14.
    """
    try:
        return json.loads(json.dumps(value, default=_plain, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):  # odd keys, or a structure that holds itself
        return plain_repr(value)


def _plain(value: Any) -> Any:
    if hasattr(value, "model_dump") and not isinstance(value, type):
        excluded = getattr(value, "__api_exclude__", None)
        return value.model_dump(exclude_unset=True, mode="json", by_alias=True, exclude=excluded)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (Sequence, Set)) and not isinstance(value, (bytes, bytearray, memoryview)):
        return list(value)
    return plain_repr(value)


class Store:
    """JSON values, each kept once."""

    def __init__(self) -> None:
        self.values: list[Json] = []
        self._index: dict[str, int] = {}

    def put(self, value: Json) -> int:
        """The index of the value, which is added if it is new."""
        text = json.dumps(value, ensure_ascii=False)
        index = self._index.setdefault(text, len(self.values))
        if index == len(self.values):
            self.values.append(value)
        return index


class Versions:
    """The states of `messages`, in order. `current` is the newest as JSON, `number` its index (None: no messages yet)."""

    def __init__(self) -> None:
        self.pool = Store()
        self.versions: list[Version] = []
        self.current: list[Json] = []
        self.number: int | None = None

    def update(self, messages: list[Json]) -> Change | None:
        """Make this the newest state. Returns how it differs from the one before; None if it does not.

        The first state is a "rebuild"; None if it is empty.
        """
        version = self._difference(messages)
        if version is None:
            return None
        removed = len(self.current) - version.keep - version.keep_end
        kind = _kind(len(self.current), version.keep, len(version.add), removed)
        change = Change("rebuild" if self.number is None else kind, version.keep, len(version.add), removed)
        self.number = self._put(version)
        self.current = list(messages)
        return change if change.count or change.removed else None

    def aside(self, messages: list[Json]) -> int:
        """The number of a version that is sent but is not the state of the learner's list: a part of it, or more than it."""
        version = self._difference(messages)
        if version is None:
            assert self.number is not None
            return self.number
        return self._put(version)

    def _difference(self, messages: list[Json]) -> Version | None:
        old = self.current
        keep = common_start(old, messages)
        if self.number is not None and keep == len(old) == len(messages):
            return None
        keep_end = _common_end(old, messages, keep)
        add = tuple(self.pool.put(message) for message in messages[keep : len(messages) - keep_end])
        return Version(self.number, keep, add, keep_end)

    def _put(self, version: Version) -> int:
        self.versions.append(version)
        return len(self.versions) - 1


def _kind(length: int, keep: int, new: int, removed: int) -> ChangeKind:
    if not removed:
        return "insert" if keep < length else "append" if new == 1 else "extend"
    if not new:
        return "delete"
    return "edit" if new == removed and (removed < length or length == 1) else "rebuild"


def common_start(old: list[Any], new: list[Any]) -> int:
    """How many items at the start are equal."""
    if old == new[: len(old)]:  # the usual case, at the speed of C
        return len(old)
    for index, (left, right) in enumerate(zip(old, new, strict=False)):
        if left != right:
            return index
    return min(len(old), len(new))


def _common_end(old: list[Any], new: list[Any], keep: int) -> int:
    most = min(len(old), len(new)) - keep
    count = 0
    while count < most and old[-1 - count] == new[-1 - count]:
        count += 1
    return count
