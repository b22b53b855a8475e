"""Traces side by side, in step: the right loop and the broken one, the raw loop and a tool runner."""

from __future__ import annotations

from collections.abc import Sequence

from course.trace.compare import Comparison, Difference, compare
from course.trace.events import Trace
from course.widgets.alignment import Moment, align
from course.widgets.bundle import css, javascript
from course.widgets.controls import StepView, Walk
from course.widgets.view_data import view_data
from course.words import _

__all__ = ["SideBySide"]


class SideBySideView(StepView):
    """The picture of several traces at the same moment, and the buttons that move through it."""

    _esm = javascript("side_by_side.js")
    _css = css("base.css", "stepper.css", "side_by_side.css")


class SideBySide(Walk):
    """Shows `traces` in step, request by request. `index` is the moment that is drawn. Its text form is their comparison."""

    def __init__(self, traces: Sequence[Trace]) -> None:
        self.traces = tuple(traces)
        self.comparison = compare(*self.traces)
        moments = align(self.traces)
        view = SideBySideView(max=len(moments) - 1, data=_data(self.traces, moments, self.comparison))
        super().__init__(view, str(self.comparison))


def _data(traces: Sequence[Trace], moments: Sequence[Moment], comparison: Comparison) -> str:
    difference = comparison.first_difference
    sentences = [_("First difference: {what}").format(what=difference.sentence) if difference else _("No difference.")]
    sentences += [f"{name}: {ending}" for name, ending in zip(comparison.names, comparison.endings, strict=True)]
    return view_data(
        traces,
        names=comparison.names,
        moments=[steps for _request, steps in moments],
        requests=[request for request, _steps in moments],
        first_difference=_moment_of(difference, moments),
        sentences=sentences,
    )


def _moment_of(difference: Difference | None, moments: Sequence[Moment]) -> int | None:
    """The moment to look at: the request that differs, or the end if only the endings do."""
    if difference is None:
        return None
    if difference.request is None:
        return len(moments) - 1
    return next(number for number, (request, _steps) in enumerate(moments) if request == difference.request)
