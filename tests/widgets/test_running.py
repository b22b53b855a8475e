"""What shows a recording that takes long: its words, and where it shows nothing."""

from __future__ import annotations

import IPython
import pytest

from course.trace import live
from course.widgets import running
from course.widgets.running import RunningBar, running_bar


def test_it_says_what_is_recorded_and_how_far_it_is():
    bar = RunningBar("my_loop")
    bar.tell(0)
    assert bar.said == "Recording my_loop: no request yet."
    bar.tell(3)
    assert bar.said == "Recording my_loop: request 3."


def test_at_the_end_no_widget_of_it_is_left():
    bar = RunningBar("my_loop")
    layout = bar.layout
    bar.close()
    assert bar.comm is None
    assert layout.comm is None


def test_outside_of_a_notebook_nothing_is_shown():
    sign = running_bar("my_loop")
    sign.tell(1)
    sign.close()
    assert not isinstance(sign, RunningBar)


def test_in_a_notebook_it_is_a_bar(monkeypatch: pytest.MonkeyPatch):
    class Shell:
        kernel = object()

    monkeypatch.setattr(IPython, "get_ipython", Shell)
    assert isinstance(running_bar("my_loop"), RunningBar)


def test_recordings_are_shown_with_it():
    assert live._maker is running.running_bar
