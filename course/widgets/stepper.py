"""The stepper: a Trace as a film that the learner walks through, forward and back."""

from __future__ import annotations

from course.trace.events import Trace
from course.widgets.bundle import css, javascript
from course.widgets.controls import StepView, Walk
from course.widgets.view_data import view_data

__all__ = ["Stepper"]


class StepperView(StepView):
    """The picture of one trace, and the buttons that move through it."""

    _esm = javascript("stepper.js")
    _css = css("base.css", "stepper.css")


class Stepper(Walk):
    """Shows `trace`. `index` is the step that is drawn; it can be set from Python. Its text form is the trace's."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        super().__init__(StepperView(data=view_data([trace]), max=len(trace.steps) - 1), str(trace))
