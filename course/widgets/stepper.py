"""The stepper: a Trace as a film that the learner walks through, forward and back."""

from __future__ import annotations

from typing import Any

from ipywidgets import VBox  # type: ignore[import-untyped]

from course.trace.events import Trace
from course.widgets.bundle import css, javascript
from course.widgets.controls import StepView, scrubber
from course.widgets.view_data import view_data

__all__ = ["Stepper"]


class StepperView(StepView):
    """The picture of one trace, and the buttons that move through it."""

    _esm = javascript("stepper.js")
    _css = css("base.css", "stepper.css")


class Stepper(VBox):  # type: ignore[misc]
    """Shows `trace`. `index` is the step that is drawn; it can be set from Python. Its text form is the trace's."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.view = StepperView(data=view_data([trace]), max=len(trace.steps) - 1)
        super().__init__([scrubber(self.view), self.view])
        self.add_class("course-stepper")

    @property
    def index(self) -> int:
        """The position that is drawn: an index into `trace.steps`, or into the lines that ran if lines were chosen."""
        return int(self.view.index)

    @index.setter
    def index(self, position: int) -> None:
        self.view.index = position

    def __repr__(self) -> str:
        return str(self.trace)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The widget for a page that can show it, and the whole text of the trace for all others."""
        return {**super()._repr_mimebundle_(**kwargs), "text/plain": str(self.trace)}
