"""The logs that notebook 07 searches, and the two tools that read them. On each day the cause lies somewhere else."""

from __future__ import annotations

from course.tools import Tool, tool

__all__ = ["MONDAY", "TUESDAY", "WEDNESDAY", "log_tools"]

Logs = dict[str, str]  # the name of a service: what its log says

MONDAY: Logs = {
    "board": "06:10 Nothing to show. The timetable sent no departures.",
    "clock": "06:00 Running.",
    "network": "06:00 Up.",
    "timetable": "06:09 The file for today is empty. Nobody has saved it.",
}
TUESDAY: Logs = {
    "board": "06:10 Nothing to show. The timetable sent no departures.",
    "clock": "05:52 Stopped. The battery is empty.",
    "network": "06:00 Up.",
    "timetable": "06:09 Which day is it? I asked the clock, and nothing came back.",
}
WEDNESDAY: Logs = {  # exercise 07.3 only; the notebook does not show it
    "board": "06:10 Nothing to show. I can't reach anybody: the network is silent.",
    "clock": "06:00 Running.",
    "network": "05:31 The cable under the quay is cut.",
    "timetable": "06:00 Ready, with 14 departures.",
}


def log_tools(logs: Logs) -> list[Tool]:
    """The tools `list_services` and `read_log`, on the logs of one day. Their docstrings speak to a model."""

    def list_services() -> list[str]:
        """List the services of the harbour, one a line."""
        return list(logs)

    def read_log(service: str) -> str:
        """Read the log of one service. It fails for a service that is not in the list."""
        if service not in logs:
            raise LookupError(f"There is no service {service!r} in the list.")
        return logs[service]

    return [tool(list_services), tool(read_log)]
