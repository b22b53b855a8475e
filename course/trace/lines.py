"""Following the learner's code line by line while it runs (`sys.settrace`)."""

from __future__ import annotations

import inspect
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dis import opname
from types import FrameType
from typing import Any

from course.trace.fuse import Stopped, loops_unseen, swallowing_lines
from course.trace.recording import Recording
from course.trace.sources import LEARNERS, OTHER
from course.trace.toolruns import ToolRuns

__all__ = ["Follower", "on_the_way"]

Tracer = Callable[[FrameType, str, Any], Any]
WAITS = inspect.CO_COROUTINE | inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR
LONGEST_WAIT = 1_000  # lines in a `try` that catches everything, before the loop is ended there all the same

_sending: ContextVar[bool] = ContextVar("sending", default=False)


@contextmanager
def on_the_way() -> Iterator[None]:
    """While a request is sent, nothing that runs is the loop: a transport may be written in a notebook too."""
    token = _sending.set(True)
    try:
        yield
    finally:
        _sending.reset(token)


@contextmanager
def resting() -> Iterator[None]:
    """Without a tracer, which slows down all that runs, for code that is not followed and waits for nothing."""
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracer)


class Follower:
    """Writes the lines that run into a recording, looks for changes between them, and ends the loop when the fuse blows."""

    def __init__(self, recording: Recording, tools: ToolRuns) -> None:
        self.recording = recording
        self.sources = recording.sources
        self._files = recording.sources.files
        self.tools = tools
        self.active = False
        self._waiting: set[FrameType] = set()  # generators and coroutines that have given way
        self._swallowing: dict[str, frozenset[int]] = {}
        self._put_off = 0

    @contextmanager
    def following(self) -> Iterator[None]:
        """Follow what runs in the block. The tracer before (coverage, a debugger) sleeps meanwhile and is put back."""
        before, before_threads, profiler = sys.gettrace(), threading.gettrace(), sys.getprofile()
        self.active = True
        threading.settrace(self.on_call_in_thread)
        sys.settrace(self.on_call)
        try:
            yield
        finally:
            if sys.getprofile() is not profiler:
                sys.setprofile(profiler)
            sys.settrace(before)
            threading.settrace(before_threads)
            self.active = False
            self._waiting.clear()

    def on_call(self, frame: FrameType, event: str, arg: Any) -> Tracer | None:
        """A function begins, or goes on after it waited. Called for each call in every library: the first lines count."""
        code = frame.f_code
        owner = self._files.get(code.co_filename)
        if owner is OTHER and code.co_name not in self.tools.names:
            return None
        if not self.active or code.co_name == "<module>" or _sending.get():
            return None
        if self.sources.owner(code.co_filename) is not LEARNERS:
            return self._on_foreign_call(frame)
        if self.tools.names:
            self.tools.started(frame)
        if frame in self._waiting:
            self._waiting.discard(frame)
            self.recording.place = self._place(frame)
        if loops_unseen(code):
            frame.f_trace_opcodes = True
        return self.on_event

    def _on_foreign_call(self, frame: FrameType) -> Tracer | None:
        """A function of the course, or one of a library that has a tool's name and is called by the learner or the course."""
        if not self.tools.names:
            return None
        code, caller = frame.f_code, frame.f_back
        if self.sources.owner(code.co_filename) is OTHER and (
            code.co_name not in self.tools.names  # the first call into its file comes here whatever its name
            or caller is None
            or self.sources.owner(caller.f_code.co_filename) is OTHER
        ):
            return None
        if not self.tools.started(frame):
            return None
        frame.f_trace_lines = False
        return self.on_tool

    def on_call_in_thread(self, frame: FrameType, event: str, arg: Any) -> Tracer | None:
        """In another thread of the learner's only the runs of tools are seen, not the lines."""
        if not self.active:
            sys.settrace(None)  # this thread has outlived the recording
            return None
        owner = self.sources.owner(frame.f_code.co_filename)
        if owner is OTHER or not self.tools.names or not self.tools.started(frame):
            return None
        frame.f_trace_lines = False
        return self.on_tool

    def on_event(self, frame: FrameType, event: str, arg: Any) -> Tracer | None:
        """Something happens in a function of the learner's."""
        if not self.active:
            return None
        if event == "line":
            self._look(frame)
            self.recording.ran(self._place(frame))
            if self.tools.open and frame in self.tools.open:
                self.tools.open[frame].raised = None
            if self.recording.out_of_time():
                self._stop(frame)
        elif event == "return":
            self._look(frame)
            waits = self._leave(frame, arg)
            if waits:
                self._waiting.add(frame)
            caller = frame.f_back
            if caller is not None and self.sources.owner(caller.f_code.co_filename) is LEARNERS:
                self.recording.place = self._place(caller)
        elif event == "exception":
            self._raised(frame, arg[1])
        elif event == "opcode" and self.recording.out_of_time():
            self._stop(frame)
        return self.on_event

    def on_tool(self, frame: FrameType, event: str, arg: Any) -> Tracer | None:
        """Something happens in a tool that is not the learner's own code."""
        if event == "return":
            self._leave(frame, arg)
        elif event == "exception":
            self._raised(frame, arg[1])
        return self.on_tool

    def _look(self, frame: FrameType) -> None:
        if not (self.tools.open and self.tools.busy):  # a tool may run a million lines, and does not touch `messages`
            self.recording.candidates.look(frame)

    def _raised(self, frame: FrameType, error: BaseException) -> None:
        if frame in self.tools.open:
            self.tools.open[frame].raised = error
        if isinstance(error, KeyboardInterrupt):
            self.recording.interrupted = True

    def _leave(self, frame: FrameType, value: Any) -> bool:
        """A function returns, raises, or gives way (then True: it will go on later)."""
        call = self.tools.open.get(frame)
        returned = opname[frame.f_code.co_code[frame.f_lasti]].startswith("RETURN")
        raised = call is not None and call.raised is not None and not returned
        waits = bool(frame.f_code.co_flags & WAITS) and not returned and not raised
        if call is not None and not waits:
            if returned:
                call.raised = None
            self._end_tool(frame, value)
        return waits

    def _end_tool(self, frame: FrameType, value: Any) -> None:
        """The step of a tool is done by the line that called it."""
        caller = frame.f_back
        while caller is not None and self.sources.owner(caller.f_code.co_filename) is not LEARNERS:
            caller = caller.f_back
        if caller is not None:
            self.recording.place = self._place(caller)
        self.tools.ended(frame, value)

    def _place(self, frame: FrameType) -> Any:
        return self.sources.place(frame.f_code, frame.f_lineno, frame.f_globals)

    def _stop(self, frame: FrameType) -> None:
        """End the loop, on a line where it can't be swallowed if there is one: Python switches a tracer off that raises."""
        self._put_off += 1
        if self._put_off > LONGEST_WAIT or not self._in_vain(frame):
            self._put_off = 0
            sys.setprofile(self._wake)
            raise Stopped(self.recording)

    def _in_vain(self, frame: FrameType | None) -> bool:
        while frame is not None:
            file = frame.f_code.co_filename
            if self.sources.owner(file) is LEARNERS:
                if file not in self._swallowing:
                    self._swallowing[file] = swallowing_lines(file)
                if frame.f_lineno in self._swallowing[file]:
                    return True
            frame = frame.f_back
        return False

    def _wake(self, frame: FrameType, event: str, arg: Any) -> None:
        """The learner's code has swallowed what was to end it, and calls something: switch the tracer on again."""
        sys.setprofile(None)
        if self.active:
            sys.settrace(self.on_call)
            each: FrameType | None = frame
            while each is not None:
                if self.sources.owner(each.f_code.co_filename) is LEARNERS:
                    each.f_trace = self.on_event
                each = each.f_back
