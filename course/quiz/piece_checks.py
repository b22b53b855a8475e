"""The faults of pieces that are put in order, and of pairs: indexes that are not there, and what stands twice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from course.quiz.raw import Found, Path, Raw, entries, indexes

__all__ = ["check_pairs", "check_pieces"]


def check_pieces(raw: Raw) -> Iterator[Found]:
    """The faults of an item of the kinds order and messages (build, repair)."""
    given = raw.get("pieces")
    pieces = (
        [{"text": piece} if isinstance(piece, str) else piece for piece in given] if isinstance(given, list) else []
    )
    yield from _twice("pieces", [_content(piece) for piece in pieces], "pieces")
    orders = list(_orders(raw))
    for path, order in orders:
        yield from _order(order, len(pieces), path)
    right = [order for path, order in orders if path[0] != "start"]
    yield from _twice("also", [json.dumps(order) for order in right][1:], "orders")
    for path, order in orders:
        if path[0] != "right" and right and order == right[0]:
            yield path, 'This is the same order as "right".', "Change or delete it."
        elif path[0] == "start" and order in right:
            yield path, "There is nothing to repair: this order is right.", "Change it."
    used = {at for order in right for at in order}
    for at, piece in enumerate(pieces):
        if right and isinstance(piece, dict):
            yield from _decoy(piece, at in used, ("pieces", at))


def _orders(raw: Raw) -> Iterator[tuple[Path, list[int]]]:
    """The lists of indexes of an item, each with its path."""
    also = raw.get("also")
    candidates: list[tuple[Path, Any]] = [(("right",), raw.get("right"))]
    candidates += [(("also", at), order) for at, order in enumerate(also if isinstance(also, list) else [])]
    candidates += [(("start",), raw.get("start"))] if raw.get("mode") == "repair" else []
    for path, value in candidates:
        order = indexes(value)
        if order:
            yield path, order


def _order(order: list[int], count: int, path: Path) -> Iterator[Found]:
    for at, index in enumerate(order):
        if not 0 <= index < count:
            remedy = "Pieces are counted from 0."
            yield (*path, at), f"There is no piece {index}; the item has {count} pieces.", remedy
    if len(set(order)) < len(order):
        yield path, "A piece stands twice in this order.", "Keep one of them."


def _decoy(piece: Raw, is_used: bool, path: Path) -> Iterator[Found]:
    if is_used and "misconception" in piece:
        yield (*path, "misconception"), "A piece of a right order names a misconception.", "Delete it."
    for key in ("why", "misconception"):
        if not is_used and key not in piece:
            yield path, f'A piece that stands in no right order has no "{key}".', "Add it."


def _content(piece: Any) -> str | None:
    """What a reader sees of a piece."""
    if not isinstance(piece, dict):
        return None
    return json.dumps({key: value for key, value in piece.items() if key in ("text", "role", "block")}, sort_keys=True)


def check_pairs(raw: Raw) -> Iterator[Found]:
    """The faults of an item of the kind match."""
    left, right, pairs = entries(raw, "left"), entries(raw, "right"), indexes(raw.get("pairs"))
    for name, sides, keys in (("left", left, ("text", "code", "response")), ("right", right, ("text", "action"))):
        contents = []
        for at, side in enumerate(sides):
            present = [key for key in keys if key in side]
            if side and len(present) != 1:
                names = f"{', '.join(keys[:-1])} and {keys[-1]}"
                yield (name, at), f"An entry has exactly one of {names}; here are {len(present)}.", "Keep or write one."
            contents.append(json.dumps(side[present[0]], sort_keys=True) if present else None)
        yield from _twice(name, contents, "entries")
    for key in ("pairs", "whys"):
        value = raw.get(key)
        if left and isinstance(value, list) and len(value) != len(left):
            yield (key,), f'"{key}" has {len(value)} entries, and "left" has {len(left)}.', "Write one for each left."
    for at, index in enumerate(pairs or []):
        if right and not 0 <= index < len(right):
            what = f'There is no right {index}; "right" has {len(right)} entries.'
            yield ("pairs", at), what, "They are counted from 0."


def _twice(key: str, contents: Sequence[str | None], what: str) -> Iterator[Found]:
    seen: set[str] = set()
    for at, content in enumerate(contents):
        if content is not None and content in seen:
            yield (key, at), f"Two {what} are the same.", "Change or delete one."
        elif content is not None:
            seen.add(content)
