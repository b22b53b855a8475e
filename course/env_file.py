"""Reads `.env`, whatever an editor made of it: Notepad's UTF-16, a byte order mark, `.env.txt`.

A fault is reported with its line. The text of a line never stands in a message: it may be a key.
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from course.errors import SettingsError
from course.words import _

__all__ = ["EnvFile", "Value", "read_env_file"]

NAME = ".env"
MISNAMED = (".env.txt", "env.txt")  # Windows hides the ending of a file's name, and Notepad adds one


@dataclass(frozen=True)
class Value:
    """A setting as it was written, and where. The text is kept out of the repr, since it may be a key."""

    text: str = field(repr=False)
    where: str


@dataclass(frozen=True)
class EnvFile:
    """What the file sets, by name; and sentences about the file itself that a reader should see."""

    values: Mapping[str, Value]
    notes: tuple[str, ...] = ()


def read_env_file(folder: Path) -> EnvFile:
    """The settings in `folder/.env`; none if there is no such file.

    Raises:
        SettingsError: the file can't be read, or a line of it can't; with the file, the line and the remedy.
    """
    found = [folder / name for name in (NAME, *MISNAMED) if (folder / name).is_file()]
    if not found:
        return EnvFile({})
    path, *ignored = found
    notes = [_("{file} is ignored, since there is a .env.").format(file=other.name) for other in ignored]
    if path.name != NAME:
        notes = [_rename(path.name)]
    return EnvFile(_parse(_decode(path), path.name), tuple(notes))


def _rename(name: str) -> str:
    return _(
        "The settings were read from {file}. Its right name is .env: in a terminal in that folder, "
        "write `ren {file} .env` (Windows) or `mv {file} .env` (macOS, Linux)."
    ).format(file=name)


def _decode(path: Path) -> str:
    """The file's text. UTF-8 with or without a byte order mark, and UTF-16 with one, which is Notepad's "Unicode"."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        reason = error.strerror
        raise SettingsError(_("{file} can't be read: {reason}.").format(file=path.name, reason=reason)) from None
    encoding = "utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SettingsError(_not_text(path.name, line)) from None
    if "\0" in text:
        raise SettingsError(_not_text(path.name, text.count("\n", 0, text.index("\0")) + 1))
    return text


def _not_text(file: str, line: int) -> str:
    return _(
        "{file}:{line}: This line is not UTF-8 text. Save the file as UTF-8 (Notepad: File, Save as, Encoding: UTF-8)."
    ).format(file=file, line=line)


def _parse(text: str, file: str) -> dict[str, Value]:
    from dotenv.parser import parse_stream

    values: dict[str, Value] = {}
    for binding in parse_stream(io.StringIO(text)):
        # The parser counts a line from the blank lines before it.
        written = binding.original.string
        blank = written[: len(written) - len(written.lstrip())]
        line = binding.original.line + blank.count("\n")
        if binding.error:
            raise SettingsError(
                _(
                    "{file}:{line}: This line can't be read. Write NAME=value, and close each quote that you open."
                ).format(file=file, line=line)
            )
        if binding.key is None:  # a comment, or the end of the file
            continue
        if binding.value is None:
            raise SettingsError(
                _("{file}:{line}: This line has no '='. Write NAME=value, for example COURSE_MODE=offline.").format(
                    file=file, line=line
                )
            )
        values[binding.key] = Value(binding.value, f"{file}:{line}")
    return values
