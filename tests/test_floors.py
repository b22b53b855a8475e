"""The floors of course/: imports point down only, and groups on one floor do not know each other."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
COURSE = ROOT / "course"

# A group is a module or a folder of course/. On its floor it knows only itself; it may import any floor below.
# F0 is the exception: its modules are small facts, and may use each other.
FLOORS: dict[str, int] = {
    "errors": 0, "words": 0, "strict_yaml": 0, "yaml_faults": 0, "stop_reasons": 0, "settings": 0, "env_file": 0,
    "json_schema": 0, "install_faults": 0, "bootstrap": 0, "progress": 0, "commands": 0, "saved_widgets": 0,
    "tools": 1, "workspace": 1, "loop": 1, "offline": 1, "quiz": 1, "lessons": 1,
    "trace": 2, "clients": 2,
    "exercises": 3, "proofs": 3,
    "widgets": 4,
    "lesson": 5, "doctor": 5, "cli": 5,
    "__main__": 6,
}  # fmt: skip
# Pairs on one floor that are one thing in two files.
NEIGHBOURS = {("loop", "tools"), ("cli", "doctor")}
WIDGETS_ONLY = ("ipywidgets", "anywidget")
MODEL_ID = re.compile(r"claude-(opus|sonnet|haiku|fable|mythos)-\d")
HOMES_OF_MODEL_IDS = ("course/settings.py", "course/offline/models.py")


def modules() -> list[Path]:
    return [path for path in sorted(COURSE.rglob("*.py")) if "workspaces" not in path.parts]


def group_of(path: Path) -> str:
    return path.relative_to(COURSE).parts[0].removesuffix(".py")


def imported(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """The full name of each module that is imported, anywhere in the file, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: write the whole name, not a relative import"
            assert node.module is not None
            if node.module == "course":
                yield from ((f"course.{alias.name}", node.lineno) for alias in node.names)
            else:
                yield node.module, node.lineno


def faults(path: Path, source: str) -> list[str]:
    """What the floors rule has against this file."""
    group = group_of(path)
    where = path.relative_to(ROOT).as_posix()
    found = []
    for name, line in imported(ast.parse(source)):
        top, _, rest = name.partition(".")
        other = rest.partition(".")[0]
        if top in WIDGETS_ONLY and group != "widgets":
            found.append(f"{where}:{line}: only widgets/ imports {top}")
        if top != "course" or other in (group, ""):
            continue
        same_floor = FLOORS[other] == FLOORS[group] > 0 and (group, other) not in NEIGHBOURS
        if FLOORS[other] > FLOORS[group] or same_floor:
            found.append(f"{where}:{line}: {group} (floor {FLOORS[group]}) imports {other} (floor {FLOORS[other]})")
    return found


def test_every_module_has_a_floor() -> None:
    groups = {group_of(path) for path in modules()} - {"__init__", "labconfig"}
    assert groups - FLOORS.keys() == set()


@pytest.mark.parametrize(
    "path",
    [path for path in modules() if group_of(path) not in ("__init__", "labconfig")],
    ids=lambda path: path.relative_to(COURSE).as_posix(),
)
def test_imports_point_down(path: Path) -> None:
    assert faults(path, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("file", "source", "fault"),
    [
        ("tools.py", "from course.trace import record", "course/tools.py:1: tools (floor 1) imports trace (floor 2)"),
        ("quiz/x.py", "import course.offline.wire", "course/quiz/x.py:1: quiz (floor 1) imports offline (floor 1)"),
        (
            "loop.py",
            "def f():\n    from course import clients",
            "course/loop.py:2: loop (floor 1) imports clients (floor 2)",
        ),
        ("trace/x.py", "import ipywidgets as w", "course/trace/x.py:1: only widgets/ imports ipywidgets"),
    ],
)
def test_the_rule_bites(file: str, source: str, fault: str) -> None:
    assert faults(COURSE / file, source) == [fault]


def test_the_package_itself_imports_only_the_standard_library() -> None:
    for name, line in imported(ast.parse((COURSE / "__init__.py").read_text(encoding="utf-8"))):
        assert name.partition(".")[0] in sys.stdlib_module_names, f"course/__init__.py:{line}: {name}"


BEFORE_AN_INSTALLATION = ("bootstrap", "commands", "install_faults", "words")


@pytest.mark.parametrize("name", [f"{name}.py" for name in BEFORE_AN_INSTALLATION])
def test_what_runs_before_anything_is_installed_needs_only_the_standard_library(name: str) -> None:
    for imported_name, line in imported(ast.parse((COURSE / name).read_text(encoding="utf-8"))):
        top, _, rest = imported_name.partition(".")
        known = rest in BEFORE_AN_INSTALLATION if top == "course" else top in sys.stdlib_module_names
        assert known, f"course/{name}:{line}: {imported_name}"


def test_a_model_id_stands_only_in_its_two_places() -> None:
    texts = [*modules(), *sorted(COURSE.rglob("*.yaml")), *sorted(COURSE.rglob("*.js"))]
    texts += [*sorted((ROOT / "notebooks").glob("*.ipynb")), *sorted((ROOT / "quizzes").rglob("*.yaml"))]
    elsewhere = [
        f"{path.relative_to(ROOT).as_posix()}:{number}"
        for path in texts
        if path.relative_to(ROOT).as_posix() not in HOMES_OF_MODEL_IDS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if MODEL_ID.search(line)
    ]
    assert elsewhere == []
