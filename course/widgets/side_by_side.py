"""Traces side by side, in step: the right loop and the broken one, the raw loop and a tool runner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ipywidgets import VBox  # type: ignore[import-untyped]

from course.trace.compare import Comparison, Difference, compare
from course.trace.events import Trace
from course.widgets.alignment import Moment, align
from course.widgets.bundle import css, javascript
from course.widgets.controls import StepView, scrubber
from course.widgets.view_data import view_data
from course.words import _

__all__ = ["SideBySide"]


class SideBySideView(StepView):
    """The picture of several traces at the same moment, and the buttons that move through it."""

    _esm = javascript("side_by_side.js")
    _css = css("base.css", "stepper.css", "side_by_side.css")


class SideBySide(VBox):  # type: ignore[misc]
    """Shows `traces` in step, request by request. `index` is the moment that is drawn. Its text form is their comparison."""

    def __init__(self, traces: Sequence[Trace]) -> None:
        self.traces = tuple(traces)
        self.comparison = compare(*self.traces)
        moments = align(self.traces)
        self.view = SideBySideView(max=len(moments) - 1, data=_data(self.traces, moments, self.comparison))
        super().__init__([scrubber(self.view), self.view])
        self.add_class("course-stepper")

    @property
    def index(self) -> int:
        """The moment that is drawn, 0 for the first."""
        return int(self.view.index)

    @index.setter
    def index(self, position: int) -> None:
        self.view.index = position

    def __repr__(self) -> str:
        return str(self.comparison)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The widget for a page that can show it, and the whole text of the comparison for all others."""
        return {**super()._repr_mimebundle_(**kwargs), "text/plain": str(self.comparison)}


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
