"""The real Agent SDK on the offline model."""

from __future__ import annotations

import os

import pytest

from course.proofs import agent
from course.proofs.agent import NotInstalled, agent_values

if not agent.installed():
    if os.environ.get("CI"):
        pytest.fail("claude-agent-sdk is not installed (tests/requirements-agent-sdk.txt).")
    pytest.skip("claude-agent-sdk is not installed.", allow_module_level=True)


def test_a_run_that_comes_to_its_end() -> None:
    true = agent_values({}, "list_then_read")
    assert true.pop("answer").startswith("The directory holds 7 files")
    assert true == {
        "errors": "",
        "requests": 3,
        "raises": None,
        "tools_run": ["list_files", "read_file"],
        "tool_runs": 2,
        "subtype": "success",
        "is_error": False,
        "terminal_reason": "completed",
        "num_turns": 3,
        "stop_reason": "end_turn",
    }


def test_a_run_that_meets_its_limit_of_turns() -> None:
    true = agent_values({"max_turns": 2}, "endless")
    assert true["errors"] == "Reached maximum number of turns (2)"
    assert {name: true[name] for name in ("requests", "raises", "subtype", "is_error", "terminal_reason")} == {
        "requests": 2,
        "raises": "ResultError",
        "subtype": "error_max_turns",
        "is_error": True,
        "terminal_reason": "max_turns",
    }


def test_the_same_run_is_done_once() -> None:
    agent_values({"max_turns": 2}, "endless")
    before = agent._values.cache_info().misses
    agent_values({"max_turns": 2}, "endless")
    assert agent._values.cache_info().misses == before


def test_options_that_could_start_programs_are_refused() -> None:
    with pytest.raises(ValueError, match='"cli_path" is not an option that a question can set') as caught:
        agent_values({"cli_path": "/bin/sh"}, "endless")
    assert "max_turns" in str(caught.value)


def test_without_it_there_are_no_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent, "installed", lambda: False)
    with pytest.raises(NotInstalled):
        agent_values({}, "endless")
