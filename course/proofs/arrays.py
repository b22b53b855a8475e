"""Sending an array of messages that an item proposes: as a recorded run, or without the SDK where many are tried."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from course.offline.wire import Request
from course.proofs.blocks import turns
from course.proofs.outcomes import Asked, Run, Story, outcome
from course.proofs.setting import Setting
from course.proofs.stage import Stage
from course.proofs.world import COMPACTION, World
from course.quiz.proof_forms import Outcome

__all__ = ["Refused", "accepted", "array_outcome", "derived_response", "send"]

HEADERS = {
    "anthropic-version": "2026-10-21",
    "content-type": "application/json",
    "x-api-key": "offline",
}


class Refused(Exception):
    """The API's error text for a request."""


def send(stage: Stage, array: Sequence[Any]) -> Run:
    """Send an array and record it. Where the setting's messages were not sent before, they are sent first."""
    assert isinstance(stage.where, Setting)
    setting = stage.where
    following = setting.with_signatures(list(array))

    def next_request(client: Any, messages: list[Any]) -> Any:
        messages[:] = following
        return client.messages.create(**setting.body(messages))

    def reply_then_next_request(client: Any, messages: list[Any]) -> Any:
        client.messages.create(**setting.body(messages))
        messages[:] = following
        return client.messages.create(**setting.body(messages))

    return stage.play(next_request if setting.asked else reply_then_next_request)


def accepted(setting: Setting, messages: Sequence[Any]) -> None:
    """Raise Refused with the API's error text if a request with these messages is refused."""
    _ask(World(setting), setting.with_signatures(list(messages)))


def array_outcome(setting: Setting, array: Sequence[Any]) -> Outcome:
    """What comes of an array as the request after the setting's messages and its response."""
    world = World(replace(setting, asked=True))
    first = Asked(setting.start(), {"content": setting.content, "stop_reason": setting.reason})
    messages = setting.with_signatures(list(array))
    try:
        reply = _ask(world, messages)
    except Refused:
        reply = None
    return outcome(Story((first, Asked(messages, reply)), messages, news=world.news))


def _ask(world: World, messages: list[Any]) -> Any:
    """The reply to a request. Raises Refused."""
    body = json.dumps(world.setting.body(messages)).encode("utf-8", "replace")
    headers = {**HEADERS, **({"anthropic-beta": COMPACTION} if world.setting.reason == "compaction" else {})}
    response = world.handle(Request("POST", "/v1/messages", headers, body))
    answer = json.loads(b"".join(response.chunks))
    if response.status != 200:
        raise Refused(answer["error"]["message"])
    return answer


def derived_response(
    messages: Sequence[Mapping[str, Any]], array: Sequence[Mapping[str, Any]]
) -> dict[str, Any] | None:
    """The reply that an array goes on from, where an item shows none: the last assistant turn beyond its messages."""
    new = [content for role, content in turns(array[len(messages) :]) if role == "assistant"]
    if not new:
        return None
    kinds = [str(block.get("type")) for block in new[-1]]
    reasons = {"tool_use": "tool_use", "server_tool_use": "pause_turn", "compaction": "compaction"}
    reason = next((reasons[kind] for kind in reversed(kinds) if kind in reasons), "end_turn")
    return {"role": "assistant", "content": new[-1], "stop_reason": reason}
