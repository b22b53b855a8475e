"""Ending a loop from outside: the fuse, an interrupt, and code that swallows everything."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from typing import Any

import loops
import pytest
import small_model
from actions import actions

from course.errors import RecordError
from course.trace import Fuse, Trace, record, record_async
from course.trace.events import Ending
from course.trace.recording import Recording
from course.trace.sources import Sources

SHORT = Fuse(seconds=0.3)
OUT_OF_TIME = Ending("fuse", fuse="seconds", limit=0.3)


def test_the_request_that_would_be_too_many_is_not_sent() -> None:
    sent: list[Any] = []

    def handler(body: dict[str, Any]) -> Any:
        sent.append(body)
        return small_model.answer(body)

    trace = record(loops.appends_nothing, small_model.client(handler), fuse=Fuse(requests=2))
    assert len(sent) == 2
    assert trace.ending == Ending("fuse", fuse="requests", limit=2)


def test_25_requests_are_the_default() -> None:
    trace = record(loops.appends_nothing, small_model.client())
    assert len(trace.exchanges) == 25
    assert trace.ending == Ending("fuse", fuse="requests", limit=25)


@pytest.mark.parametrize(
    "limits", [{"requests": 0}, {"requests": 2.5}, {"requests": True}, {"seconds": 0}, {"seconds": "9"}]
)
def test_a_fuse_has_numbers_above_0(limits: dict[str, Any]) -> None:
    with pytest.raises(RecordError, match="of a fuse are a"):
        Fuse(**limits)


def test_the_settings_change_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_MAX_REQUESTS", "3")
    trace = record(loops.appends_nothing, small_model.client())
    assert trace.ending == Ending("fuse", fuse="requests", limit=3)


def test_retries_of_the_sdk_are_not_counted() -> None:
    trace = record(loops.asks_once, small_model.client(small_model.failing_at_first(2)), fuse=Fuse(requests=1))
    assert trace.ending.kind == "returned"


def counts_forever(client: Any) -> None:
    number = 0
    while True:
        number += 1


def sleeps_long(client: Any) -> None:
    time.sleep(60)


def sleeps_again_and_again(client: Any) -> None:
    while True:
        try:
            time.sleep(60)
        except:  # noqa: E722
            continue


@pytest.mark.skipif(os.name == "nt", reason="no signal ends a sleep there")
@pytest.mark.parametrize("loop", [sleeps_long, sleeps_again_and_again])
def test_a_loop_that_sleeps_is_ended_too(loop: Any) -> None:
    began = time.monotonic()
    trace = record(loop, small_model.client(), fuse=Fuse(requests=2, seconds=0.3))
    assert trace.ending == OUT_OF_TIME
    assert time.monotonic() - began < 20


def test_no_interrupt_comes_after_the_run_and_no_thread_is_left() -> None:
    threads = threading.active_count()
    record(counts_forever, small_model.client(), fuse=SHORT)
    assert threading.active_count() == threads
    time.sleep(1.5)


def spins_on_one_line(client: Any) -> None:
    # fmt: off
    while True: pass  # noqa: E701 (Python 3.10 and 3.11 show a tracer this line only once)
    # fmt: on


def counts_in_a_comprehension(client: Any) -> list[int]:
    return [number + 1 for number in iter(int, 1)]


def catches_exceptions_forever(client: Any) -> None:
    while True:
        try:
            str(client)
        except Exception:
            continue


def catches_everything_forever(client: Any) -> None:
    while True:
        try:
            str(client)
        except:  # noqa: E722 (learners write this)
            continue


def tries_around_the_loop(client: Any) -> str:
    try:
        while True:
            str(client)
    except BaseException:
        return "swallowed"


def calls_what_counts_forever(client: Any) -> None:
    while True:
        try:
            counts_forever(client)
        except BaseException:
            str(client)


FOREVER = [
    counts_forever,
    spins_on_one_line,
    counts_in_a_comprehension,
    catches_exceptions_forever,
    catches_everything_forever,
    tries_around_the_loop,
    calls_what_counts_forever,
]


@pytest.mark.parametrize("loop", FOREVER)
def test_seconds_end_a_loop_that_never_waits(loop: Any) -> None:
    assert record(loop, None, fuse=SHORT).ending == OUT_OF_TIME


@pytest.mark.parametrize("loop", [loops.runs_forever, loops.appends_nothing])
def test_seconds_end_a_loop_that_asks(loop: Any) -> None:
    trace = record(loop, small_model.client(), fuse=Fuse(requests=1_000_000, seconds=0.3))
    assert trace.ending == OUT_OF_TIME


def test_seconds_end_an_async_loop_that_waits() -> None:
    assert record(loops.waits_forever, small_model.async_client(), fuse=SHORT).ending == OUT_OF_TIME
    assert asyncio.run(record_async(loops.waits_forever, small_model.async_client(), fuse=SHORT)).ending == OUT_OF_TIME


def test_the_wait_for_a_reply_is_not_the_loops_time() -> None:
    now = [0.0]
    recording = Recording(Fuse(seconds=20), Sources(), clock=lambda: now[0])
    recording.wait()
    now[0] = 100.0
    assert recording.seconds_left() == 20
    recording.go_on()
    now[0] = 119.0
    assert not recording.out_of_time()
    now[0] = 121.0
    assert recording.out_of_time()


def test_replies_that_are_waited_for_at_the_same_time_count_once() -> None:
    now = [0.0]
    recording = Recording(Fuse(seconds=20), Sources(), clock=lambda: now[0])
    recording.wait()
    now[0] = 1.0
    recording.wait()
    now[0] = 5.0
    recording.go_on()
    now[0] = 8.0
    recording.go_on()
    now[0] = 10.0
    assert recording.seconds_left() == 18


def interrupted(trace: Trace) -> bool:
    return trace.ending == Ending("interrupted") and trace.steps[-1].kind == "end"


def presses_stop(client: Any) -> None:
    loops.asks_once(client)
    signal.raise_signal(signal.SIGINT)


def test_an_interrupt_leaves_a_trace() -> None:
    trace = record(presses_stop, small_model.client())
    assert actions(trace) == ["start", "rebuild 0 user", "ask 1 tool_use", "end interrupted"]
    assert interrupted(trace)


def test_an_interrupt_that_is_swallowed_ends_the_loop_at_the_next_request() -> None:
    def swallows(client: Any) -> None:
        while True:
            try:
                presses_stop(client)
            except KeyboardInterrupt:
                continue

    trace = record(swallows, small_model.client())
    assert interrupted(trace)
    assert len(trace.exchanges) == 1


def test_a_loop_that_ends_by_itself_after_an_interrupt_returns() -> None:
    def says_goodbye(client: Any) -> str:
        try:
            presses_stop(client)
        except KeyboardInterrupt:
            return "goodbye"
        return "never"

    assert record(says_goodbye, small_model.client()).ending == Ending("returned", value="'goodbye'")


async def stops_while_it_waits(client: Any) -> None:
    await client.messages.create(**loops.ASK, messages=[{"role": "user", "content": "Hi"}])
    os.kill(os.getpid(), signal.SIGINT)
    await asyncio.Event().wait()


def test_an_interrupt_of_an_async_loop() -> None:
    assert interrupted(record(stops_while_it_waits, small_model.async_client()))


def test_an_interrupt_of_an_async_loop_in_its_own_thread() -> None:
    def cell() -> Trace:
        """The notebook's event loop is there, but its own handling of Ctrl-C is not."""
        events = asyncio.new_event_loop()
        try:
            return events.run_until_complete(inside())
        finally:
            events.close()

    async def inside() -> Trace:
        return record(stops_while_it_waits, small_model.async_client())

    assert interrupted(cell())


def test_a_task_that_is_cancelled_leaves_a_trace() -> None:
    async def cell() -> Trace:
        task = asyncio.ensure_future(record_async(loops.waits_forever, small_model.async_client()))
        while not await asyncio.sleep(0, task.get_stack()):
            continue
        asyncio.get_running_loop().call_later(0.2, task.cancel)
        return await task

    assert interrupted(asyncio.run(cell()))


def test_system_exit_is_an_exception_like_others() -> None:
    def leaves(client: Any) -> None:
        raise SystemExit(3)

    assert record(leaves, None).ending == Ending("raised", error={"type": "SystemExit", "message": "3"})


def test_each_recording_ends_only_itself() -> None:
    inner: list[Trace] = []

    def outer(client: Any) -> None:
        inner.append(record(loops.appends_nothing, client, fuse=Fuse(requests=2)))
        loops.asks_once(client)

    trace = record(outer, small_model.client(), fuse=Fuse(requests=5))
    assert (inner[0].ending.kind, trace.ending.kind) == ("fuse", "returned")


def test_the_outer_fuse_ends_both() -> None:
    inner: list[Trace] = []

    def outer(client: Any) -> None:
        inner.append(record(loops.appends_nothing, client))

    trace = record(outer, small_model.client(), fuse=Fuse(requests=2))
    assert trace.ending == Ending("fuse", fuse="requests", limit=2)
    assert inner == []
