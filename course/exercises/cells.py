"""Whether Python could read the cell in which a learner wrote an answer."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Sequence

__all__ = ["unreadable"]


def unreadable(cells: Sequence[str], name: str) -> SyntaxError | None:
    """The syntax error of the last cell that defines `name`; None if there is none.

    Python runs no line of a cell with a syntax error, so the name still stands for what an older cell made of it.
    """
    defines = re.compile(rf"^(async def |def ){name}\b|^{name} *[=:]", re.MULTILINE)
    written = next((cell for cell in reversed(cells) if defines.search(cell)), "")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the cell itself has shown them already
            compile(written, name, "exec", flags=ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError as error:
        return error
    return None
