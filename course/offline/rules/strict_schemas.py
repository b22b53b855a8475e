"""What the schema of a strict tool, or of a structured output, may hold: the API compiles it to a grammar. Rule 70.

Source of rule 70: measured (AEGIS). The others have no number in messages_api.md; they were captured live in August to
October 2026 (request ids with the tests).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

from course.json_schema import follow, schema_problem
from course.offline.rules.asked import refuse
from course.offline.rules.shapes import OBJECT, Literal, record

__all__ = ["FORM", "check_form", "strict_fault"]

FORM = record(None, {"type": Literal("json_schema"), "schema": OBJECT})  # of an answer: `output_config.format`

OPEN = "For 'object' type, 'additionalProperties' must be explicitly set to false"
# What the grammar can't hold, by the type that it is said of.
KEYWORDS = {
    "object": ("propertyNames",),
    "array": ("maxItems",),
    "integer": ("maximum", "minimum"),
    "number": ("maximum", "minimum"),
}


def check_form(form: Mapping[str, Any], where: str) -> None:
    """The form of an answer is compiled like a strict tool.

    Sources: req_011CeuSLR68Vosem7D789T9L, req_011Ce5Ai58ejU8LLzuK12t1q.
    """
    schema = form["schema"]
    fault = strict_fault(schema)
    problem = None if fault is not None else schema_problem(schema)
    if problem is not None:
        fault = f"Invalid JSON Schema in output format: {problem}"
    if fault == OPEN and schema.get("additionalProperties") is True:  # live, 2026-10-10
        fault = "For 'object' type, 'additionalProperties: true' is not supported. Please set 'additionalProperties' to false"
    if fault is not None:
        raise refuse(f"{where}.schema: {fault}")


def strict_fault(schema: Any) -> str | None:
    """What is wrong with this JSON Schema, without its place; None if it can be compiled."""
    circle = circle_in(schema)
    if circle:
        return (
            f"Invalid schema: Circular reference detected in schema definitions: {' -> '.join(circle)}. "
            "Self-referencing or mutually-referencing definitions are not supported."
        )
    for part in parts(schema):
        kinds = part["type"] if isinstance(part.get("type"), list) else [part.get("type")]
        invalid = invalid_part(part, schema)
        if invalid is not None:
            return f"Invalid schema: {invalid}"
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


def invalid_part(part: Mapping[str, Any], schema: Mapping[str, Any]) -> str | None:
    """What is valid JSON Schema (or was so once) and is refused all the same. Sources: live, 2026 (req_011CfqsmnamjSB2Ba7SNqi7d).

    A list of types beside an enum was seen to be refused whatever it holds: the value that is told is the first one.
    """
    kinds, values = part.get("type"), part.get("enum")
    if isinstance(kinds, list) and isinstance(values, list) and values:
        return f"Enum value '{values[0]}' does not match declared type '{kinds}'"
    if isinstance(part.get("items"), list):
        return "Array types must be specified with a single object schema for 'items'"
    reference = part.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        try:
            follow(reference, schema)
        except KeyError:
            return f"Reference to non-existent definition: {reference}"
    return None


def circle_in(schema: Any) -> list[str]:
    """The names of definitions that lead from one to the next and back again. Source: live, 2026-07-09 and later."""
    definitions = schema.get("$defs") if isinstance(schema, dict) else None
    if not isinstance(definitions, dict):
        return []
    references = {
        name: [str(part["$ref"]).removeprefix("#/$defs/") for part in parts(each) if "$ref" in part]
        for name, each in definitions.items()
    }
    try:
        TopologicalSorter(references).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def parts(schema: Any) -> Iterator[Mapping[str, Any]]:
    """The schema and those inside it, from the outside inwards. Values (`enum`, `default`, ...) are no schemas."""
    waiting = deque([schema])
    while waiting:
        part = waiting.popleft()
        if isinstance(part, dict):
            yield part
            for word in ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"):
                waiting.extend(part[word].values() if isinstance(part.get(word), dict) else ())
            for word in ("anyOf", "allOf", "oneOf", "prefixItems"):
                waiting.extend(part[word] if isinstance(part.get(word), list) else ())
            waiting.extend(part.get(word) for word in ("items", "additionalProperties", "not", "if", "then", "else"))
