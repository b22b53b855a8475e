"""The folder that a lesson's tools may see. Nothing outside it can be reached."""

from __future__ import annotations

import os
from pathlib import Path

from course.errors import WorkspaceError
from course.words import _

__all__ = ["SAMPLE_PROJECT", "Workspace"]

SAMPLE_PROJECT = Path(__file__).parent / "workspaces" / "sample_project"
MAX_BYTES = 100_000  # a larger file would fill the context window of the model that reads it


class Workspace:
    """A folder, seen through paths that are relative to it and written with "/" on every system.

    A path that leads outside (`..`, an absolute path, a drive letter, a link) raises WorkspaceError and touches nothing. Its two
    methods are made into tools, so their docstrings speak to a model.
    """

    def __init__(self, root: str | os.PathLike[str] = SAMPLE_PROJECT) -> None:
        """Take a folder as the workspace. Raises WorkspaceError if it is not there."""
        self.root = Path(root).resolve()
        if not self.root.is_dir():
            raise WorkspaceError(_("There is no folder at {path}.").format(path=self.root))

    def __repr__(self) -> str:
        return f"Workspace({(self.root.name or str(self.root))!r})"

    def list_files(self, path: str = ".") -> list[str]:
        """List every file in a folder of the project and in the folders below it, one path a line. Hidden files are left out."""
        folder = self._inside(path)
        if not folder.is_dir():
            raise WorkspaceError(_("There is no folder {path!r} here.").format(path=path))
        return sorted(self._files_below(folder))

    def read_file(self, path: str) -> str:
        """Read a text file of the project. It fails for a file that is outside the project, missing, too large or not text."""
        file = self._inside(path)
        if file.is_dir():
            raise WorkspaceError(_("{path!r} is a folder, not a file.").format(path=path))
        if not file.is_file():
            raise WorkspaceError(_("There is no file {path!r} here.").format(path=path))
        if file.stat().st_size > MAX_BYTES:
            raise WorkspaceError(_("{path!r} is larger than {limit} bytes.").format(path=path, limit=MAX_BYTES))
        try:
            return file.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise WorkspaceError(_("{path!r} is not a UTF-8 text file.").format(path=path)) from error
        except OSError as error:
            raise WorkspaceError(_("{path!r} can't be read: {why}.").format(path=path, why=error.strerror)) from error

    def _inside(self, path: str) -> Path:
        """The real place of a path, all links followed; WorkspaceError if that is outside the root."""
        outside = WorkspaceError(_("{path!r} is outside the workspace.").format(path=path))
        text = path.replace("\\", "/")  # so that "..\\secret" is judged alike on every system
        if text.startswith("/") or ":" in text or "\0" in text:
            raise outside
        try:
            real = (self.root / text).resolve()
            real.exists()
        except (OSError, RuntimeError) as error:  # a name that is too long, or links in a circle
            raise WorkspaceError(_("{path!r} is no path that can be used.").format(path=path)) from error
        if not real.is_relative_to(self.root):
            raise outside
        return real

    def _files_below(self, folder: Path) -> list[str]:
        found = []
        for parent, folders, files in os.walk(folder):  # does not follow links to folders
            folders[:] = [name for name in folders if not name.startswith((".", "__pycache__"))]
            for name in files:
                file = Path(parent, name)
                if not name.startswith(".") and self._is_inside(file):
                    found.append(file.relative_to(self.root).as_posix())
        return found

    def _is_inside(self, file: Path) -> bool:
        """Whether a file that was found is one of the workspace. One that nobody may look at, or a link in a circle, is not."""
        try:
            return file.resolve().is_relative_to(self.root)
        except (OSError, RuntimeError):
            return False
