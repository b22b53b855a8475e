"""The check of the exercise in notebooks/00_start_here.ipynb."""

from __future__ import annotations

from typing import Any

from course.exercises.exercise import Verdict
from course.exercises.runs import run, verdict_on_count
from course.loop import run_loop
from course.settings import MODEL
from course.tools import tool
from course.words import _, ngettext
from course.workspace import Workspace

__all__ = ["exercise_1"]


def exercise_1(answer: Any) -> Verdict:
    """How many requests does it take to count the Python files?"""
    workspace = Workspace()
    tools = [tool(workspace.list_files), tool(workspace.read_file)]
    trace = run(
        lambda client, messages: run_loop(client, messages, tools, model=MODEL),
        "count_python_files",
    )
    right = len(trace.exchanges)
    fault = verdict_on_count(answer)
    if fault is not None:
        return fault
    if answer == right:
        return Verdict(
            True,
            _("The run sent {count} requests.").format(count=right),
            _(
                "The first reply asks for list_files. The second request holds its result, and the reply to it is the answer."
            ),
            trace,
        )
    return Verdict(False, _not_sent(answer), _why_not(answer, right), trace)


def _not_sent(answer: int) -> str:
    return ngettext("The run did not send {n} request.", "The run did not send {n} requests.", answer).format(n=answer)


def _why_not(answer: int, right: int) -> str:
    if answer < right:
        return _("After a tool has run, the model must be asked once more: it has not seen the result yet.")
    if answer == right + 1:
        return _("The first run took so many: it listed the files and read one. What must the model see here?")
    return _("How many tool calls does this task need? One reply can ask for a tool; the answer is a reply too.")
