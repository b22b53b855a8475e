"""The SDK's tool runner as a loop that is recorded."""

from __future__ import annotations

import pytest

from course.offline.scenario import load_scenario
from course.proofs.claims import values
from course.proofs.runner import tool_runner_loop
from course.proofs.stage import Stage


def run(task: str, **options: object) -> dict:
    stage = Stage(load_scenario(task))
    return values(stage.play(tool_runner_loop(options, stage)))


def test_it_runs_the_tools_to_the_end() -> None:
    true = run("list_then_read")
    assert (true["outcome"], true["tools_run"], true["requests"]) == ("answered", ["list_files", "read_file"], 3)


def test_its_limit_ends_it_while_the_model_still_asks() -> None:
    true = run("endless", max_iterations=3)
    assert (true["requests"], true["stop_reasons"], true["outcome"]) == (3, ["tool_use"] * 3, "stopped_early")


@pytest.mark.filterwarnings("ignore")
def test_a_tool_that_fails_is_told_to_the_model(caplog: pytest.LogCaptureFixture) -> None:
    true = run("failing_tool")
    assert true["tools_run"] == ["read_file", "list_files", "read_file"]
    assert "There is no settings.json" in true["answer"]
