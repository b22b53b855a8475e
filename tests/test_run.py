"""run.py in a copy of the course that installs nothing: real processes, real .venv folders, real faults."""

from __future__ import annotations

import ast
import ctypes
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from course import bootstrap
from course.commands import helped, helped_test, unknown, unknown_part

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = "Scripts" if os.name == "nt" else "bin"
# Stands in for the package's commands, JupyterLab and the checks: says how it was called, and ends as it is told.
CALLED = """\
import json, os, sys
print(json.dumps({"called": NAME, "arguments": sys.argv[1:], "config": os.environ.get("JUPYTER_CONFIG_PATH")}))
sys.exit(int(os.environ.get("END_WITH", 0)))
"""


def make_copy(folder: Path) -> Path:
    (folder / "course").mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / "jupyterlab").mkdir()
    modules = [f"course/{name}.py" for name in ("__init__", "bootstrap", "commands", "install_faults", "words")]
    for name in ("run.py", "pyproject.toml", *modules):
        shutil.copyfile(ROOT / name, folder / name)
    for name in (*bootstrap.CI, "constraints.txt"):
        (folder / name).write_text("# nothing\n", encoding="utf-8")
    for name in ("course/__main__.py", "jupyterlab/__main__.py", "tests/checks.py"):
        (folder / name).write_text(CALLED.replace("NAME", repr(name)), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def uv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a stand-in for uv: there is nothing to install, so it only notes its arguments beside itself.

    With it a .venv needs no pip, and is made in a moment.
    """
    folder = tmp_path_factory.mktemp("uv")
    if os.name == "nt":
        (folder / "uv.bat").write_text("@echo %* > %~dp0arguments\n@echo Resolved 3 packages\n", encoding="utf-8")
    else:
        text = '#!/bin/sh\necho "$@" > "$(dirname "$0")/arguments"\necho "Resolved 3 packages"\n'
        (folder / "uv").write_text(text, encoding="utf-8")
        (folder / "uv").chmod(0o755)
    return folder


def environment(uv: Path | None = None, **variables: str) -> dict[str, str]:
    """The tests' own environment, without CI, and with this uv or none."""
    env = {name: value for name, value in os.environ.items() if name != "CI"}
    path = [part for part in env["PATH"].split(os.pathsep) if shutil.which("uv", path=part) is None]
    return {**env, "PATH": os.pathsep.join([*([str(uv)] if uv else []), *path]), "PIP_RETRIES": "1", **variables}


Run = Callable[..., "subprocess.CompletedProcess[str]"]


def run_with(uv: Path | None, copy: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "run.py", *arguments],
        cwd=copy, env=environment(uv, **variables), capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip


@pytest.fixture
def run(uv: Path) -> Run:
    """`run(copy, "lab", NAME="value")` on a machine that has uv."""
    return partial(run_with, uv)


@pytest.fixture
def run_pip() -> Run:
    """The same on a machine without uv."""
    return partial(run_with, None)


def run_changed(copy: Path, change: str) -> subprocess.CompletedProcess[str]:
    """`run.py lab` on a Python that these lines have changed."""
    code = f"import runpy, sys\n{change}\nsys.argv = ['run.py', 'lab']\nrunpy.run_path('run.py', run_name='__main__')"
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=copy, env=environment(), capture_output=True, text=True, encoding="utf-8")


def call(done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    """What the stand-in was called with: the last line."""
    assert done.stderr == ""
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def stamp(copy: Path) -> str:
    return (copy / ".venv" / "course-stamp.json").read_text(encoding="utf-8")


@pytest.fixture
def ready(run: Run, fresh: Path) -> Path:
    """A copy with a finished .venv, made with uv."""
    assert run(fresh, "lab").returncode == 0
    return fresh


@pytest.fixture(scope="module")
def with_pip(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A copy after its first `run.py lab` with pip, and what that run said. Its .venv must stay as it is."""
    copy = make_copy(tmp_path_factory.mktemp("pip") / "copy")
    return copy, run_with(None, copy, "lab", "--no-browser")


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A copy without a .venv."""
    return make_copy(tmp_path / "copy")


def test_an_old_python_can_read_the_file() -> None:
    """`feature_version` goes back to 3.7; of what came between 2.7 and then, the file uses nothing either."""
    source = (ROOT / "run.py").read_text(encoding="ascii")
    names = {type(node).__name__ for node in ast.walk(ast.parse(source, feature_version=(3, 7)))}
    assert names & {"JoinedStr", "AnnAssign", "NamedExpr", "AsyncFunctionDef", "Nonlocal", "arg", "Starred"} <= {
        "Starred"
    }


def test_an_old_python_gets_one_sentence(fresh: Path) -> None:
    done = run_changed(fresh, "sys.version_info = (3, 6, 15)")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "This course needs Python 3.10 or newer, and this is Python 3.6. Install a newer one from "
        "https://www.python.org/downloads/ and run the same command with it.\n"
    )


@pytest.mark.parametrize("arguments", [[], ["help"], ["--help"], ["-h"], ["--list"]])
def test_help_and_the_list_are_the_same_and_need_no_installation(fresh: Path, arguments: list[str], run: Run) -> None:
    done = run(fresh, *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, helped() + "\n", "")
    assert not (fresh / ".venv").exists()


def test_a_command_that_is_not_there_is_told_before_anything_is_installed(fresh: Path, run: Run) -> None:
    done = run(fresh, "bananas")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", unknown("bananas") + "\n")
    assert not (fresh / ".venv").exists()


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["unit", "--help"]])
def test_the_help_of_test_needs_no_installation(fresh: Path, arguments: list[str], run: Run) -> None:
    done = run(fresh, "test", *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, helped_test() + "\n", "")
    assert not (fresh / ".venv").exists()


def test_a_part_that_is_not_there_is_told_before_anything_is_installed(fresh: Path, run: Run) -> None:
    done = run(fresh, "test", "unit", "unti")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", unknown_part("unti") + "\n")
    assert not (fresh / ".venv").exists()


def test_the_doctor_needs_no_installation(fresh: Path, run: Run) -> None:
    assert call(run(fresh, "doctor"))["called"] == "course/__main__.py"
    assert not (fresh / ".venv").exists()


def test_the_first_run_installs_and_opens_the_lab(with_pip: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    copy, done = with_pip
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[:3] == [
        "Making the folder .venv ...",
        "Installing with pip what requirements.txt names.",
        "This takes one to three minutes, on a slow network longer ...",
    ]
    assert lines[3].startswith("Ready after ")
    assert call(done) == {
        "called": "jupyterlab/__main__.py",
        "arguments": ["--no-browser"],
        "config": str(copy / "course" / "labconfig"),
    }


def test_a_second_run_installs_nothing(ready: Path, run: Run) -> None:
    assert len(run(ready, "lab").stdout.splitlines()) == 1


def test_changed_pins_are_installed(ready: Path, run: Run) -> None:
    (ready / "constraints.txt").write_text("# other\n", encoding="utf-8")
    assert "Installing with uv what requirements.txt names." in run(ready, "lab").stdout
    assert len(run(ready, "lab").stdout.splitlines()) == 1


def test_the_learners_own_jupyter_configuration_stays(ready: Path, run: Run) -> None:
    config = call(run(ready, "lab", JUPYTER_CONFIG_PATH="/my/own"))["config"]
    assert config == os.pathsep.join([str(ready / "course" / "labconfig"), "/my/own"])


def test_the_tests_need_more_than_the_lab(ready: Path, run: Run) -> None:
    done = run(ready, "test", "unit")
    assert "Installing with uv what requirements.txt and tests/requirements.txt names." in done.stdout
    assert call(done) == {"called": "tests/checks.py", "arguments": ["unit"], "config": None}
    assert len(run(ready, "lab").stdout.splitlines()) == 1


def test_ci_needs_the_agent_sdk_too(ready: Path, run: Run) -> None:
    run(ready, "test", CI="true")
    assert list(json.loads(stamp(ready))) == list(bootstrap.CI)


def test_other_commands_go_to_the_package_and_their_exit_code_comes_back(ready: Path, run: Run) -> None:
    done = run(ready, "drill", "--seed", "3", END_WITH="7")
    assert done.returncode == 7
    assert call(done) == {"called": "course/__main__.py", "arguments": ["drill", "--seed", "3"], "config": None}


def test_uv_is_used_where_it_is(fresh: Path, run: Run, uv: Path) -> None:
    done = run(fresh, "lab")
    assert done.stdout.splitlines()[1:4] == [
        "Installing with uv what requirements.txt names.",
        "This takes less than a minute, on a slow network longer ...",
        "  Resolved 3 packages",
    ]
    python = fresh / ".venv" / SCRIPTS / ("python.exe" if os.name == "nt" else "python")
    expected = f"pip install --python {python} -r requirements.txt -c constraints.txt"
    assert (uv / "arguments").read_text(encoding="utf-8").strip() == expected


def mended(run: Run, copy: Path) -> None:
    """The next run makes .venv anew, and all is well."""
    done = run(copy, "lab")
    assert done.stdout.startswith("Making the folder .venv ...\n")
    assert call(done)["called"] == "jupyterlab/__main__.py"


def test_a_half_made_venv_is_made_anew(ready: Path, run: Run) -> None:
    (ready / ".venv" / "course-stamp.json").write_text("unfinished", encoding="utf-8")
    mended(run, ready)


def test_a_venv_without_its_python_is_made_anew(ready: Path, run: Run) -> None:
    for python in (ready / ".venv" / SCRIPTS).glob("python*"):
        python.unlink()
    mended(run, ready)


@pytest.mark.skipif(os.name == "nt", reason="on Windows there are no links in .venv")
def test_a_venv_whose_python_was_removed_from_the_machine_is_made_anew(ready: Path, run: Run) -> None:
    for python in (ready / ".venv" / "bin").glob("python*"):
        python.unlink()
    (ready / ".venv" / "bin" / "python").symlink_to("/nowhere/python3.10")
    mended(run, ready)


def test_a_venv_of_another_version_of_python_is_made_anew(ready: Path, run: Run) -> None:
    """As after an update of the system: python3 is a newer one, and .venv/lib holds the packages of the old."""
    (library,) = [path.parent for path in (ready / ".venv").rglob("site-packages") if path.is_dir()]
    library.rename(library.with_name("python3.0"))
    mended(run, ready)


def test_a_venv_without_pip_gets_it(ready: Path, run_pip: Run) -> None:
    """It was made while uv was there, and uv is gone now."""
    (ready / "constraints.txt").write_text("# other\n", encoding="utf-8")
    done = run_pip(ready, "lab")
    assert done.stdout.startswith("Installing with pip what requirements.txt names.\n")
    assert call(done)["called"] == "jupyterlab/__main__.py"


def test_a_moved_folder_is_installed_again(ready: Path, run: Run) -> None:
    """The package is linked to the folder."""
    moved = ready.rename(ready.with_name("moved"))
    done = run(moved, "lab")
    assert done.stdout.startswith("Installing with uv what requirements.txt names.\n")
    assert call(done)["called"] == "jupyterlab/__main__.py"


def failed(done: subprocess.CompletedProcess[str]) -> str:
    """The sentence of a run that could not go on: the last line, and no traceback."""
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def test_no_network(with_pip: tuple[Path, object], run_pip: Run) -> None:
    copy, _ = with_pip
    before = stamp(copy)
    (copy / "requirements.txt").write_text("no-such-package-1==1\n", encoding="utf-8")
    done = run_pip(copy, "lab", PIP_INDEX_URL="http://127.0.0.1:9/simple")
    assert failed(done) == (
        "The packages can't be downloaded: no connection to the package index. Connect to the network (behind a proxy, "
        "set HTTPS_PROXY), then run the same command again. Nothing is lost."
    )
    assert stamp(copy) == before
    (copy / "requirements.txt").write_text("# nothing\n", encoding="utf-8")
    assert len(run_pip(copy, "lab").stdout.splitlines()) == 1


def test_another_failure_shows_the_last_lines(ready: Path, run_pip: Run) -> None:
    (ready / "requirements.txt").write_text("not a requirement\n", encoding="utf-8")
    done = run_pip(ready, "lab")
    assert failed(done) == (
        "The installation failed; the lines above say why. Mend that, then run the same command again."
    )
    assert "Invalid requirement" in done.stderr


@pytest.mark.parametrize(("module", "word"), [("venv", "venv"), ("ensurepip", "ensurepip")])
def test_a_python_without_venv(fresh: Path, module: str, word: str) -> None:
    hide = f"""
import importlib.machinery as m
class Without(m.PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name == {module!r} else super().find_spec(name, path, target)
sys.meta_path[sys.meta_path.index(m.PathFinder)] = Without
"""
    version = "{}.{}".format(*sys.version_info[:2])
    assert failed(run_changed(fresh, hide)) == (
        f"This Python has no module '{word}', which makes .venv. On Debian or Ubuntu, run 'sudo apt install "
        f"python{version}-venv'; elsewhere install Python from https://www.python.org/downloads/. "
        "Then run the same command again."
    )
    assert not (fresh / ".venv").exists()


def test_a_file_in_the_way(fresh: Path, run: Run) -> None:
    (fresh / ".venv").write_text("mine", encoding="utf-8")
    expected = f"{fresh / '.venv'} is in the way: it must be a folder. Rename it, then run the same command again."
    assert failed(run(fresh, "lab")) == expected
    assert (fresh / ".venv").read_text(encoding="utf-8") == "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="needs the permissions of POSIX")
def test_no_permission_to_write(fresh: Path) -> None:
    fresh.chmod(stat.S_IRUSR | stat.S_IXUSR)
    done = subprocess.run(
        [sys.executable, "run.py", "lab"],
        cwd=fresh, env=environment(), capture_output=True, text=True, encoding="utf-8", preexec_fn=give_up_privileges,
    )  # fmt: skip
    fresh.chmod(stat.S_IRWXU)
    assert failed(done) == (
        f"No permission to write in {fresh}. Copy the course to a folder of your own, for example in your home folder, "
        "close programs that use it, and run the same command again there."
    )


def give_up_privileges() -> None:
    """Root may write anywhere; without this capability it is held to permissions like anybody else (Linux)."""
    drop_from_bounding_set, override_permissions = 24, 1
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(drop_from_bounding_set, override_permissions, 0, 0, 0)


def start(uv: Path | None, copy: Path, command: str, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-u", "run.py", command],
        cwd=copy, env=environment(uv, **variables), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip


posix_signals = pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent as POSIX does")


@posix_signals
def test_ctrl_c_while_it_installs(ready: Path, run: Run) -> None:
    """The index takes the connection and never answers, so that the interruption comes in the middle."""
    (ready / "requirements.txt").write_text("no-such-package-1==1\n", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/simple"
        running = start(None, ready, "lab", PIP_INDEX_URL=url)
        connection, _ = silent.accept()
        with connection:
            os.killpg(running.pid, signal.SIGINT)
            _, errors = running.communicate(timeout=60)
    assert (running.returncode, errors) == (130, "\nStopped. Run the same command again to go on.\n")
    assert stamp(ready) == "unfinished"
    (ready / "requirements.txt").write_text("# nothing\n", encoding="utf-8")
    mended(run, ready)


WAITING = """\
import signal, sys
def end(number, frame):
    print("ended by", signal.Signals(number).name)
    sys.exit(5)
signal.signal(signal.SIGINT, end)
signal.signal(signal.SIGTERM, end)
print("waiting", flush=True)
signal.pause()
"""


@posix_signals
@pytest.mark.parametrize(("send", "number"), [(os.killpg, signal.SIGINT), (os.kill, signal.SIGTERM)])
def test_the_command_decides_what_a_signal_means(
    ready: Path, send: Callable[..., None], number: signal.Signals
) -> None:
    (ready / "course" / "__main__.py").write_text(WAITING, encoding="utf-8")
    running = start(uv, ready, "serve")
    assert running.stdout is not None
    assert running.stdout.readline() == "waiting\n"
    send(running.pid, number)
    output, errors = running.communicate(timeout=60)
    assert (running.returncode, output, errors) == (5, f"ended by {number.name}\n", "")
