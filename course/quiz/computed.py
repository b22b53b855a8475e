"""Keys that are computed from a `stop_reason`, so that they follow where a variant draws it."""

from __future__ import annotations

from typing import Any

from course.stop_reasons import table

__all__ = ["with_key"]

Raw = dict[str, Any]
ACTIONS = {fact.value: fact.action.value for fact in table()}


def with_key(raw: Raw) -> Raw:
    """The item with its key. An item that has one, or needs none, is returned as it is; so is one that is faulty."""
    kind = raw.get("kind")
    if kind == "action":
        return _with_right_option(raw)
    if kind == "match" and "pairs" not in raw:
        return _with_pairs(raw)
    return raw


def _action_for(holder: Any) -> str | None:
    """The action for what has a response."""
    response = holder.get("response") if isinstance(holder, dict) else None
    reason = response.get("stop_reason") if isinstance(response, dict) else None
    return ACTIONS.get(reason) if isinstance(reason, str) else None


def _with_right_option(raw: Raw) -> Raw:
    options, action = raw.get("options"), _action_for(raw)
    if action is None or not isinstance(options, list) or any(not isinstance(option, dict) for option in options):
        return raw
    if any("correct" in option for option in options):
        return raw
    return {**raw, "options": [_made_right(option) if option.get("action") == action else option for option in options]}


def _made_right(option: Raw) -> Raw:
    kept = {key: value for key, value in option.items() if key not in ("misconception", "gives", "says")}
    return {**kept, "correct": True, "why": option.get("why_right", option.get("why"))}


def _with_pairs(raw: Raw) -> Raw:
    lefts, rights = raw.get("left"), raw.get("right")
    if not isinstance(lefts, list) or not isinstance(rights, list):
        return raw
    actions = [right.get("action") if isinstance(right, dict) else None for right in rights]
    wanted = [_action_for(left) for left in lefts]
    if any(action is None or action not in actions for action in wanted):
        return raw
    return {**raw, "pairs": [actions.index(action) for action in wanted]}
