"""The rules of the Messages API."""

from __future__ import annotations

from course.offline.rules.context import Context

__all__ = ["Context", "check"]


def check(body: object, context: Context) -> None:
    """Raise `ApiFault` for the first fault of a request body, or return."""
    if not isinstance(body, dict):
        from course.offline.wire import ApiFault

        raise ApiFault("Input should be an object")
