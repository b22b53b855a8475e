"""Tokens and messages per request."""

from __future__ import annotations

import sys

import loops
import pytest
import small_model
from matplotlib.figure import Figure

from course.trace import Trace, record
from course.trace.usage import Usage, plot, usage, usage_table


@pytest.fixture
def trace() -> Trace:
    return record(loops.appends, small_model.client())


def test_each_request_is_a_row(trace: Trace) -> None:
    assert usage(trace) == (Usage(1, 1, 10, 5), Usage(2, 3, 10, 5), Usage(3, 5, 10, 5))


def test_a_failed_request_has_no_tokens() -> None:
    trace = record(loops.forgets_the_results, small_model.client())
    assert usage(trace)[-1] == Usage(2, 2, None, None)


def test_the_table(trace: Trace) -> None:
    assert usage_table(trace).splitlines() == [
        "request  messages  input tokens  output tokens",
        "      1         1            10              5",
        "      2         3            10              5",
        "      3         5            10              5",
    ]


def test_the_picture_shows_all_three_curves(trace: Trace) -> None:
    figure = plot(trace)
    assert isinstance(figure, Figure)
    curves = {line.get_label(): list(line.get_ydata()) for axes in figure.axes for line in axes.lines}
    assert curves == {"input tokens": [10, 10, 10], "output tokens": [5, 5, 5], "messages": [1, 3, 5]}


def test_without_matplotlib_there_is_the_table(trace: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert plot(trace) == usage_table(trace)
