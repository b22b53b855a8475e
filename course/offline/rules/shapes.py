"""The shape of JSON values, as tables: what a field may hold, and how the API words it when it holds something else.

A check takes a value, and returns None or a Fault: where in the value, and what is wrong. It is an object, so that tests
can compare our tables with the types of the installed SDK. The wordings are pydantic's, which the API uses
(messages_api.md, rules 25 to 37, 54 to 58 and 88).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from course.offline.wire import ApiFault

__all__ = [
    "ANY", "BOOLEAN", "INTEGER", "OBJECT", "REQUIRED", "EXTRA", "NOT_AN_OBJECT", "NOT_AN_ARRAY", "STRING",
    "Array", "Check", "Either", "Fault", "Literal", "Nullable", "Pattern", "Plain", "Record", "Sized", "Tagged", "TextOr",
    "demand", "record", "tagged", "under",
]  # fmt: skip

REQUIRED = "Field required"
EXTRA = "Extra inputs are not permitted"
NOT_AN_OBJECT = "Input should be an object"
NOT_AN_ARRAY = "Input should be a valid array"


class Fault(NamedTuple):
    """Where in the value ("content.0.text", "" for the value itself), and what is wrong with it."""

    where: str
    what: str


class Check(Protocol):
    def __call__(self, value: object, /) -> Fault | None: ...


def under(key: object, fault: Fault) -> Fault:
    """The same fault, seen from the value one level up."""
    return Fault(f"{key}.{fault.where}" if fault.where else str(key), fault.what)


def demand(check: Check, value: object, where: str) -> None:
    """Raise the fault of this value, if it has one. `where` is its path from the top of the body ("thinking")."""
    fault = check(value)
    if fault is not None:
        place, what = under(where, fault)
        raise ApiFault(f"{place}: {what}")


@dataclass(frozen=True)
class Plain:
    """A value of one Python type. A boolean is not an integer."""

    type: type
    what: str

    def __call__(self, value: object, /) -> Fault | None:
        return None if type(value) is self.type else Fault("", self.what)


STRING = Plain(str, "Input should be a valid string")
INTEGER = Plain(int, "Input should be a valid integer")
BOOLEAN = Plain(bool, "Input should be a valid boolean")
OBJECT = Plain(dict, NOT_AN_OBJECT)  # with any members


@dataclass(frozen=True)
class _Any:
    def __call__(self, value: object, /) -> Fault | None:
        return None


ANY = _Any()


class Literal:
    """One of some strings."""

    def __init__(self, *values: str) -> None:
        self.values = values
        quoted = [f"'{value}'" for value in values]
        self.what = f"Input should be {' or '.join([', '.join(quoted[:-1]), quoted[-1]] if quoted[1:] else quoted)}"

    def __call__(self, value: object, /) -> Fault | None:
        return None if isinstance(value, str) and value in self.values else Fault("", self.what)


class Pattern:
    """A string that matches the pattern as a whole."""

    def __init__(self, pattern: str, *, not_empty: bool = False) -> None:
        self.match = re.compile(pattern.removeprefix("^").removesuffix("$")).fullmatch
        self.what = f"String should match pattern '{pattern}'"
        self.not_empty = not_empty

    def __call__(self, value: object, /) -> Fault | None:
        if not isinstance(value, str):
            return STRING(value)
        if self.not_empty and not value:
            return Fault("", "String should have at least 1 character")
        return None if self.match(value) else Fault("", self.what)


@dataclass(frozen=True)
class Sized:
    """A string of so many characters."""

    least: int
    most: int

    def __call__(self, value: object, /) -> Fault | None:
        if not isinstance(value, str):
            return STRING(value)
        if len(value) < self.least:
            return Fault("", f"String should have at least {self.least} character{'' if self.least == 1 else 's'}")
        return Fault("", f"String should have at most {self.most} characters") if len(value) > self.most else None


@dataclass(frozen=True)
class Nullable:
    """The value, or null."""

    check: Check

    def __call__(self, value: object, /) -> Fault | None:
        return None if value is None else self.check(value)


@dataclass(frozen=True)
class Array:
    """A list of values."""

    check: Check

    def __call__(self, value: object, /) -> Fault | None:
        if not isinstance(value, list):
            return Fault("", NOT_AN_ARRAY)
        for index, item in enumerate(value):
            fault = self.check(item)
            if fault is not None:
                return under(index, fault)
        return None


@dataclass(frozen=True)
class TextOr:
    """A string, or the other thing: text or blocks, an id or an object."""

    check: Check

    def __call__(self, value: object, /) -> Fault | None:
        return None if isinstance(value, str) else self.check(value)


@dataclass(frozen=True)
class Either:
    """An array, or an object."""

    array: Array
    other: Check

    def __call__(self, value: object, /) -> Fault | None:
        return self.other(value) if isinstance(value, dict) else self.array(value)


@dataclass(frozen=True)
class Record:
    """An object with these fields and no others. `tags` are the values of its `type`, if it has one."""

    tags: tuple[str, ...]
    fields: Mapping[str, Check]
    needed: frozenset[str]
    rows: tuple[tuple[str, Check, bool], ...] = field(repr=False)

    def __call__(self, value: object, /) -> Fault | None:
        if not isinstance(value, dict):
            return Fault("", NOT_AN_OBJECT)
        known = 0
        for name, check, needed in self.rows:
            if name in value:
                known += 1
                fault = check(value[name])
                if fault is not None:
                    return under(name, fault)
            elif needed:
                return Fault(name, REQUIRED)
        if known < len(value):
            return Fault(next(str(key) for key in value if key not in self.fields), EXTRA)
        return None


def record(tags: str | tuple[str, ...] | None, fields: Mapping[str, Check]) -> Record:
    """An object with these fields; a name that ends in "?" may be left out. `tags` become its field `type`."""
    names = (tags,) if isinstance(tags, str) else tags or ()
    table: dict[str, Check] = {"type": Literal(*names)} if names else {}
    needed = set(table)
    for name, check in fields.items():
        table[name.removesuffix("?")] = check
        if not name.endswith("?"):
            needed.add(name)
    rows = tuple((name, check, name in needed) for name, check in table.items())
    return Record(names, table, frozenset(needed), rows)


@dataclass(frozen=True)
class Tagged:
    """One of several records, told apart by `type`. The tag becomes a part of the path (rules 34 to 36)."""

    records: Mapping[str, Record]
    default: str | None = None

    def __call__(self, value: object, /) -> Fault | None:
        if not isinstance(value, dict):
            return Fault("", NOT_AN_OBJECT)
        tag = value.get("type", self.default)
        if tag is None:
            tag = self.default
        found = self.records.get(tag) if isinstance(tag, str) else None
        if found is not None:
            fault = found(value)
            return None if fault is None else under(tag, fault)
        if "type" not in value:
            return Fault("type", REQUIRED)
        if not isinstance(tag, str):
            return Fault("type", STRING.what)
        tags = ", ".join(f"'{name}'" for name in self.records)
        return Fault("", f"Input tag '{tag}' found using 'type' does not match any of the expected tags: {tags}")


def tagged(*records: Record, default: str | None = None) -> Tagged:
    """One of these records. `default` is the tag of an object without `type`."""
    return Tagged({tag: each for each in records for tag in each.tags}, default)
