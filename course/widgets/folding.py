"""A long head of a function, its parameters and its docstring, is folded in the code pane: a reader of a run wants to see the
lines that run."""

from __future__ import annotations

import ast
import textwrap

from course.widgets.highlight import Span, spans

__all__ = ["shown_lines"]

LONGEST = 3  # lines of a head that is shown whole, below the line with `def`


def shown_lines(source: str) -> list[list[Span] | None]:
    """The lines of a function as spans. Of a long head only the line with `def` is shown; None stands for each other line."""
    lines: list[list[Span] | None] = list(spans(source))
    start, body = _head(source)
    if body - start - 1 <= LONGEST:
        return lines
    return [
        *lines[: start - 1],
        [*(lines[start - 1] or []), ("", " …")],
        *[None] * (body - start - 1),
        *lines[body - 1 :],
    ]


def _head(source: str) -> tuple[int, int]:
    """The line with `def` and that of the first statement after the docstring, counted from 1; (1, 1) if there is none."""
    try:
        tree = ast.parse(textwrap.dedent(source))
    except SyntaxError:
        return 1, 1
    match tree.body:
        case [ast.FunctionDef() | ast.AsyncFunctionDef() as function]:
            statements = function.body[ast.get_docstring(function) is not None :]
            return function.lineno, statements[0].lineno if statements else 1
    return 1, 1
