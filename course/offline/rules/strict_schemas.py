"""What the schema of a strict tool, or of a structured output, may hold: the API compiles it to a grammar. Rule 70.

Source of rule 70: measured (AEGIS). The others have no number in messages_api.md; they were captured live in August to
October 2026 (request ids with the tests).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["OPEN", "strict_fault"]

OPEN = "For 'object' type, 'additionalProperties' must be explicitly set to false"
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
        kinds = part["type"] if isinstance(part.get("type"), list) else [part.get("type")]
        if "object" in kinds and part.get("additionalProperties") is not False:
            return OPEN
        least = part.get("minItems", 0)
        if "array" in kinds and least not in (0, 1):
            return f"For 'array' type, 'minItems' values other than 0 or 1 are not supported (got: [{least}, ∞])"
        for kind in KEYWORDS:
            named = [word for word in KEYWORDS[kind] if kind in kinds and word in part]
            if named:
                words = f"property '{named[0]}' is" if len(named) == 1 else f"properties {', '.join(named)} are"
                return f"For '{kind}' type, {words} not supported"
    return None


def parts(schema: Any) -> Iterator[Mapping[str, Any]]:
    """The schema and those inside it, from the outside inwards. Values (`enum`, `default`, ...) are no schemas."""
    waiting = [schema]
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, dict):
            yield part
            for word in ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"):
                waiting.extend(part[word].values() if isinstance(part.get(word), dict) else ())
            for word in ("anyOf", "allOf", "oneOf", "prefixItems"):
                waiting.extend(part[word] if isinstance(part.get(word), list) else ())
            waiting.extend(part.get(word) for word in ("items", "additionalProperties", "not", "if", "then", "else"))
