"""The fuse: what ends a loop that would never end by itself."""

from __future__ import annotations

import ast
import linecache
from dataclasses import dataclass

__all__ = ["Fuse", "Stopped", "swallowing_lines"]


@dataclass(frozen=True)
class Fuse:
    """How long a recording may go on: `requests` that are sent, and `seconds` of wall time. A fuse is no way out of a loop:
    it is there for the loop that has none."""

    requests: int = 25
    seconds: float = 20.0


class Stopped(BaseException):
    """Raised inside the learner's code to end it. Not an Exception, so that `except Exception` does not swallow it.

    `owner` is the recording that stopped it: with one recording inside another, each catches only its own.
    """

    def __init__(self, owner: object) -> None:
        self.owner = owner
        super().__init__("stopped by the recorder")


def swallowing_lines(file: str) -> frozenset[int]:
    """The lines of a file that stand in a `try` whose `except` catches everything: to raise `Stopped` there is in vain."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:  # a notebook cell with magics: its lines are Python only after IPython has changed them
        return frozenset()
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and any(_catches_everything(handler) for handler in node.handlers):
            lines.update(range(node.lineno, (node.body[-1].end_lineno or node.lineno) + 1))
    return frozenset(lines)


def _catches_everything(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or (isinstance(handler.type, ast.Name) and handler.type.id == "BaseException")
