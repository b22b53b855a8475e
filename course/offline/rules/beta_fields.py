"""The fields of the body that only a caller with the right `anthropic-beta` header may send. Rule 11.

`context_management`, `compaction` and `output_format` are read by the offline model, so what they hold is checked; of the others
only that the header is there. Fields: the types of the installed SDK; a test compares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from course.offline.rules.asked import Asked, refuse
from course.offline.rules.own_blocks import TEXT_OR_NULL
from course.offline.rules.shapes import ANY, BOOLEAN, EXTRA, INTEGER, Array, Nullable, demand, record, tagged
from course.offline.rules.strict_schemas import FORM, check_form

__all__ = ["BETA_FIELDS", "check_beta_field"]

COMPACT_BETA = "compact-"
LEAST_TRIGGER = 50_000  # input tokens
INPUT_TOKENS = record("input_tokens", {"value": INTEGER})
TOOL_USES = record("tool_uses", {"value": INTEGER})

CLEARING = (
    record(
        "clear_tool_uses_20250919",
        {
            "clear_at_least?": Nullable(tagged(INPUT_TOKENS)),
            "clear_tool_inputs?": ANY,
            "exclude_tools?": ANY,
            "keep?": tagged(TOOL_USES),
            "trigger?": tagged(INPUT_TOKENS, TOOL_USES),
        },
    ),
    record("clear_thinking_20251015", {"keep?": ANY}),
)
COMPACT = record(
    "compact_20260112",
    {"instructions?": TEXT_OR_NULL, "pause_after_compaction?": BOOLEAN, "trigger?": Nullable(tagged(INPUT_TOKENS))},
)
EDITS = Nullable(record(None, {"edits?": Array(tagged(*CLEARING))}))
EDITS_WITH_COMPACT = Nullable(record(None, {"edits?": Array(tagged(*CLEARING, COMPACT))}))
COMPACTION = Nullable(tagged(record("summarize", {"instructions?": TEXT_OR_NULL})))


def context_management(value: Any, asked: Asked) -> None:
    """Edits of the context. The one that compacts comes with the beta of compaction, which opens the field by itself."""
    demand(EDITS_WITH_COMPACT if asked.context.is_beta(COMPACT_BETA) else EDITS, value, "context_management")
    for index, edit in enumerate((value or {}).get("edits", ())):
        least = (edit.get("trigger") or {}).get("value", LEAST_TRIGGER)
        if edit["type"] == "compact_20260112" and least < LEAST_TRIGGER:
            # Source: the page "Compaction" of the API's documentation; the wording is our own.
            where = f"context_management.edits.{index}.compact_20260112.trigger.input_tokens.value"
            raise refuse(f"{where}: Input should be greater than or equal to {LEAST_TRIGGER}")


def compaction(value: Any, asked: Asked) -> None:
    """A compaction at once. That it excludes the other: the SDK's docstring; the wording is our own."""
    demand(COMPACTION, value, "compaction")
    if value is not None and asked.body.get("context_management") is not None:
        raise refuse("compaction: cannot be combined with `context_management`")


def output_format(value: Any, asked: Asked) -> None:
    """What `output_config.format` was called at first."""
    demand(Nullable(FORM), value, "output_format")
    if value is not None:
        check_form(value, "output_format")


@dataclass(frozen=True)
class BetaField:
    """betas: the beginnings of the names that open the field. check: what it may hold; None: anything."""

    betas: tuple[str, ...]
    check: Callable[[Any, Asked], None] | None = None


BETA_FIELDS: Mapping[str, BetaField] = {
    "billing_policy": BetaField(("user-profiles-billing-",)),
    "compaction": BetaField((COMPACT_BETA,), compaction),
    "context_management": BetaField(("context-management-", COMPACT_BETA), context_management),
    "fallback_credit_token": BetaField(("fallback-credit-",)),
    "fallbacks": BetaField(("server-side-fallback-",)),
    "mcp_servers": BetaField(("mcp-client-",)),
    "output_format": BetaField(("structured-outputs-",), output_format),
    "thread": BetaField(("message-threads-",)),
}


# Source: three live reports of 2026.
DEPRECATED = {"output_format": "This field is deprecated. Use 'output_config.format' instead."}


def check_beta_field(name: str, asked: Asked) -> None:
    """Refuse a field that is not there for this caller, or that holds something else than it may."""
    field = BETA_FIELDS.get(name)
    if field is None or not asked.context.is_beta(*field.betas):
        raise refuse(f"{name}: {DEPRECATED.get(name, EXTRA)}")
    if field.check is not None:
        field.check(asked.body[name], asked)
