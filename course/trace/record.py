"""`record`: run a learner's loop and keep all that happened as a Trace."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from course.errors import RecordError
from course.settings import load_settings
from course.trace.clockwork import Clockwork
from course.trace.events import Ending, Place, Trace
from course.trace.fuse import Fuse, Stopped
from course.trace.lines import Follower
from course.trace.live import Live
from course.trace.recording import Recording
from course.trace.sources import LEARNERS, Sources
from course.trace.targets import check_target, function_of
from course.trace.toolruns import ToolRuns
from course.trace.versions import plain_repr, words_of
from course.trace.wire import watching
from course.words import _

__all__ = ["Fuse", "record", "record_async"]

MOMENT = 0.05  # seconds between two looks at a loop whose time is over as soon as its reply is here
AWAIT = "Write: await record_async(loop, client)"


def record(loop: Callable[..., Any], *args: Any, fuse: Fuse | None = None, name: str = "", **kwargs: Any) -> Trace:
    """Run `loop(*args, **kwargs)` and return what happened as a Trace.

    loop: any function that takes or makes a client: plain, async, or a generator (which is run to its end). It needs no
    change. Its lines are followed, and those of the functions that it calls, except libraries.
    fuse: what ends a loop that does not end. Default: the settings (25 requests, or 20 seconds of its own).
    name: the name of the Trace; by default the function's.

    It does not raise what the loop raises: `trace.ending` tells it. An interrupt (Ctrl-C, the Stop button of Jupyter, or the
    one that a notebook shows while a recording takes long) ends the loop and leaves a Trace too. So does the fuse, also in a
    `time.sleep`; but on Windows, in a thread and in an async loop a sleep ends only when it comes back. Raises RecordError if
    `loop` is not a function.

    In a notebook an async loop runs in a thread of its own; where there are no threads (JupyterLite), use `record_async`.
    """
    session = _Session(loop, fuse or _fuse_of_the_settings(), name)
    if session.is_async and _loop_is_running():
        return _in_thread(lambda: session.run(args, kwargs), session)
    return session.run(args, kwargs)


async def record_async(
    loop: Callable[..., Any], *args: Any, fuse: Fuse | None = None, name: str = "", **kwargs: Any
) -> Trace:
    """The same as `record`, for an async loop, in the event loop that runs already: `await record_async(loop, client)`."""
    session = _Session(loop, fuse or _fuse_of_the_settings(), name)
    with session.watching():
        try:
            value = await session.limited(loop(*args, **kwargs))
            return session.returned(value)
        except BaseException as error:
            return session.ended_by(error)


def _fuse_of_the_settings() -> Fuse:
    settings = load_settings()
    return Fuse(settings.max_requests, settings.max_seconds)


class _Session:
    """One run of a loop under observation."""

    def __init__(self, loop: Callable[..., Any], fuse: Fuse, name: str) -> None:
        check_target(loop)
        self.loop = loop
        function = function_of(loop)
        code = getattr(function, "__code__", None)
        self.is_async = inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)
        self.name = name or getattr(function, "__name__", "")
        self.live = Live(self.name)
        self.recording = Recording(fuse, Sources(), self.live)
        self.clockwork = Clockwork(self.recording, may_interrupt=not self.is_async)
        self.follower = Follower(self.recording, ToolRuns(self.recording))
        self.cancel: Callable[[], object] | None = None
        self.first: Place | None = None
        if code is not None:
            sources = self.recording.sources
            sources.files[code.co_filename] = LEARNERS  # whatever is recorded is followed
            self.first = sources.place(code, code.co_firstlineno, function.__globals__)
            self.recording.drafts[0].place = self.first

    def run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Trace:
        """Run the loop to its end, whatever it is."""
        with self.watching():
            try:
                return self.returned(self._to_its_end(self.loop(*args, **kwargs)))
            except BaseException as error:
                return self.ended_by(error)

    @contextmanager
    def watching(self) -> Iterator[None]:
        self.clockwork.start()
        try:
            with watching(self.follower), self.follower.following():
                yield
        finally:
            self.clockwork.stop()

    def _to_its_end(self, value: Any) -> Any:
        if inspect.isawaitable(value) or inspect.isasyncgen(value):
            if _loop_is_running():
                if inspect.iscoroutine(value):
                    value.close()
                raise RecordError(_("This loop is async, and an event loop runs already.") + " " + AWAIT)
            return asyncio.run(self.limited(value))
        return _last(value) if inspect.isgenerator(value) else value

    async def limited(self, value: Any) -> Any:
        """Wait for the loop, but no longer than the fuse allows."""
        events, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None

        async def watch() -> None:
            while not self.recording.out_of_time():
                await asyncio.sleep(max(self.recording.seconds_left(), MOMENT))
            task.cancel()

        self.cancel = lambda: events.call_soon_threadsafe(task.cancel)
        timer = events.create_task(watch())
        try:
            if inspect.isasyncgen(value):
                return await _exhausted(value)
            return await value if inspect.isawaitable(value) else value
        finally:
            timer.cancel()

    def interrupt(self) -> None:
        """End the loop from another thread."""
        self.recording.interrupted = True
        if self.cancel is not None:
            self.cancel()

    def returned(self, value: Any) -> Trace:
        """The loop has come to its end by itself, or it has swallowed what was to end it."""
        ending = Ending("returned", value=plain_repr(value))
        return self._finish(ending, None)

    def ended_by(self, error: BaseException) -> Trace:
        """The loop was ended by this. Raises it again if it is for a recording around this one."""
        if isinstance(error, Stopped) and error.owner is not self.recording:
            raise error
        if isinstance(error, (KeyboardInterrupt, asyncio.CancelledError)):
            self.recording.interrupted = True
        text = words_of(error)
        ending = Ending("raised", error={"type": type(error).__name__, "message": text})
        return self._finish(ending, self._line_of(error.__traceback__))

    def _finish(self, ending: Ending, place: Place | None) -> Trace:
        self.follower.active = False
        self.clockwork.stop()
        self.live.close()
        recording = self.recording
        if recording.blown:
            limit = recording.fuse.requests if recording.blown == "requests" else recording.fuse.seconds
            ending = Ending("fuse", fuse=recording.blown, limit=limit)
        elif recording.interrupted and ending.kind != "returned":
            ending = Ending("interrupted")
        if recording.place is None:
            place = place or self.first
        return recording.finish(ending, place, self.name)

    def _line_of(self, traceback: TracebackType | None) -> Place | None:
        """The innermost line of the learner's that an exception came through."""
        place = None
        sources = self.recording.sources
        while traceback is not None:
            code = traceback.tb_frame.f_code
            if sources.owner(code.co_filename) == LEARNERS and self.recording.place is not None:
                place = sources.place(code, traceback.tb_lineno, traceback.tb_frame.f_globals)
            traceback = traceback.tb_next
        return place


def _last(generator: Any) -> Any:
    """Run a generator to its end; what it returns."""
    while True:
        try:
            next(generator)
        except StopIteration as end:
            return end.value


async def _exhausted(generator: AsyncIterator[Any]) -> None:
    async for _value in generator:
        continue


def _loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _in_thread(run: Callable[[], Trace], session: _Session) -> Trace:
    """Run in a thread that has no event loop yet. An interrupt reaches this thread, and is passed on to the other."""
    traces: list[Trace] = []
    # Not Thread.join: before Python 3.13 that takes an interrupted wait for the thread's end.
    done = threading.Event()
    context = contextvars.copy_context()  # so that what the loop prints appears below its cell

    def work() -> None:
        try:
            traces.append(context.run(run))
        finally:
            done.set()

    try:
        threading.Thread(target=work, daemon=True).start()
    except RuntimeError as error:
        raise RecordError(_("This loop is async, and there are no threads here.") + " " + AWAIT) from error
    try:
        done.wait()
    except KeyboardInterrupt:
        session.interrupt()
        done.wait()
    return traces[0]
