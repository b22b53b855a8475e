"""Cache marks (`cache_control`). Rules 85 to 87. That thinking takes none (rule 87): `own_blocks.py`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from course.offline.rules.asked import Asked, refuse

__all__ = ["check_cache_marks"]

MOST_MARKS = 4

Marked = tuple[str, Mapping[str, Any]]  # where, and the block that holds the mark


def check_cache_marks(asked: Asked) -> None:
    """Rules 85, 86 and 87."""
    marked = list(marks(asked.body))
    automatic = 1 if asked.body.get("cache_control") is not None else 0
    found = len(marked) + automatic
    if found > MOST_MARKS:  # rule 85. Source: measured (FIBER)
        raise refuse(f"A maximum of {MOST_MARKS} blocks with cache_control may be provided. Found {found}.")
    short = False
    for where, block in marked:
        if block.get("type") == "text" and block["text"] == "":  # rule 86. Source: ten reports
            place = where if where.startswith("system.") else f"{where}.text"
            raise refuse(f"{place}: cache_control cannot be set for empty text blocks")
        lasting = block["cache_control"].get("ttl", "5m")
        if lasting == "1h" and short:  # rule 87. Source: several live reports
            raise refuse(
                f"{where}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' "
                "cache_control block. Note that blocks are processed in the following order: `tools`, `system`, "
                "`messages`."
            )
        short = short or lasting == "5m"


def marks(body: Mapping[str, Any]) -> Iterator[Marked]:
    """The marked blocks, in the order in which the API reads them: tools, system, messages."""
    yield from marks_in(body.get("tools", []), "tools")
    yield from marks_in(body.get("system", []), "system")
    for number, message in enumerate(body["messages"]):
        yield from marks_in(message.get("content"), f"messages.{number}.content")


def marks_in(blocks: Any, where: str) -> Iterator[Marked]:
    """The marked blocks of a list, and those inside them."""
    if not isinstance(blocks, list):
        return
    for index, block in enumerate(blocks):
        if block.get("cache_control") is not None:
            yield f"{where}.{index}", block
        kind = block.get("type")
        if kind in ("tool_result", "search_result"):
            yield from marks_in(block.get("content"), f"{where}.{index}.{kind}.content")
        elif kind == "document":
            yield from marks_in(block["source"].get("content"), f"{where}.{index}.document.source.content.content")
