"""The faults of pieces that are put in order, and of pairs: indexes that are not there, and what stands twice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from course.quiz.raw import Found, Path, Raw, entries, indexes, sequence
from course.words import _

__all__ = ["check_pairs", "check_pieces"]


def check_pieces(raw: Raw) -> Iterator[Found]:
    """The faults of an item of the kinds order and messages (build, repair)."""
    pieces = [{"text": piece} if isinstance(piece, str) else piece for piece in sequence(raw.get("pieces"))]
    yield from _twice("pieces", [_content(piece) for piece in pieces], _("Two pieces are the same."))
    right = list(_orders(raw))
    start = indexes(raw.get("start")) if raw.get("mode") == "repair" else None
    for path, order in [*right, *([] if start is None else [(("start",), start)])]:
        yield from _order(order, len(pieces), path)
    known: list[list[int]] = []
    for path, order in right:
        if order in known:
            yield path, _("This order is there already."), _("Change or delete it.")
        known.append(order)
    if start is not None and start in known:
        yield ("start",), _("There is nothing to repair: this order is right."), _("Change it.")
    used = {at for order in known for at in order}
    for at, piece in enumerate(pieces):
        if known and isinstance(piece, dict):
            yield from _decoy(piece, at in used, ("pieces", at))


def _orders(raw: Raw) -> Iterator[tuple[Path, list[int]]]:
    """The orders that are right, each with its path."""
    candidates: list[tuple[Path, Any]] = [(("right",), raw.get("right"))]
    candidates += [(("also", at), order) for at, order in enumerate(sequence(raw.get("also")))]
    for path, value in candidates:
        order = indexes(value)
        if order:
            yield path, order


def _order(order: list[int], count: int, path: Path) -> Iterator[Found]:
    for at, index in enumerate(order):
        if not 0 <= index < count:
            what = _("There is no piece {index}: the item has {count}.").format(index=index, count=count)
            yield (*path, at), what, _("They are counted from 0.")
    if len(set(order)) < len(order):
        yield path, _("A piece stands twice in this order."), _("Keep one of them.")


def _decoy(piece: Raw, is_used: bool, path: Path) -> Iterator[Found]:
    if is_used and "misconception" in piece:
        yield (*path, "misconception"), _("A piece of a right order names a misconception."), _("Delete it.")
    for key in ("why", "misconception"):
        if not is_used and key not in piece:
            yield path, _('A piece that stands in no right order has no "{key}".').format(key=key), _("Add it.")


def _content(piece: Any) -> str | None:
    """What a reader sees of a piece."""
    if not isinstance(piece, dict):
        return None
    return json.dumps({key: value for key, value in piece.items() if key in ("text", "role", "block")}, sort_keys=True)


def check_pairs(raw: Raw) -> Iterator[Found]:
    """The faults of an item of the kind match."""
    yield from _side(raw, "left", ("text", "code", "response"))
    yield from _side(raw, "right", ("text", "action"))
    left, right = len(sequence(raw.get("left"))), len(sequence(raw.get("right")))
    for key in ("pairs", "whys"):
        value = raw.get(key)
        if left and isinstance(value, list) and len(value) != left:
            what = _('"{key}" has {count} entries, and "left" has {left}.')
            yield (key,), what.format(key=key, count=len(value), left=left), _("Write one for each left.")
    for at, index in enumerate(indexes(raw.get("pairs")) or []):
        if right and not 0 <= index < right:
            what = _('There is no right {index}: "right" has {count} entries.').format(index=index, count=right)
            yield ("pairs", at), what, _("They are counted from 0.")


def _side(raw: Raw, name: str, keys: tuple[str, ...]) -> Iterator[Found]:
    """The faults of the entries on one side."""
    contents: list[str | None] = [None] * len(sequence(raw.get(name)))
    for at, entry in entries(raw.get(name)):
        present = [key for key in keys if key in entry]
        if len(present) == 1:
            contents[at] = json.dumps(entry[present[0]], sort_keys=True)
        else:
            what = _("An entry has exactly one of {names}; this one has {count}.")
            yield (name, at), what.format(names=", ".join(keys), count=len(present)), _("Keep or write one.")
    yield from _twice(name, contents, _("Two entries are the same."))


def _twice(key: str, contents: Sequence[str | None], what: str) -> Iterator[Found]:
    """what: the sentence for two that are the same."""
    seen: set[str] = set()
    for at, content in enumerate(contents):
        if content is not None and content in seen:
            yield (key, at), what, _("Change or delete one.")
        elif content is not None:
            seen.add(content)
