"""The templates of a scenario: what it says and what it asks for, made from the results that it was given.

A result can be anything, so a member that is not there is empty, not an error. What a template can't work with at all (a
number where it wants a list) raises `Unusable`.

They are Jinja's, in its sandbox: they read values and can do nothing else. A text holds them in `{{ ... }}`; a `when` or a
`for_each` is one expression. Beside Jinja's own filters there are `lines`, `ending(".py")` and `json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

__all__ = ["Unusable", "evaluate", "evaluate_items", "problem", "render", "render_input"]

Names = Mapping[str, Any]
NAMES = frozenset(
    {"prompt", "results", "result", "failed"}
)  # what a template can read; the input of a call also `item`


class Unusable(Exception):
    """A result is not of the kind that a template works with."""


def render(text: str, names: Names) -> str:
    """The text with its expressions filled in."""
    if "{" not in text:
        return text
    return str(_run(_template(text), names))


def evaluate(expression: str, names: Names) -> Any:
    """The value of an expression."""
    return _run(_expression(expression), names)


def evaluate_items(expression: str, names: Names) -> list[Any]:
    """The items of an expression that is a list, or as good as one."""
    value = evaluate(expression, names)
    if isinstance(value, (str, Mapping)) or not isinstance(value, Iterable):
        raise Unusable(f"{expression} is no list")
    items: list[Any] = _run(lambda _names: list(value), names)  # a filter gives its items only now
    return items


def _run(template: Callable[[Names], Any], names: Names) -> Any:
    """What a template gives. It is data, and runs in a sandbox, so whatever it raises is about the values it was given."""
    try:
        return template(names)
    except Exception as error:
        raise Unusable(str(error)) from error


def render_input(value: Any, names: Names) -> Any:
    """A tool's input with the expressions in its texts filled in."""
    if isinstance(value, str):
        return render(value, names)
    if isinstance(value, dict):
        return {key: render_input(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [render_input(item, names) for item in value]
    return value


def problem(text: str, *, expression: bool = False, item: bool = False) -> str:
    """What is wrong with a template or an expression, in Jinja's words; "" if it can be used. item: does it have an item?"""
    from jinja2 import TemplateError, meta

    try:
        if expression:
            _expression(text)
        else:
            _template(text)
    except TemplateError as error:
        return str(error).rstrip(".")
    written = _environment().parse(f"{{{{ {text} }}}}" if expression else text)
    unknown = sorted(meta.find_undeclared_variables(written) - NAMES - ({"item"} if item else set()))
    return f"{unknown[0]!r} is undefined" if unknown else ""


@lru_cache(maxsize=1)
def _environment() -> ImmutableSandboxedEnvironment:
    from jinja2 import ChainableUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        undefined=ChainableUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    environment.filters.update(lines=_lines, ending=_ending, json=_json)
    return environment


@lru_cache(maxsize=512)
def _template(text: str) -> Callable[[Names], str]:
    return _environment().from_string(text).render


@lru_cache(maxsize=512)
def _expression(expression: str) -> Callable[[Names], Any]:
    return _environment().compile_expression(expression, undefined_to_none=False)


def _lines(text: str) -> list[str]:
    """The lines of a text that hold something."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def _ending(items: list[str], end: str) -> list[str]:
    """The texts that end so."""
    return [item for item in items if item.endswith(end)]


def _json(text: str) -> Any:
    """The value of a JSON text; an empty object if it is not JSON, so that a template can still ask for its members."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # no JSON, or nested too deep to be read
        return {}
