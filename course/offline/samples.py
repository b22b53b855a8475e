"""A value that a JSON Schema allows: the input of a call that is forced, and an answer in the form that the request wants.

The simple cases only. A schema can ask for what no small program finds (a `pattern`, an `allOf`); the model then answers what
comes nearest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.json_schema import follow

__all__ = ["sample"]

MAX_DEPTH = 20  # of a schema that refers to itself
MAX_ITEMS = 20  # of a list
MAX_VALUES = 1_000  # in all
FORMATS = {
    "date": "2026-01-31",
    "time": "12:00:00Z",
    "date-time": "2026-01-31T12:00:00Z",
    "duration": "P1D",
    "email": "someone@example.com",
    "hostname": "example.com",
    "uri": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
}


def sample(schema: object, text: str = "") -> Any:
    """A value for this schema. `text` stands where it takes any text.

    >>> sample({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
    {'n': 0}
    """
    return _Sampler(schema, text).value(schema)


class _Sampler:
    def __init__(self, root: object, text: str) -> None:
        self.root = root
        self.text = text
        self.left = MAX_VALUES

    def value(self, schema: object, depth: int = 0) -> Any:
        schema = self._resolved(schema)
        self.left -= 1
        if self.left < 0 or depth > MAX_DEPTH:
            return None
        if not isinstance(schema, Mapping):
            return self.text
        if "const" in schema:
            return schema["const"]
        for values in (schema.get("enum"), schema.get("examples")):
            if isinstance(values, list) and values:
                return values[0]
        for word in ("anyOf", "oneOf", "allOf"):
            choices = schema.get(word)
            if isinstance(choices, list) and choices:
                return self.value(choices[0], depth + 1)
        return self._of_type(schema, depth)

    def _of_type(self, schema: Mapping[str, Any], depth: int) -> Any:
        kind = schema.get("type", "object" if "properties" in schema else "string")
        if isinstance(kind, list):
            kind = next(iter(kind), "string")
        if kind == "object":
            properties = schema.get("properties") or {}
            names = schema.get("required") or ()
            return {name: self.value(properties.get(name), depth + 1) for name in names}
        if kind == "array":
            least = min(int(schema.get("minItems", 0)), MAX_ITEMS)
            return [self.value(schema.get("items"), depth + 1) for _item in range(least)]
        if kind in ("integer", "number"):
            return schema.get("minimum", 0)
        if kind in ("boolean", "null"):
            return False if kind == "boolean" else None
        return FORMATS.get(schema.get("format", ""), self.text)

    def _resolved(self, schema: object) -> object:
        """The schema that a `$ref` stands for; any, if it leads nowhere or round in a circle."""
        for _step in range(MAX_DEPTH):
            if not isinstance(schema, Mapping) or not isinstance(schema.get("$ref"), str):
                return schema
            try:
                schema = follow(schema["$ref"], self.root)
            except KeyError:
                break
        return {}
