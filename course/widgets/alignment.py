"""Puts traces in step, by the number of the request."""

from __future__ import annotations

from collections.abc import Sequence

from course.trace.events import Trace

__all__ = ["Moment", "align"]

Moment = tuple[int, tuple[int, ...]]  # the number of the request (0 before the first), and the step of each trace


def align(traces: Sequence[Trace]) -> list[Moment]:
    """The moments at which the traces stand side by side.

    Request 2 of one stands beside request 2 of the other. Between two requests, the trace with fewer steps waits at its last
    one; a trace that has ended waits at its end.
    """
    grouped = [_groups(trace) for trace in traces]
    moments: list[Moment] = []
    for request in range(max(len(groups) for groups in grouped)):
        length = max(len(groups[request]) for groups in grouped if request < len(groups))
        moments += [(request, tuple(_at(groups, request, part) for groups in grouped)) for part in range(length)]
    return moments


def _groups(trace: Trace) -> list[range]:
    """The steps from each request (a retry belongs to its request) to the next one; first those before any request."""
    starts = [0]
    asked = 0
    for number, step in enumerate(trace.steps):
        if step.exchange is not None and step.exchange.number > asked:
            asked = step.exchange.number
            starts.append(number)
    return [range(start, stop) for start, stop in zip(starts, [*starts[1:], len(trace.steps)], strict=True)]


def _at(groups: list[range], request: int, part: int) -> int:
    if request >= len(groups):
        return groups[-1][-1]
    group = groups[request]
    return group[min(part, len(group) - 1)]
