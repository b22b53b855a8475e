"""The recorder's own model: a function from a request to a response. It decides from the request alone.

It lists the files, then reads one, then ends its turn: as many tool results as there are in `messages`, so far it is. It knows
the rules that the loops of these tests break, and can do what the wire does: fail at first, stream, cut a stream.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import anthropic
import httpx2

KEY = "sk-ant-test-0123456789abcdef-not-a-real-key"
MODEL = "claude-sonnet-5-5"
CALLS = (("list_files", {"path": "."}), ("read_file", {"path": "a.py"}))

Handler = Callable[[dict[str, Any]], httpx2.Response]


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def message(content: list[dict[str, Any]], stop_reason: str | None) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }


def call(number: int, name: str, given: dict[str, Any]) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given}


def blocks(body: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """All blocks of a kind in the messages of a request."""
    contents = [item.get("content") for item in body["messages"] if isinstance(item, dict)]
    return [
        block for content in contents if isinstance(content, list) for block in content if block.get("type") == kind
    ]


def refusal_by_rule(body: dict[str, Any]) -> str | None:
    """The message of the rule that the request breaks, worded as the API words it."""
    if not isinstance(body["messages"], list):
        return "messages: Input should be a valid array"
    for number, item in enumerate(body["messages"]):
        extra = [key for key in item if key not in ("role", "content")]
        if extra:
            return f"messages.{number}.{extra[0]}: Extra inputs are not permitted"
    asked, answered = (
        {block[key] for block in blocks(body, kind)}
        for kind, key in (("tool_use", "id"), ("tool_result", "tool_use_id"))
    )
    if answered - asked:
        return (
            f"messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks: {min(answered - asked)}. "
            "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
        )
    if asked - answered:
        return (
            f"messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: {min(asked - answered)}. "
            "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
        )
    return None


def reply(body: dict[str, Any]) -> dict[str, Any]:
    """The next turn of a model that lists, reads, and is done."""
    done = len(blocks(body, "tool_result"))
    if done >= len(CALLS):
        return message([text("There are two files.")], "end_turn")
    name, given = CALLS[done]
    return message([text("Let me see."), call(done + 1, name, given)], "tool_use")


def both_at_once(body: dict[str, Any]) -> dict[str, Any]:
    """A model that asks for its two tools in one turn."""
    if blocks(body, "tool_result"):
        return message([text("There are two files.")], "end_turn")
    return message([call(number, *each) for number, each in enumerate(CALLS, start=1)], "tool_use")


def endless(body: dict[str, Any]) -> dict[str, Any]:
    """A model that never has enough."""
    return message([call(len(blocks(body, "tool_result")) + 1, "list_files", {"path": "."})], "tool_use")


def events(whole: dict[str, Any]) -> Iterator[bytes]:
    """A message as an event stream, its input in pieces of a few characters."""
    yield _event("message_start", message={**whole, "content": [], "stop_reason": None})
    for index, block in enumerate(whole["content"]):
        empty = {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}
        yield _event("content_block_start", index=index, content_block=empty)
        if block["type"] == "text":
            yield _event("content_block_delta", index=index, delta={"type": "text_delta", "text": block["text"]})
        else:
            pieces = json.dumps(block["input"])
            for start in range(0, len(pieces), 5):
                delta = {"type": "input_json_delta", "partial_json": pieces[start : start + 5]}
                yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    yield _event(
        "message_delta", delta={"stop_reason": whole["stop_reason"], "stop_sequence": None}, usage={"output_tokens": 5}
    )
    yield _event("message_stop")


def _event(kind: str, **data: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()


class _Chunks(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    def __init__(self, chunks: Iterator[bytes]) -> None:
        self.chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        yield from self.chunks

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self.chunks:
            yield chunk


def answer(body: dict[str, Any], model: Callable[[dict[str, Any]], dict[str, Any]] = reply) -> httpx2.Response:
    """The response to a request, by the rules."""
    broken = refusal_by_rule(body)
    if broken is not None:
        return failure(400, "invalid_request_error", broken)
    whole = model(body)
    if body.get("stream"):
        return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=_Chunks(events(whole)))
    return httpx2.Response(200, json=whole)


def failure(status: int, kind: str, words: str) -> httpx2.Response:
    error = {"type": "error", "error": {"type": kind, "message": words}, "request_id": "req_1"}
    return httpx2.Response(status, json=error, headers={"retry-after-ms": "1"})


def by(model: Callable[[dict[str, Any]], dict[str, Any]]) -> Handler:
    return lambda body: answer(body, model)


def lenient(body: dict[str, Any]) -> httpx2.Response:
    """An endpoint that checks nothing."""
    return httpx2.Response(200, json=reply(body))


def failing_at_first(times: int) -> Handler:
    """An endpoint that is overloaded for so many requests."""
    count = itertools.count()
    return lambda body: failure(529, "overloaded_error", "Overloaded") if next(count) < times else answer(body)


def unreachable(body: dict[str, Any]) -> httpx2.Response:
    raise httpx2.ConnectError("All connection attempts failed")


def cut(body: dict[str, Any]) -> httpx2.Response:
    """A stream whose connection breaks in the middle of the tool's input."""

    def chunks() -> Iterator[bytes]:
        yield from itertools.islice(events(reply(body)), 6)
        raise httpx2.RemoteProtocolError("peer closed connection")

    return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=_Chunks(chunks()))


def client(handler: Handler = answer) -> anthropic.Anthropic:
    transport = httpx2.MockTransport(lambda request: handler(json.loads(request.content)))
    return anthropic.Anthropic(api_key=KEY, http_client=httpx2.Client(transport=transport))


def async_client(handler: Handler = answer) -> anthropic.AsyncAnthropic:
    transport = httpx2.MockTransport(lambda request: handler(json.loads(request.content)))
    return anthropic.AsyncAnthropic(api_key=KEY, http_client=httpx2.AsyncClient(transport=transport))
