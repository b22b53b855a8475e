"""Every check of the course, in order: `python3 run.py test`. `python3 run.py test unit types` runs these parts only.

A part that fails does not stop the others. In CI (the environment holds CI) nothing may be missing or left out; elsewhere
a machine without Chromium reports the browser tests as not run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from surroundings import TESTS, closed_environment

from course.commands import unknown_part
from course.doctor import find_chromium

ROOT = TESTS.parent
IN_CI = bool(os.environ.get("CI"))
NBVAL = ("--nbval", "--nbval-current-env", "--nbval-cell-timeout", "120")


@dataclass(frozen=True)
class Result:
    """How a part went. `not_run`: why it was left out; empty if it ran."""

    part: str
    passed: int
    failed: int
    skipped: int = 0
    seconds: float = 0.0
    not_run: str = ""
    faults: tuple[str, ...] = ()


def _run(command: Sequence[str | Path], env: dict[str, str] | None = None) -> int:
    print("$", *(str(part) for part in command[1:]), flush=True)
    return subprocess.run([str(part) for part in command], cwd=ROOT, env=env).returncode


def _tool(part: str, *commands: Sequence[str]) -> Result:
    """Runs tools that say only "good" or "bad"."""
    codes = [_run([sys.executable, "-m", *command]) for command in commands]
    return Result(part, passed=codes.count(0), failed=len(codes) - codes.count(0))


def _pytest(part: str, *arguments: str) -> Result:
    """Runs pytest with the network closed. Its exit code counts, and so does each attempt to reach the network."""
    with tempfile.TemporaryDirectory(prefix="course-checks-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        env = closed_environment(folder)
        report = folder / "report.xml"
        code = _run([sys.executable, "-m", "pytest", "-q", f"--junit-xml={report}", *arguments], env)
        faults = _lines(Path(env["CLOSED_NETWORK_LOG"]))
        total, bad, skipped = _count(report)
    faults = [f"tried to reach the network: {attempt}" for attempt in faults]
    if code != 0 and bad == 0:
        faults.append(f"pytest ended with code {code}")
    if skipped and IN_CI:
        faults.append(f"{skipped} skipped, and in CI nothing may be")
    return Result(part, total - bad - skipped, bad + len(faults), skipped, faults=tuple(faults))


def _count(report: Path) -> tuple[int, int, int]:
    """Of pytest's report: how many tests, how many of them failed, how many were skipped."""
    if not report.exists():
        return 0, 0, 0
    suites = list(ElementTree.parse(report).iter("testsuite"))

    def total(*names: str) -> int:
        return sum(int(suite.get(name, 0)) for suite in suites for name in names)

    return total("tests"), total("failures", "errors"), total("skipped")


def style() -> Result:
    return _tool("style", ["ruff", "check", "."], ["ruff", "format", "--check", "."])


def types() -> Result:
    return _tool("types", ["mypy"])


def unit() -> Result:
    apart = [f"--ignore=tests/{name}" for name in ("browser", "notebooks", "benchmarks")]
    return _pytest("unit", "-n", "2", *apart, "tests")


def verify() -> Result:
    """Every question: its proof is run, three times if it has variants. Guessing must not help either."""
    return _verify()


def _verify(*paths: str) -> Result:
    """Runs the command `verify` with the network closed. Each proof that holds counts, and each fault."""
    with tempfile.TemporaryDirectory(prefix="course-checks-", ignore_cleanup_errors=True) as name:
        env = closed_environment(Path(name))
        report, attempts = Path(name) / "report.json", Path(env["CLOSED_NETWORK_LOG"])
        options = [] if IN_CI else ["--without-agent-sdk"]
        code = _run([sys.executable, "-m", "course", "verify", "--json", report, *options, *paths], env)
        faults = [f"tried to reach the network: {line}" for line in _lines(attempts)]
        if not report.exists():
            return Result("verify", 0, 1, faults=(*faults, f"verify ended with code {code}"))
        found = json.loads(report.read_text(encoding="utf-8"))
    return Result("verify", found["held"], len(found["faults"]) + len(faults), found["not_run"], faults=tuple(faults))


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def notebooks() -> Result:
    """Every notebook as it is shipped: each cell must give the output that is saved in it."""
    return _pytest("notebooks", *NBVAL, "-n", "2", "--dist", "loadfile", "notebooks")


def exercises() -> Result:
    """Every exercise, unsolved and solved."""
    return _pytest("exercises", "tests/notebooks")


def browser() -> Result:
    if find_chromium() is None:
        reason = "Chromium was not found. Install it, or name it in COURSE_CHROMIUM."
        return Result("browser", 0, failed=1 if IN_CI else 0, not_run=reason)
    return _pytest("browser", "tests/browser")


PARTS: dict[str, Callable[[], Result]] = {
    part.__name__: part for part in (style, types, unit, verify, notebooks, exercises, browser)
}


def _timed(part: Callable[[], Result]) -> Result:
    print(f"\n== {part.__name__}", flush=True)
    started = time.monotonic()
    result = part()
    return Result(**{**vars(result), "seconds": time.monotonic() - started})


def _summary(results: Sequence[Result]) -> str:
    lines = [f"\n{'part':10} {'passed':>7} {'failed':>7} {'skipped':>8} {'seconds':>8}"]
    for result in results:
        lines.append(
            f"{result.part:10} {result.passed:7} {result.failed:7} {result.skipped:8} {result.seconds:8.1f}"
            + (f"  not run: {result.not_run}" if result.not_run else "")
        )
        lines += [f"{'':10} {fault}" for fault in result.faults]
    passed, failed = sum(result.passed for result in results), sum(result.failed for result in results)
    return "\n".join([*lines, "", f"{passed} passed, {failed} failed"])


def main(names: Sequence[str]) -> int:
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(unknown_part(unknown[0]), file=sys.stderr)
        return 2
    results = [_timed(PARTS[name]) for name in names or PARTS]
    print(_summary(results), flush=True)
    return 1 if any(result.failed for result in results) else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        sys.exit(130)
