"""What went wrong in a run, and what to do: one sentence with the line, instead of a traceback."""

from __future__ import annotations

from course.trace.events import Trace

__all__ = ["explain"]


def explain(trace: Trace) -> str | None:
    """One or two sentences about what went wrong, or None."""
    return None
