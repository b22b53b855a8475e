"""What `run.py` does: makes `.venv`, installs what is pinned, and hands over. Standard library only.

The state of `.venv` stands in one file in it, the stamp. "unfinished": a set-up was interrupted, and `.venv` is made
anew. Otherwise: for each file of requirements, a hash of all that its installation depends on.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from course.commands import commands, helped, helped_test, test_parts, unknown, unknown_part
from course.install_faults import SetupError, explain_oserror, explain_output

__all__ = ["main"]

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "course-stamp.json"
UNFINISHED = "unfinished"
LEARNER = ("requirements.txt",)
TESTS = (*LEARNER, "tests/requirements.txt")
CI = (*TESTS, "tests/requirements-agent-sdk.txt")

# A set-up that Ctrl-C ended is mended by the next run: its stamp says "unfinished".
STOPPED = "\nStopped. Run the same command again to go on."


def main(arguments: Sequence[str]) -> int:
    """Runs the command; its exit code. A fault of the set-up is one sentence on stderr, and 1."""
    try:
        return _run(list(arguments))
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(explain_oserror(error, ROOT), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(STOPPED, file=sys.stderr)
        return 130


def _run(arguments: list[str]) -> int:
    command, rest = (arguments[0], arguments[1:]) if arguments else ("help", [])
    if command in ("help", "-h", "--help", "--list"):
        print(helped())
        return 0
    if command not in commands():  # told at once, not after an installation
        print(unknown(command), file=sys.stderr)
        return 2
    if command == "lab":
        prepare(LEARNER)
        return _hand_over([PYTHON, "-m", "jupyterlab", *rest], JUPYTER_CONFIG_PATH=_lab_config_path())
    if command == "test":
        if "-h" in rest or "--help" in rest:
            print(helped_test())
            return 0
        for name in rest:
            if name not in test_parts():  # told at once, as an unknown command is
                print(unknown_part(name), file=sys.stderr)
                return 2
        prepare(CI if os.environ.get("CI") else TESTS)
        return _hand_over([PYTHON, ROOT / "tests" / "checks.py", *rest])
    if command == "doctor":  # must be able to speak where nothing can be installed
        python = PYTHON if _venv_version() else sys.executable
        return _hand_over([python, "-m", "course", *arguments], PYTHONPATH=str(ROOT))
    prepare(LEARNER)
    return _hand_over([PYTHON, "-m", "course", *arguments])


def prepare(requirements: Sequence[str]) -> None:
    """`.venv` is there and holds what these files ask for, in the versions of constraints.txt. Does only what is needed.

    Raises:
        SetupError: with the reason and the remedy.
    """
    started = time.monotonic()
    version, stamps = _venv_version(), _read_stamps()
    if version is None or stamps is None:
        _make_venv()
        version, stamps = _venv_version(), {}
        if version is None:
            raise SetupError("The new .venv does not run. Install Python again, then run the same command again.")
    wanted = {name: _digest(name, version) for name in requirements}
    if all(stamps.get(name) == digest for name, digest in wanted.items()):
        return
    _install(requirements, before=stamps)
    _write_stamps({**stamps, **wanted})
    print(f"Ready after {time.monotonic() - started:.0f} s.", flush=True)


def _venv_version() -> str | None:
    """The version of the Python in `.venv` ("3.11"); None if it does not run, is too old, or was changed for another."""
    probe = (
        "import os, sys, sysconfig; "
        "sys.version_info >= (3, 10) and os.path.isdir(sysconfig.get_path('purelib')) "
        "and print('%d.%d' % sys.version_info[:2])"
    )
    try:
        answer = subprocess.run([PYTHON, "-c", probe], capture_output=True, text=True, encoding="utf-8", timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip() or None if answer.returncode == 0 else None


def _read_stamps() -> dict[str, str] | None:
    """What is installed, by file of requirements; None after an interrupted set-up."""
    try:
        text = STAMP.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):  # made by hand: install into it
        return {}
    try:
        stamps = json.loads(text)
    except ValueError:
        return None
    return stamps if isinstance(stamps, dict) else None


def _write_stamps(stamps: dict[str, str]) -> None:
    STAMP.write_text(json.dumps(stamps, indent=1) + "\n", encoding="utf-8")


def _digest(requirements: str, python_version: str) -> str:
    """Changes when the installation must be done again. It depends on the folder too, which the package is linked to."""
    digest = hashlib.sha256(f"{python_version}\n{ROOT}\n".encode())
    for name in (requirements, "constraints.txt", "pyproject.toml"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def _make_venv() -> None:
    missing = [name for name in ("venv", *([] if _uv() else ["ensurepip"])) if importlib.util.find_spec(name) is None]
    if missing:
        version = "{}.{}".format(*sys.version_info[:2])
        raise SetupError(
            f"This Python has no module {missing[0]!r}, which makes .venv. On Debian or Ubuntu, run "
            f"'sudo apt install python{version}-venv'; elsewhere install Python from "
            "https://www.python.org/downloads/. Then run the same command again."
        )
    print("Making the folder .venv ...", flush=True)
    if VENV.is_file() or VENV.is_symlink():
        raise SetupError(f"{VENV} is in the way: it must be a folder. Rename it, then run the same command again.")
    if VENV.exists():
        shutil.rmtree(VENV)
    VENV.mkdir()
    STAMP.write_text(UNFINISHED, encoding="utf-8")
    # Not the Python of a .venv that is being made anew.
    python = getattr(sys, "_base_executable", sys.executable)
    code, output = _show([python, "-m", "venv", *(["--without-pip"] if _uv() else []), VENV])
    if code != 0:
        raise SetupError(explain_output(output, ROOT).sentence)


def _uv() -> str | None:
    return shutil.which("uv")


def _install(requirements: Sequence[str], before: dict[str, str]) -> None:
    uv = _uv()
    print(f"Installing with {'uv' if uv else 'pip'} what {' and '.join(requirements)} names.", flush=True)
    print(
        f"This takes {'less than a minute' if uv else 'one to three minutes'}, on a slow network longer ...", flush=True
    )
    installer = [uv, "pip", "install", "--python", PYTHON] if uv else [*_pip(), "install", "--progress-bar", "off"]
    files = [argument for name in requirements for argument in ("-r", name)]
    STAMP.write_text(UNFINISHED, encoding="utf-8")
    code, output = _show([*installer, *files, "-c", "constraints.txt"])
    if code != 0:
        fault = explain_output(output, ROOT)
        if fault.nothing_changed:
            _write_stamps(before)
        raise SetupError(fault.sentence)


def _pip() -> list[str | Path]:
    """pip in `.venv`, put there if it is not: uv makes a .venv without it."""
    if subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True).returncode != 0:
        subprocess.run([PYTHON, "-m", "ensurepip"], capture_output=True)
    return [PYTHON, "-m", "pip", "--disable-pip-version-check", "--no-input"]


def _show(command: Sequence[str | Path | None]) -> tuple[int, str]:
    """Runs a step of the set-up, showing one line for each package; its exit code and all it wrote."""
    child = subprocess.Popen(
        [str(part) for part in command],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    lines: list[str] = []
    packages = 0
    try:
        for line in child.stdout or ():
            lines.append(line)
            if line.startswith("Collecting "):  # pip
                packages += 1
                print(f"  {packages:3}  {re.split('[^A-Za-z0-9._-]', line.split()[1])[0]}", flush=True)
            elif line.startswith(("Installing ", "Downloading ", "Resolved ", "Prepared ", "Installed ")):
                print(f"  {line.split(':')[0].strip()}", flush=True)
        code = child.wait()
    except BaseException:
        child.terminate()
        child.wait()
        raise
    if code != 0:
        print("".join(lines[-12:]), file=sys.stderr, flush=True)
    return code, "".join(lines)


def _lab_config_path() -> str:
    """The course's own settings of JupyterLab come first, the learner's own after them."""
    others = os.environ.get("JUPYTER_CONFIG_PATH")
    return os.pathsep.join([str(ROOT / "course" / "labconfig"), *([others] if others else [])])


def _hand_over(command: Sequence[str | Path], **variables: str) -> int:
    """Runs the command in the learner's terminal until it ends; its exit code, as a shell counts it."""
    # UTF-8 on Windows too, for every file that a learner opens.
    child = subprocess.Popen([str(part) for part in command], env={**os.environ, "PYTHONUTF8": "1", **variables})
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    while True:
        try:
            code = child.wait()
        except KeyboardInterrupt:  # the child got it too, and decides what it means
            continue
        return code if code >= 0 else 128 - code
