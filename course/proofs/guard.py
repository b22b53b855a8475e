"""While code of a question runs, it may read and compute, and nothing else: no file is written, no program started, nothing
sent. What it sends to its model stays in this process.

This keeps accidents out, not a determined attacker: Python code in the same process can undo it. So code of a bank runs only
when somebody asks for it (`verify`, or an answer of the learner's own), and in a process that can be ended (worker.py).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from types import FrameType
from typing import Any

__all__ = ["guarded"]

_on: ContextVar[bool] = ContextVar("guarded", default=False)
_in_all_threads: list[bool] = []  # one entry for each `guarded(everywhere=True)` that is open

# Audit events (docs.python.org/3/library/audit_events.html). `open` is looked at more closely.
_FORBIDDEN = (
    "os.", "shutil.", "subprocess.", "socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg",
    "socket.getaddrinfo", "tempfile.", "pty.", "ctypes.", "winreg.", "sqlite3.connect", "webbrowser.",
    "urllib.", "ftplib.", "smtplib.", "builtins.input",
)  # fmt: skip
_ALLOWED = ("os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.getxattr", "os.listxattr", "ctypes.get_errno")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


@contextmanager
def guarded(*, everywhere: bool = False) -> Iterator[None]:
    """Run the block with the door closed. everywhere: for all threads, where no other thread has work of its own."""
    _hook()
    token = _on.set(True)
    _in_all_threads.extend([True] * everywhere)
    try:
        yield
    finally:
        _on.reset(token)
        del _in_all_threads[len(_in_all_threads) - everywhere :]


@cache
def _hook() -> None:
    """A hook can't be taken back; outside of `guarded` it costs one look at a variable."""
    sys.addaudithook(_look)


def _look(event: str, arguments: tuple[Any, ...]) -> None:
    if not _on.get(False) and not _in_all_threads:
        return
    if event == "open":
        mode, flags = arguments[1], arguments[2]
        writes = any(letter in mode for letter in "wax+") if isinstance(mode, str) else bool(flags and flags & _WRITING)
        if writes:
            raise PermissionError("The code of a question may not write files.")
    elif event.startswith(_FORBIDDEN) and event not in _ALLOWED and not _importing():
        raise PermissionError(f"The code of a question may not do this: {event}.")


def _importing() -> bool:
    """Whether a module is being imported: what a library does then is its own affair."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False
