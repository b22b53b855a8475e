"""Rule 12: temperature, top_p and top_k.

With the newest version these are unknown keys; before it, old models take them and new ones do not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course.offline.rules.asked import Asked, refuse
from course.offline.rules.shapes import INTEGER, demand

__all__ = ["sampling"]


def sampling(name: str) -> Callable[[Any, Asked], None]:
    """The check of this field."""

    def check(value: Any, asked: Asked) -> None:
        if name == "top_k":
            demand(INTEGER, value, name)
        elif isinstance(value, bool) or not isinstance(value, (int, float)):
            raise refuse(f"{name}: Input should be a valid number")
        if name != "top_k" and not 0 <= value <= 1:
            raise refuse(f"{name}: range: 0..1")
        thinks = asked.body.get("thinking", {}).get("type") in ("adaptive", "enabled")
        # Source: req_011CeuSGvrAwuE2coVBNZVHy, on Sonnet 5 and Opus 4.8.
        if name == "temperature" and thinks and value != 1:
            raise refuse(
                "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode. Please consult our "
                "documentation at https://platform.claude.com/docs/en/build-with-claude/extended-thinking"
            )
        # The default is no fault. Source: measured on every model, 2026-09-10.
        if not asked.model.sampling and not (name == "temperature" and value == 1):
            raise refuse(f"`{name}` is deprecated for this model.")
        if name == "top_p" and "temperature" in asked.body:  # Source: many reports, for the 4.5 models and later
            raise refuse("`temperature` and `top_p` cannot both be specified for this model. Please use only one.")

    return check
