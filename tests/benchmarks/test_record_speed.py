"""What recording costs: against the plain run of the same loop, and in a run of 1,000 requests.

Times are of the process's own CPU, the best of several rounds, plain and recorded in turn: other programs count less so.
"""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import httpx2
import loops
import pytest
import small_model

from course.clients import client
from course.settings import MODEL
from course.tools import run_tool, tool
from course.trace import Fuse, Trace, record
from course.workspace import Workspace

WORKSPACE = Workspace()
TOOLS = [tool(WORKSPACE.list_files), tool(WORKSPACE.read_file)]
DEFINITIONS = [each.definition for each in TOOLS]
TASK = "Which files are in this directory? Then read package.json."


def offline(api: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    while True:
        response = api.messages.create(model=MODEL, max_tokens=1000, messages=messages, tools=DEFINITIONS)
        if response.stop_reason != "tool_use":
            return
        messages.append({"role": "assistant", "content": response.content})
        results = [run_tool(TOOLS, block) for block in response.content if block.type == "tool_use"]
        messages.append({"role": "user", "content": results})


def runs_on(api: Any, requests: int) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    for _ in range(requests):
        response = api.messages.create(**loops.ASK, messages=messages)
        messages.append({"role": "assistant", "content": response.content})
        messages.append({"role": "user", "content": loops.results(response)})


def seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


@pytest.mark.parametrize(
    ("loop", "api"),
    [(offline, client("list_then_read")), (loops.appends, small_model.client())],
    ids=["the offline model", "a model that costs nothing"],
)
def test_recording_costs_at_most_3_times_the_plain_run(loop: Any, api: Any) -> None:
    for _ in range(2):
        loop(api)
        assert record(loop, api).ending.kind == "returned"
    rounds = [(seconds(lambda: loop(api)), seconds(lambda: record(loop, api))) for _ in range(15)]
    plain, recorded = (min(times) for times in zip(*rounds, strict=True))
    print(f"plain {plain * 1000:.1f} ms, recorded {recorded * 1000:.1f} ms, {recorded / plain:.2f} times")
    assert recorded <= 3 * plain


def without_end(body: dict[str, Any]) -> dict[str, Any]:
    """A model that asks for one more file each time, and takes no time to do so."""
    call = small_model.call(len(body["messages"]), "list_files", {"path": "."})
    return small_model.message([small_model.text("One more."), call], "tool_use")


def long_client() -> Any:
    return small_model.client(lambda body: httpx2.Response(200, json=without_end(body)))


def posts(http: httpx2.Client, requests: int) -> None:
    """A loop without the SDK, whose own work on 1,000 requests would take a minute."""
    messages: list[Any] = [{"role": "user", "content": TASK}]
    for _ in range(requests):
        response = http.post("http://model.invalid/v1/messages", json={**loops.ASK, "messages": messages}).json()
        messages.append({"role": "assistant", "content": response["content"]})
        call = response["content"][1]
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": str(loops.list_files(**call["input"]))}
        messages.append({"role": "user", "content": [result]})


def long_run(requests: int) -> Trace:
    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json=without_end(json.loads(request.content)))

    http = httpx2.Client(transport=httpx2.MockTransport(answer))
    return record(posts, http, requests, fuse=Fuse(requests=requests, seconds=600))


@pytest.fixture(scope="module")
def traces() -> tuple[Trace, Trace]:
    """A run of 100 requests and one of 1,000."""
    return long_run(100), long_run(1000)


def memory(trace: Trace) -> int:
    """What a Trace takes, in bytes: that of a copy."""
    text = trace.to_json()
    tracemalloc.start()
    copy = Trace.from_json(text)
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert copy == trace
    return size


def test_a_long_run_takes_what_its_changes_take(traces: tuple[Trace, Trace]) -> None:
    assert [len(trace.exchanges) for trace in traces] == [100, 1000]
    texts = [len(trace.to_json()) for trace in traces]
    sizes = [memory(trace) for trace in traces]
    print(f"JSON {texts[0]} -> {texts[1]} bytes, {texts[1] / texts[0]:.2f} times")
    print(f"memory {sizes[0]} -> {sizes[1]} bytes, {sizes[1] / sizes[0]:.2f} times")
    assert texts[1] < 11 * texts[0]
    assert sizes[1] < 11 * sizes[0]


def test_the_last_of_many_versions_is_had_in_linear_time(traces: tuple[Trace, Trace]) -> None:
    """Ten times as many versions: 15 times the time (measured: 37 and 560 microseconds), for the long chain no longer fits
    the processor's first cache. A hundred times would be quadratic."""

    def last(trace: Trace) -> float:
        return min(seconds(lambda: [trace.messages_at(trace.steps[-1].messages) for _ in range(50)]) for _ in range(15))

    short, long = (last(trace) for trace in traces)
    print(f"messages_at the last step: {short / 50 * 1000:.3f} -> {long / 50 * 1000:.3f} ms")
    assert long < 25 * short


def test_a_run_of_100_requests_costs_at_most_3_times_the_plain_run() -> None:
    api = long_client()
    fuse = Fuse(requests=100, seconds=600)
    rounds = [
        (seconds(lambda: runs_on(api, 100)), seconds(lambda: record(runs_on, api, 100, fuse=fuse))) for _ in range(3)
    ]
    plain, recorded = (min(times) for times in zip(*rounds, strict=True))
    print(f"100 requests: plain {plain:.2f} s, recorded {recorded:.2f} s, {recorded / plain:.2f} times")
    assert recorded <= 3 * plain
