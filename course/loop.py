"""The agent loop that the notebooks arrive at. Everything else in this course is about these lines.

The model never runs code: it asks for it. The loop sends `messages` and `tools`, runs the tools that were asked for, appends
their results, and goes on. What ends it is the model's own decision: a reply that asks for no tool. Notebook 04 builds this
function line by line. What each `stop_reason` means: course/stop_reasons.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from course.errors import LoopError
from course.stop_reasons import describe
from course.tools import Tool, definitions_of, run_tool
from course.words import _

__all__ = ["LARGEST_MAX_TOKENS", "NUDGE", "fuse_blew", "run_loop", "unknown_ending"]

LARGEST_MAX_TOKENS = 16_000  # the SDK refuses more than 21,333 without streaming
NUDGE = "Please continue."  # the model reads it, so it is not translated


def run_loop(
    client: Any,
    messages: list[dict[str, Any]],
    tools: Sequence[Tool | dict[str, Any]] = (),
    *,
    model: str,
    max_tokens: int = 1024,
    max_requests: int = 25,
) -> Any:
    """Ask, run the tools, append, ask again, until the model ends its turn. Returns the last reply (a `Message`).

    `messages` grows in place, by whole turns only, so that the conversation can go on afterwards. Look at the reply's
    `stop_reason`. `end_turn` and `stop_sequence`: it is the answer, and it is appended. The other three are not appended:
    `refusal`: `messages` is left as it was refused; take the task and what follows it out, or change it, before you ask again.
    `max_tokens`: cut off at LARGEST_MAX_TOKENS. `model_context_window_exceeded`: cut off; shorten `messages` first.

    tools: what `tool` makes, and definitions (dicts) of server tools, which the API runs itself.
    max_tokens: of one reply; a reply that is cut off is asked for again with twice as much.

    Raises LoopError if the fuse blows (`max_requests`, which is no way out), or for a `stop_reason` that it does not know.
    The SDK retries what can pass (408, 409, 429, 5xx, a lost connection); what is left is raised as the SDK's own exceptions.
    After any of these `messages` holds whole turns, and the same call goes on from there.
    """
    request = {"model": model, "tools": definitions_of(tools)}
    for _request in range(max_requests):
        reply = client.messages.create(**request, max_tokens=max_tokens, messages=messages)
        turn = {"role": "assistant", "content": reply.content}
        if reply.stop_reason == "tool_use":
            messages.append(turn)
            calls = [block for block in reply.content if block.type == "tool_use"]
            messages.append({"role": "user", "content": [run_tool(tools, call) for call in calls]})
        elif reply.stop_reason in ("pause_turn", "compaction"):
            messages.append(turn)
        elif reply.stop_reason == "max_tokens" and max_tokens < LARGEST_MAX_TOKENS:
            max_tokens = min(2 * max_tokens, LARGEST_MAX_TOKENS)
        elif reply.stop_reason == "end_turn" and not reply.content and messages[-1]["content"] != NUDGE:
            messages.append({"role": "user", "content": NUDGE})
        elif reply.stop_reason in ("end_turn", "stop_sequence"):
            if reply.content:
                messages.append(turn)
            return reply
        elif reply.stop_reason in ("refusal", "max_tokens", "model_context_window_exceeded"):
            return reply
        else:
            raise unknown_ending(reply)
    raise fuse_blew(max_requests)


def unknown_ending(reply: Any) -> LoopError:
    """The error for a `stop_reason` that the loop does not know, or for none at all."""
    value = reply.stop_reason
    return LoopError(_("The loop stops at stop_reason {value!r}. {why}").format(value=value, why=describe(value)))


def fuse_blew(requests: int) -> LoopError:
    """The error for a loop that sent so many requests and did not come to its end."""
    return LoopError(_("The fuse blew: {count} requests, and the model still asks for more.").format(count=requests))
