"""Which code is the learner's, and its source."""

from __future__ import annotations

import inspect
import linecache
import os
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from course.trace.events import Function, Place

__all__ = ["COURSE", "LEARNERS", "OTHER", "Sources"]

LEARNERS, COURSE, OTHER = "learners", "course", "other"
PACKAGE = str(Path(__file__).resolve().parents[1]) + os.sep
LOOP = PACKAGE + "loop.py"  # of the course, but a loop like a learner's
ENDPOINT = PACKAGE + "offline" + os.sep  # the other side of the wire
LIBRARIES = tuple(
    {os.path.realpath(sysconfig.get_path(name)) + os.sep for name in ("stdlib", "platstdlib", "purelib", "platlib")}
)


class Sources:
    """The files that were met, and the learner's functions that ran."""

    def __init__(self) -> None:
        self.functions: list[Function] = []
        self.files: dict[str, str] = {}  # file name -> LEARNERS, COURSE or OTHER
        self._types: dict[type, bool] = {}
        self._ranges: list[tuple[str, int, int]] = []  # of each function: file, first line, last line
        self._by_code: dict[int, tuple[CodeType, int]] = {}  # by id: to hash a code object is slow
        self._places: dict[tuple[int, int], Place] = {}

    def owner(self, file: str) -> str:
        """Whose file it is."""
        owner = self.files.get(file)
        if owner is None:
            owner = self.files[file] = _owner(file)
        return owner

    def learners_frames(self, frame: FrameType | None) -> Iterator[FrameType]:
        """The learner's functions among this one and those that called it, the innermost first."""
        while frame is not None:
            if self.owner(frame.f_code.co_filename) == LEARNERS:
                yield frame
            frame = frame.f_back

    def is_learners_type(self, kind: type) -> bool:
        """Whether the class is written in the learner's code."""
        known = self._types.get(kind)
        if known is None:
            module = sys.modules.get(kind.__module__)
            file = getattr(module, "__file__", None)
            # a class of a notebook stands in __main__, which has no file
            known = (file is None and kind.__module__ == "__main__") or (
                file is not None and self.owner(file) == LEARNERS
            )
            self._types[kind] = known
        return known

    def place(self, code: CodeType, line: int, globals_: Mapping[str, Any] | None = None) -> Place:
        """A line of the learner's code. Its function is added to `functions` when it is first met."""
        known = self._by_code.get(id(code))
        if known is None:
            known = self._by_code[id(code)] = (code, self._add(code, globals_))
        key = (known[1], line)
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = Place(*key)
        return place

    def _add(self, code: CodeType, globals_: Mapping[str, Any] | None) -> int:
        """A function inside one that is there already (a closure, a comprehension) is shown as part of that one."""
        first, file = code.co_firstlineno, code.co_filename
        for index, (other, start, end) in enumerate(self._ranges):
            if other == file and start <= first <= end:
                return index
        lines = linecache.getlines(file, dict(globals_) if globals_ else None)[first - 1 :]
        block = _block("".join(lines))
        self._ranges.append((file, first, first + max(block.count("\n"), 1) - 1))
        name = getattr(code, "co_qualname", code.co_name).rpartition("<locals>.")[2]
        self.functions.append(Function(name=name, source=block, first_line=first, file=_shown(file)))
        return len(self.functions) - 1


@lru_cache(maxsize=64)
def _block(text: str) -> str:
    """The function that the text begins with, without what follows it. Kept, because a loop is recorded again and again."""
    return "".join(inspect.getblock(text.splitlines(keepends=True))) if text else ""


def _owner(file: str) -> str:
    if file.startswith("<"):  # a cell of some front ends has such a name and a source; generated code has no source
        return LEARNERS if linecache.getlines(file) else OTHER
    return _owner_of_path(file)


@cache
def _owner_of_path(file: str) -> str:
    path = os.path.realpath(file)
    if path.startswith(PACKAGE):
        return LEARNERS if path == LOOP else OTHER if path.startswith(ENDPOINT) else COURSE
    if "site-packages" in path or "dist-packages" in path or path.startswith(LIBRARIES):
        return OTHER
    return LEARNERS


def _shown(file: str) -> str:
    """The file's name without its folder, which differs from machine to machine; nothing for a cell of a notebook."""
    return "" if file.startswith("<") or "ipykernel" in file else os.path.basename(file)
