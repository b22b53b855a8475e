"""The in-process edge: an httpx2 transport that ends in the endpoint. No socket is opened.

A stream goes on event by event, as the reader takes them. An async transport does the same: the endpoint never waits.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator

import httpx2

from course.offline.endpoint import Endpoint
from course.offline.wire import ConnectionCut, Request, Response

__all__ = ["AsyncOfflineTransport", "OfflineTransport"]


class OfflineTransport(httpx2.BaseTransport):
    """Sends each request of an `httpx2.Client` to an endpoint."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a request. Raises httpx2.ReadTimeout or httpx2.RemoteProtocolError where a fault ends the connection."""
        response, chunks = _answer(self.endpoint, _received(request, request.read()), request)
        return httpx2.Response(response.status, headers=dict(response.headers), stream=_Stream(chunks))


class AsyncOfflineTransport(httpx2.AsyncBaseTransport):
    """Sends each request of an `httpx2.AsyncClient` to an endpoint."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a request, as OfflineTransport does."""
        response, chunks = _answer(self.endpoint, _received(request, await request.aread()), request)
        return httpx2.Response(response.status, headers=dict(response.headers), stream=_AsyncStream(chunks))


class _Stream(httpx2.SyncByteStream):
    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        yield from self._chunks


class _AsyncStream(httpx2.AsyncByteStream):
    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._chunks:
            yield chunk


def _received(request: httpx2.Request, body: bytes) -> Request:
    headers = {name.lower(): value for name, value in request.headers.items()}
    return Request(request.method, request.url.raw_path.decode("ascii"), headers, body)


def _answer(endpoint: Endpoint, received: Request, request: httpx2.Request) -> tuple[Response, Iterator[bytes]]:
    """The response and its chunks. The first chunk is made at once: a fault before it is a fault of the whole request."""
    try:
        response = endpoint.handle(received)
    except ConnectionCut as cut:
        raise _broken(cut, request) from None
    chunks = _until_cut(response.chunks, request)
    first = next(chunks, b"")
    return response, _joined(first, chunks)


def _joined(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _until_cut(chunks: Iterable[bytes], request: httpx2.Request) -> Iterator[bytes]:
    try:
        yield from chunks
    except ConnectionCut as cut:
        raise _broken(cut, request) from None


def _broken(cut: ConnectionCut, request: httpx2.Request) -> httpx2.TransportError:
    """What httpx2 raises when a real connection ends like this."""
    if cut.timeout:
        return httpx2.ReadTimeout("The read operation timed out", request=request)
    return httpx2.RemoteProtocolError(
        "peer closed connection without sending complete message body (incomplete chunked read)", request=request
    )
