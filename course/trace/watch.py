"""Finding `messages` among the learner's variables, and seeing it change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

from course.trace.events import Json
from course.trace.versions import common_start, to_json

__all__ = ["Slot", "Watched", "lists_in", "looks_like_messages"]

RECENT = (
    50  # messages at the end of a list that are looked into after each line; to do so with all of a long one is slow
)


class Slot:
    """Where a list is kept: a variable of a function (`holder` is its code), or a key of a dict (a learner's dict, the
    attributes of an object, the globals of a module)."""

    def __init__(self, holder: CodeType | dict[Any, Any], name: Any) -> None:
        self.holder = holder
        self.name = name
        self.key = (id(holder), name)

    def value(self, frame: FrameType | None) -> Any:
        """What is kept there now; None if this frame can't tell."""
        if isinstance(self.holder, dict):
            return self.holder.get(self.name)
        if frame is None:
            return None
        code = frame.f_code
        # a nested function shares the variable if it is a cell of this one
        if code is self.holder or (self.name in code.co_freevars and self.name in self.holder.co_cellvars):
            return frame.f_locals.get(self.name)
        return None


def lists_in(frame: FrameType, is_learners: Callable[[type], bool]) -> Iterator[tuple[Slot, Any]]:
    """Every list or tuple that a frame can reach: its variables and the globals that it names, and one level down the
    values of dicts and the attributes of objects of the learner's own classes."""
    code, globals_ = frame.f_code, frame.f_globals
    for name, value in list(frame.f_locals.items()):
        yield from _lists_at(code, name, value, is_learners)
    for name in code.co_names:
        if name in globals_:
            yield from _lists_at(globals_, name, globals_[name], is_learners)


def _lists_at(
    holder: CodeType | dict[Any, Any], name: str, value: Any, is_learners: Callable[[type], bool]
) -> Iterator[tuple[Slot, Any]]:
    if isinstance(value, (list, tuple)):
        yield Slot(holder, name), value
        return
    inside = (
        value if isinstance(value, dict) else getattr(value, "__dict__", None) if is_learners(type(value)) else None
    )
    if isinstance(inside, dict):
        for key, item in list(inside.items()):
            if isinstance(item, (list, tuple)):
                yield Slot(inside, key), item


def looks_like_messages(items: Any) -> bool:
    """Whether each item has a role. An empty list does too: it may become one."""
    return all("role" in item if isinstance(item, dict) else hasattr(item, "role") for item in items)


class Watched:
    """A list and a copy of how it was when last looked at, made so that comparing the two runs at the speed of C.

    Objects of the SDK stay themselves in the copy; `_live` holds their attributes, `_copies` how these were.
    """

    def __init__(self, slot: Slot, items: Any) -> None:
        self.slot = slot
        self.items: Any = items
        self.json: list[Json] = []
        self._same: list[Any] = []  # the very messages that were in the list
        self._seen: list[Any] = []  # copies of them
        self._marks: list[int] = []  # for each message: the length of `_live` before it
        self._live: list[dict[str, Any]] = []
        self._copies: list[dict[str, Any]] = []
        self._take(list(items), 0)

    def changed(self, frame: FrameType | None, *, thorough: bool = True) -> bool:
        """Look again, from this frame. True if it is not as it was; then `json` is how it is now.

        If it is not thorough, a change inside a message that is none of the last 50 may go unseen until a look that is.
        """
        value = self.slot.value(frame)
        if isinstance(value, (list, tuple)):
            self.items = value
        items = list(self.items)
        try:
            keep = self._unchanged(items, thorough)
        except Exception:  # an __eq__ of the learner's that raises: the request will show what was sent
            return False
        if keep == len(self._seen) == len(items):
            return False
        self._take(items, keep)
        return True

    def _unchanged(self, items: list[Any], thorough: bool) -> int:
        """How many messages at the start are as they were."""
        keep = common_start(self._same, items)
        start = 0 if thorough else max(0, keep - RECENT)
        keep = start + common_start(self._seen[start:keep], items[start:keep])
        marks = [*self._marks, len(self._live)]
        if self._live[marks[start] : marks[keep]] == self._copies[marks[start] : marks[keep]]:
            return keep
        parts = (slice(marks[index], marks[index + 1]) for index in range(start, keep))
        return next(index for index, part in enumerate(parts, start) if self._live[part] != self._copies[part])

    def _take(self, items: list[Any], keep: int) -> None:
        if keep < len(self._seen):
            del self._live[self._marks[keep] :], self._copies[self._marks[keep] :]
            del self._same[keep:], self._seen[keep:], self._marks[keep:], self.json[keep:]
        for item in items[keep:]:
            self._marks.append(len(self._live))
            self._same.append(item)
            self._seen.append(self._copy(item, 0))
            self.json.append(to_json(item))

    def _copy(self, value: Any, depth: int) -> Any:
        if depth > 50:  # deeper than any message; or it holds itself
            return value
        if isinstance(value, dict):
            return {key: self._copy(item, depth + 1) for key, item in value.items()}
        if isinstance(value, list):
            return [self._copy(item, depth + 1) for item in value]
        if hasattr(value, "model_dump") and not isinstance(value, type):
            index = len(self._live)
            self._live.append(value.__dict__)
            self._copies.append({})  # its place, before those of the objects inside
            self._copies[index] = self._copy(dict(value.__dict__), depth + 1)
        return value
