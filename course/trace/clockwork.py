"""Looks at a recording from another thread, since the loop may sleep or wait: it shows the run, and ends a sleep without end."""

from __future__ import annotations

import contextvars
import signal
import sys
import threading

from course.trace.live import PAUSE
from course.trace.recording import Recording

__all__ = ["Clockwork"]

GRACE = 1.0  # seconds that a loop gets to end by itself, at its next line


class Clockwork:
    """From `start` to `stop` it looks every half second. Without threads (JupyterLite) it does nothing."""

    def __init__(self, recording: Recording, *, may_interrupt: bool) -> None:
        """may_interrupt: whether the loop may be interrupted where it waits, as Ctrl-C does it. Not in an event loop: that
        would end the event loop itself."""
        self._recording = recording
        self._may_interrupt = may_interrupt and _can_interrupt()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()  # so that no interrupt is sent to a run that is over

    def start(self) -> None:
        """Begin to look."""
        context = contextvars.copy_context()  # by it the kernel knows to which cell a message belongs
        thread = threading.Thread(target=context.run, args=(self._work,), daemon=True)
        try:
            thread.start()
        except RuntimeError:
            return
        self._thread = thread

    def stop(self) -> None:
        """The run is over: from here on no interrupt comes."""
        while not self._over.is_set() or (self._thread is not None and self._thread.is_alive()):
            try:
                with self._lock:
                    self._over.set()
                if self._thread is not None:
                    self._thread.join()
            except KeyboardInterrupt:  # one that was sent just before
                self._recording.interrupted = True

    def _work(self) -> None:
        sys.settrace(None)  # of the recording: it follows the threads that begin meanwhile
        while not self._over.wait(PAUSE):
            if self._recording.live is not None:
                self._recording.live.look(self._recording.requests)
            self._end_a_sleep()

    def _end_a_sleep(self) -> None:
        """Interrupt a loop whose time is over, and that has not come to a next line where it could be ended."""
        if not self._may_interrupt or self._recording.seconds_left() > -GRACE:
            return
        with self._lock:
            if not self._over.is_set():
                self._recording.blown = self._recording.blown or "seconds"
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


def _can_interrupt() -> bool:
    """Whether a signal reaches this thread, also in a sleep: not on Windows, nor in a thread other than the first."""
    return (
        hasattr(signal, "pthread_kill")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
