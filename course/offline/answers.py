"""The HTTP answers of the endpoint: the headers, the error envelope, JSON or a stream (messages_api.md part 3)."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from functools import lru_cache
from typing import Any

from course.offline.wire import ApiFault, Response

__all__ = ["error", "ok", "rate_limits", "stream"]

LIMITS = {"requests": 4_000, "input-tokens": 2_000_000, "output-tokens": 400_000, "tokens": 2_400_000}
_to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode
_LIMIT_HEADERS = {
    f"anthropic-ratelimit-{name}-{what}": str(limit)
    for name, limit in LIMITS.items()
    for what in ("limit", "remaining")
}
_RESET_HEADERS = [f"anthropic-ratelimit-{name}-reset" for name in LIMITS]
_ALWAYS = {"strict-transport-security": "max-age=31536000; includeSubDomains; preload", "vary": "Accept-Encoding"}


def ok(body: Mapping[str, Any], request_id: str, extra: Mapping[str, str]) -> Response:
    """A whole answer, as JSON."""
    headers = {"content-type": "application/json", "request-id": request_id, **_ALWAYS, **extra}
    return Response(200, headers, [_json(body)])


def stream(chunks: Iterable[bytes], request_id: str, extra: Mapping[str, str]) -> Response:
    """An answer that comes event by event."""
    headers = {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-cache",
        "request-id": request_id,
        **_ALWAYS,
        **extra,
    }
    return Response(200, headers, chunks)


def error(fault: ApiFault, request_id: str) -> Response:
    """A refusal in the API's envelope. A 400 says that a retry is of no use."""
    what: dict[str, Any] = {"type": fault.type, "message": fault.message}
    if fault.details is not None:
        what["details"] = dict(fault.details)
    headers = {"content-type": "application/json", "request-id": request_id, **_ALWAYS}
    if fault.status == 400:
        headers["x-should-retry"] = "false"
    body = {"type": "error", "error": what, "request_id": request_id}
    return Response(fault.status, {**headers, **fault.headers}, [_json(body)])


def rate_limits() -> dict[str, str]:
    """The headers that tell how much of each limit is left. Nothing is counted here, so it is all of it."""
    return {**_LIMIT_HEADERS, **dict.fromkeys(_RESET_HEADERS, _written(int(time.time())))}


@lru_cache(maxsize=1)
def _written(second: int) -> str:
    return datetime.fromtimestamp(second, timezone.utc).isoformat().replace("+00:00", "Z")


def _json(body: Mapping[str, Any]) -> bytes:
    return _to_json(body).encode("utf-8", "replace")
