"""A run that takes long is shown while it goes on; a quick one never is."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import loops
import pytest
import small_model

from course.trace import Fuse, live, record
from course.trace.live import Live, show_long_runs_with


@dataclass
class Sign:
    """Notes what it is told."""

    name: str
    told: list[Any] = field(default_factory=list)

    def tell(self, requests: int) -> None:
        self.told.append(requests)

    def close(self) -> None:
        self.told.append("closed")


class BrokenSign(Sign):
    """The connection to the page is lost."""

    def tell(self, requests: int) -> None:
        super().tell(requests)
        raise OSError("no page")

    def close(self) -> None:
        raise OSError("no page")


@pytest.fixture
def signs() -> Iterator[list[Sign]]:
    """The signs that were made. Runs are shown from their first second on."""
    made: list[Sign] = []
    before = live._maker
    show_long_runs_with(lambda name: made.append(Sign(name)) or made[-1])
    yield made
    show_long_runs_with(before)


def watching(now: list[float]) -> Live:
    return Live("my_loop", clock=lambda: now[0])


def test_a_run_is_shown_after_a_second_and_told_of_each_half_second(signs: list[Sign]) -> None:
    now = [10.0]
    run = watching(now)
    for at, requests in ((10.9, 1), (11.1, 2), (11.2, 3), (11.7, 4)):
        now[0] = at
        run.look(requests)
    run.close()
    assert signs == [Sign("my_loop", [2, 4, "closed"])]


def test_a_quick_run_is_not_shown(signs: list[Sign]) -> None:
    record(loops.appends, small_model.client())
    assert signs == []


def test_a_run_that_is_over_is_not_shown_again(signs: list[Sign]) -> None:
    now = [0.0]
    run = watching(now)
    run.close()
    now[0] = 5.0
    run.look(1)
    assert signs == []


def test_a_fault_of_the_sign_does_not_touch_the_run(signs: list[Sign]) -> None:
    show_long_runs_with(lambda name: signs.append(BrokenSign(name)) or signs[-1], after=0)
    trace = record(loops.appends, small_model.client())
    assert trace.ending.kind == "returned"
    assert signs == [BrokenSign("appends", [0])]


def test_the_sign_goes_when_the_run_is_over(signs: list[Sign]) -> None:
    show_long_runs_with(lambda name: signs.append(Sign(name)) or signs[-1], after=0)
    trace = record(loops.appends_nothing, small_model.client(), fuse=Fuse(requests=2), name="endless")
    assert trace.ending.kind == "fuse"
    assert [(sign.name, sign.told[0], sign.told[-1]) for sign in signs] == [("endless", 0, "closed")]


def sleeps(client: object) -> None:
    time.sleep(1.2)


def test_a_run_that_sleeps_is_shown_too(signs: list[Sign]) -> None:
    show_long_runs_with(lambda name: signs.append(Sign(name)) or signs[-1], after=0.1)
    record(sleeps, small_model.client())
    assert [(sign.name, sign.told[0], sign.told[-1]) for sign in signs] == [("sleeps", 0, "closed")]
