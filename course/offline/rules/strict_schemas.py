"""What the schema of a strict tool, or of a structured output, may hold: the API compiles it to a grammar. Rule 70.

Source of rule 70: measured (AEGIS). The others have no number in messages_api.md; they were captured live in August to
October 2026 (request ids with the tests).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["strict_fault"]

# What the grammar can't hold, by the type that it is said of.
KEYWORDS = {
    "object": ("propertyNames",),
    "array": ("maxItems",),
    "integer": ("maximum", "minimum"),
    "number": ("maximum", "minimum"),
}


def strict_fault(schema: Any) -> str | None:
    """What is wrong with this JSON Schema, without its place; None if it can be compiled."""
    for part in parts(schema):
        kind = part.get("type")
        if kind == "object" and part.get("additionalProperties") is not False:
            return open_object(part)
        least = part.get("minItems", 0)
        if kind == "array" and least not in (0, 1):
            return f"For 'array' type, 'minItems' values other than 0 or 1 are not supported (got: [{least}, ∞])"
        named = [word for word in KEYWORDS.get(kind, ()) if word in part] if isinstance(kind, str) else []
        if named:
            words = f"property '{named[0]}' is" if len(named) == 1 else f"properties {', '.join(named)} are"
            return f"For '{kind}' type, {words} not supported"
    return None


def open_object(part: Mapping[str, Any]) -> str:
    if part.get("additionalProperties") is True:
        return "For 'object' type, 'additionalProperties: true' is not supported. Please set 'additionalProperties' to false"
    return "For 'object' type, 'additionalProperties' must be explicitly set to false"


def parts(schema: Any) -> Iterator[Mapping[str, Any]]:
    """The schema and those inside it, from the outside inwards."""
    waiting = [schema]
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, dict):
            yield part
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
