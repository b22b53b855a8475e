"""The two names that a notebook uses: `step(trace)` and `side_by_side(right, broken)`."""

from __future__ import annotations

from typing import Any

from course.errors import RecordError
from course.trace.events import Trace
from course.widgets.side_by_side import SideBySide
from course.widgets.stepper import Stepper
from course.words import _

__all__ = ["side_by_side", "step"]


def step(trace: Any) -> Stepper:
    """The stepper of a Trace. Raises RecordError, one sentence, if it is not given one."""
    return Stepper(_checked("step", trace))


def side_by_side(*traces: Any) -> SideBySide:
    """Two or more Traces in step, request by request. Raises RecordError, one sentence, if it is not given them.

    A loop of your own beside the SDK's tool runner, whose requests you do not see otherwise:

        def tool_runner(client):
            ask = dict(model=MODEL, max_tokens=1024, messages=[task], tools=[beta_tool(read_file)])
            client.beta.messages.tool_runner(**ask).until_done()

        side_by_side(record(my_loop, client()), record(tool_runner, client()))
    """
    if len(traces) < 2:
        raise RecordError(_("side_by_side() needs two traces or more: side_by_side(record(right), record(broken))."))
    return SideBySide(tuple(_checked("side_by_side", trace) for trace in traces))


def _checked(function: str, trace: Any) -> Trace:
    if isinstance(trace, Trace):
        return trace
    if callable(trace):
        name = getattr(trace, "__name__", "loop")
        raise RecordError(
            _("{function}() shows a trace, and {name} is a function: write {function}(record({name})).").format(
                function=function, name=name
            )
        )
    raise RecordError(
        _("{function}() shows a trace, what record(loop) returns, and this is of type {kind}.").format(
            function=function, kind=type(trace).__name__
        )
    )
