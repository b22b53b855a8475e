"""The offline model: from the body of a request that keeps every rule to the reply. Nothing else goes in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from course.offline import compaction, tokens
from course.offline.binding import sign_summary
from course.offline.models import find
from course.offline.reply import Reply, finish
from course.offline.scenario import Scenario
from course.offline.script import write

__all__ = ["InputTokens", "respond"]

NewId = Callable[[str], str]


class InputTokens:
    """Counts the input tokens of one request, once. What stands before a compaction block is not counted."""

    def __init__(self) -> None:
        self._count: int | None = None

    def __call__(self, body: Mapping[str, Any]) -> int:
        if self._count is None:
            self._count = tokens.count_request(compaction.visible(body))
        return self._count


def respond(
    body: Mapping[str, Any],
    scenarios: Sequence[Scenario],
    new_id: NewId,
    *,
    input_tokens: int,
    context_window: int | None = None,
) -> Reply:
    """The reply to a request. context_window: in tokens, in place of the model's own."""
    model = find(body["model"])
    assert model is not None, "the rules refuse an unknown model"
    seen = compaction.visible(body)
    place = compaction.read_compacted(seen, scenarios)
    after = input_tokens
    draft = compaction.edit(seen, input_tokens)
    compacted = draft is not None
    if draft is None:
        draft = write(body, place, scenarios)
    else:
        block = compaction.summary(place, sign_summary(body, binds=model.binds_thinking))
        after = tokens.count_request({**body, "messages": [{"role": "assistant", "content": [block]}]})
        if draft.stop_reason != "compaction":
            draft = write(body, replace(place, said="", nudged=False, loose_text=False), scenarios)
        draft = replace(draft, blocks=[block, *draft.blocks])
    room = (context_window or model.context_window) - after
    reply = finish(draft, body, model=model, input_tokens=after, room=room, new_id=new_id)
    if compacted:
        compaction.usage(reply.message, input_tokens)
    if body.get("context_management"):
        reply.message["context_management"] = {"applied_edits": []}
    return reply
