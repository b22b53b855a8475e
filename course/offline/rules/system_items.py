"""Messages with `role: "system"`. Rules 29 to 31.

Wordings and places: measured on the API (ADAPTER, 2026-08-31 and 2026-09-01; a public note on the newest Opus,
2026-10-06). System items in a row are one section; only where it begins and ends is constrained.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.offline.rules.asked import Asked, refuse

__all__ = ["check_system_items"]

ANYWHERE = "; the directive-only form (content: [] with output_config) is accepted at any position"
BLOCK_TYPES = frozenset({"text", "tool_addition", "tool_removal"})
USER_OR_RESULT = "a 'user' message or an 'assistant' message ending in a server tool result"


def check_system_items(asked: Asked) -> None:
    """What each item holds, then rules 29, 30 and 31, then its texts."""
    turns = [(index, message) for index, message in enumerate(asked.body["messages"]) if not is_directive(message)]
    items = [(index, message) for index, message in turns if message["role"] == "system"]
    for index, item in items:
        check_item_content(index, item)
    if items and items[0][0] == turns[0][0]:  # rule 29
        raise refuse(
            f"messages.{items[0][0]}: use the top-level 'system' parameter for the initial system prompt{ANYWHERE}"
        )
    for at, (index, message) in enumerate(turns):
        if message["role"] == "system":
            check_place(index, turns[at - 1][1], turns[at + 1][1] if at + 1 < len(turns) else None)  # rule 30
    # Rule 31. Source: claude-code#61412. That the place is told first: measured on Haiku 4.5, 2026-09-10.
    if items and not (asked.model.system_items or asked.context.is_claude_code):
        raise refuse("role 'system' is not supported on this model")
    for index, item in items:
        texts = [item["content"]] if isinstance(item["content"], str) else [b.get("text", "-") for b in item["content"]]
        if "" in texts:  # rule 40
            raise refuse("messages: text content blocks must be non-empty")
        if any(not text.strip() for text in texts):
            raise refuse(f"messages.{index}: system text blocks must contain non-whitespace text")


def is_directive(item: Mapping[str, Any]) -> bool:
    """True for a system item that only sets `output_config` for what follows."""
    return item["role"] == "system" and not item.get("content") and bool(item.get("output_config"))


def check_item_content(index: int, item: Mapping[str, Any]) -> None:
    """At least one block, and only of the types that a system item takes."""
    content = item["content"]
    if not content:
        raise refuse(f"messages.{index}: system content must contain at least one block")
    if not isinstance(content, str) and any(block["type"] not in BLOCK_TYPES for block in content):
        raise refuse(f"messages.{index}: role 'system' supports text, tool_addition, and tool_removal blocks only")


def check_place(index: int, before: Mapping[str, Any], after: Mapping[str, Any] | None) -> None:
    """Rule 30: the section follows a user turn (or a server tool's result), and precedes an assistant turn or the end.

    before, after: the messages beside it. An item that only sets something is not one of them.
    """
    if before["role"] == "assistant" and not ends_in_server_result(before):
        raise refuse(f"messages.{index}: role 'system' must follow {USER_OR_RESULT}{ANYWHERE}")
    if after is not None and after["role"] == "user":
        raise refuse(f"messages.{index}: role 'system' must precede an 'assistant' message or end the array{ANYWHERE}")


def ends_in_server_result(message: Mapping[str, Any]) -> bool:
    content = message["content"]
    if isinstance(content, str) or not content:
        return False
    kind = content[-1]["type"]
    return bool(kind.endswith("_tool_result"))
