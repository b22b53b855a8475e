"""Watching requests to `/v1/messages` and their responses, on the way between the SDK and whatever transport it has.

For the time of a recording `send` of httpx2's two clients is replaced by one that tells each recording in progress. What
the loop sees stays as it is: a stream is not held up, and its bytes are only looked at. No header goes into a Trace.
The SDK's `request` is replaced too, only to switch the tracer off in it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from course.trace.events import Json
from course.trace.lines import Follower, on_the_way, resting
from course.trace.sse import StreamedMessage
from course.trace.versions import words_of

if TYPE_CHECKING:
    import httpx2

    from course.trace.recording import Draft

__all__ = ["watching"]

_watchers: list[Follower] = []
_originals: dict[str, tuple[Any, str, Any]] = {}  # the class's name -> class, name of the method, the method as it was


@contextmanager
def watching(follower: Follower) -> Iterator[None]:
    """Tell this recording about every request that is sent while the block runs."""
    if not _watchers:
        _replace_methods()
    _watchers.append(follower)
    try:
        yield
    finally:
        _watchers.remove(follower)
        if not _watchers:
            for owner, name, method in _originals.values():
                setattr(owner, name, method)


def _replace_methods() -> None:
    import httpx2

    places: list[tuple[Any, str, Any]] = [(httpx2.Client, "send", _send), (httpx2.AsyncClient, "send", _send_async)]
    sdk = sys.modules.get("anthropic._base_client")
    if sdk is not None:  # else the loop imports it: then it is only slower
        places.append((sdk.SyncAPIClient, "request", _request))
    _originals.clear()
    for owner, name, method in places:
        _originals[owner.__name__] = (owner, name, getattr(owner, name))
        setattr(owner, name, method)


def _original(owner: str) -> Any:
    return _originals[owner][2]


def _request(client: Any, *args: Any, **options: Any) -> Any:
    """The SDK's own work on a request is not followed: a tracer would triple its time."""
    with resting():
        return _original("SyncAPIClient")(client, *args, **options)


def _send(client: Any, request: httpx2.Request, **options: Any) -> Any:
    sent = _Sent(request, request.read()) if _is_to_messages(request) else None
    try:
        with on_the_way(), resting(), _waiting(sent):
            response: httpx2.Response = _original("Client")(client, request, **options)
            if sent is not None and response.status_code >= 400:
                response.read()  # the SDK closes some error responses without reading them
    except BaseException as error:
        if sent is not None:
            sent.broke(error)
        raise
    return response if sent is None else sent.answered(response)


async def _send_async(client: Any, request: httpx2.Request, **options: Any) -> Any:
    sent = _Sent(request, await request.aread()) if _is_to_messages(request) else None
    try:
        with on_the_way(), _waiting(sent):
            response: httpx2.Response = await _original("AsyncClient")(client, request, **options)
            if sent is not None and response.status_code >= 400:
                await response.aread()
    except BaseException as error:
        if sent is not None:
            sent.broke(error)
        raise
    return response if sent is None else sent.answered(response)


def _is_to_messages(request: httpx2.Request) -> bool:
    return request.method == "POST" and request.url.path.endswith("/v1/messages")


@contextmanager
def _waiting(sent: _Sent | None) -> Iterator[None]:
    """The time that the other side takes is not the loop's: the fuse does not count it."""
    recordings = [] if sent is None else [follower.recording for follower, _, _ in sent.steps]
    for recording in recordings:
        recording.wait()
    try:
        yield
    finally:
        for recording in recordings:
            recording.go_on()


class _Sent:
    """A request that is on its way, for all recordings in progress."""

    def __init__(self, request: httpx2.Request, body: bytes) -> None:
        retry = request.headers.get("x-stainless-retry-count", "0")
        keys = {request.headers.get("x-api-key", ""), request.headers.get("authorization", "").removeprefix("Bearer ")}
        self.streamed = StreamedMessage()
        self.steps: list[tuple[Follower, Draft, float]] = []
        for follower in list(_watchers):
            recording = follower.recording
            recording.keys |= keys
            draft = recording.ask(_object(body), int(retry) if retry.isdigit() else 0)
            follower.tools.sent()
            self.steps.append((follower, draft, recording.clock()))

    def broke(self, error: BaseException) -> None:
        """No response, or none that is whole. What ends the recording itself is no fault of the connection."""
        if isinstance(error, Exception):
            self._end({"type": type(error).__name__, "message": words_of(error)})

    def answered(self, response: httpx2.Response) -> httpx2.Response:
        """The response has begun. One that is not streamed is whole already."""
        for _, draft, _ in self.steps:
            draft.exchange = replace(draft.exchange, status=response.status_code)  # type: ignore[type-var]
        events = response.headers.get("content-type", "").startswith("text/event-stream")
        self.streamed.on_block = self._asked
        if not response.is_closed:
            return self._tapped(response, events)
        if response.status_code >= 400:
            self._end(_error(response), streamed=False)
        else:
            self._feed(response.content)
            self._over(events)
        return response

    def _tapped(self, response: httpx2.Response, events: bool) -> httpx2.Response:
        """The same response; what the loop reads from it is seen here too, after any decompression."""
        read, read_async = response.iter_bytes, response.aiter_bytes

        def iter_bytes(chunk_size: int | None = None) -> Iterator[bytes]:
            with self._reading(events):
                chunks = read(chunk_size)
                while True:
                    with _waiting(self):
                        chunk = next(chunks, None)
                    if chunk is None:
                        return
                    self._feed(chunk)
                    yield chunk

        async def aiter_bytes(chunk_size: int | None = None) -> AsyncGenerator[bytes, None]:
            with self._reading(events):
                chunks = read_async(chunk_size)
                while True:
                    with _waiting(self):
                        chunk = await anext(chunks, None)
                    if chunk is None:
                        return
                    self._feed(chunk)
                    yield chunk

        response.iter_bytes = iter_bytes  # type: ignore[method-assign]
        response.aiter_bytes = aiter_bytes  # type: ignore[method-assign]
        return response

    @contextmanager
    def _reading(self, events: bool) -> Iterator[None]:
        """While the body comes in: whole, cut by the other side, or left unread by the loop."""
        try:
            yield
        except Exception as error:
            self.broke(error)
            raise
        finally:
            self._over(events)

    def _feed(self, chunk: bytes) -> None:
        """Some bytes of the body. After the recording they are no longer looked at: a Trace does not change."""
        if any(follower.active for follower, _, _ in self.steps):
            begun = self.streamed.message is not None
            self.streamed.feed(chunk)
            if self.streamed.message is not None and not begun:
                self._end(None)  # for the time being

    def _over(self, events: bool) -> None:
        """No more of the body will come."""
        self.streamed.end()
        if events:
            self._end(self.streamed.error)
            return
        self.streamed.message = _object(self.streamed.rest)
        for block in self.streamed.message.get("content") or []:
            self._asked(block)
        self._end(None, streamed=False)

    def _asked(self, block: Json) -> None:
        for follower, _, _ in self.steps:
            follower.tools.asked(block)

    def _end(self, error: dict[str, str] | None, *, streamed: bool = True) -> None:
        """What came back is known now."""
        for follower, draft, began in self.steps:
            assert draft.exchange is not None
            draft.exchange = replace(
                draft.exchange,
                reply=self.streamed.message,
                error=draft.exchange.error or error,
                streamed=streamed and draft.exchange.status is not None,
                seconds=round(follower.recording.clock() - began, 6),
            )
            draft.kind = "error" if draft.exchange.error else "ask"


def _error(response: httpx2.Response) -> dict[str, str]:
    """The error that a response tells; its first characters if it is not the API's JSON."""
    error = _object(response.content).get("error")
    if isinstance(error, dict):
        return {"type": str(error.get("type", "error")), "message": str(error.get("message", ""))}
    return {"type": "error", "message": response.text[:500]}


def _object(body: bytes) -> dict[str, Json]:
    """A body as a JSON object; empty if it is none."""
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
