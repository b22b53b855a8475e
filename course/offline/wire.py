"""What crosses the wire of the offline Messages API: a request, a response, a fault. No HTTP library is needed here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["ApiFault", "ConnectionCut", "Request", "Response"]


@dataclass(frozen=True)
class Request:
    """An HTTP request. Header names are lower case; `path` may end with a query (`?beta=true`)."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True)
class Response:
    """An HTTP response. `chunks` are sent one by one: one for JSON, one per event for a stream.

    Taking the next chunk may raise `ConnectionCut`: then the connection ends there, in the middle.
    """

    status: int
    headers: Mapping[str, str]
    chunks: Iterable[bytes]


class ConnectionCut(Exception):
    """The connection ends here, before the response is whole. `timeout`: as if nothing had come for too long."""

    def __init__(self, *, timeout: bool = False) -> None:
        self.timeout = timeout
        super().__init__("timeout" if timeout else "cut")


class ApiFault(Exception):
    """The request is refused: the status, the error's type and its message, as the API words them.

    Types by status: messages_api.md part 3 (400 `invalid_request_error`, 401 `authentication_error`, ...).
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        type: str = "invalid_request_error",
        details: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.message = message
        self.status = status
        self.type = type
        self.details = details
        self.headers = headers or {}
        super().__init__(f"{status} {type}: {message}")
