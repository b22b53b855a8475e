"""A message as a stream of server-sent events, one chunk for each event (messages_api.md part 4)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from course.offline.reply import Reply

__all__ = ["error_event", "events"]

TEXT = 24  # characters of text in one fragment, about
JSON = 12  # characters of a tool's input in one fragment
_START = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "cache_creation")
_END = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens",
        "output_tokens_details", "server_tool_use", "iterations")  # fmt: skip


def events(reply: Reply) -> Iterator[bytes]:
    """The events of a message. Each is made when it is taken."""
    message = reply.message
    yield _event({"type": "message_start", "message": _opening(message)})
    last = len(message["content"]) - 1
    for index, block in enumerate(message["content"]):
        start, deltas = _parts(block, reply.cut_input if index == last else None)
        yield _event({"type": "content_block_start", "index": index, "content_block": start})
        if index == 0:
            yield b'event: ping\ndata: {"type": "ping"}\n\n'  # the one event that the API writes with a space
        for delta in deltas:
            yield _event({"type": "content_block_delta", "index": index, "delta": delta})
        yield _event({"type": "content_block_stop", "index": index})
    ending = {key: message[key] for key in ("stop_reason", "stop_sequence", "stop_details", "container")}
    usage = {key: message["usage"][key] for key in _END if key in message["usage"]}
    extra = {key: message[key] for key in ("context_management",) if key in message}
    yield _event({"type": "message_delta", "delta": ending, "usage": usage, **extra})
    yield _event({"type": "message_stop"})


def error_event(type: str, message: str) -> bytes:
    """The event that ends a stream in the middle. Nothing comes after it."""
    return _event({"type": "error", "error": {"type": type, "message": message}})


def _event(data: dict[str, Any]) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"event: {data['type']}\ndata: {text}\n\n".encode("utf-8", "replace")


def _opening(message: dict[str, Any]) -> dict[str, Any]:
    """The message as it is before anything was said."""
    usage = {key: message["usage"][key] for key in _START}
    first = min(1, message["usage"]["output_tokens"])
    usage |= {"output_tokens": first, "service_tier": "standard", "inference_geo": "global"}
    return {**message, "content": [], "stop_reason": None, "stop_sequence": None, "stop_details": None, "usage": usage}


def _parts(block: dict[str, Any], cut_input: str | None) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    """How a block starts, and the deltas that fill it."""
    kind = block["type"]
    if kind == "text":
        deltas = ({"type": "text_delta", "text": part} for part in _fragments(block["text"], TEXT))
        return {**block, "text": ""}, deltas
    if kind in ("tool_use", "server_tool_use"):
        text = json.dumps(block["input"], ensure_ascii=False) if cut_input is None else cut_input
        parts = ["", *_fragments(text, JSON)]
        return {**block, "input": {}}, ({"type": "input_json_delta", "partial_json": part} for part in parts)
    if kind == "thinking":
        return {**block, "thinking": "", "signature": ""}, _thinking(block)
    if kind == "compaction":
        delta = {
            "type": "compaction_delta",
            "content": block["content"],
            "encrypted_content": block["encrypted_content"],
        }
        return {**block, "content": None, "encrypted_content": None}, iter([delta])
    return block, iter(())


def _thinking(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for part in _fragments(block["thinking"], TEXT):
        yield {"type": "thinking_delta", "thinking": part}
    yield {"type": "signature_delta", "signature": block["signature"]}


def _fragments(text: str, length: int) -> list[str]:
    """The text in parts of this length, each a little longer if that ends it with a space."""
    parts, start = [], 0
    while start < len(text):
        space = text.find(" ", start + length - 1, start + 2 * length)
        end = start + length if space < 0 else space + 1
        parts.append(text[start:end])
        start = end
    return parts
