"""A conversation that ends with an assistant turn. Rules 43 and 44."""

from __future__ import annotations

from course.offline.rules.asked import Asked, refuse

__all__ = ["check_prefill", "check_trailing_space"]


def check_prefill(asked: Asked) -> None:
    """Rule 43: only the 4.5 models continue an assistant turn. Source: the page "Errors" of the API's documentation.

    Not a prefill: a paused turn or a compaction that is sent back to be continued; and, as measured (ADAPTER), a turn
    without any content. Where the pairing is not checked (lenient): a turn that ends with a call, for its results are missing.
    """
    turns = asked.turns
    if asked.model.prefill or not turns or turns[-1].role != "assistant" or not turns[-1].blocks:
        return
    kind = turns[-1].blocks[-1].block["type"]
    if kind == "tool_use" and asked.context.lenient:
        return
    if kind == "server_tool_use" or kind == "compaction" or kind.endswith("_tool_result"):
        return
    raise refuse(
        "This model does not support assistant message prefill. The conversation must end with a user message."
    )


def check_trailing_space(asked: Asked) -> None:
    """Rule 44. Source: opencode#1295, forgecode#1872, crewAI#4413."""
    last = asked.turns[-1] if asked.turns else None
    if last is not None and last.role == "assistant" and last.blocks:
        block = last.blocks[-1].block
        if block["type"] == "text" and block["text"] != block["text"].rstrip():
            raise refuse("messages: final assistant content cannot end with trailing whitespace")
