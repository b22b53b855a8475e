"""The check of the exercise in notebooks/00_start_here.ipynb."""

from __future__ import annotations

from typing import Any

from course.exercises.exercise import Verdict
from course.exercises.runs import run
from course.loop import run_loop
from course.settings import MODEL
from course.tools import tool
from course.words import _
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
    if isinstance(answer, bool) or not isinstance(answer, int):
        return Verdict(
            False, _("{answer!r} is not a whole number.").format(answer=answer), _("Write a number, such as 5.")
        )
    if answer == right:
        return Verdict(
            True,
            _("The run sent {count} requests.").format(count=right),
            _(
                "The first reply asks for list_files. The second request holds its result, and the reply to it is the answer."
            ),
            trace,
        )
    happened = _("The run did not send {answer} requests.").format(answer=answer)
    if answer == right - 1:
        matters = _("After a tool has run, the model must be asked once more: it has not seen the result yet.")
    else:
        matters = _("One request for each tool call, and one more after the last result.")
    return Verdict(False, happened, matters, trace)
