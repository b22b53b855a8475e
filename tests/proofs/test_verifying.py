"""Whole banks: every fault with its file and line, the tables, the command."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from course.cli import app
from course.proofs import agent
from course.proofs import work as work_module
from course.proofs.tables import counts, families, print_report
from course.proofs.verifying import verify
from course.quiz.guess import Guess

BANKS = Path(__file__).parent / "banks"
WAIT = "import time; time.sleep(600)"
ONE = """\
title: One question
items:
  - id: how-many
    kind: one
    objective: fuses/limits
    stem: The limit is two turns. How many requests are sent?
    proof: {predict: {task: endless, agent_sdk: {max_turns: 2}}}
    options:
      - {text: "2", correct: true, why: The limit., claim: {requests: 2}}
      - {text: "3", why: The limit., misconception: limit-is-completion, claim: {requests: 3}}
"""


@pytest.fixture(scope="module")
def broken():
    return verify([BANKS / "broken.yaml"])


@pytest.fixture(scope="module")
def right():
    return verify([BANKS / "right.yaml"], draws=2)


def test_a_good_file_has_no_faults(right) -> None:
    assert right.faults == ()
    assert (len(right.items), right.runs, right.held, right.not_run) == (18, 19, 19, 0)


def test_each_broken_item_is_caught_at_its_line(broken) -> None:
    text = (BANKS / "broken.yaml").read_text(encoding="utf-8").splitlines()
    caught: dict[str, list[str]] = {}
    of_items = [fault for fault in broken.faults if not fault.what.startswith("The strategy")]
    for fault in of_items:
        above = [line for line in text[: fault.line] if line.startswith("  - id: ")]
        caught.setdefault(above[-1].removeprefix("  - id: "), []).append(text[fault.line - 1].strip())
    assert len(caught) == 21 == len(broken.items)
    assert caught["two-right-options"] == ['- code: \'messages += [{"role": "assistant", "content": reply.content}]\'']
    assert caught["a-solution-that-fails"] == ["solution: |"]


def test_a_fault_says_which_item_and_which_option(broken) -> None:
    [text] = [str(fault) for fault in broken.faults if "two-right-options" in fault.what]
    assert text == (
        f"{BANKS / 'broken.yaml'}:99: two-right-options, option 2: Two right options: this one gives answered too. "
        "Make it wrong, or mark it as right."
    )


def test_stems_that_are_nearly_the_same_are_a_fault(broken) -> None:
    [fault] = [fault for fault in broken.faults if "the stem is" in fault.what]
    assert fault.what == "a-stem-that-stands-twice: the stem is 90% the same as that of no-proof-at-all."


def test_a_file_with_faults_of_its_own_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("title: x\nitems: []\n", encoding="utf-8")
    (tmp_path / "b.yaml").write_text(
        ONE.replace("    proof:", "    proof: {none: It is a test.}\n    #"), encoding="utf-8"
    )
    report = verify([tmp_path])
    assert [Path(fault.file).name for fault in report.faults] == ["a.yaml"]
    assert [item.id for item in report.items] == ["how-many"]


def test_an_id_that_stands_in_two_files_is_a_fault(tmp_path: Path) -> None:
    text = ONE.replace("    proof:", "    proof: {none: It is a test.}\n    #")
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(text.replace("two turns", f"two turns of {name * 30}"), encoding="utf-8")
    [fault] = [fault for fault in verify([tmp_path]).faults if "The id" in fault.what]
    assert str(fault) == (
        f"{tmp_path / 'b.yaml'}:3: The id how-many is used in {tmp_path / 'a.yaml'}:3 too. "
        "Ids are permanent: give the newer item another one."
    )


def test_a_file_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    assert [fault.what for fault in verify([tmp_path / "x.yaml"]).faults] == ["There is no such file."]


def test_an_item_with_variants_is_drawn_several_times(tmp_path: Path) -> None:
    text = ONE.replace("agent_sdk: {max_turns: 2}", 'tool_runner: {max_iterations: "${n}"}')
    text = text.replace("requests: 2", 'requests: "${n}"').replace(
        "    proof:", "    variants: {n: [2, 4]}\n    proof:"
    )
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    report = verify([tmp_path / "a.yaml"], draws=6)
    assert (report.runs, report.faults) == (6, ())
    text = text.replace('requests: "${n}"', "requests: 4")
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    whats = {
        fault.what.partition(" (drawn by seed ")[2].partition(")")[2]
        for fault in verify([tmp_path / "a.yaml"], draws=6).faults
    }
    assert whats == {", option 1: The right option's claim is not true: requests is 2."}


def test_without_the_agent_sdk_a_proof_that_needs_it_is_not_run_and_counts_as_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(ONE, encoding="utf-8")
    monkeypatch.setattr(agent, "installed", lambda: False)
    monkeypatch.setattr("course.proofs.jobs.Worker", _InThisProcess)
    report = verify([file])
    assert [fault.what for fault in report.faults] == [
        "how-many: the proof needs claude-agent-sdk, which is not installed."
    ]
    allowed = verify([file], without_agent_sdk=True)
    assert (allowed.faults, allowed.runs, allowed.held, allowed.not_run) == ((), 1, 0, 1)


def test_what_goes_wrong_in_verify_itself_is_not_swallowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(ONE, encoding="utf-8")
    monkeypatch.setattr(_InThisProcess, "ask", lambda *_question, **_more: {}["missing"])
    monkeypatch.setattr("course.proofs.jobs.Worker", _InThisProcess)
    with pytest.raises(KeyError):
        verify([file])


class _InThisProcess:
    def __enter__(self):
        return self

    def __exit__(self, *_error: object) -> None:
        """There is nothing to end."""

    def ask(self, question: dict, *, seconds: float) -> dict:
        return work_module.answer(question)


def test_an_item_that_takes_too_long_is_ended_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = "title: x\nitems:\n" + "".join(
        f"""\
  - id: {name}
    kind: one
    objective: fuses/limits
    stem: {stem}
    code: |
      {code}
    proof: {{predict: {{task: plain_chat}}}}
    options:
      - {{text: "0", correct: true, why: It waits., claim: {{requests: 0}}}}
      - {{text: "1", why: It waits., misconception: count-means-done, claim: {{requests: 1}}}}
"""
        for name, stem, code in (
            ("waits", "How long does it wait?", WAIT),
            ("goes-on", "What now?", "pass"),
        )
    )
    (tmp_path / "a.yaml").write_text(waits, encoding="utf-8")
    monkeypatch.setattr("course.proofs.jobs.SECONDS", 3.0)
    assert [str(fault) for fault in verify([tmp_path / "a.yaml"], workers=1).faults] == [
        f"{tmp_path / 'a.yaml'}:3: waits did not come to an end in 3 seconds. Look for a loop without an end in its code."
    ]


def test_a_strategy_that_guesses_is_a_fault(tmp_path: Path) -> None:
    items = [
        f"""\
  - id: item-{number}
    kind: one
    objective: fuses/limits
    stem: {"word " * number}{number * 7}?
    proof: {{none: It is a test.}}
    options:
      - {{text: A much longer text {number}, correct: true, why: It is.}}
      - {{text: short {number}, why: It is not., misconception: count-means-done}}
"""
        for number in range(1, 9)
    ]
    (tmp_path / "a.yaml").write_text("title: x\nitems:\n" + "".join(items), encoding="utf-8")
    found = [fault.what for fault in verify([tmp_path / "a.yaml"]).faults if "longest" in fault.what]
    assert found == ["The strategy 'longest' is right in 8.0 of 8 items; by chance it is 1 to 7."]


def test_the_tables_count_the_items(right) -> None:
    table = counts(right)
    assert table["kind"] == {
        "action": 2, "messages/pick": 1, "one": 7, "line": 1, "messages/build": 1, "messages/repair": 1,
        "order": 1, "match": 3, "code": 1,
    }  # fmt: skip
    assert table["proof"] == {"try": 11, "predict": 5, "tasks": 1, "none": 1}
    assert table["stop reason"] == {
        "tool_use": 3, "end_turn": 2, "stop_sequence": 0, "max_tokens": 1, "pause_turn": 1, "refusal": 2,
        "model_context_window_exceeded": 0, "compaction": 0,
    }  # fmt: skip
    assert sum(table["focus point"].values()) == 18
    assert families(right) == {"drawn-reason": 3}


def test_the_report_is_printed_with_its_faults_tables_and_figures(broken) -> None:
    console = Console(width=100, record=True, file=StringIO())
    print_report(broken, console)
    text = console.export_text()
    assert "two-right-options, option 2" in text
    assert "anti-patterns/prose-ending" in text
    assert "odd one out" in text
    assert "Items: 21. With a proof: 19 (90%)." in text
    last = text.splitlines()[-len(broken.faults) - 1 :]
    assert last == [*map(str, broken.faults), f"Faults: {len(broken.faults)}."]


def test_a_strategy_that_is_not_fair_is_marked(broken) -> None:
    console = Console(width=100, record=True, file=StringIO())
    print_report(replace(broken, guesses=(Guess("longest", 8.0, 8, 4.0, 1, 7),)), console)
    assert "not fair" in console.export_text()


def test_the_command_fails_with_faults_and_does_not_say_that_it_runs_code_where_nothing_is_run(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(ONE.replace("    proof:", "    #"), encoding="utf-8")
    result = CliRunner().invoke(app, ["verify", str(file)])
    assert result.exit_code == 1
    assert "This runs the code" not in result.output
    assert "how-many: The item has no proof. Write one of try, predict and none." in result.output


def test_the_command_says_that_it_runs_code_before_it_does(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(ONE.replace("agent_sdk: {max_turns: 2}", "tool_runner: {max_iterations: 2}"), encoding="utf-8")
    result = CliRunner().invoke(app, ["verify", str(file)])
    assert result.output.startswith("This runs the code that stands in the questions, in processes of its own.\n")


def test_a_file_that_cannot_be_read_gives_its_faults_and_no_tables(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("title: A\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["verify", str(file)])
    assert result.exit_code == 1
    (fault,) = verify([file]).faults
    assert result.output == f"{fault}\nFaults: 1.\n"


def test_the_command_ends_well_without_faults(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(ONE.replace("    proof:", "    proof: {none: It is a test.}\n    #"), encoding="utf-8")
    assert CliRunner().invoke(app, ["verify", str(file)]).exit_code == 0


def test_the_command_writes_figures_for_another_program(tmp_path: Path) -> None:
    file, figures = tmp_path / "a.yaml", tmp_path / "figures.json"
    file.write_text(ONE.replace("    proof:", "    #"), encoding="utf-8")
    CliRunner().invoke(app, ["verify", str(file), "--json", str(figures)])
    data = json.loads(figures.read_text(encoding="utf-8"))
    assert data.pop("seconds") > 0
    assert data == {
        "items": 1,
        "runs": 1,
        "held": 0,
        "not_run": 0,
        "faults": [f"{file}:3: how-many: The item has no proof. Write one of try, predict and none."],
    }
