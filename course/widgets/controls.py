"""Play and the slider of a view, joined to it in the browser."""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets
from ipywidgets import HBox, IntSlider, Layout, Play, VBox, jslink  # type: ignore[import-untyped]

from course.words import _

__all__ = ["StepView", "Walk", "scrubber"]


class StepView(anywidget.AnyWidget):
    """A view that can be walked. `data` is sent once; the rest is joined to the controls.

    index: the position that is drawn, 0 for the first. max: the last position. playing, interval: of Play, in
    milliseconds. lines: positions are lines of code instead of actions.
    """

    data = traitlets.Unicode().tag(sync=True)
    index = traitlets.Int(0, min=0).tag(sync=True)
    max = traitlets.Int(0, min=0).tag(sync=True)
    playing = traitlets.Bool(False).tag(sync=True)
    interval = traitlets.Int(1000, min=1).tag(sync=True)
    lines = traitlets.Bool(False).tag(sync=True)


def scrubber(view: StepView) -> HBox:
    """Play and a slider that move `view`.

    Only these two are ipywidgets: they hold a value that `jslink` can join to the view's, in the browser, without the kernel.
    An ipywidgets Button holds none (a press is a message to Python), so First, Back, Step, Last and the jumps would die with
    the kernel. The view draws those itself.
    """
    play = Play(value=view.index, max=view.max, interval=view.interval, show_repeat=False)
    slider = IntSlider(value=view.index, max=view.max, readout=False, layout=Layout(width="auto", flex="1 1 auto"))
    play.tooltip = _("Play or pause, and back to the first step")
    slider.tooltip = _("Position")
    for control in (play, slider):
        jslink((view, "max"), (control, "max"))
        jslink((view, "index"), (control, "value"))
    jslink((view, "playing"), (play, "playing"))
    jslink((view, "interval"), (play, "interval"))
    row = HBox([play, slider])
    row.add_class("course-scrubber")
    return row


class Walk(VBox):  # type: ignore[misc]
    """A view with its Play and slider. `text` is what stands for it where no widget shows: in a terminal, in print, on a code
    host."""

    def __init__(self, view: StepView, text: str) -> None:
        self.view, self.text = view, text
        super().__init__([scrubber(view), view])
        self.add_class("course-stepper")

    @property
    def index(self) -> int:
        """The position that is drawn, 0 for the first. It can be set."""
        return int(self.view.index)

    @index.setter
    def index(self, position: int) -> None:
        self.view.index = position

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The widget for a page that can show it, and the whole text for all others."""
        return {**super()._repr_mimebundle_(**kwargs), "text/plain": self.text}
