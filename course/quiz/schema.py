"""The JSON Schema of a bank, for editors that check and complete YAML while it is written.

It says what a single value may be. What shows only when values are compared (one right option, indexes that exist, `gives`
beside `correct`) is left to `load_bank`.
"""

from __future__ import annotations

from typing import Any

from course.quiz.bank import BankFile
from course.quiz.common import MISCONCEPTIONS, OBJECTIVES
from course.quiz.proof_forms import CLAIMS

__all__ = ["bank_schema"]

Schema = dict[str, Any]
REFERENCE = {"$ref": "#/$defs/Reference"}
NEVER_DRAWN = ("id", "kind", "mode", "variants")


def bank_schema() -> Schema:
    """The schema, of draft 2020-12."""
    schema = BankFile.model_json_schema()
    defs = {name: _with_names(part) for name, part in schema.pop("$defs").items()}
    defs = {name: _drawable(part) if part.get("type") == "object" else part for name, part in defs.items()}
    defs["MatchItem"]["required"].remove("pairs")  # computed where every right is an action
    defs["Piece"] = {"anyOf": [{"type": "string", "pattern": r"\S"}, defs["Piece"]]}
    defs["Reference"] = {
        "type": "string",
        "pattern": r"^\$\{[^{}]+\}$",
        "description": "What a variant of this name draws.",
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "$defs": defs}


def _with_names(part: Schema) -> Schema:
    """The schema of an object, with the lists of names that are known in place of "some text"."""
    properties = dict(part.get("properties", {}))
    for name, value in properties.items():
        if name == "objective":
            properties[name] = {**value, "enum": sorted(OBJECTIVES)}
        elif name == "misconception":
            properties[name] = {**value, "anyOf": [{"enum": sorted(MISCONCEPTIONS)}, {"type": "null"}]}
        elif name == "claim":
            properties[name] = {**value, "propertyNames": {"enum": sorted(CLAIMS)}}
    return {**part, "properties": properties} if properties else part


def _drawable(part: Schema) -> Schema:
    """The schema of an object, in which `${name}` may stand for each value."""
    properties = {
        name: value if name in NEVER_DRAWN else {"anyOf": [_entries_drawable(value), REFERENCE]}
        for name, value in part.get("properties", {}).items()
    }
    return {**part, "properties": properties}


def _entries_drawable(value: Schema) -> Schema:
    items = value.get("items")
    if isinstance(items, dict) and items:
        return {**value, "items": {"anyOf": [_entries_drawable(items), REFERENCE]}}
    return value
