"""Compaction (beta): the history is summed up in one block, and the messages before that block are no longer looked at.

Two ways to ask for it: the edit `compact_20260112` in `context_management`, once the input reaches its trigger; or the
parameter `compaction`, which does it at once and says nothing more. The block's `encrypted_content` holds what the model
must still know. It is not secret here, only encoded; without it the model knows what the summary says, and starts again.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from course.offline import tokens
from course.offline.binding import is_summary
from course.offline.history import Place, Result, read
from course.offline.scenario import Scenario, pick
from course.offline.script import Draft
from course.words import _

__all__ = ["edit", "read_compacted", "summary", "usage", "visible"]

TRIGGER = 150_000  # input tokens, if the edit names no other
Block = dict[str, Any]


def visible(body: Mapping[str, Any]) -> dict[str, Any]:
    """The body with only those messages that count: from the last compaction block on."""
    messages: list[Any] = body["messages"]
    for index in range(len(messages) - 1, -1, -1):
        blocks = messages[index].get("content")  # a system item that only sets something may have none
        if not isinstance(blocks, list):
            continue
        at = max((place for place, block in enumerate(blocks) if is_summary(block)), default=None)
        if at is not None:
            rest = {**messages[index], "content": blocks[at:]}
            return {**body, "messages": [rest, *messages[index + 1 :]]}
    return dict(body)


def read_compacted(body: Mapping[str, Any], scenarios: Sequence[Scenario]) -> Place:
    """The place that the visible messages lead to."""
    messages = body["messages"]
    block = _summary_in(body)
    if block is None:
        return read(messages, scenarios)
    rest = {**messages[0], "content": messages[0]["content"][1:]}
    return read([rest, *messages[1:]], scenarios, _unpack(block, scenarios))


def _summary_in(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    first = body["messages"][0].get("content")
    return first[0] if isinstance(first, list) and first and is_summary(first[0]) else None


def edit(body: Mapping[str, Any], size: int) -> Draft | None:
    """What the request's compaction gives: the block alone if it asks for a pause, to be followed by the reply if not.

    body: its visible part, and `size` the tokens of that. None: nothing is asked for, or there is nothing to sum up.
    """
    only_summary = len(body["messages"]) == 1 and _summary_in(body) is not None
    if only_summary or body["max_tokens"] == 0:
        return None
    if body.get("compaction"):
        return Draft(stop_reason="compaction")
    for each in (body.get("context_management") or {}).get("edits") or ():
        trigger = each.get("trigger") or {}
        if each["type"].startswith("compact_") and size >= trigger.get("value", TRIGGER):
            return Draft(stop_reason="compaction" if each.get("pause_after_compaction") else "end_turn")
    return None


def summary(place: Place, signature: str) -> Block:
    """The block that stands for a place. signature: what binds thinking that is kept after it (`course.offline.binding`)."""
    done = [f"{each.tool}({json.dumps(each.input, ensure_ascii=False)})" for each in place.results]
    done += [f"web_search({query})" for query in place.queries]
    text = _("The task: {prompt}").format(prompt=place.prompt)
    text += "\n" + _("Done so far: {calls}").format(calls=", ".join(done) or _("nothing"))
    state = {
        "prompt": place.prompt,
        "results": [(each.tool, each.input, each.text, each.failed) for each in place.results],
        "queries": place.queries,
        "refused": place.refused.name if place.refused else None,
    }
    packed = base64.b64encode(json.dumps(state).encode("ascii")).decode("ascii")
    return {"type": "compaction", "content": text, "encrypted_content": packed, "signature": signature}


def usage(message: dict[str, Any], size: int) -> None:
    """Write what each part cost into a message's usage: `iterations`. The totals leave the compaction out, as the API does."""
    total = message["usage"]
    cost = tokens.count(message["content"][0]["content"])
    parts = [_iteration("compaction", size, cost)]
    if message["stop_reason"] == "compaction":
        total["input_tokens"] = total["output_tokens"] = 0
    else:
        parts.append(_iteration("message", total["input_tokens"], total["output_tokens"]))
    total["iterations"] = parts


def _iteration(type: str, input_tokens: int, output_tokens: int) -> dict[str, Any]:
    return {
        "type": type,
        "input_tokens": input_tokens,
        "output_tokens": output_tokens,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
    }


def _unpack(block: Mapping[str, Any], scenarios: Sequence[Scenario]) -> Place:
    """The place that a block stands for."""
    place = Place(prompt=str(block["content"]))
    try:
        state = json.loads(base64.b64decode(block.get("encrypted_content") or "", validate=True))
        results = tuple(
            Result(str(tool), dict(input), str(text), bool(failed)) for tool, input, text, failed in state["results"]
        )
        place = Place(prompt=str(state["prompt"]), results=results, queries=tuple(map(str, state["queries"])))
        refused = state["refused"]
    except (ValueError, KeyError, TypeError):
        refused = None  # not a block of ours, or only its summary: then that is all the model knows
    return replace(
        place,
        scenario=pick(scenarios, place.prompt),
        refused=next((each for each in scenarios if each.name == refused and each.refuses), None),
    )
