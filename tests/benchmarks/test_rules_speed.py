"""How long a check takes: `python -m pytest tests/benchmarks/test_rules_speed.py`.

Nothing here fails because it is slow; the ratio of 1,000 messages to 100 is in the report (extra_info, and `-s` shows it).
"""

from __future__ import annotations

import time
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from course.offline.binding import sign_conversation
from course.offline.rules import Context, check

CONTEXT = Context({"x-api-key": "a key", "anthropic-version": "2026-10-21"})
TOOL = {"name": "list_files", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}}


def body_of(count: int, *, thinking: bool = False) -> dict[str, Any]:
    """A request whose history has this many messages: a question, then rounds of a call and its result.

    thinking: each call comes after a thinking block, which is bound to all that was before it (rule 82).
    """
    messages: list[Any] = [{"role": "user", "content": "Count the files."}]
    for number in range((count - 1) // 2):
        call = {"type": "tool_use", "id": f"toolu_{number}", "name": "list_files", "input": {"path": "."}}
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": "README.md\npackage.json"}
        messages.append({"role": "assistant", "content": [{"type": "text", "text": "Looking."}, call]})
        messages.append({"role": "user", "content": [result]})
    body = {"model": "claude-haiku-5-5", "max_tokens": 1000, "tools": [TOOL], "messages": messages}
    if thinking:
        for message in messages[1::2]:
            message["content"].insert(0, {"type": "thinking", "thinking": "Look first."})
        body["messages"] = sign_conversation(body)
    return body


def ratio(large: int, small: int, *, thinking: bool, rounds: int = 20) -> float:
    """How many times as long the larger history takes, by the processor time of the fastest of some rounds in turn."""
    bodies = {count: body_of(count, thinking=thinking) for count in (large, small)}
    best = dict.fromkeys(bodies, float("inf"))
    for _ in range(rounds):
        for count, body in bodies.items():
            start = time.process_time()
            check(body, CONTEXT)
            best[count] = min(best[count], time.process_time() - start)
    return best[large] / best[small]


@pytest.mark.parametrize("count", [3, 100, 1000])
def test_one_check(benchmark: BenchmarkFixture, count: int):
    body = body_of(count)
    benchmark.extra_info["messages"] = len(body["messages"])
    benchmark(check, body, CONTEXT)


@pytest.mark.parametrize("thinking", [False, True], ids=["plain", "thinking"])
def test_ten_times_the_messages(benchmark: BenchmarkFixture, thinking: bool):
    """The issue's limit is 12."""
    body = body_of(1000, thinking=thinking)
    benchmark(check, body, CONTEXT)
    times = ratio(1000, 100, thinking=thinking)
    benchmark.extra_info["ratio"] = round(times, 2)
    print(f"\n1,000 messages take {times:.2f} times as long as 100")
