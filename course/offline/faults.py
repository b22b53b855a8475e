"""Faults on request: what goes wrong on the way, for the lessons on errors.

    client("list_then_read", faults=[rate_limited(), overloaded()])   # 429, then 529, then the answer
    client("list_then_read", faults=["timeout"])                      # the same as timeout()

Which fault a request meets follows from the request: the SDK numbers its attempts in `x-stainless-retry-count` (0, 1, 2).
Faults come one after the other: each takes as many attempts as its `times`. What the SDK does not retry by itself is always
attempt 0; send the header yourself (`extra_headers`) to play a later one. Waits are short, so a lesson is not slowed down.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from course.errors import CourseError
from course.offline import stream
from course.offline.wire import ApiFault, ConnectionCut, Request
from course.words import _

__all__ = [
    "FAULTS",
    "Fault",
    "bad_key",
    "disconnected",
    "due",
    "named",
    "overloaded",
    "rate_limited",
    "server_error",
    "stream_cut",
    "stream_error",
    "timeout",
    "unavailable",
]

WAIT = {"retry-after": "1", "retry-after-ms": "10"}  # the SDK prefers the second


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong, in `times` attempts of a request. None: in every attempt.

    answer: the error that comes in place of the reply. cut: the connection ends before the reply. in_stream: what becomes of
    the events of a streamed reply; a reply that is not streamed comes whole.
    """

    name: str
    times: int | None = 1
    answer: ApiFault | None = None
    cut: ConnectionCut | None = None
    in_stream: Callable[[Iterable[bytes]], Iterator[bytes]] | None = None

    def strike(self) -> None:
        """End the request here, if this fault comes before the reply."""
        if self.answer is not None:
            raise self.answer
        if self.cut is not None:
            raise self.cut


def rate_limited(times: int | None = 1, *, retry_after_ms: int = 10) -> Fault:
    """429: too many requests. `retry_after_ms`: how long the SDK is told to wait."""
    headers = {"retry-after": str(-(-retry_after_ms // 1000)), "retry-after-ms": str(retry_after_ms)}
    message = "This request would exceed the rate limit of your organization. Please try again later."
    return Fault("rate_limited", times, _answer(429, "rate_limit_error", message, headers))


def overloaded(times: int | None = 1) -> Fault:
    """529: the API is overloaded."""
    return Fault("overloaded", times, _answer(529, "overloaded_error", "Overloaded", WAIT))


def server_error(times: int | None = 1) -> Fault:
    """500: a fault inside the API."""
    return Fault("server_error", times, _answer(500, "api_error", "Internal server error", WAIT))


def unavailable(times: int | None = 1) -> Fault:
    """503: the API is not available."""
    return Fault("unavailable", times, _answer(503, "api_error", "Service unavailable", WAIT))


def bad_key(times: int | None = None) -> Fault:
    """401: the key is not valid. The SDK does not try again."""
    return Fault("bad_key", times, _answer(401, "authentication_error", "invalid x-api-key", {}))


def timeout(times: int | None = 1) -> Fault:
    """Nothing comes for too long."""
    return Fault("timeout", times, cut=ConnectionCut(timeout=True))


def disconnected(times: int | None = 1) -> Fault:
    """The connection ends before the reply."""
    return Fault("disconnected", times, cut=ConnectionCut())


def stream_cut(times: int | None = 1, *, cleanly: bool = True) -> Fault:
    """A stream ends before `message_delta`: cleanly, as if it were whole, or with a broken connection."""

    def cut(events: Iterable[bytes]) -> Iterator[bytes]:
        for event in events:
            if event.startswith(b"event: message_delta"):
                break
            yield event
        if not cleanly:
            raise ConnectionCut()

    return Fault("stream_cut", times, in_stream=cut)


def stream_error(times: int | None = 1) -> Fault:
    """An error event in the middle of a stream: the API became overloaded."""

    def fail(events: Iterable[bytes]) -> Iterator[bytes]:
        for event in events:
            if event.startswith(
                (b"event: content_block_stop", b"event: message_delta")
            ):  # the second if nothing is said
                break
            yield event
        yield stream.error_event("overloaded_error", "Overloaded")

    return Fault("stream_error", times, in_stream=fail)


FAULTS: dict[str, Callable[[], Fault]] = {
    "bad_key": bad_key,
    "disconnected": disconnected,
    "overloaded": overloaded,
    "rate_limited": rate_limited,
    "server_error": server_error,
    "stream_cut": stream_cut,
    "stream_error": stream_error,
    "timeout": timeout,
    "unavailable": unavailable,
}


def named(faults: Iterable[Fault | str] | Fault | str) -> tuple[Fault, ...]:
    """The faults, those given by name made with their defaults. Raises CourseError for a name that is not there."""
    if isinstance(faults, (Fault, str)) or not isinstance(faults, Iterable):
        faults = (faults,)
    return tuple(fault if isinstance(fault, Fault) else _named(str(fault)) for fault in faults)


def _named(name: str) -> Fault:
    if name not in FAULTS:
        near = difflib.get_close_matches(name, FAULTS, n=1)
        hint = _("Did you mean {near}?").format(near=near[0]) + " " if near else ""
        listed = _("The faults are: {names}.").format(names=", ".join(FAULTS))
        raise CourseError(_("There is no fault {name!r}.").format(name=name) + f" {hint}{listed}")
    return FAULTS[name]()


def due(faults: Sequence[Fault], request: Request) -> Fault | None:
    """The fault that this attempt meets, or None."""
    if not faults:
        return None
    attempt = _attempt(request)
    for fault in faults:
        if fault.times is None or attempt < fault.times:
            return fault
        attempt -= fault.times
    return None


def _attempt(request: Request) -> int:
    count = request.headers.get("x-stainless-retry-count", "0")
    return int(count) if count.isascii() and count.isdigit() and len(count) < 5 else 0


def _answer(status: int, type: str, message: str, headers: dict[str, str]) -> ApiFault:
    return ApiFault(message, status=status, type=type, headers=headers)
