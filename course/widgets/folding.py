"""Long docstrings are folded in the code pane: a reader of a run wants to see the lines that run."""

from __future__ import annotations

import ast
import textwrap

from course.widgets.highlight import Span, spans

__all__ = ["shown_lines"]

LONGEST = 3  # lines of a docstring that is shown whole


def shown_lines(source: str) -> list[list[Span] | None]:
    """The lines of a function as spans. Of a long docstring only the first line is shown; None stands for each other line."""
    lines: list[list[Span] | None] = list(spans(source))
    first, last = _docstring(source)
    if last - first < LONGEST:
        return lines
    head = lines[first - 1] or []
    return [*lines[: first - 1], [*head, ("", " …")], *[None] * (last - first), *lines[last:]]


def _docstring(source: str) -> tuple[int, int]:
    """The first and the last line of the function's docstring, counted from 1; (1, 1) if there is none."""
    try:
        tree = ast.parse(textwrap.dedent(source))
    except SyntaxError:
        return 1, 1
    match tree.body:
        case [ast.FunctionDef(body=[ast.Expr(value=text), *_]) | ast.AsyncFunctionDef(body=[ast.Expr(value=text), *_])]:
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                return text.lineno, text.end_lineno or text.lineno
    return 1, 1
