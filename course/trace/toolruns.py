"""Seeing the learner's code run the tools that the model asked for, whatever form they have.

A call is a run of a tool if the function has the tool's name, or gets the input as its arguments; or, less surely, if it gets
the input or the `tool_use` block as one argument: that may be the function that looks for the tool, or one that makes the
result block. So each call has a rank, and of several calls for one `tool_use` those of the highest rank are the tool.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from course.trace.events import Json, ToolRun
from course.trace.versions import plain_repr, to_json, words_of

if TYPE_CHECKING:
    from course.trace.recording import Draft, Recording

__all__ = ["ToolRuns"]

BY_BLOCK, BY_INPUT, BY_ARGUMENTS, BY_NAME = 1, 2, 3, 4


@dataclass
class Call:
    """A call that may be the run of a tool."""

    id: str
    rank: int
    began: float
    raised: BaseException | None = None
    replaced: bool = False  # by a call inside it


class ToolRuns:
    """The tools that the last reply asked for, and the calls that run them. `open`: the calls that have not ended."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.pending: dict[str, dict[str, Json]] = {}  # id -> tool_use block
        self.names: set[str] = set()  # of the tools in `pending`
        self.open: dict[FrameType, Call] = {}
        self._done: dict[str, tuple[int, Draft]] = {}

    def sent(self) -> None:
        """A request goes out: what was asked for before is over."""
        self.pending, self._done, self.names = {}, {}, set()

    def asked(self, block: Json) -> None:
        """The model asks for a tool."""
        if isinstance(block, dict) and block.get("type") == "tool_use" and isinstance(block.get("id"), str):
            self.pending[block["id"]] = block
            self.names.add(str(block.get("name")))

    @property
    def busy(self) -> bool:
        """Whether a tool runs, not merely a function that looks for one."""
        return any(call.rank > BY_INPUT for call in self.open.values())

    def started(self, frame: FrameType) -> bool:
        """A function begins, or goes on after it waited. True if it runs a tool, so that its end must be told."""
        if frame in self.open:
            self.open[frame].raised = None
            return True
        found = self._match(frame)
        if found is None:
            return False
        rank, id = found
        for call in self.open.values():
            if call.id == id and not call.replaced:
                if call.rank >= rank:
                    return False
                call.replaced = True
        self.open[frame] = Call(id, rank, self.recording.clock())
        return True

    def ended(self, frame: FrameType, value: object) -> Draft | None:
        """A function that was started has returned, or raised `Call.raised`. Returns the new step, if it is one."""
        call = self.open.pop(frame)
        rank, draft = self._done.get(call.id, (0, None))
        nothing = call.rank <= BY_INPUT and value is None and call.raised is None
        stopped = call.raised is not None and not isinstance(call.raised, Exception)
        if call.replaced or nothing or stopped or call.rank < rank or call.id not in self.pending:
            return None
        if draft is not None and rank <= BY_INPUT:
            self.recording.drop(draft)
        block = self.pending[call.id]
        output, error = _result(value, call.raised)
        seconds = round(self.recording.clock() - call.began, 6)
        step = self.recording.add("tool")
        step.tool = ToolRun(block["name"], block["input"], output, error, call.id, seconds)
        self._done[call.id] = (call.rank, step)
        return step

    def _match(self, frame: FrameType) -> tuple[int, str] | None:
        """The surest `tool_use` that this call can be for. Of two alike, the one that has not run yet."""
        arguments = _arguments(frame)
        running = {call.id for call in self.open.values()}
        best: tuple[int, bool, bool, str] | None = None
        for id, block in self.pending.items():
            try:
                rank, exact = _rank(frame.f_code, arguments, block)
            except Exception:  # an __eq__ of the learner's that raises
                continue
            new = id not in self._done and id not in running
            if rank and (best is None or (rank, exact, new) > best[:3]):
                best = (rank, exact, new, id)
        return None if best is None else (best[0], best[3])


def _arguments(frame: FrameType) -> dict[str, Any]:
    """The arguments of a call that begins."""
    code, values = frame.f_code, frame.f_locals
    count = code.co_argcount + code.co_kwonlyargcount
    arguments = {name: values[name] for name in code.co_varnames[:count] if name in values}
    if code.co_flags & inspect.CO_VARKEYWORDS:
        name = code.co_varnames[count + bool(code.co_flags & inspect.CO_VARARGS)]
        arguments.update(values.get(name, {}))
    return arguments


def _rank(code: CodeType, arguments: dict[str, Any], block: dict[str, Json]) -> tuple[int, bool]:
    """How surely the call runs the tool that the block asks for (0: not at all), and whether its arguments are the input."""
    wanted = block.get("input") or {}
    exact = bool(wanted) and all(name in arguments and arguments[name] == value for name, value in wanted.items())
    if code.co_name == block["name"]:
        return BY_NAME, exact
    if exact:
        return BY_ARGUMENTS, True
    values = list(arguments.values())
    named = any(isinstance(value, str) and value == block["name"] for value in values)
    if (wanted or named) and any(isinstance(value, dict) and value == wanted for value in values):
        return BY_INPUT, False
    ids = [value.get("id") if isinstance(value, dict) else getattr(value, "id", None) for value in values]
    return (BY_BLOCK, False) if block["id"] in ids else (0, False)


def _result(value: Any, raised: BaseException | None) -> tuple[Json, str | None]:
    """What a tool gave, and its error. A `tool_result` block is looked into."""
    if raised is not None:
        return None, f"{type(raised).__name__}: {words_of(raised)}"
    if isinstance(value, dict) and value.get("type") == "tool_result":
        content = to_json(value.get("content"))
        return content, plain_repr(content) if value.get("is_error") and not isinstance(content, str) else (
            content if value.get("is_error") else None
        )
    return to_json(value), None
