"""The agent loop that the notebooks arrive at. Everything else in this course is about these lines.

The model never runs code: it asks for it. The loop sends `messages` and `tools`, runs the tools that were asked for, appends
their results, and goes on. What ends it is the model's own decision: a reply that asks for no tool.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from course.errors import LoopError
from course.tools import Tool, run_tool
from course.words import _

__all__ = ["run_loop"]

LARGEST_MAX_TOKENS = 16_000  # the SDK refuses more than about 21,000 without streaming


def run_loop(
    client: Any,
    messages: list[dict[str, Any]],
    tools: Sequence[Tool] = (),
    *,
    model: str,
    max_tokens: int = 1024,
    max_requests: int = 25,
) -> Any:
    """Ask, run the tools, append, ask again, until the model ends its turn. Returns the last reply (a `Message`).

    `messages` grows in place, so that the conversation can go on afterwards. Look at the reply's `stop_reason`: besides
    `end_turn` and `stop_sequence` it can be `refusal`, `max_tokens` (cut off at the largest limit) or
    `model_context_window_exceeded`; these turns are not appended. `max_requests` is a fuse, not a way out: LoopError says
    that it blew. Errors of the API are the SDK's own exceptions.
    """
    definitions = [each.definition for each in tools]
    for _request in range(max_requests):
        reply = client.messages.create(model=model, max_tokens=max_tokens, tools=definitions, messages=messages)
        if reply.stop_reason == "tool_use":
            messages.append({"role": "assistant", "content": reply.content})
            calls = [block for block in reply.content if block.type == "tool_use"]
            messages.append({"role": "user", "content": [run_tool(tools, call) for call in calls]})
        elif reply.stop_reason == "pause_turn":
            messages.append({"role": "assistant", "content": reply.content})
        elif reply.stop_reason == "max_tokens" and max_tokens < LARGEST_MAX_TOKENS:
            max_tokens = min(2 * max_tokens, LARGEST_MAX_TOKENS)
        elif reply.stop_reason == "end_turn" and not reply.content:
            messages.append({"role": "user", "content": "Please continue."})
        else:
            if reply.stop_reason in ("end_turn", "stop_sequence"):
                messages.append({"role": "assistant", "content": reply.content})
            return reply
    raise LoopError(_("The fuse blew: {count} requests, and the model still asks for more.").format(count=max_requests))
