"""The doctor names each fault and its remedy, works where packages are missing, and never shows a key."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from course import doctor
from course.doctor import Finding
from course.settings import MODEL, ROOT

KEY = "sk-ant-api03-TEST-not-a-key"
BROKEN = "Delete the folder .venv, then run `python3 run.py lab`."


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course folder that holds a .venv and the pins; nothing of the developer's own."""
    (tmp_path / ".venv").mkdir()
    for name in ("requirements.txt", "constraints.txt"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    monkeypatch.setattr(doctor, "ROOT", tmp_path)
    monkeypatch.setattr("course.settings.ROOT", tmp_path)
    monkeypatch.delenv("COURSE_MODE")
    return tmp_path


def test_a_good_machine_has_nothing_to_fix(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("fix")] == []
    assert "ok    All packages are there, in the pinned versions." in lines
    assert "ok    Offline: no key is needed, and nothing is sent." in lines
    assert "ok    The offline Messages API answers (stop_reason end_turn)." in lines
    assert lines[-1] == "Nothing must be fixed."


def test_a_key_is_seen_and_not_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    doctor.main()
    out = capsys.readouterr().out
    assert f"ok    Live: {MODEL} at the Claude API, with a key." in out.splitlines()
    assert KEY not in out


def test_a_fault_in_the_settings_must_be_fixed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / ".env").write_text("COURSE_MODE=perhaps\n", encoding="utf-8")
    assert doctor.main() == 1
    lines = capsys.readouterr().out.splitlines()
    assert "fix   .env:1: COURSE_MODE is 'perhaps'. Write offline, live or auto." in lines
    assert lines[-1] == "1 thing must be fixed."


def test_notes_on_the_settings_are_shown(folder: Path) -> None:
    (folder / ".env").write_text("ANTHROPIC_API_KEY=your-key-here\n", encoding="utf-8")
    assert next(iter(doctor.settings())) == Finding(
        "info", ".env:1: ANTHROPIC_API_KEY still holds the example text, which counts as no key."
    )


def test_a_missing_package(folder: Path) -> None:
    (folder / "requirements.txt").write_text("-e .\nanthropic>=2\nno-such-package>=1  # why\n", encoding="utf-8")
    assert list(doctor.packages()) == [Finding("fix", "Packages are missing: no-such-package.", BROKEN)]


def test_another_version_than_the_pinned_one(folder: Path) -> None:
    pins = "pytest==1.0\nsix==0.1 ; python_version < '3'\nnot-installed==1\n"
    (folder / "constraints.txt").write_text(pins, encoding="utf-8")
    expected = f"Packages have another version than the pinned one: pytest {pytest.__version__} (==1.0)."
    assert list(doctor.packages()) == [Finding("fix", expected, BROKEN)]


def test_the_remedy_without_a_venv(folder: Path) -> None:
    (folder / ".venv").rmdir()
    (folder / "requirements.txt").write_text("no-such-package\n", encoding="utf-8")
    assert [finding.remedy for finding in doctor.packages()] == ["Run `python3 run.py lab`."]


def test_before_the_first_start_it_says_that_and_nothing_else(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / ".venv").rmdir()
    (folder / "constraints.txt").write_text("pytest==1.0\n", encoding="utf-8")
    assert doctor.main() == 1
    assert capsys.readouterr().out == (
        "fix   The course is not installed yet: python3 run.py lab does it.\n1 thing must be fixed.\n"
    )


def test_a_machine_that_has_all_packages_needs_no_venv(folder: Path) -> None:
    (folder / ".venv").rmdir()
    assert [finding for finding in doctor.examine() if finding.state == "fix"] == []


def test_where_the_venv_has_no_python_it_says_what_makes_one() -> None:
    (finding,) = doctor.python()
    assert finding.remedy == "The notebooks use the Python in .venv; `python3 run.py lab` makes it."


def test_where_the_venv_has_a_python_it_says_what_looks_at_it(folder: Path) -> None:
    (folder / ".venv" / "bin").mkdir()
    (folder / ".venv" / "bin" / "python").write_text("", encoding="utf-8")
    (finding,) = doctor.python()
    assert finding.remedy == "`python3 run.py doctor` looks at the Python that the notebooks use."


def test_a_progress_folder_that_cannot_be_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("COURSE_PROGRESS_FOLDER", str(folder / "file" / "progress"))
    (finding,) = doctor.progress()
    assert finding.state == "fix"
    assert finding.text.startswith(f"Your progress can't be kept in {folder / 'file' / 'progress'}: ")
    assert finding.remedy == "Set COURSE_PROGRESS_FOLDER to a folder in which you may write."


def test_a_port_in_use_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        monkeypatch.setattr(doctor, "LAB_PORT", port)
        expected = Finding("info", f"Port {port} is in use; JupyterLab takes the next one.")
        assert list(doctor.port()) == [expected]


def test_a_package_that_cannot_be_imported_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anthropic", None)
    monkeypatch.setattr(doctor, "CHECKS", (doctor.offline_api,))
    assert [(finding.state, finding.remedy) for finding in doctor.examine()] == [("fix", BROKEN)]


@pytest.mark.parametrize(
    ("found", "finding"),
    [
        (object(), Finding("ok", "The Claude Agent SDK is installed.")),
        (None, Finding("info", "The Claude Agent SDK is not installed (400 MB); notebooks 00 to 07 do not need it.")),
    ],
)
def test_whether_the_agent_sdk_is_there(found: object, finding: Finding, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: found)
    assert list(doctor.agent_sdk()) == [finding]


def test_no_chromium_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_CHROMIUM", "no-such-program")
    expected = "No Chromium was found; only the browser tests of `python3 run.py test` need it."
    assert list(doctor.browser()) == [Finding("info", expected)]


def test_it_speaks_where_nothing_is_installed() -> None:
    """-S: no site-packages at all."""
    done = subprocess.run(
        [sys.executable, "-S", "-m", "course", "doctor"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": ""}, capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert done.stderr == ""
    assert done.returncode == 1
    assert "fix   The package anthropic is missing." in done.stdout.splitlines()
    assert "fix   The package packaging is missing." in done.stdout.splitlines()
