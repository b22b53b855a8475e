"""Pieces in an order: every arrangement is tried, and one that reaches the goal must be listed in `right` or `also`."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from course.errors import CourseError
from course.proofs.arrays import array_outcome
from course.proofs.blocks import clean, turns
from course.proofs.doing import array_of, do, goal_of, setting_of
from course.quiz.items import ArrayItem, OrderItem, PieceItem, RepairItem
from course.quiz.proof_forms import Outcome
from course.quiz.raw import Found, Path
from course.words import _, ngettext

__all__ = ["arrangement_outcome", "try_arrangements"]

Order = tuple[int, ...]
MOST_PIECES = 7  # of them every order of every choice is tried: 13,699
MOST_PROGRAMS = 150
SHOWN = 12  # orders in a fault


def try_arrangements(item: PieceItem) -> Iterator[Found]:
    """The faults that trying the orders shows."""
    goal = goal_of(item)
    for path, order in _listed(item):
        given = arrangement_outcome(item, order)
        if given is not goal:
            what = _("This order gives {given}, not {goal}.").format(given=given.value, goal=goal.value)
            yield path, what, _("Correct it.")
    if isinstance(item, RepairItem) and arrangement_outcome(item, item.start) is goal:
        what = _("There is nothing to repair: this order gives {goal}.").format(goal=goal.value)
        yield ("start",), what, _("Put a fault in it.")
    found = [order for order in _others(item) if order not in item.orders and _reaches(item, order, goal)]
    if found:
        shown = ", ".join(str(list(order)) for order in found[:SHOWN])
        what = ngettext(
            "{count} more order gives {goal} and is not listed: {orders}.",
            "{count} more orders give {goal} and are not listed: {orders}.",
            len(found),
        ).format(count=len(found), goal=goal.value, orders=shown)
        yield ("right",), what, _('Add them to "also", or change the pieces.')


def _listed(item: PieceItem) -> Iterator[tuple[Path, Order]]:
    yield ("right",), item.right
    for at, order in enumerate(item.also):
        yield ("also", at), order


def arrangement_outcome(item: PieceItem, order: Sequence[int], *, patient: bool = True) -> Outcome:
    """What an order gives. Code that raises before it gets to its function gives `raised`. patient: see Stage."""
    if isinstance(item, OrderItem):
        try:
            return do(item, tuple(order), patient=patient).outcome
        except CourseError:
            raise
        except Exception:  # code in any order may raise anything
            return Outcome.RAISED
    given = array_outcome(setting_of(item), array_of(item, order))
    return Outcome.CHANGED_TURN if given is Outcome.ANSWERED and not _keeps_the_past(item, order) else given


def _reaches(item: PieceItem, order: Order, goal: Outcome) -> bool:
    """Whether an order gives the goal. Arrays that change the past can't, and are not even sent."""
    if not isinstance(item, OrderItem) and goal is Outcome.ANSWERED and not _keeps_the_past(item, order):
        return False
    return arrangement_outcome(item, order, patient=False) is goal


def _keeps_the_past(item: ArrayItem, order: Sequence[int]) -> bool:
    """Whether the turns up to the last one of the model's stand as they do in the right array."""
    return _past(item.added(order)) == _past(item.added(item.right))


def _past(messages: Sequence[Any]) -> list[Any]:
    """The turns up to the last one of the model's. The results of one turn may have any order."""
    merged = turns(messages)
    last = max((at for at, (role, _content) in enumerate(merged) if role == "assistant"), default=-1)
    return [(role, sorted(map(clean, content), key=_place)) for role, content in merged[: last + 1]]


def _place(block: dict[str, Any]) -> str:
    """Sorts the results of a turn by their ids, and leaves the other blocks as they stand."""
    return str(block.get("tool_use_id", "")) if block.get("type") == "tool_result" else "~"


def _others(item: PieceItem) -> Iterator[Order]:
    """Orders to try: all there are if they are few, else those that are near the right ones."""
    if isinstance(item, OrderItem):
        return itertools.islice(_programs(item), MOST_PROGRAMS)
    count = len(item.pieces)
    every = (order for size in range(1, count + 1) for order in itertools.permutations(range(count), size))
    return every if count <= MOST_PIECES else iter(dict.fromkeys(_near(item)))


def _programs(item: OrderItem) -> Iterator[Order]:
    """Orders of the lines that are Python. A program with a line left out or a decoy put in is an order too."""
    seen: set[Order] = set()
    every = itertools.permutations(item.right) if len(item.right) <= 6 else iter(())
    for order in itertools.chain(_near(item), every):
        if order not in seen and _is_python(item.source(order)):
            seen.add(order)
            yield order


def _near(item: PieceItem) -> Iterator[Order]:
    """Orders one step away from a right one: two pieces swapped, one moved, left out, put in, or put in another's place."""
    pieces = range(len(item.pieces))
    for right in item.orders:
        unused = [piece for piece in pieces if piece not in right]
        for first, second in itertools.combinations(range(len(right)), 2):
            swapped = list(right)
            swapped[first], swapped[second] = swapped[second], swapped[first]
            yield tuple(swapped)
        for at, piece in enumerate(right):
            rest = (*right[:at], *right[at + 1 :])
            if rest:
                yield rest
            for to in range(len(right)):
                if to != at:
                    yield (*rest[:to], piece, *rest[to:])
            for other in unused:
                yield (*right[:at], other, *right[at + 1 :])
        for other in unused:
            for to in range(len(right) + 1):
                yield (*right[:to], other, *right[to:])


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True
