"""A process of its own for code that may not come to an end: it is asked in JSON lines, and killed when it takes too long.

with Worker() as worker:
    worker.ask({"do": "prove", "file": "quizzes/01_raw_loop.yaml", "id": "two-calls", "seed": 0}, seconds=60)
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

__all__ = ["Died", "Worker"]

ROOT = Path(__file__).parents[2]  # the folder that holds the package
STARTING = 300.0  # seconds that a process may take to start; on a machine that is not busy it takes two
Json = dict[str, Any]


class Died(Exception):
    """The process ended, or was ended because it took too long (`late`)."""

    def __init__(self, late: bool) -> None:
        self.late = late
        super().__init__("it took too long" if late else "the process ended")


class Worker:
    """Starts its process when it is first asked, and again after it has died. For one thread."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str | None] = queue.Queue()

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, question: Json, *, seconds: float) -> Json:
        """The answer to one question. Raises Died if none comes in time; the next question gets a new process.

        The time that the process takes to start does not count.
        """
        process = self._started()
        assert process.stdin is not None
        with suppress(OSError):  # it has ended: then there is no answer either
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
        return self._answer(seconds)

    def _answer(self, seconds: float) -> Json:
        try:
            line = self._answers.get(timeout=seconds)
        except queue.Empty:
            self.close()
            raise Died(late=True) from None
        if line is None:
            self.close()
            raise Died(late=False)
        answer: Json = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None:
            self._process.kill()
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError):
                    if pipe is not None:
                        pipe.close()
            self._process.wait()
            self._process = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    @property
    def folder(self) -> str:
        """The temporary folder in which the process runs; empty if it does not run."""
        return "" if self._folder is None else self._folder.name

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._folder = tempfile.TemporaryDirectory(prefix="course-proofs-", ignore_cleanup_errors=True)
            self._answers = queue.Queue()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "course.proofs.work"],
                cwd=self._folder.name,
                env=_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
            assert self._process.stdout is not None
            threading.Thread(target=_read, args=(self._process.stdout, self._answers), daemon=True).start()
            self._answer(STARTING)  # its first line says that it is ready
        return self._process


def _read(lines: IO[str], answers: queue.Queue[str | None]) -> None:
    """Hand on each line; None at the end."""
    with suppress(OSError, ValueError):  # the pipe was closed
        for line in lines:
            answers.put(line)
    answers.put(None)


def _environment() -> dict[str, str]:
    """Ours, so that it finds the same course and the same packages; it leaves no files behind."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {
        **os.environ,
        "PYTHONPATH": path,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        "COURSE_MODE": "offline",
    }
