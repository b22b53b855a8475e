"""The tools that the scenarios of the offline model ask for, as an item's code meets them: they write nothing."""

from __future__ import annotations

from course.offline.scenario import Scenario
from course.tools import Tool, tool
from course.workspace import Workspace

__all__ = ["tools_for"]

LOGS = {
    "board": "06:10 Nothing to show. The timetable sent no departures.",
    "clock": "06:00 Running.",
    "network": "06:00 Up.",
    "timetable": "06:09 The file for today is empty. Nobody has saved it.",
}


def save_summary(path: str, text: str = "") -> str:
    """Save a summary of the project in a file."""
    return f"Saved {len(text)} characters in {path}."


def list_services() -> list[str]:
    """List the services of the harbour, one a line."""
    return list(LOGS)


def read_log(service: str) -> str:
    """Read the log of one service. It fails for a service that is not in the list."""
    if service not in LOGS:
        raise LookupError(f"There is no service {service!r} in the list.")
    return LOGS[service]


def tools_for(scenario: Scenario) -> list[Tool]:
    """The tools of a scenario. Raises KeyError for a tool that is not known here."""
    workspace = Workspace()
    known = (workspace.list_files, workspace.read_file, save_summary, list_services, read_log)
    by_name = {each.__name__: each for each in known}
    return [tool(by_name[name]) for name in scenario.tools]
