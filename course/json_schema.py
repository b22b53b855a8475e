"""jsonschema's validator for draft 2020-12, imported in a tenth of the time.

JupyterLab brings the package rfc3987_syntax. jsonschema imports it if it is there, to check the format of IRIs, and it builds
its grammar while it is imported: three to five seconds, at the first tool call of every kernel. Nothing here checks formats:
a pattern in a schema follows JavaScript's rules, which Python can't check.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

__all__ = ["follow", "schema_problem", "validator"]

SLOW = "rfc3987_syntax"
INDEX = re.compile("[0-9]{1,6}")


def validator() -> type[Draft202012Validator]:
    """The class of the validator. Imported when it is first asked for."""
    absent: dict[str, Any] = {} if SLOW in sys.modules else {SLOW: None}
    sys.modules.update(absent)  # None: an import of it fails, as where it is not installed
    try:
        from jsonschema import Draft202012Validator
    finally:
        for name in absent:
            del sys.modules[name]
    return Draft202012Validator


def schema_problem(schema: Any) -> str | None:
    """Why this is no JSON Schema of draft 2020-12, in the words of jsonschema; None if it is one."""
    schemas = validator()
    from jsonschema import FormatChecker
    from jsonschema.exceptions import SchemaError  # after `validator`, which imports the package without its slow part

    try:
        schemas.check_schema(schema, format_checker=FormatChecker(formats=()))
    except SchemaError as error:
        return error.message
    except RecursionError:  # nested deeper than anybody could read
        return "it is nested too deep"
    return None


def follow(reference: str, schema: Any) -> Any:
    """The part of a schema that a reference into it names, such as `#/$defs/point`. Raises KeyError if there is none.

    Source: RFC 6901 (JSON Pointer), section 6 for its form in a URL.

    >>> follow("#/$defs/a~1b/0", {"$defs": {"a/b": [{"type": "string"}]}})
    {'type': 'string'}
    """
    start, *names = unquote(reference).split("/")
    if start != "#":
        raise KeyError(reference)
    for name in names:
        name = name.replace("~1", "/").replace("~0", "~")
        if isinstance(schema, list) and INDEX.fullmatch(name) and int(name) < len(schema):
            schema = schema[int(name)]
        elif isinstance(schema, dict) and name in schema:
            schema = schema[name]
        else:
            raise KeyError(reference)
    return schema
