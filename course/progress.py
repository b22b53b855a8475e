"""What a learner did, kept from one kernel to the next: one JSON file for each thing, in the progress folder.

Nothing here may stop a lesson. What can't be read or written is told in one sentence, and the lesson goes on. A file that is
broken is set aside, not deleted. Several kernels may write at once: a change is made to what the file holds at that moment,
under a lock, and the file is replaced as a whole.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from course.settings import progress_folder
from course.words import _

__all__ = ["Record"]

PATIENCE = 2.0  # seconds that another kernel may hold the lock; afterwards it counts as stuck, and is not waited for

Content = TypeVar("Content", bound=BaseModel)
Tell = Callable[[str], None]
# Name, kind and folder of a Record -> the changes that wait. COURSE_PROGRESS_FOLDER is no part of it: who sets it to a folder
# that can be written, as the message says, finds there what waited.
UNWRITTEN: defaultdict[tuple[str, type[BaseModel], Path | None], list[Callable[[Any], Any]]] = defaultdict(list)


class Record(Generic[Content]):
    """One file of the progress folder. `kind`: what it holds; `kind()` is the content of a file that is not there yet.

    `tell` is called with a sentence for the reader where something is wrong with the file. A change that could not be written
    is not lost before the kernel ends: each Record of this file sees it, and it is made again with the next change. So a
    change must be a function that can be applied twice without harm.
    """

    def __init__(self, name: str, kind: type[Content], folder: Path | None = None) -> None:
        self.name, self.kind, self._folder = name, kind, folder
        self._waiting: list[Callable[[Content], Content]] = UNWRITTEN[name, kind, folder]
        self._told = False

    @property
    def path(self) -> Path:
        """The file. It need not exist."""
        return (self._folder or progress_folder()) / f"{self.name}.json"

    def read(self, tell: Tell) -> Content:
        """The content as it is now."""
        content = self.kind()
        with self._telling(tell), _locked(self.path):
            content = self._load(tell)
        return self._changed(content)

    def change(self, change: Callable[[Content], Content], tell: Tell) -> Content:
        """Make a change, and keep it. Returns the content after it, also where it could not be written."""
        self._waiting.append(change)
        content = self.kind()
        with self._telling(tell):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with _locked(self.path):
                content = self._load(tell)
                changed = self._changed(content)
                _replace(self.path, changed.model_dump_json(indent=1))
                content = changed
                self._waiting.clear()
        return self._changed(content)

    def _changed(self, content: Content) -> Content:
        for change in self._waiting:
            content = change(content)
        return content

    def _load(self, tell: Tell) -> Content:
        try:
            return self.kind.model_validate_json(self.path.read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return self.kind()
        except ValidationError:  # also what is not JSON, or not UTF-8
            number = 1
            while (aside := self.path.with_suffix(f".broken-{number}.json")).exists():
                number += 1
            self.path.replace(aside)
            text = _(
                "{file} is broken. It was renamed to {aside}, and a new file is begun: earlier answers are missing."
            )
            tell(text.format(file=self.path, aside=aside.name))
            return self.kind()

    @contextlib.contextmanager
    def _telling(self, tell: Tell) -> Iterator[None]:
        """Makes a sentence of what the system refuses. It is told once."""
        try:
            yield
        except (OSError, RuntimeError) as refused:  # RuntimeError: "~name" in COURSE_PROGRESS_FOLDER, and no such user
            reason = getattr(refused, "strerror", None) or str(refused)
            if not self._told:
                self._told = True
                tell(self._refusal(reason))

    def _refusal(self, reason: str) -> str:
        folder = self._folder or os.environ.get("COURSE_PROGRESS_FOLDER") or self.path.parent
        return _(
            "Your progress can't be kept ({reason}): it counts until the kernel ends. Make room or allow writing in {folder}, "
            "or set COURSE_PROGRESS_FOLDER to another folder."
        ).format(reason=reason, folder=folder)


def _replace(path: Path, text: str) -> None:
    """Write the file so that it holds the old text or the new, never a part of it, even if the power fails."""
    handle, name = tempfile.mkstemp(prefix=f"{path.stem}-", suffix=".tmp", dir=path.parent)
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the system's lock for a file of progress. It ends with the process, so none can be left behind.

    Where there can be no lock (a folder that is missing or read-only), there is none: then nothing is written either.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            file = stack.enter_context(path.with_suffix(".lock").open("a+b"))
            end = time.monotonic() + PATIENCE
            while not _take(file) and time.monotonic() < end:
                time.sleep(0.01)
        yield


def _take(file: IO[bytes]) -> bool:
    """Whether the lock is ours now. It goes when the file is closed."""
    if sys.platform == "win32":
        import msvcrt

        with contextlib.suppress(OSError):
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            return True
        return False
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):  # Python in a browser has no locks, and some network drives have none
        return True
    return True
