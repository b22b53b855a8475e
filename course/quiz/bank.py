"""A bank: a YAML file of questions, checked as a whole before any of them is shown."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from course.errors import BankError, Fault, LessonError
from course.quiz.items import Item, Text
from course.strict_yaml import Document, no_garbage_collection, read, validate
from course.words import _

__all__ = ["QUIZZES", "Bank", "load_bank", "named_bank"]

QUIZZES = Path(__file__).parents[2] / "quizzes"
KINDS_WITH_ONE_RIGHT_OPTION = ("one", "action")


class BankFile(BaseModel):
    """What a bank's file holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Text
    items: Annotated[tuple[Item, ...], Field(min_length=1)]


@dataclass(frozen=True)
class Bank:
    """Questions that belong together. `name`: the file's name without `.yaml`. `places`: item id -> (file, line)."""

    name: str
    title: str
    items: tuple[Item, ...]
    places: dict[str, tuple[str, int]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def _by_id(self) -> dict[str, Item]:
        return {item.id: item for item in self.items}

    def item(self, id: str) -> Item:
        """The item with this id. Raises KeyError if there is none."""
        return self._by_id[id]


def named_bank(name: str, folder: Path = QUIZZES) -> Bank:
    """The bank of this name in the course's folder. Raises LessonError if there is none, BankError if it has faults."""
    names = sorted(path.stem for path in folder.glob("*.yaml"))
    if name not in names:
        close = difflib.get_close_matches(name, names, n=1)
        known = _('Did you mean "{name}"?').format(name=close[0]) if close else _("There are: {names}.")
        raise LessonError(
            _('There is no quiz "{name}".').format(name=name) + " " + known.format(names=", ".join(names))
        )
    return load_bank(folder / f"{name}.yaml")


def load_bank(path: str | Path) -> Bank:
    """The bank in this file. Raises BankError with every fault of the file."""
    with no_garbage_collection():
        return _load(path)


def _load(path: str | Path) -> Bank:
    document = read(path, error=BankError)
    faults = list(_across(document))
    try:
        content = validate(document, BankFile, error=BankError)
    except BankError as invalid:
        raise BankError([*invalid.faults, *faults]) from None
    if faults:
        raise BankError(faults)
    places = {item.id: (document.file, document.line(("items", at))) for at, item in enumerate(content.items)}
    return Bank(Path(path).stem, content.title, content.items, places)


def _across(document: Document) -> Iterator[Fault]:
    """The faults that show only when entries are compared. Looked for in the raw data, so that they are reported together
    with those of single entries; what is not even a list or a mapping is left to `validate`."""
    seen: dict[Any, int] = {}
    for at, item in enumerate(_entries(document.data, "items")):
        id = item.get("id")
        if isinstance(id, str) and id in seen:
            what = _('The id "{id}" is already used on line {line}.').format(id=id, line=seen[id])
            yield document.fault(("items", at, "id"), what, _("Ids are permanent: give the new item another one."))
        elif isinstance(id, str):
            seen[id] = document.line(("items", at, "id"))
        yield from _options(document, item, ("items", at, "options"))


def _options(document: Document, item: dict[str, Any], path: tuple[str | int, ...]) -> Iterator[Fault]:
    options = _entries(item, "options")
    right = sum(option.get("correct") is True for option in options)
    if options and right != 1 and item.get("kind") in KINDS_WITH_ONE_RIGHT_OPTION:
        what = _("The item has {count} correct options; this kind has one.").format(count=right)
        yield document.fault(path, what, _('Write "correct: true" at exactly one.'))
    texts: list[Any] = []
    for at, option in enumerate(options):
        text = option.get("text", option.get("action"))
        if isinstance(text, str) and text in texts:
            yield document.fault((*path, at), _("Two options are the same."), _("Change or delete one."))
        texts.append(text)


def _entries(data: Any, key: str) -> list[dict[str, Any]]:
    """The mappings in a list, at their places: an entry that is something else counts as empty."""
    entries = data.get(key) if isinstance(data, dict) else None
    return [entry if isinstance(entry, dict) else {} for entry in entries] if isinstance(entries, list) else []
