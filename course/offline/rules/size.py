"""Bodies that can't be read or are too long. Rules 21 to 23."""

from __future__ import annotations

import json
import re
from typing import Any

from course.offline.rules.asked import Asked, refuse
from course.offline.wire import ApiFault

__all__ = ["TOO_DEEP", "check_tokens", "read_body"]

MOST_BYTES = 32 * 1024 * 1024  # of a request body
LONE_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")  # a sign to look closer: half of a character beyond the first 65,536


def no_constant(name: str) -> Any:
    """Python reads NaN and Infinity; JSON has no such values."""
    raise ValueError(f"unexpected value {name}")


TOO_DEEP = "nested too deep"
DECODER = json.JSONDecoder(parse_constant=no_constant)  # json.loads would make a new one for each body


def read_body(body: bytes) -> Any:
    """The JSON value of a request body. Raises ApiFault: 413 if it is too large (rule 22), 400 if it is no JSON (rule 21).

    Rule 22's wording is our own: no capture of the real one is public.
    """
    if len(body) > MOST_BYTES:
        raise ApiFault("Request exceeds the maximum size", status=413, type="request_too_large")
    try:
        value = DECODER.decode(body.decode(json.detect_encoding(body)))
        if LONE_SURROGATE.search(body):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (UnicodeDecodeError, UnicodeEncodeError) as error:
        raise refuse(f"The request body is not valid JSON: {error.reason}") from None
    except (ValueError, RecursionError) as error:
        what = str(error).partition(";")[0]  # what Python says of a long number goes on with advice for programmers
        raise refuse(f"The request body is not valid JSON: {what or TOO_DEEP}") from None
    return value


def check_tokens(asked: Asked) -> None:
    """Rule 23: the input fits the model's context window. Source: Claude Code's error classifier."""
    tokens = asked.context.tokens
    if tokens is None or asked.context.counting:
        return
    count = tokens if isinstance(tokens, int) else tokens(asked.seen)
    window = asked.context.context_window or asked.model.context_window
    if count > window:
        raise refuse(f"prompt is too long: {count} tokens > {window} maximum")
