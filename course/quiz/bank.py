"""A bank: a YAML file of questions, checked as a whole before any of them is shown."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from course.errors import BankError, Fault, LessonError
from course.quiz import variants
from course.quiz.checks import check
from course.quiz.computed import with_key
from course.quiz.items import Item, Text
from course.quiz.raw import Raw
from course.strict_yaml import Document, no_garbage_collection, read, validate
from course.words import _

__all__ = ["QUIZZES", "Bank", "load_bank", "named_bank", "prepare", "whole_bank"]

QUIZZES = Path(__file__).parents[2] / "quizzes"


class BankFile(BaseModel):
    """What a bank's file holds."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    title: Text
    items: Annotated[tuple[Item, ...], Field(min_length=1)]


@dataclass(frozen=True)
class Bank:
    """Questions that belong together.

    name: the file's name without `.yaml`. places: item id -> (file, line). templates: the items with variants, as they stand
    in the file. `items` holds those as they are drawn by seed 0.
    """

    name: str
    title: str
    items: tuple[Item, ...]
    places: dict[str, tuple[str, int]] = field(default_factory=dict, repr=False, compare=False)
    templates: dict[str, Raw] = field(default_factory=dict, repr=False, compare=False)
    _drawn: dict[tuple[str, int], Item] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def _by_id(self) -> dict[str, Item]:
        return {item.id: item for item in self.items}

    def item(self, id: str) -> Item:
        """The item with this id. Raises KeyError if there is none."""
        return self._by_id[id]

    def drawn(self, id: str, seed: int) -> Item:
        """The item with its variants drawn by this seed; the item itself if it has none.

        Raises KeyError if there is no such item, BankError if what was drawn has faults.
        """
        if id not in self.templates:
            return self.item(id)
        if (id, seed) not in self._drawn:
            self._drawn[id, seed] = self._draw(id, seed)
        return self._drawn[id, seed]

    def _draw(self, id: str, seed: int) -> Item:
        raw = prepare(self.templates[id], seed)
        file, line = self.places[id]
        document = Document({"title": self.title, "items": [raw]}, file)
        try:
            faults = [document.fault((), what, remedy) for _path, what, remedy in check(raw)]
            [item] = validate(document, BankFile, error=BankError).items
        except BankError as invalid:
            faults += invalid.faults
        if faults:
            raise BankError([replace(fault, line=line, what=_drawn_by(seed, fault.what)) for fault in faults])
        return item


def _drawn_by(seed: int, what: str) -> str:
    return _("Drawn by seed {seed}, the item has a fault: {what}").format(seed=seed, what=what)


def named_bank(name: str, folder: Path = QUIZZES) -> Bank:
    """The bank of this name in the course's folder. Raises LessonError if there is none, BankError if it has faults."""
    names = sorted(path.stem for path in folder.glob("*.yaml"))
    if name not in names:
        begins = [each for each in names if name and each.startswith(str(name))]
        close = begins or difflib.get_close_matches(str(name), names, n=1)
        known = _('Did you mean "{name}"?').format(name=close[0]) if close else _("There are: {names}.")
        raise LessonError(
            _('There is no quiz "{name}".').format(name=name) + " " + known.format(names=", ".join(names))
        )
    return load_bank(folder / f"{name}.yaml")


def whole_bank(folder: Path = QUIZZES) -> Bank:
    """All questions of the course's folder as one bank. Raises BankError if a file has faults."""
    banks = [load_bank(path) for path in sorted(folder.glob("*.yaml"))]
    return Bank(
        "all",
        _("All questions"),
        tuple(item for bank in banks for item in bank.items),
        {id: place for bank in banks for id, place in bank.places.items()},
        {id: raw for bank in banks for id, raw in bank.templates.items()},
    )


def load_bank(path: str | Path) -> Bank:
    """The bank in this file. Raises BankError with every fault of the file."""
    with no_garbage_collection():
        return _load(path)


def _load(path: str | Path) -> Bank:
    document = read(path, error=BankError)
    drawn, faults = _prepared(document)
    try:
        content = validate(drawn, BankFile, error=BankError)
    except BankError as invalid:
        raise BankError([*invalid.faults, *faults]) from None
    if faults:
        raise BankError(faults)
    places = {item.id: (document.file, document.line(("items", at))) for at, item in enumerate(content.items)}
    templates = {item["id"]: item for item in document.data["items"] if "variants" in item}
    return Bank(Path(path).stem, content.title, content.items, places, templates)


def _prepared(document: Document) -> tuple[Document, list[Fault]]:
    """The document with its variants drawn and its keys computed, and the faults that single fields do not show."""
    if not isinstance(document.data, dict) or not isinstance(document.data.get("items"), list):
        return document, []
    items: list[Any] = []
    faults: list[Fault] = []
    lines: dict[str, int] = {}
    for at, raw in enumerate(document.data["items"]):
        if not isinstance(raw, dict):
            items.append(raw)
            continue
        id = raw.get("id")
        if isinstance(id, str) and id in lines:
            what = _('The id "{id}" is already used on line {line}.').format(id=id, line=lines[id])
            faults.append(
                document.fault(("items", at, "id"), what, _("Ids are permanent: give the new item another one."))
            )
        elif isinstance(id, str):
            lines[id] = document.line(("items", at, "id"))
        item = prepare(raw)
        items.append(item)
        found = [*variants.faults(raw), *check(item)]
        faults += [document.fault(("items", at, *path), what, remedy) for path, what, remedy in found]
    return replace(document, data={**document.data, "items": items}), faults


def prepare(raw: Raw, seed: int = 0) -> Raw:
    """The item as it stands in a file, with its variants drawn and its key computed."""
    return with_key(variants.draw(raw, seed))
