"""Shows a recording that takes long while it goes on, with a Stop button. Its trace comes back all the same."""

from __future__ import annotations

import json
import sys

import anywidget
import traitlets

from course.trace.live import Sign
from course.widgets.bundle import css, javascript
from course.words import _

__all__ = ["RunningBar", "running_bar"]


class RunningBar(anywidget.AnyWidget):
    """A bar at the edge of the window. It is never displayed below a cell: its model alone draws it, so no notebook saves it."""

    _esm = javascript("running.js")
    _css = css("base.css", "running.css")
    said = traitlets.Unicode().tag(sync=True)
    words = traitlets.Unicode().tag(sync=True)

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(words=json.dumps(_words()))

    def tell(self, requests: int) -> None:
        """So many requests were sent until now."""
        words = _("Recording {name}: request {n}.") if requests else _("Recording {name}: no request yet.")
        self.said = words.format(name=self.name, n=requests)

    def close(self) -> None:
        """The run is over."""
        self.layout.close()  # a widget of its own
        super().close()


def running_bar(name: str) -> Sign:
    """What shows the run of this name: a bar in a notebook, nothing elsewhere."""
    return RunningBar(name) if _in_a_notebook() else _Nothing()


class _Nothing:
    """Shows nothing."""

    def tell(self, requests: int) -> None:
        return

    def close(self) -> None:
        return


def _in_a_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


def _words() -> dict[str, str]:
    return {
        "label": _("A recording goes on"),
        "stop": _("Stop"),
        "use_the_other": _("To stop it, use the Stop button of the notebook."),
    }
