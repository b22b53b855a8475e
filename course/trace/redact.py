"""No key stays in a Trace: neither one that was sent, nor one that stands in the learner's code or in what a tool read."""

from __future__ import annotations

import re
from collections.abc import Iterable

from course.trace.events import Trace

__all__ = ["without_keys"]

LIKE_A_KEY = re.compile(r"sk-ant-[A-Za-z0-9_-]{8,}")
SHORTEST = 16  # characters: "offline" and the like are no secrets
INSTEAD = "[key removed]"


def without_keys(trace: Trace, keys: Iterable[str]) -> Trace:
    """The Trace with these keys, and whatever looks like a key of the API, replaced by "[key removed]"."""
    text = trace.to_json()
    secrets = {key for key in keys if len(key) >= SHORTEST and key in text} | set(LIKE_A_KEY.findall(text))
    if not secrets:
        return trace
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, INSTEAD)
    return Trace.from_json(text)
