"""The world of one item: the offline Messages API, whose model says the item's response first.

The real rules check every request. What the model says to a request that keeps them follows from that request, the first one
and the item (replies.py). `news` tells, for each request that was not refused, what its reply brought.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from course.clients import OFFLINE_KEY, OFFLINE_URL
from course.offline.endpoint import Endpoint
from course.offline.faults import Fault
from course.offline.reply import Reply
from course.offline.scenario import Scenario
from course.proofs.replies import Draft, News, first_reply, next_reply
from course.proofs.setting import Setting

if TYPE_CHECKING:
    import anthropic

__all__ = ["World", "client_of"]

COMPACTION = "compact-2026-01-12"  # the beta without which a compaction block is refused
_NOBODY = Scenario(name="own", prompt="", knows=[], answer="")  # the endpoint wants a scenario; it is never asked
_PREFIXES = {"tool_use": "toolu_01", "server_tool_use": "srvtoolu_01"}


class World(Endpoint):
    """An endpoint for one run of an item. It must not be used for a second run."""

    def __init__(self, setting: Setting, faults: Iterable[Fault | str] = ()) -> None:
        super().__init__(_NOBODY, faults=faults)
        self.setting = setting
        self.first: Mapping[str, Any] | None = setting.body(setting.start()) if setting.asked else None
        self.news: list[News] = []

    def reply(self, body: dict[str, Any], new_id: Callable[[str], str], input_tokens: int) -> Reply:
        """The reply of the item's model."""
        if self.first is None:
            self.first = body
            draft = first_reply(self.setting)
        else:
            draft = next_reply(self.setting, self.first, body)
        self.news.append(draft.news)
        return _finished(draft, body["model"], new_id, input_tokens)


def client_of(world: World) -> anthropic.Anthropic:
    """The SDK's client for a world. It does not try again: each request counts."""
    import anthropic
    import httpx2

    from course.offline.transport import OfflineTransport

    headers = {"anthropic-beta": COMPACTION} if world.setting.reason == "compaction" else {}
    return anthropic.Anthropic(
        api_key=OFFLINE_KEY,
        base_url=OFFLINE_URL,
        webhook_key="",
        open_telemetry=False,
        default_headers=headers,
        http_client=httpx2.Client(transport=OfflineTransport(world), trust_env=False),
        max_retries=0,
    )


def _finished(draft: Draft, model: str, new_id: Callable[[str], str], input_tokens: int) -> Reply:
    """The draft as the API sends it: with every field that the item left out."""
    content = [_with_id(block, new_id) for block in draft.content]
    message = {
        "model": model,
        "id": new_id("msg_01"),
        "type": "message",
        "role": "assistant",
        "container": None,
        "stop_sequence": None,
        "stop_details": _refusal() if draft.stop_reason == "refusal" else None,
        "usage": _usage(input_tokens),
        "diagnostics": None,
        **(draft.more or {}),
        "content": content,
        "stop_reason": draft.stop_reason,
    }
    return Reply(message, _cut_input(draft, content))


def _with_id(block: Mapping[str, Any], new_id: Callable[[str], str]) -> dict[str, Any]:
    if block.get("id", "") is None:
        return {**block, "id": new_id(_PREFIXES[str(block["type"])])}
    return dict(block)


def _cut_input(draft: Draft, content: list[dict[str, Any]]) -> str | None:
    """The text of the last call's input as a stream brings it, if the reply was cut there."""
    if draft.stop_reason != "max_tokens" or not content or content[-1].get("type") != "tool_use":
        return None
    return json.dumps(content[-1].get("input", {}), ensure_ascii=False)[:-1]


def _refusal() -> dict[str, Any]:
    return {"type": "refusal", "category": None, "explanation": None}


def _usage(input_tokens: int) -> dict[str, Any]:
    return {
        "input_tokens": input_tokens,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
        "output_tokens": 100,
        "output_tokens_details": {"thinking_tokens": 0},
        "service_tier": "standard",
        "inference_geo": "global",
    }
