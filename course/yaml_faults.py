"""What PyYAML and pydantic found, in plain English: what is wrong, and what to write instead."""

from __future__ import annotations

import difflib
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import yaml

from course.errors import Fault
from course.words import _

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError
    from pydantic_core import ErrorDetails

    from course.strict_yaml import Document

__all__ = ["explain", "explain_invalid"]


def explain(broken: Exception, text: str, file: str) -> Fault:
    """The fault that PyYAML reports. The wording of its C library and of its Python parser differ; both are known here."""
    if isinstance(broken, yaml.reader.ReaderError):
        return _bad_character(text, broken.position, broken.character, file)
    if isinstance(broken, UnicodeEncodeError):
        return _bad_character(text, broken.start, ord(text[broken.start]), file)
    if isinstance(broken, RecursionError):
        return Fault(file, 1, _("Lists and mappings are nested too deep."), _("Flatten them."))
    assert isinstance(broken, yaml.MarkedYAMLError) and broken.problem_mark is not None
    mark, start = broken.problem_mark, broken.context_mark
    lines = text.splitlines()
    at = lines[mark.line][mark.column :][:1] if mark.line < len(lines) else ""
    what, remedy = _syntax(broken.problem or "", at)
    if start is not None and "end of stream" in (broken.problem or ""):
        return Fault(file, start.line + 1, what, remedy)
    if (
        start is not None
        and start.line != mark.line
        and (broken.problem or "").startswith(("did not find", "expected"))
    ):
        what = _within(what, _("what it belongs to starts on line {line}").format(line=start.line + 1))
    return Fault(file, min(mark.line + 1, max(len(lines), 1)), what, remedy)


def _within(sentence: str, remark: str) -> str:
    """The sentence with a remark in brackets before its full stop."""
    return f"{sentence.removesuffix('.')} ({remark})." if remark else sentence


def _bad_character(text: str, position: int, code: int, file: str) -> Fault:
    what = _("The character U+{code:04X} is not allowed in YAML.").format(code=code)
    return Fault(file, text.count("\n", 0, position) + 1, what, _("Delete it."))


def _syntax(problem: str, at: str) -> tuple[str, str]:
    """What is wrong and its remedy, from PyYAML's wording and the character it stopped at."""
    if at == "\t" or "tab character" in problem:
        return _("A tab is used for indentation."), _("Use spaces.")
    if "cannot start any token" in problem:
        return _("Text starts with {character}.").format(character=at), _("Put the text in quotes.")
    if "mapping values are not allowed" in problem:
        return (
            _("A colon stands where YAML expects none."),
            _('Put text that holds ": " in quotes, or check the indentation.'),
        )
    if "unexpected end of stream" in problem:
        return _("A quote is opened here and never closed."), _("Close it.")
    if "undefined alias" in problem:
        return _("An alias (*name) has no anchor (&name) above it."), _("Put text that starts with * in quotes.")
    if "another document" in problem:
        return _("A second document starts here (---)."), _("Put it in a file of its own.")
    if "nesting depth" in problem:
        return _("Lists and mappings are nested too deep."), _("Flatten them.")
    if "',' or" in problem:
        return _("A list [ ] or mapping { } is not closed."), _("Add the missing comma or bracket.")
    if "expected ':'" in problem:
        return _("A line has no colon after its key."), _('Write "key: value".')
    if "<block end>" in problem or "expected key" in problem or "'-' indicator" in problem:
        return _("This line does not fit what stands above it."), _("Check its indentation and its quotes.")
    return _("This is not valid YAML: {problem}.").format(problem=problem), ""


def explain_invalid(invalid: ValidationError, document: Document, model: type[BaseModel]) -> list[Fault]:
    """Every error of pydantic's as a fault at the line it is about."""
    schema = _schema_of(model)
    faults = []
    for details in invalid.errors(include_url=False):
        if details["type"] == "too_short" and len(details["input"]) >= details["ctx"]["min_length"]:
            continue  # pydantic does not count the entries that are faulty themselves
        path, known, about = _locate(details["loc"], schema)
        what, remedy = _say(details, known, about)
        faults.append(document.fault(path, _within(what, _where(path)), remedy))
    return faults


@cache
def _schema_of(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema()


def _locate(
    loc: tuple[str | int, ...], schema: dict[str, Any]
) -> tuple[tuple[str | int, ...], list[str], dict[str, Any]]:
    """The path in the file, the keys that are known at its end, and the schema of what stands there.

    pydantic's own `loc` also names the member of a union that it tried: the schema tells such a name from a key.
    """
    defs = schema.get("$defs", {})
    path: list[str | int] = []
    known: list[str] = []
    here = _resolve(schema, defs)
    for part in loc:
        known = list(here.get("properties", {}))
        members = here.get("discriminator", {}).get("mapping", {})
        if part in members:
            member = members[part]  # a name, or a further choice among members
            here = _resolve({"$ref": member} if isinstance(member, str) else member, defs)
            continue
        path.append(part)
        below = here.get("properties", {}).get(part) or here.get("items") or here.get("additionalProperties")
        here = _resolve(below if isinstance(below, dict) else {}, defs)
    return tuple(path), known, here


def _resolve(schema: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    """The schema itself, where this one only refers to it or allows null beside it."""
    while "$ref" in schema:
        schema = defs[schema["$ref"].rsplit("/", 1)[-1]]
    real = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    return _resolve(real[0], defs) if len(real) == 1 else schema


def _where(path: tuple[str | int, ...]) -> str:
    """Where a fault is, for a reader: `items 3, options 2`. Lists are counted from 1."""
    steps = [f"{name} {index + 1}" for name, index in pairwise(path) if isinstance(index, int)]
    return ", ".join(steps)


def _say(details: ErrorDetails, known: list[str], about: dict[str, Any]) -> tuple[str, str]:
    """What is wrong and the remedy, in words about the file. `about`: the schema of the place; its description is a remedy."""
    kind, given, context = details["type"], details["input"], details.get("ctx", {})
    if kind == "value_error":  # our own validators raise ValueError(what, remedy)
        parts = [str(part) for part in context["error"].args]
        return parts[0], " ".join(parts[1:])
    name = _quote(context["discriminator"]) if "discriminator" in context else _name(details["loc"])
    if kind in ("missing", "union_tag_not_found"):
        return _("{name} is missing.").format(name=name), _("Add it.")
    if kind == "extra_forbidden":
        return _("{name} is not a known key.").format(name=name), _suggest(str(details["loc"][-1]), known)
    choices = context.get("expected", context.get("expected_tags"))
    if choices is not None:
        what = _("{name} is {value}.").format(name=name, value=_show(context.get("tag", given)))
        return what, _("It can be {choices}.").format(choices=choices.replace("'", '"'))
    if kind == "string_pattern_mismatch":
        return _("{name} is {value}.").format(name=name, value=_show(given)), about.get("description", "")
    if kind == "too_short":
        return _("{name} has too few entries.").format(name=name), _("Write at least {count}.").format(
            count=context["min_length"]
        )
    if kind == "too_long":
        return _("{name} has too many entries.").format(name=name), _("Write at most {count}.").format(
            count=context["max_length"]
        )
    return _wrong_type(kind, name, given, details["msg"])


def _wrong_type(kind: str, name: str, given: Any, message: str) -> tuple[str, str]:
    types = [  # the start of pydantic's error type; what the value must be; the remedy
        ("string_type", _("text"), "" if isinstance(given, (list, dict)) else _("Put it in quotes.")),
        ("bool_", _("true or false"), ""),
        ("int_", _("a whole number"), ""),
        ("float_", _("a number"), ""),
        ("date_", _("a date"), _("Write it as 2026-11-30.")),
        ("list_type", _("a list"), _('Start each entry with "- ".')),
        ("tuple_type", _("a list"), _('Start each entry with "- ".')),
        ("dict_type", _("a mapping"), _('Write "key: value" lines.')),
        ("model_", _("a mapping"), _('Write "key: value" lines.')),
    ]
    for start, wanted, remedy in types:
        if kind.startswith(start):
            return _("{name} must be {wanted}, not {value}.").format(
                name=name, wanted=wanted, value=_show(given)
            ), remedy
    return _("{name} is {value}: {message}.").format(
        name=name, value=_show(given), message=message[:1].lower() + message[1:]
    ), ""


def _name(loc: tuple[str | int, ...]) -> str:
    """What a fault is about: a key, an entry of a list, or all of it."""
    if not loc:
        return _("The file")
    return _quote(loc[-1]) if isinstance(loc[-1], str) else _("This entry")


def _suggest(key: str, known: list[str]) -> str:
    close = difflib.get_close_matches(key, known, n=1)
    if close:
        return _("Did you mean {name}?").format(name=_quote(close[0]))
    return _("Known keys: {names}.").format(names=", ".join(known))


def _quote(text: Any) -> str:
    return '"' + str(text).strip("'") + '"'


def _show(value: Any) -> str:
    """A value from the file, short enough to stand in a sentence."""
    if value is None:
        return _("empty")
    if isinstance(value, list):
        return _("a list")
    if isinstance(value, dict):
        return _("a mapping")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _quote(value if len(value) <= 40 else value[:39] + "…")
    return str(value)
