"""What the offline endpoint adds to a call of the SDK: the same call through our transport, and through a constant reply."""

from __future__ import annotations

import time
from typing import Any

import anthropic
import httpx2

from course.clients import client
from course.settings import MODEL, OFFLINE

GOAL = 1.5  # our time over the constant's
ROUNDS, CALLS = 12, 25

REQUEST: dict[str, Any] = {
    "model": MODEL,
    "max_tokens": 1000,
    "messages": [{"role": "user", "content": "Which files are in this directory? Then read package.json."}],
    "tools": [
        {
            "name": "list_files",
            "description": "List the files below a folder.",
            "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
        }
    ],
}


def constant_client(content: bytes, headers: dict[str, str]) -> anthropic.Anthropic:
    """A client whose every request gets this response."""
    transport = httpx2.MockTransport(lambda _request: httpx2.Response(200, headers=headers, content=content))
    http_client = httpx2.Client(transport=transport, trust_env=False)
    return anthropic.Anthropic(api_key="constant", base_url="http://constant.invalid", http_client=http_client)


def seconds(sdk: anthropic.Anthropic) -> float:
    start = time.process_time()  # of this process only: other work on the machine doesn't count
    for _call in range(CALLS):
        sdk.messages.create(**REQUEST)
    return time.process_time() - start


def test_a_call_takes_at_most_one_and_a_half_times_a_constant_reply() -> None:
    ours = client("list_then_read", settings=OFFLINE)
    response = ours.messages.with_raw_response.create(**REQUEST).http_response
    constant = constant_client(response.content, dict(response.headers))
    pairs = [(seconds(ours), seconds(constant)) for _round in range(ROUNDS)]
    best_ours, best_constant = (min(column) for column in zip(*pairs, strict=True))
    ratio = best_ours / best_constant
    print(f"offline {best_ours / CALLS * 1e6:.0f} us, constant {best_constant / CALLS * 1e6:.0f} us, ratio {ratio:.2f}")
    assert ratio <= GOAL
