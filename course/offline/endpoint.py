"""The offline Messages API: one request in, one response out, decided from the request alone.

Only the ids are counted, so that no two responses have the same. Every edge (in process, on loopback) ends here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn
from urllib.parse import parse_qsl, urlsplit

from course.offline import answers, catalogue, stream
from course.offline.faults import Fault, due, named
from course.offline.ids import Ids
from course.offline.model import respond, size
from course.offline.rules import Context, check
from course.offline.scenario import Scenario, load_scenario, names
from course.offline.wire import ApiFault, Request, Response

__all__ = ["Endpoint"]

MAX_BYTES = 32 * 1024 * 1024  # of a body (rule 22)
NewId = Callable[[str], str]


class Endpoint:
    """The API.

    scenario: the only task that it knows, by name or as a Scenario; None: every task of the course.
    lenient: skip the pairing rules, as some compatible endpoints do. The real API does not.
    faults: what goes wrong on the way (`course.offline.faults`), as faults or by name.
    Raises CourseError for a name of a scenario or a fault that is not there.
    """

    def __init__(
        self, scenario: str | Scenario | None = None, *, lenient: bool = False, faults: Iterable[Fault | str] = ()
    ) -> None:
        self.scenarios = _scenarios(scenario)
        self.lenient = lenient
        self.faults = named(faults)
        # A window of a scenario's own holds where that scenario is all there is.
        self.context_window = self.scenarios[0].context_window if len(self.scenarios) == 1 else None
        self._ids = Ids()

    def __repr__(self) -> str:
        known = self.scenarios[0].name if len(self.scenarios) == 1 else f"{len(self.scenarios)} scenarios"
        return f"Endpoint({known}{', lenient' if self.lenient else ''})"

    def handle(self, request: Request) -> Response:
        """Answer a request. Raises ConnectionCut if a fault ends the connection before the answer."""
        new_id = self._ids.for_request(request.body)
        request_id = new_id("req_011C")
        try:
            return self._route(request, request_id, new_id)
        except ApiFault as fault:
            return answers.error(fault, request_id)

    def _route(self, request: Request, request_id: str, new_id: NewId) -> Response:
        url = urlsplit(request.path)
        path = url.path.rstrip("/")
        if len(request.body) > MAX_BYTES:
            raise ApiFault("Request exceeds the maximum size", status=413, type="request_too_large")
        if path == "/v1/messages":
            _only("POST", request)
            return self._messages(request, request_id, new_id)
        if path == "/v1/messages/count_tokens":
            _only("POST", request)
            return self._count_tokens(request, request_id)
        if path == "/v1/models" or path.startswith("/v1/models/"):
            _only("GET", request)
            _authenticate(request.headers)
            found = catalogue.answer(path.removeprefix("/v1/models").strip("/"), dict(parse_qsl(url.query)))
            return answers.ok(found, request_id, {})
        raise ApiFault("Not found", status=404, type="not_found_error")

    def _messages(self, request: Request, request_id: str, new_id: NewId) -> Response:
        _authenticate(request.headers)
        fault = due(self.faults, request)
        if fault is not None:
            fault.strike()
        body = self._checked(request, counting=False)
        reply = respond(body, self.scenarios, new_id, context_window=self.context_window)
        extra = {**answers.rate_limits(), **({"x-course-mode": "lenient"} if self.lenient else {})}
        if not body.get("stream"):
            return answers.ok(reply.message, request_id, extra)
        events = stream.events(reply)
        return answers.stream(fault.in_stream(events) if fault and fault.in_stream else events, request_id, extra)

    def _count_tokens(self, request: Request, request_id: str) -> Response:
        _authenticate(request.headers)
        body = self._checked(request, counting=True)
        return answers.ok({"input_tokens": size(body)}, request_id, {})

    def _checked(self, request: Request, *, counting: bool) -> dict[str, Any]:
        """The body, once it has passed every rule."""
        body = _parse(request.body)
        context = Context(
            headers=request.headers,
            lenient=self.lenient,
            counting=counting,
            tokens=size,
            context_window=self.context_window,
        )
        if isinstance(body, dict) and "thread" in body and context.is_beta("message-threads"):
            _no_threads()
        check(body, context)
        assert isinstance(body, dict), "the rules accept nothing else"
        return body


def _scenarios(scenario: str | Scenario | None) -> tuple[Scenario, ...]:
    if isinstance(scenario, Scenario):
        return (scenario,)
    return tuple(load_scenario(name) for name in ([scenario] if scenario is not None else names()))


def _parse(raw: bytes) -> object:
    try:
        return json.loads(raw, parse_constant=_not_json)
    except RecursionError:
        raise ApiFault("The request body is not valid JSON: it is nested too deep") from None
    except ValueError as error:
        raise ApiFault(f"The request body is not valid JSON: {error}") from None


def _not_json(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")  # Python would accept NaN and Infinity


def _only(method: str, request: Request) -> None:
    if request.method.upper() != method:
        raise ApiFault("Method Not Allowed", status=405, headers={"allow": method})


def _authenticate(headers: Mapping[str, str]) -> None:
    """Any key will do, but there must be one: in `x-api-key`, or as `Authorization: Bearer`. The first one wins."""
    if "x-api-key" in headers:
        if headers["x-api-key"].strip():
            return
        raise _unauthenticated("x-api-key header is required")
    scheme, _space, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return
    raise _unauthenticated("Invalid bearer token" if scheme else "x-api-key header is required")


def _unauthenticated(message: str) -> ApiFault:
    return ApiFault(message, status=401, type="authentication_error")


def _no_threads() -> NoReturn:
    """Conversations that the server remembers are not offered. With this code the SDK sends the whole history instead."""
    details = {"error_code": "thread_unsupported_request"}
    raise ApiFault("`thread` is not supported here. Send the full conversation without it.", details=details)
