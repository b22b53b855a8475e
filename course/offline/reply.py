"""From what the model would say to the message that the API sends: the limits cut it, and it gets its ids and its usage."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from course.offline import tokens
from course.offline.binding import Prefix, sign_thinking
from course.offline.models import Model
from course.offline.script import Draft

__all__ = ["Reply", "finish"]

PER_CALL = 12  # tokens around a tool_use block
END_OF_TURN = 3  # tokens that end a turn; an empty turn costs nothing else
Block = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """The message as the API's JSON. `cut_input`: the JSON text of the last tool_use's input, if a limit cut it."""

    message: dict[str, Any]
    cut_input: str | None = None


def finish(
    draft: Draft, body: Mapping[str, Any], *, model: Model, input_tokens: int, room: int, new_id: Callable[[str], str]
) -> Reply:
    """Apply `stop_sequences`, then `max_tokens` and the room that is left in the context window.

    room: in tokens. new_id: makes an id with the prefix it is given.
    """
    limit = max(min(body["max_tokens"], room), 0)
    stop = _stop(draft.blocks, body.get("stop_sequences") or ())
    cut = _cut(draft.blocks if stop is None else stop.written, limit)
    stop_reason, stop_sequence = draft.stop_reason, None
    used = min(cut.used + END_OF_TURN, limit)
    if cut.full or limit == 0:
        used = limit  # what was begun and is not shown was written, too
        stop_reason = "max_tokens" if body["max_tokens"] <= room else "model_context_window_exceeded"
    elif stop is not None:
        stop_reason, stop_sequence = "stop_sequence", stop.sequence
        cut.blocks = stop.shown
    message = {
        "model": model.full_id,
        "id": new_id("msg_01"),
        "type": "message",
        "role": "assistant",
        "content": _signed(_finished(cut.blocks, new_id), body, model),
        "container": None,
        "stop_reason": stop_reason,
        "stop_sequence": stop_sequence,
        "stop_details": draft.stop_details if stop_reason == "refusal" else None,
        "usage": _usage(input_tokens, used, cut),
        "diagnostics": None,
    }
    return Reply(message, cut.cut_input)


class _Stop(NamedTuple):
    """Where a stop sequence ends a reply: what was written until it was complete, and what of that is shown."""

    sequence: str
    written: list[Block]
    shown: list[Block]


def _stop(blocks: list[Block], sequences: Sequence[str]) -> _Stop | None:
    """The first stop sequence in a text; None if there is none.

    The first is the one that is complete first: the model writes on until then, and knows nothing of what would follow.
    """
    for number, block in enumerate(blocks):
        if block["type"] != "text":
            continue
        found = [(block["text"].find(each), each) for each in sequences if each in block["text"]]
        if found:
            at, sequence = min(found, key=lambda pair: (pair[0] + len(pair[1]), pair[0]))
            before = blocks[:number]
            written = {**block, "text": block["text"][: at + len(sequence)]}
            shown = [{**block, "text": block["text"][:at]}] if at else []
            return _Stop(sequence, [*before, written], [*before, *shown])
    return None


def _cut(blocks: list[Block], limit: int) -> _Cut:
    cut = _Cut(limit)
    for block in blocks if limit else ():
        if not cut.add(block):
            break
    return cut


class _Cut:
    """Takes blocks until a number of tokens is used up."""

    def __init__(self, limit: int) -> None:
        self.left = limit
        self.used = 0
        self.thinking = 0
        self.full = False
        self.blocks: list[Block] = []
        self.cut_input: str | None = None

    def add(self, block: Block) -> bool:
        """Take a block, or the part of it that fits. False once there is no room for more."""
        cost = _cost(block)
        if cost <= self.left:
            self._take(block, cost)
            return True
        self.full = True
        if block["type"] == "text":
            text = tokens.cut(block["text"], self.left)
            if text.strip():  # the API refuses a text of mere space when it comes back
                self._take({**block, "text": text}, self.left)
        elif block["type"] == "thinking":
            self._take({**block, "thinking": tokens.cut(block["thinking"], self.left)}, self.left)
        elif block["type"] == "tool_use":
            self._cut_call(block)
        return False

    def _cut_call(self, block: Block) -> None:
        """The members that are whole remain; the text of the JSON stops in the middle."""
        room = self.left - PER_CALL - tokens.count(block["name"])
        if room >= 0:
            self.cut_input = tokens.cut(_json(block["input"]), room)
            whole: dict[str, Any] = {}
            for key, value in block["input"].items():
                if not self.cut_input.startswith(_json({**whole, key: value})[:-1]):
                    break
                whole[key] = value
            self._take({**block, "input": whole}, self.left)

    def _take(self, block: Block, cost: int) -> None:
        self.blocks.append(block)
        self.used += cost
        self.left -= cost
        if block["type"] == "thinking":
            self.thinking += cost


def _cost(block: Block) -> int:
    kind = block["type"]
    if kind == "text":
        return tokens.count(block["text"])
    if kind == "thinking":
        return tokens.count(block["thinking"])
    if kind in ("tool_use", "server_tool_use"):
        return PER_CALL + tokens.count(block["name"]) + tokens.count(_json(block["input"]))
    return 0  # what the API itself puts in, such as the results of a search


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _finished(blocks: list[Block], new_id: Callable[[str], str]) -> list[Block]:
    """The blocks as they are sent, with ids. Thinking has no signature yet."""
    content, server_id = [], ""
    for block in blocks:
        if block["type"] == "tool_use":
            block = {"type": "tool_use", "id": new_id("toolu_01"), **block, "caller": {"type": "direct"}}
        elif block["type"] == "server_tool_use":
            server_id = new_id("srvtoolu_01")
            block = {"type": "server_tool_use", "id": server_id, **block, "caller": {"type": "direct"}}
        elif block["type"] == "web_search_tool_result":
            block = {"type": block["type"], "tool_use_id": server_id, **block, "caller": {"type": "direct"}}
        content.append(block)
    return content


def _signed(content: list[Block], body: Mapping[str, Any], model: Model) -> list[Block]:
    """The blocks, with thinking signed. Its text is left out unless it is to be shown."""
    if not any(block["type"] == "thinking" for block in content):
        return content
    display = (body.get("thinking") or {}).get("display") or ("summarized" if model.shows_thinking else "omitted")
    if display != "summarized":
        content = [{**block, "thinking": ""} if block["type"] == "thinking" else block for block in content]
    return sign_thinking(content, Prefix.of(body))


def _usage(input_tokens: int, output_tokens: int, cut: _Cut) -> dict[str, Any]:
    """There is no cache here, so its fields are 0 and every input token counts."""
    usage = {
        "input_tokens": input_tokens,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
        "output_tokens": output_tokens,
        "output_tokens_details": {"thinking_tokens": cut.thinking},
        "service_tier": "standard",
        "inference_geo": "global",
    }
    searches = sum(block["type"] == "server_tool_use" for block in cut.blocks)
    if searches:
        usage["server_tool_use"] = {"web_search_requests": searches, "web_fetch_requests": 0}
    return usage
