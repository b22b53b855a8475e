"""Proving one item: everything that running it can show to be wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from course.errors import CourseError
from course.proofs.answers import prove_code
from course.proofs.arrangements import try_arrangements
from course.proofs.pairs import predict_pairs, try_pairs
from course.proofs.predictions import predict_options
from course.proofs.transcripts import impossible
from course.proofs.tries import try_options
from course.quiz.items import ArrayItem, CodeItem, Item, MatchItem, OrderItem
from course.quiz.raw import Found
from course.words import _

__all__ = ["how_proved", "prove"]


def prove(item: Item) -> tuple[Found, ...]:
    """The faults of an item: where (a path inside it), what is wrong, what to do. Runs the item's code.

    Raises agent.NotInstalled where the Agent SDK is needed and is not there.
    """
    faults = list(impossible(item))
    if any(path[:1] in (("messages",), ("response",)) for path, _what, _remedy in faults):
        return tuple(faults)  # what can't have happened can't be run
    try:
        return (*faults, *_by_form(item))
    except CourseError as error:  # a scenario that is not there
        return (*faults, (("proof",), str(error), _("Correct it.")))


def _by_form(item: Item) -> Iterator[Found]:
    if isinstance(item, CodeItem):
        return prove_code(item)
    proof = item.proof
    if proof is None:
        return iter([((), _("The item has no proof."), _("Write one of try, predict and none."))])
    if proof.predict is not None:
        return _predicted(item, proof.predict)
    return iter(()) if proof.try_ is None else _tried(item)


def _tried(item: Any) -> Iterator[Found]:
    if isinstance(item, MatchItem):
        return try_pairs(item)
    if isinstance(item, (OrderItem, ArrayItem)):
        return try_arrangements(item)
    return try_options(item)


def _predicted(item: Any, form: Any) -> Iterator[Found]:
    if isinstance(item, MatchItem):
        return predict_pairs(item)
    if isinstance(item, (OrderItem, ArrayItem)):
        return iter([(("proof",), _("Pieces in an order can't be predicted."), _('Write "try" or "none".'))])
    return predict_options(item, form)


def how_proved(item: Item) -> str:
    """How the item's key is proved, in one word: try, predict, tasks, none, or missing."""
    if isinstance(item, CodeItem):
        return "tasks"
    if item.proof is None:
        return "missing"
    return "try" if item.proof.try_ else "predict" if item.proof.predict else "none"
