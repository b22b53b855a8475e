"""From the code of an item to a function that can be recorded.

The code is either functions, of which the last one is called, or a fragment, which becomes the body of `loop(client, messages)`.
It is registered as a source, so that the recorder follows its lines and the stepper shows them.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import linecache
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from course.words import _

__all__ = ["CodeFault", "Program", "placed"]

GAP = "..."
T = TypeVar("T")
HEAD = "def loop(client, messages):\n"


class CodeFault(Exception):
    """Code that can't be run at all: the text says why."""


def placed(code: str | None, part: str) -> str:
    """`part` in place of the line of `code` that holds only `...`, as far in as that line; `part` itself if there is no code.

    >>> placed("for each in calls:\\n    ...", "run(each)")
    'for each in calls:\\n    run(each)\\n'
    """
    if code is None:
        return part
    lines = code.splitlines()
    at = next((number for number, line in enumerate(lines) if line.strip() == GAP), None)
    if at is None:
        return part
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    filled = textwrap.indent(textwrap.dedent(part).rstrip("\n"), indent)
    return "\n".join([*lines[:at], filled, *lines[at + 1 :]]) + "\n"


class Program:
    """Code of an item. Raises CodeFault if it is no Python.

    function: the name of the one to call; by default the last one that is defined.
    """

    def __init__(self, source: str, function: str | None = None) -> None:
        source = source.expandtabs(4)
        tree = _readable(lambda: ast.parse(source))
        defined = [each.name for each in tree.body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]
        self.source = source if defined else HEAD + textwrap.indent(source, "    ")
        self.function = function or (defined[-1] if defined else "loop")
        if defined and self.function not in defined:
            raise CodeFault(_("There is no function {name} in the code.").format(name=self.function))
        self.file = f"<question {hashlib.sha256(self.source.encode('utf-8')).hexdigest()[:12]}>"
        self._code = _readable(lambda: compile(self.source, self.file, "exec"))

    @contextmanager
    def function_with(self, names: Mapping[str, Any]) -> Iterator[Callable[[Any, list[Any]], Any]]:
        """The function, in a world of these names. Raises what the code raises outside of its functions."""
        lines = self.source.splitlines(keepends=True)
        linecache.cache[self.file] = (len(self.source), None, lines, self.file)
        try:
            namespace = {"__name__": "question", **names}
            exec(self._code, namespace)  # noqa: S102  the purpose of this module; who calls it says whose code it is
            yield _called_with(namespace[self.function])
        finally:
            linecache.cache.pop(self.file, None)


def _readable(read: Callable[[], T]) -> T:
    """What reading the code gives. Raises CodeFault if it is no Python."""
    try:
        return read()
    except SyntaxError as error:
        what = _("Line {n} of the code can't be read: {why}.")
        raise CodeFault(what.format(n=error.lineno or 1, why=error.msg)) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise CodeFault(_("The code can't be read: {why}.").format(why=error)) from None


def _called_with(function: Any) -> Callable[[Any, list[Any]], Any]:
    """The function itself if it takes (client, messages); else one that hands it only as many as it takes."""
    if not callable(function):
        raise CodeFault(_("What the code defines is not a function."))
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        raise CodeFault(
            _("The function {name} must take two arguments: client and messages.").format(name=function.__name__)
        ) from None
    called: Callable[[Any, list[Any]], Any] = function
    return called
