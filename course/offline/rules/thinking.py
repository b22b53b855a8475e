"""The `thinking` setting, and thinking blocks in the history. Rules 76 to 84.

Rule 82, that a thinking block is bound to the conversation before it, depends on the account (those made since August
2026): it is not enforced here. Rule 83 is kept as far as it can be without memory: a thinking block of the latest turn
whose text was changed is seen; one that was left out is not.
"""

from __future__ import annotations

from collections.abc import Mapping

from course.offline.rules.asked import Asked, Placed, refuse
from course.offline.rules.shapes import INTEGER, Check, Literal, Nullable, Tagged, demand, record, tagged
from course.offline.signatures import is_ours, is_sealed

__all__ = ["check_thinking", "check_thinking_blocks"]

LEAST_BUDGET = 1024  # tokens
BLOCK_BINDING = Nullable(record(None, {"prefix_mismatch_behavior?": Nullable(Literal("error", "drop_block"))}))


def forms(display: Check, more: Mapping[str, Check]) -> Tagged:
    """The four forms of `thinking`. Fields: the installed SDK's types; a test compares."""
    more = {"display?": Nullable(display), **more}
    return tagged(
        record("adaptive", more),
        record("between_tools", {}),
        record("disabled", {}),
        record("enabled", {"budget_tokens": INTEGER, **more}),
    )


THINKING = forms(Literal("summarized", "omitted"), {})
BETA_THINKING = forms(Literal("summarized", "omitted", "updates"), {"block_binding?": BLOCK_BINDING})


def check_thinking(asked: Asked) -> None:
    """Rules 76 to 80: the form, what the model takes of it, the budget, and the forced choice of a tool."""
    if "thinking" not in asked.body:
        return
    thinking = asked.body["thinking"]
    demand(BETA_THINKING if asked.context.betas else THINKING, thinking, "thinking")
    kind = thinking["type"]
    if kind not in asked.model.thinking:
        raise refuse(not_supported(asked, kind))
    if kind == "enabled":
        check_budget(asked, thinking["budget_tokens"])
    check_effort(asked, kind)
    # Rule 76. Source: the documentation and ten reports, for "enabled". With "adaptive" reports differ: accepted.
    if kind == "enabled" and asked.body.get("tool_choice", {}).get("type") in ("any", "tool"):
        raise refuse("Thinking may not be enabled when tool_choice forces tool use.")


def not_supported(asked: Asked, kind: str) -> str:
    """Rules 77 to 79. Source: measured (FIBER), and the page "Troubleshooting thinking" of the API's documentation."""
    if kind == "adaptive":
        return "adaptive thinking is not supported on this model"  # rule 79
    return f'"thinking.type.{kind}" is not supported for this model. {asked.model.instead.get(kind, "")}'.rstrip()


def check_budget(asked: Asked, budget: int) -> None:
    """Rule 80. Source: ten reports, the last live on 2026-09-02. With interleaved thinking the budget is for the whole turn."""
    if budget < LEAST_BUDGET:
        raise refuse(f"thinking.enabled.budget_tokens: Input should be greater than or equal to {LEAST_BUDGET}")
    limit = asked.body.get("max_tokens")
    whole_turn = asked.context.counting or asked.context.is_beta("interleaved-thinking-")
    if isinstance(limit, int) and limit <= budget and not whole_turn:
        raise refuse(
            "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at "
            "https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size"
        )


def check_effort(asked: Asked, kind: str) -> None:
    """Rule 78: some models take little thinking only with an effort up to "high". Source: claude-code#76689 (disabled)."""
    config = asked.body.get("output_config")
    effort = config.get("effort") if isinstance(config, dict) else None
    if asked.model.quiet_effort and effort in ("xhigh", "max") and kind in ("disabled", "between_tools"):
        state = "disabled" if kind == "disabled" else "between tools"
        raise refuse(
            f"output_config.effort '{effort}' is not supported when thinking is {state} on this model. "
            "Use effort 'high' or below, or enable thinking."
        )


def check_thinking_blocks(asked: Asked) -> None:
    """Rules 81, 83 and 84."""
    last = next((turn for turn in reversed(asked.turns) if turn.role == "assistant"), None)
    for turn in asked.turns:
        for placed in turn.blocks if turn.role == "assistant" else ():
            if placed.block["type"] == "thinking":
                check_signature(placed, is_latest=turn is last)
    if asked.body.get("thinking", {}).get("type") == "enabled" and "adaptive" not in asked.model.thinking:
        check_begins_with_thinking(asked)


def check_signature(placed: Placed, *, is_latest: bool) -> None:
    """Rule 81, or rule 83 if the signature is real and only the text was changed. Source: Claude Code's error classifier."""
    thinking, signature = placed.block["thinking"], placed.block["signature"]
    if is_ours(thinking, signature):
        return
    if is_latest and is_sealed(signature):
        raise refuse(
            f"{placed.where}: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be "
            "modified. These blocks must remain as they were in the original response."
        )
    raise refuse(f"{placed.where}: Invalid `signature` in `thinking` block")


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
    if start is not None and start.block["type"] not in ("thinking", "redacted_thinking"):
        raise refuse(
            f"{start.where}.type: Expected `thinking` or `redacted_thinking`, but found `{start.block['type']}`. When "
            "`thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost "
            "set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. "
            "To avoid this requirement, disable `thinking`. Please consult our documentation at "
            "https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
        )
