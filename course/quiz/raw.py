"""Looking into raw data that may be anything: what has not the expected type counts as absent."""

from __future__ import annotations

from typing import Any

__all__ = ["Found", "Path", "Raw", "entries", "indexes", "mapping"]

Raw = dict[str, Any]
Path = tuple[str | int, ...]
Found = tuple[Path, str, str]  # where, what is wrong, what to write


def mapping(value: Any) -> Raw:
    """The mapping; an empty one if it is something else."""
    return value if isinstance(value, dict) else {}


def entries(data: Any, key: str) -> list[Raw]:
    """The mappings in a list, at their places: an entry that is something else counts as empty."""
    found = mapping(data).get(key)
    return [mapping(entry) for entry in found] if isinstance(found, list) else []


def indexes(value: Any) -> list[int] | None:
    """The list, if it is one of whole numbers."""
    if isinstance(value, list) and all(type(each) is int for each in value):
        return value
    return None
