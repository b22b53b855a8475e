"""The runner of the checks finds what is wrong, and never calls a part good that did not run."""

from __future__ import annotations

from pathlib import Path

import checks
import nbformat
import pytest
from checks import NBVAL, Result
from nbformat.v4 import new_code_cell, new_notebook, new_output

from course import commands

HIDDEN_ATTEMPT = """\
import socket
try:
    socket.create_connection(("192.0.2.1", 80), 5)
except OSError:
    print("hidden")
"""


def python_tests(folder: Path, text: str) -> str:
    path = folder / "test_one.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def notebook(folder: Path, source: str, printed: str) -> str:
    output = new_output("stream", name="stdout", text=printed)
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    cell = new_code_cell(source, outputs=[output], execution_count=1)
    path = folder / "one.ipynb"
    nbformat.write(new_notebook(cells=[cell], metadata=kernel), path)
    return str(path)


@pytest.fixture(autouse=True)
def no_log_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What these runs try on purpose must not count as an attempt of this one."""
    monkeypatch.delenv("CLOSED_NETWORK_LOG")
    monkeypatch.setattr(checks, "IN_CI", True)


def test_results_are_counted(tmp_path: Path) -> None:
    text = "def test_a(): pass\ndef test_b(): assert False\ndef test_c(missing): pass\n"
    result = checks._pytest("part", python_tests(tmp_path, text))
    assert (result.passed, result.failed, result.faults) == (1, 2, ())


def test_a_hidden_attempt_to_reach_the_network_fails_the_part(tmp_path: Path) -> None:
    body = "def test_a():\n" + "".join(f"    {line}\n" for line in HIDDEN_ATTEMPT.splitlines())
    result = checks._pytest("part", python_tests(tmp_path, body))
    assert (result.passed, result.failed) == (1, 1)
    assert result.faults == ("tried to reach the network: socket.connect 192.0.2.1",)


def test_a_hidden_attempt_in_a_notebook_fails_the_part(tmp_path: Path) -> None:
    result = checks._pytest("part", *NBVAL, notebook(tmp_path, HIDDEN_ATTEMPT, "hidden\n"))
    assert (result.passed, result.failed) == (1, 1)
    assert result.faults == ("tried to reach the network: socket.connect 192.0.2.1",)


def test_another_output_than_the_saved_one_fails(tmp_path: Path) -> None:
    result = checks._pytest("part", *NBVAL, notebook(tmp_path, "print('new')", "saved\n"))
    assert (result.passed, result.failed, result.faults) == (0, 1, ())


def test_nothing_collected_is_a_fault(tmp_path: Path) -> None:
    result = checks._pytest("part", python_tests(tmp_path, "x = 1\n"))
    assert (result.passed, result.failed, result.faults) == (0, 1, ("pytest ended with code 5",))


def test_in_ci_nothing_may_be_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = python_tests(tmp_path, "import pytest\ndef test_a(): pytest.skip('no reason')\n")
    assert checks._pytest("part", path).faults == ("1 skipped, and in CI nothing may be",)
    monkeypatch.setattr(checks, "IN_CI", False)
    assert (checks._pytest("part", path).failed, checks._pytest("part", path).skipped) == (0, 1)


def test_without_chromium_ci_fails_and_a_learners_machine_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_CHROMIUM", "no-such-program")
    reason = "Chromium was not found. Install it, or name it in COURSE_CHROMIUM."
    assert checks.browser() == Result("browser", passed=0, failed=1, not_run=reason)
    monkeypatch.setattr(checks, "IN_CI", False)
    assert checks.browser() == Result("browser", passed=0, failed=0, not_run=reason)


def test_the_last_line_is_the_sum_and_a_fault_does_not_stop_the_rest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def bad() -> Result:
        return Result("bad", passed=1, failed=2, faults=("why",))

    def good() -> Result:
        return Result("good", passed=3, failed=0)

    monkeypatch.setattr(checks, "PARTS", {"bad": bad, "good": good})
    assert checks.main([]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "4 passed, 2 failed"
    assert checks.main(["good"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "3 passed, 0 failed"


def test_the_parts_are_those_that_run_py_knows() -> None:
    assert list(checks.PARTS) == list(commands.test_parts())


def test_an_unknown_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert checks.main(["unti"]) == 2
    expected = "There is no part 'unti'. The parts are: style, types, unit, verify, notebooks, exercises, browser.\n"
    assert capsys.readouterr().err == expected


BANK = """\
title: Two questions
items:
  - id: how-many
    kind: one
    objective: messages/memory
    stem: How many requests does this send?
    code: {code}
    proof: {{predict: {{task: plain_chat}}}}
    options:
      - {{text: "1", correct: true, why: It asks once., claim: {{requests: 1}}}}
      - {{text: "2", why: It asks once., misconception: model-remembers, claim: {{requests: 2}}}}
  - id: what-then
    kind: one
    objective: messages/memory
    stem: What is kept by the other side after an answer?
    proof: {{none: It is a fact about the API.}}
    options:
      - {{text: The session, why: Nothing is kept., misconception: model-remembers}}
      - {{text: Nothing, correct: true, why: Nothing is kept.}}
"""


def bank(folder: Path, code: str) -> str:
    path = folder / "bank.yaml"
    path.write_text(BANK.format(code=code), encoding="utf-8")
    return str(path)


def test_proofs_that_hold_are_counted(tmp_path: Path) -> None:
    result = checks._verify(bank(tmp_path, "return ask(messages)"))
    assert (result.passed, result.failed, result.skipped, result.faults) == (2, 0, 0, ())


def test_faults_of_questions_are_counted(tmp_path: Path) -> None:
    result = checks._verify(bank(tmp_path, "return None"))
    assert (result.passed, result.failed) == (1, 1)


def test_verify_that_writes_no_report_is_a_failure(tmp_path: Path) -> None:
    result = checks._verify("--no-such-option")
    assert (result.passed, result.failed, result.faults) == (0, 1, ("verify ended with code 2",))
