"""Every error that the course raises on purpose. Their texts say what is wrong and what to do.

    CourseError
    ├── SettingsError      .env or an environment variable holds a value that can't be used
    ├── YamlError          a YAML file has faults; each with its file and line
    │   ├── ScenarioError  a scenario of the offline model
    │   └── BankError      a bank of questions
    ├── WorkspaceError     a path that a lesson tool may not reach, or that is not there
    ├── ToolError          a function that can't be made into a tool
    ├── LoopError          a loop that its fuse ended
    ├── RecordError        a loop that can't be recorded
    └── LessonError        an exercise, a hint or a quiz that does not exist

Faults of the endpoint are not here: they are HTTP answers (`course.offline.wire.ApiFault`), and the SDK turns
them into its own exceptions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = [
    "BankError",
    "CourseError",
    "Fault",
    "LessonError",
    "LoopError",
    "RecordError",
    "ScenarioError",
    "SettingsError",
    "ToolError",
    "WorkspaceError",
    "YamlError",
]


class CourseError(Exception):
    """The root of the tree. `except CourseError` catches all that the course itself reports."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a traceback: the message says what to do, and the lines of the course do not."""
        return [f"{type(self).__name__}: {self}"]


class SettingsError(CourseError):
    """A setting can't be used."""


@dataclass(frozen=True)
class Fault:
    """One fault in a file: where, what is wrong, what to write instead."""

    file: str
    line: int
    what: str
    remedy: str = ""

    def __str__(self) -> str:
        remedy = f" {self.remedy}" if self.remedy else ""
        return f"{self.file}:{self.line}: {self.what}{remedy}"


class YamlError(CourseError):
    """A YAML file has faults. `faults` holds all of them, in the order of their lines."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(sorted(faults, key=lambda fault: (fault.file, fault.line)))
        super().__init__("\n".join(str(fault) for fault in self.faults))


class ScenarioError(YamlError):
    """A scenario file has faults."""


class BankError(YamlError):
    """A question bank has faults."""


class WorkspaceError(CourseError):
    """A path that is outside the workspace, or that can't be read."""


class ToolError(CourseError):
    """A function that can't be made into a tool."""


class LoopError(CourseError):
    """A loop that did not come to its end: its fuse blew, or it met a `stop_reason` that it does not know."""


class RecordError(CourseError):
    """A loop that can't be recorded."""


class LessonError(CourseError):
    """An exercise, a hint or a quiz that does not exist."""
