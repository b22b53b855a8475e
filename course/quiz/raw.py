"""Looking into raw data that may be anything: what has not the expected type counts as absent."""

from __future__ import annotations

from typing import Any

__all__ = ["Found", "Path", "Raw", "entries", "indexes", "mapping", "sequence"]

Raw = dict[str, Any]
Path = tuple[str | int, ...]
Found = tuple[Path, str, str]  # where, what is wrong, what to write


def mapping(value: Any) -> Raw:
    """The mapping; an empty one if it is something else."""
    return value if isinstance(value, dict) else {}


def sequence(value: Any) -> list[Any]:
    """The list; an empty one if it is something else."""
    return value if isinstance(value, list) else []


def entries(value: Any) -> list[tuple[int, Raw]]:
    """The mappings in a list, each with its index."""
    return [(at, entry) for at, entry in enumerate(sequence(value)) if isinstance(entry, dict)]


def indexes(value: Any) -> list[int] | None:
    """The list, if it is one of whole numbers."""
    if isinstance(value, list) and all(type(each) is int for each in value):
        return value
    return None
