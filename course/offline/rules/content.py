"""The messages: their shape, roles and blocks, and whether they hold anything. Rules 4 to 6, 25 to 42 and 90.

Wordings: measured on the API in August 2026 (source ADAPTER of messages_api.md), if not said otherwise. What a block
holds is in `own_blocks.py`. Rule 28, that turns need not alternate, is where turns are merged: `asked.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from course.offline.rules.asked import Asked, Placed, refuse
from course.offline.rules.blocks import BETA_BLOCKS, BLOCKS
from course.offline.rules.context import NEWEST_VERSION
from course.offline.rules.shapes import (
    EXTRA,
    NOT_AN_ARRAY,
    NOT_AN_OBJECT,
    REQUIRED,
    STRING,
    Array,
    Literal,
    Nullable,
    demand,
    record,
)
from course.offline.rules.top_level import EFFORT

__all__ = ["check_emptiness", "check_messages", "check_sides"]

USERS_BLOCKS = frozenset({"image", "search_result"})
MOST_MESSAGES = 100_000
ROLES = frozenset({"user", "assistant", "system"})

# What a system item may hold beside its content, with the beta header that opens it.
ITEM_BETAS = {
    "output_config": ("mid-conversation-output-config-", "per-turn-control-"),
    "clear_at": ("mid-conversation-system-clear-at-", "per-turn-control-"),
}
ITEM_CHECKS = {
    "output_config": Nullable(record(None, {"effort?": Nullable(EFFORT)})),
    "clear_at": Nullable(Literal("next_user_message", "never")),
}


def check_messages(asked: Asked) -> None:
    """Rules 4 to 6 and 42 for the array, then rules 25 to 27 and 32 to 37 for each message in turn."""
    if "messages" not in asked.body:
        raise refuse(f"messages: {REQUIRED}")  # rule 4
    messages = asked.body["messages"]
    if not isinstance(messages, list):
        raise refuse(f"messages: {NOT_AN_ARRAY}")  # rule 5
    if not messages:
        raise refuse("messages: at least one message is required")  # rule 6
    if len(messages) > MOST_MESSAGES:  # rule 42. Source: the SDK's docstring; the wording is our own.
        raise refuse(f"messages: List should have at most {MOST_MESSAGES} items, not {len(messages)}")
    blocks = BETA_BLOCKS if asked.context.betas else BLOCKS
    for index, message in enumerate(messages):
        check_message(message, f"messages.{index}", blocks, asked)


def check_message(message: Any, where: str, blocks: Array, asked: Asked) -> None:
    """The shape of one message."""
    if not isinstance(message, dict):
        raise refuse(f"{where}: {NOT_AN_OBJECT}")  # rule 25
    if "role" not in message:
        raise refuse(f"{where}.role: {REQUIRED}")  # rule 26
    role = message["role"]
    demand(STRING, role, f"{where}.role")
    if role not in ROLES:  # rule 27: no index in this one
        raise refuse(f'messages: Unexpected role "{role}". Allowed roles are "user" or "assistant"')
    directives = open_directives(asked) if role == "system" else ()
    if "content" in message:
        if not isinstance(message["content"], str):
            demand(blocks, message["content"], f"{where}.content")  # rules 33 to 37
    elif not (directives and message.get("output_config")):
        raise refuse(f"{where}.content: {REQUIRED}")  # rule 32
    if len(message) > 2 or "content" not in message:
        for key in message:
            if key in directives:
                demand(ITEM_CHECKS[key], message[key], f"{where}.{key}")
            elif key not in ("role", "content"):
                raise refuse(f"{where}.{key}: {EXTRA}")  # rule 37: `response.model_dump()` ends here


def open_directives(asked: Asked) -> tuple[str, ...]:
    """The further fields that the caller's betas open in a system item."""
    return tuple(name for name, betas in ITEM_BETAS.items() if asked.context.is_beta(*betas))


def check_emptiness(asked: Asked) -> None:
    """Rules 38, 40 and 41.

    Rule 39, an assistant turn without content, is no fault on the models served today (measured; older models had one).
    """
    for turn in asked.turns:
        if turn.role == "user" and not turn.blocks:
            raise refuse(f"messages.{turn.first}: user messages must have non-empty content")  # rule 38
    # Rule 40, of the last user turn. Source: claude-code#59812; in an earlier turn an empty text was measured to be accepted.
    last = next((turn.blocks for turn in reversed(asked.turns) if turn.role == "user"), [])
    if any(text == "" for text in all_texts(last)):
        raise refuse("messages: text content blocks must be non-empty")
    # Rule 41. Source: claude-code#23440.
    for turn in asked.turns:
        for _, _, block in turn.blocks:
            if block["type"] == "text" and block["text"] and not block["text"].strip():
                raise refuse("messages: text content blocks must contain non-whitespace text")


def all_texts(blocks: list[Placed]) -> Iterator[str]:
    """The text of these blocks, and of the blocks in their results."""
    for _, _, block in blocks:
        inside = block.get("content") if block["type"] == "tool_result" else None
        for part in (block, *inside) if isinstance(inside, list) else (block,):
            if part["type"] == "text":
                yield part["text"]


def holds_more_than_text(result: Mapping[str, Any]) -> bool:
    content = result.get("content")
    return isinstance(content, list) and any(part["type"] != "text" for part in content)


def check_sides(asked: Asked) -> None:
    """What only one side may send. Rule 90 (`document`, citations), and media, without a number in messages_api.md.

    Source of rule 90: the migration guide of version 2026-10-21; its wording for citations is our own. Media in an assistant
    turn: measured on 2026-09-20, req_011CfEBBYooCmJyWSAv45UPL. A failed result holds only text: live, October 2026.
    """
    newest = asked.context.version == NEWEST_VERSION
    users = {*USERS_BLOCKS, "document"} if newest else USERS_BLOCKS
    for turn in asked.turns:
        for placed in turn.blocks:
            kind = placed.block["type"]
            if turn.role == "assistant" and kind in users:
                raise refuse(
                    f"messages.{placed.message}.content: '{kind}' blocks are not permitted within assistant turns"
                )
            if kind == "tool_result" and placed.block.get("is_error") and holds_more_than_text(placed.block):
                raise refuse(f"{placed.where}.tool_result: all content must be type `text` if `is_error` is true")
            if newest and turn.role == "user" and kind == "text" and placed.block.get("citations"):
                raise refuse(f"{placed.where}.text.citations: `citations` can only be in `assistant` messages")
