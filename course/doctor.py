"""What is wrong with the set-up of this machine, and the remedy: `python3 run.py doctor`.

Each check imports what it needs by itself, so that the doctor speaks on a machine where half of the packages are missing.
No check sends anything to the network, and a key is never shown.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from course.errors import CourseError, SettingsError
from course.settings import OFFLINE, ROOT, load_settings, progress_folder
from course.words import _, ngettext

__all__ = ["CHECKS", "Finding", "examine", "find_chromium", "main"]

LAB_PORT = 8888  # JupyterLab's own choice
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")


@dataclass(frozen=True)
class Finding:
    """What one check saw. "fix": something must be done, and `remedy` says what. "info": nothing must."""

    state: Literal["ok", "info", "fix"]
    text: str
    remedy: str = ""


def examine() -> list[Finding]:
    """The findings of all checks, in their order; before the first start only that one. It does not raise."""
    if not (ROOT / ".venv").exists() and any(finding.state == "fix" for finding in _guarded(packages)):
        return [Finding("fix", _("The course is not installed yet: python3 run.py lab does it."))]
    return [finding for check in CHECKS for finding in _guarded(check)]


def main() -> int:
    """Prints the findings; 1 if something must be fixed, else 0."""
    findings = examine()
    for finding in findings:
        print(f"{finding.state:4}  {finding.text}")
        if finding.remedy:
            print(f"      -> {finding.remedy}")
    to_fix = sum(finding.state == "fix" for finding in findings)
    if to_fix:
        print(ngettext("{n} thing must be fixed.", "{n} things must be fixed.", to_fix).format(n=to_fix))
    else:
        print(_("Nothing must be fixed."))
    return 1 if to_fix else 0


def find_chromium() -> str | None:
    """The browser that the tests drive; the environment's COURSE_CHROMIUM names another. None if there is none."""
    named = os.environ.get("COURSE_CHROMIUM")
    return next(filter(None, map(shutil.which, [named] if named else CHROMIUMS)), None)


def _guarded(check: Callable[[], Iterable[Finding]]) -> list[Finding]:
    try:
        return list(check())
    except ImportError as error:
        return [Finding("fix", _("The package {name} is missing.").format(name=error.name), _reinstall())]


def _reinstall() -> str:
    if (ROOT / ".venv").exists():
        return _("Delete the folder .venv, then run `python3 run.py lab`.")
    return _("Run `python3 run.py lab`.")


def python() -> Iterable[Finding]:
    """Whether it is the Python of `.venv`. An old one does not come as far as this: run.py refuses it."""
    version = "{}.{}.{}".format(*sys.version_info[:3])
    if Path(sys.prefix).resolve() == (ROOT / ".venv").resolve():
        yield Finding("ok", _("Python {version}, from .venv.").format(version=version))
    else:
        text = _("Python {version}, not from .venv: {path}").format(version=version, path=sys.executable)
        remedy = _("`python3 run.py doctor` looks at the Python that the notebooks use.")
        if not any((ROOT / ".venv" / name).exists() for name in ("bin/python", "Scripts/python.exe")):
            remedy = _("The notebooks use the Python in .venv; `python3 run.py lab` makes it.")
        yield Finding("info", text, remedy)


def packages() -> Iterable[Finding]:
    """Each package that a learner needs is there, and each that is pinned has the pinned version."""
    from packaging.requirements import Requirement

    def read(name: str) -> list[Requirement]:
        lines = [line.partition("#")[0].strip() for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]
        return [Requirement(line) for line in lines if line and not line.startswith("-")]

    installed = {_plain(found.metadata["Name"]): found.version for found in importlib.metadata.distributions()}
    missing = [need.name for need in read("requirements.txt") if _plain(need.name) not in installed]
    pins = [pin for pin in read("constraints.txt") if pin.marker is None or pin.marker.evaluate()]
    others = [
        f"{pin.name} {installed[_plain(pin.name)]} ({pin.specifier})"
        for pin in pins
        if _plain(pin.name) in installed and not pin.specifier.contains(installed[_plain(pin.name)], prereleases=True)
    ]
    if missing:
        yield Finding("fix", _("Packages are missing: {names}.").format(names=", ".join(missing)), _reinstall())
    if others:
        text = _("Packages have another version than the pinned one: {names}.").format(names=", ".join(others))
        yield Finding("fix", text, _reinstall())
    if not missing and not others:
        yield Finding("ok", _("All packages are there, in the pinned versions."))


def _plain(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def settings() -> Iterable[Finding]:
    """`.env` and the environment can be read; what they lead to."""
    try:
        found = load_settings()
    except SettingsError as error:
        yield Finding("fix", str(error))
        return
    yield from (Finding("info", note) for note in found.notes)
    if found.mode == "offline":
        yield Finding("ok", _("Offline: no key is needed, and nothing is sent."))
        return
    secret = _("a key") if found.api_key else _("a token") if found.auth_token else _("no key")
    where = found.base_url or _("the Claude API")
    text = _("Live: {model} at {where}, with {secret}.").format(model=found.model, where=where, secret=secret)
    yield Finding("ok", text)


def progress() -> Iterable[Finding]:
    """Answers can be kept."""
    folder = progress_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            yield Finding("ok", _("Your progress is kept in {folder}.").format(folder=folder))
    except OSError as error:
        text = _("Your progress can't be kept in {folder}: {reason}.").format(folder=folder, reason=error.strerror)
        yield Finding("fix", text, _("Set COURSE_PROGRESS_FOLDER to a folder in which you may write."))


def port() -> Iterable[Finding]:
    """JupyterLab can listen on this machine."""
    try:
        with socket.create_server(("127.0.0.1", 0)):
            free = True
    except OSError as error:
        text = _("No program can listen on 127.0.0.1: {reason}.").format(reason=error.strerror)
        yield Finding("fix", text, _("Allow Python in the firewall or the security program of this machine."))
        return
    try:
        with socket.create_connection(("127.0.0.1", LAB_PORT), timeout=1):
            free = False
    except OSError:
        free = True
    if free:
        yield Finding("ok", _("Port {port} is free for JupyterLab.").format(port=LAB_PORT))
    else:
        yield Finding("info", _("Port {port} is in use; JupyterLab takes the next one.").format(port=LAB_PORT))


def offline_api() -> Iterable[Finding]:
    """The offline Messages API answers the SDK, inside this process."""
    from course.clients import client

    try:
        reply = client(settings=OFFLINE).messages.create(
            model=OFFLINE.model, max_tokens=100, messages=[{"role": "user", "content": "Hello"}]
        )
    except CourseError as error:
        yield Finding("fix", _("The offline Messages API does not answer: {error}").format(error=error), _reinstall())
        return
    text = _("The offline Messages API answers (stop_reason {reason}).").format(reason=reply.stop_reason)
    yield Finding("ok", text)


def agent_sdk() -> Iterable[Finding]:
    """Only what compares the loop with it uses it."""
    if importlib.util.find_spec("claude_agent_sdk"):
        yield Finding("ok", _("The Claude Agent SDK is installed."))
    else:
        text = _("The Claude Agent SDK is not installed (400 MB); notebooks 00 to 07 do not need it.")
        yield Finding("info", text)


def browser() -> Iterable[Finding]:
    """Only the tests use it."""
    path = find_chromium()
    if path:
        yield Finding("ok", _("Chromium for the tests: {path}").format(path=path))
    else:
        yield Finding("info", _("No Chromium was found; only the browser tests of `python3 run.py test` need it."))


CHECKS: tuple[Callable[[], Iterable[Finding]], ...] = (
    python,
    packages,
    settings,
    progress,
    port,
    offline_api,
    agent_sdk,
    browser,
)
