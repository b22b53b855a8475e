"""The `thinking` setting. Rules 76 to 80."""

from __future__ import annotations

from collections.abc import Mapping

from course.offline.rules.asked import Asked, refuse
from course.offline.rules.shapes import INTEGER, Check, Literal, Nullable, Tagged, demand, record, tagged

__all__ = ["CONTROLS", "check_thinking"]

CONTROLS = "thinking-binding-controls-2026-08-01"  # the beta of `block_binding` (rule 82)
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
    if "block_binding" in thinking and not asked.context.is_beta(CONTROLS):
        raise refuse(f"thinking.{kind}.block_binding: Extra inputs are not permitted")
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
    """Rule 78: some models take little thinking only with an effort up to "high".

    Source: claude-code#76689; the page "Troubleshooting thinking" (with "between_tools" it says "disabled", too).
    """
    config = asked.body.get("output_config")
    effort = config.get("effort") if isinstance(config, dict) else None
    if asked.model.quiet_effort and effort in ("xhigh", "max") and kind in ("disabled", "between_tools"):
        raise refuse(
            f"output_config.effort '{effort}' is not supported when thinking is disabled on this model. "
            "Use effort 'high' or below, or enable thinking."
        )
