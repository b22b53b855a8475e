"""The fuse: what ends a loop that would never end by itself."""

from __future__ import annotations

import ast
import dis
import linecache
import sys
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType

from course.errors import RecordError
from course.words import _

__all__ = ["Fuse", "Stopped", "loops_unseen", "swallowing_lines"]


@dataclass(frozen=True)
class Fuse:
    """How long a recording may go on: `requests` that are sent, and `seconds` that the loop itself takes. The time in which
    it waits for a reply is not counted: a live model may need longer. A fuse is no way out of a loop: it is there for the loop
    that has none. Raises RecordError for what is no number above 0."""

    requests: int = 25
    seconds: float = 20.0

    def __post_init__(self) -> None:
        if isinstance(self.requests, bool) or not isinstance(self.requests, int) or self.requests < 1:
            raise RecordError(_("The requests of a fuse are a whole number from 1 on, such as 25."))
        if isinstance(self.seconds, bool) or not isinstance(self.seconds, (int, float)) or not self.seconds > 0:
            raise RecordError(_("The seconds of a fuse are a number above 0, such as 20."))


class Stopped(BaseException):
    """Raised inside the learner's code to end it. Not an Exception, so that `except Exception` does not swallow it.

    `owner` is the recording that stopped it: with one recording inside another, each catches only its own.
    """

    def __init__(self, owner: object) -> None:
        self.owner = owner
        super().__init__("stopped by the recorder")


@lru_cache(maxsize=256)
def loops_unseen(code: CodeType) -> bool:
    """Whether a loop of this code stands on one line, and Python tells a tracer of that line only once.

    Before Python 3.12 `while True: pass` on one line gives one line event and then none. Its instructions must be followed.
    """
    if sys.version_info >= (3, 12):
        return False
    line_of = {offset: line for start, end, line in code.co_lines() for offset in range(start, end, 2)}
    jumps = (each for each in dis.get_instructions(code) if each.opcode in dis.hasjrel or each.opcode in dis.hasjabs)
    return any(jump.argval <= jump.offset and line_of[jump.argval] == line_of[jump.offset] for jump in jumps)


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
