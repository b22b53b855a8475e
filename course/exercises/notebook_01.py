"""The check of the exercise in notebooks/01_raw_loop.ipynb."""

from __future__ import annotations

from typing import Any

from course.exercises.exercise import Verdict
from course.exercises.functions import no_such_function
from course.exercises.runs import on_task, run, verdict_on_ending, verdict_on_task, verdict_on_value
from course.words import _

__all__ = ["exercise_1"]

SCENARIOS = ("list_then_read", "count_python_files", "parallel_reads")  # the notebook shows the first one only


def exercise_1(answer: Any) -> Verdict:
    """A loop that goes on while the model asks for tools, and returns the last reply."""
    fault = no_such_function(answer, "my_loop(client, messages)")
    if fault is not None:
        return fault
    for scenario in SCENARIOS:
        trace = run(answer, scenario)
        verdict = on_task(
            scenario, verdict_on_ending(trace) or verdict_on_value(trace) or verdict_on_task(trace, scenario)
        )
        if verdict is not None:
            return verdict
    return Verdict(
        True,
        _(
            "Your loop came to the model's own end on {count} tasks, one of them with several tool calls in one reply."
        ).format(count=len(SCENARIOS)),
        _("It went on each time stop_reason was tool_use, and returned the reply that was the answer."),
    )
