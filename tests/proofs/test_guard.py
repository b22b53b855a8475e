"""Code of a question writes no file, starts no program and reaches no network."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from worlds import setting

from course.proofs.guard import guarded
from course.proofs.outcomes import error_text
from course.proofs.program import Program
from course.proofs.stage import Stage


def error(code: str) -> str:
    return error_text(Stage(setting()).run(Program(code)).trace)


@pytest.mark.parametrize(
    ("code", "event"),
    [
        ("import os\nos.remove({path!r})", "os.remove"),
        ("import os\nos.mkdir({path!r} + 'x')", "os.mkdir"),
        ("import os\nos.system('true')", "os.system"),
        ("import shutil\nshutil.rmtree({path!r})", "shutil.rmtree"),
        ("import subprocess\nsubprocess.run(['true'])", "subprocess.Popen"),
        ("import socket\nsocket.create_connection(('127.0.0.1', 9))", "socket.getaddrinfo"),
        ("input()", "builtins.input"),
    ],
)
def test_what_it_may_not_do(code: str, event: str, tmp_path: Path) -> None:
    file = tmp_path / "there.txt"
    file.write_text("x", encoding="utf-8")
    assert error(code.format(path=str(file))) == f"The code of a question may not do this: {event}."
    assert file.exists()


@pytest.mark.parametrize("mode", ["w", "a", "x", "r+", "wb"])
def test_it_writes_no_file(mode: str, tmp_path: Path) -> None:
    file = tmp_path / "new.txt"
    code = f"import pathlib\nopen({str(file)!r}, {mode!r})"
    assert error(code) == "The code of a question may not write files."
    assert not file.exists()


def test_it_writes_none_through_the_operating_system_either(tmp_path: Path) -> None:
    file = tmp_path / "new.txt"
    code = f"import os\nos.open({str(file)!r}, os.O_WRONLY | os.O_CREAT)"
    assert error(code) == "The code of a question may not write files."
    assert not file.exists()


def test_it_may_read_and_compute_and_import() -> None:
    assert error("import json, math, uuid, ctypes\nreturn json.dumps(math.pi)") == ""
    assert error(f"with open({__file__!r}, encoding='utf-8') as file:\n    return file.read()") == ""


def test_the_door_is_open_again_afterwards(tmp_path: Path) -> None:
    with guarded(), pytest.raises(PermissionError):
        (tmp_path / "a").write_text("x", encoding="utf-8")
    (tmp_path / "a").write_text("x", encoding="utf-8")
    assert (tmp_path / "a").read_text(encoding="utf-8") == "x"


def test_in_a_worker_other_threads_are_guarded_too(tmp_path: Path) -> None:
    raised = []

    def write() -> None:
        try:
            (tmp_path / "a").write_text("x", encoding="utf-8")
        except PermissionError as refused:
            raised.append(str(refused))

    with guarded(everywhere=True):
        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
    assert raised == ["The code of a question may not write files."]
    write()
    assert len(raised) == 1
