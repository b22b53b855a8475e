"""What must not stay in a Trace.

No key: neither one that was sent, nor one that stands in the learner's code or in what a tool read. And no lone surrogate
(half a character, as Python makes of a file name that is no UTF-8): such a text can't be written or shown anywhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict

from course.trace.events import Trace

__all__ = ["cleaned"]

LIKE_A_KEY = re.compile(r"sk-ant-[A-Za-z0-9_-]{8,}")
SHORTEST = 16  # characters: "offline" and the like are no secrets
INSTEAD = "[key removed]"
LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


def cleaned(trace: Trace, keys: Iterable[str]) -> Trace:
    """The Trace with these keys, and whatever looks like a key of the API, replaced by "[key removed]"; without surrogates."""
    try:
        text = trace.to_json()
    except ValueError:  # pydantic's PydanticSerializationError: it can't be written as UTF-8
        trace = _without_surrogates(trace)
        text = trace.to_json()
    secrets = {key for key in keys if len(key) >= SHORTEST and key in text} | set(LIKE_A_KEY.findall(text))
    if not secrets:
        return trace
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, INSTEAD)
    return Trace.from_json(text)


def _without_surrogates(trace: Trace) -> Trace:
    """The Trace with the sign for a character that can't be read (U+FFFD) in place of each."""
    return Trace.from_json(LONE_SURROGATE.sub("\ufffd", json.dumps(asdict(trace), ensure_ascii=False)))
