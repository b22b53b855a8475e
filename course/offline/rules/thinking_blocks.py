"""Thinking blocks in the history. Rules 81 to 84.

Without memory of what was sent, all that is known of a thinking block is in its signature (`course.offline.binding`). Thinking
may be left out: all of it, or what came first, or what came last (page "Preserved thinking" of the API's documentation; measured
on Opus 5.5). So a reply that comes back without its thinking is no fault, but for rule 84.
"""

from __future__ import annotations

from course.offline.binding import NOTHING, THINKING_TYPES, digest, mark_of, read_bond
from course.offline.rules.asked import Asked, Placed, Turn, refuse
from course.offline.rules.thinking import CONTROLS

__all__ = ["check_thinking_blocks"]

# What the last sentence of rule 82 says. Where the messages were changed it was seen to say nothing.
BREACHES = {
    "system": " The `system` prompt differs from the one this block was created with.",
    "tools": " The `tools` list differs from the one this block was created with.",
    "thinking": " The `thinking` block that preceded this one when it was created is missing from this request.",
    "missing": " Content that preceded this block when it was created is missing from this request.",
    "changed": "",
}


def check_thinking_blocks(asked: Asked) -> None:
    """All of them."""
    latest = next((turn for turn in reversed(asked.turns) if turn.role == "assistant"), None)
    for turn in asked.turns:
        if turn.role == "assistant":
            check_last_block(turn)
        for placed in turn.blocks:
            if placed.block["type"] in THINKING_TYPES:
                check_signature(placed, turn.role)
    if latest is not None:
        check_as_it_was(latest)
    check_conversation(asked)
    if asked.body.get("thinking", {}).get("type") == "enabled" and "adaptive" not in asked.model.thinking:
        check_begins_with_thinking(asked)


def check_last_block(turn: Turn) -> None:
    """A turn that is nothing but thinking, or ends in it: a reply that was cut there can't be sent back.

    Without a number in messages_api.md. Source: measured on Opus 4.8, August 2026: whatever the signature is.
    """
    last = turn.blocks[-1] if turn.blocks else None
    if last is not None and last.block["type"] in THINKING_TYPES:
        raise refuse(f"messages.{last.message}: The final block in an assistant message cannot be `thinking`.")


def check_signature(placed: Placed, role: str) -> None:
    """Rule 81. Source: Claude Code's error classifier; measured: one byte of a signature changed.

    Without a number in messages_api.md: thinking of the user's (req_011CaVcBf1yJrn4zwNo22znW); redacted thinking, which the
    offline model never writes (Claude Code's changelog, September 2026); a block that holds neither text nor signature
    (measured on Opus 5.5, 2026-09-28).
    """
    block = placed.block
    if role == "user":
        raise refuse(f"messages.{placed.message}.content: thinking blocks may only be in `assistant` messages")
    if block["type"] == "redacted_thinking":
        raise refuse(f"{placed.where}: Invalid `data` in `redacted_thinking` block")
    if not block["thinking"] and not block["signature"]:
        raise refuse(f"{placed.where}.thinking: each thinking block must contain thinking")
    if read_bond(block["signature"]) is None:
        raise refuse(f"{placed.where}: Invalid `signature` in `thinking` block")


def check_as_it_was(turn: Turn) -> None:
    """Rule 83: thinking in the latest assistant turn has its own words, and does not stand behind what followed it.

    Source: Claude Code's error classifier; the page "Thinking" of the API's documentation (text in a block whose text was
    left out is ignored); measured: thinking of two replies side by side is refused, in two replies put together it is not.
    An earlier turn's words were measured not to be compared.
    """
    before: Placed | None = None
    seen: set[bytes] = set()  # the blocks before it
    if not any(placed.block["type"] == "thinking" for placed in turn.blocks):
        return
    marks = [mark_of(placed.block) for placed in turn.blocks]
    for placed, mark, follower in zip(turn.blocks, marks, [*marks[1:], NOTHING], strict=True):
        if placed.block["type"] == "thinking":
            bond = read_bond(placed.block["signature"])
            assert bond is not None, "rule 81"
            # The offline model never writes two in a row, so the second was put there.
            beside = before is not None and before.message == placed.message and before.block["type"] in THINKING_TYPES
            if (
                beside
                or bond.text not in (NOTHING, digest(placed.block["thinking"]))
                or (bond.after in seen and bond.after != follower)
            ):
                raise refuse(
                    f"{placed.where}: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be "
                    "modified. These blocks must remain as they were in the original response."
                )
        before = placed
        seen.add(mark)


def check_conversation(asked: Asked) -> None:
    """Rule 82: a thinking block is bound to the conversation before it. Depends on the model (course/offline/models.py).

    Source: Claude Code's error classifier, the page "Preserved thinking" of the API's documentation; the last sentences were
    measured on Opus 5.5 and Haiku 5.5.
    """
    if not asked.broken or asked.dropped:
        return
    placed, breach = asked.broken[0]
    how = (
        ""
        if asked.context.is_beta(CONTROLS)
        else f" That setting requires the `{CONTROLS}` value in the `anthropic-beta` header."
    )
    raise refuse(
        f"{placed.where}: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the "
        f'block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".{how}{BREACHES[breach]}'
    )


def check_begins_with_thinking(asked: Asked) -> None:
    """Rule 84: in manual mode, the assistant turn that is going on begins with thinking.

    Source: many live captures; the spelling is theirs. A turn goes on if the conversation ends with it, or with results
    for its calls. The calls that it made before, answered by results alone, belong to it.
    """
    start: Placed | None = None
    for turn in reversed(asked.turns):
        if turn.role == "user" and (not turn.blocks or turn.blocks[0].block["type"] != "tool_result"):
            break
        if turn.role == "assistant" and turn.blocks:
            start = turn.blocks[0]
    if start is not None and start.block["type"] not in THINKING_TYPES:
        raise refuse(
            f"{start.where}.type: Expected `thinking` or `redacted_thinking`, but found `{start.block['type']}`. When "
            "`thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost "
            "set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. "
            "To avoid this requirement, disable `thinking`. Please consult our documentation at "
            "https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
        )
