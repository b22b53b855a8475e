"""A run that takes long is shown while it goes on, so that the learner sees that it does and can stop it.

The recorder knows no widgets: what shows a run is made by the function that `show_long_runs_with` was given
(course/widgets/running.py). Without one nothing is shown.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

__all__ = ["Live", "Sign", "show_long_runs_with"]

LATE = 1.0  # seconds: a run that is over sooner is never shown
PAUSE = 0.5  # seconds between two looks


class Sign(Protocol):
    """What shows a run that goes on."""

    def tell(self, requests: int) -> None:
        """So many requests were sent until now."""

    def close(self) -> None:
        """The run is over."""


Maker = Callable[[str], Sign]  # from the name of a run

_maker: Maker | None = None
_after = LATE


def show_long_runs_with(maker: Maker | None, after: float = LATE) -> None:
    """From now on, what `maker` makes shows each run that takes longer than `after` seconds. None: nothing does."""
    global _maker, _after
    _maker, _after = maker, after


class Live:
    """One run, from its begin. A fault in what shows it must not touch the run: it is then not shown any more."""

    def __init__(self, name: str, clock: Callable[[], float] = time.perf_counter) -> None:
        self.name = name
        self._clock = clock
        self._maker = _maker
        self._next = clock() + _after
        self._sign: Sign | None = None
        self._lock = threading.Lock()  # the loop's own lines look, and so does a thread beside it

    def look(self, requests: int) -> None:
        """The run goes on. Called for each line, so it must cost nothing until the time has come."""
        if self._maker is None or self._clock() < self._next or not self._lock.acquire(blocking=False):
            return
        try:
            self._tell(requests)
        except Exception:
            self._maker = None
        finally:
            self._lock.release()

    def _tell(self, requests: int) -> None:
        self._next = self._clock() + PAUSE
        if self._maker is not None and self._sign is None:
            self._sign = self._maker(self.name)
        if self._sign is not None:
            self._sign.tell(requests)

    def close(self) -> None:
        """The run is over."""
        self._maker = None
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._sign is not None:
            try:
                self._sign.close()
            except Exception:  # the page is gone, or the connection to it
                return
