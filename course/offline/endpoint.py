"""The offline Messages API: one request in, one response out, decided from the request alone.

Only the ids are counted, so that no two responses have the same. Every edge (in process, on loopback) ends here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NoReturn
from urllib.parse import parse_qsl

from course.offline import answers, catalogue, stream
from course.offline.faults import Fault, due, named
from course.offline.ids import Ids
from course.offline.model import InputTokens, respond
from course.offline.models import find
from course.offline.reply import Reply
from course.offline.rules import Context, check_body, read_body
from course.offline.rules.asked import Asked
from course.offline.rules.headers import check_headers
from course.offline.rules.size import TOO_DEEP
from course.offline.rules.thinking import CONTROLS
from course.offline.scenario import Scenario, load_scenario, names
from course.offline.wire import ApiFault, Request, Response
from course.settings import MODEL

__all__ = ["Endpoint"]

NewId = Callable[[str], str]


class Endpoint:
    """The API.

    scenario: the only task that it knows, by name or as a Scenario; None: every task of the course.
    lenient: skip the pairing rules, as some compatible endpoints do. The real API does not.
    faults: what goes wrong on the way (`course.offline.faults`), as faults or by name.
    stands_in_for: a model id that the API does not have, and that is answered all the same: the settings may name a model of
    another endpoint, and what is offline must still work.
    Raises CourseError for a name of a scenario or a fault that is not there.
    """

    def __init__(
        self,
        scenario: str | Scenario | None = None,
        *,
        lenient: bool = False,
        faults: Iterable[Fault | str] = (),
        stands_in_for: str | None = None,
    ) -> None:
        self.scenarios = _scenarios(scenario)
        self.lenient = lenient
        self.faults = named(faults)
        self.stands_in_for = stands_in_for
        # A window of a scenario's own holds where that scenario is all there is.
        self.context_window = self.scenarios[0].context_window if len(self.scenarios) == 1 else None
        self._ids = Ids()

    def __repr__(self) -> str:
        known = self.scenarios[0].name if len(self.scenarios) == 1 else f"{len(self.scenarios)} scenarios"
        return f"Endpoint({known}{', lenient' if self.lenient else ''})"

    def handle(self, request: Request) -> Response:
        """Answer a request. Raises ConnectionCut if a fault ends the connection before the answer."""
        response = self._answer(request)
        return replace(response, headers={**response.headers, "x-course-mode": "lenient"}) if self.lenient else response

    def _answer(self, request: Request) -> Response:
        new_id = self._ids.for_request(request.body)
        request_id = new_id("req_011C")
        try:
            return self._route(request, request_id, new_id)
        except ApiFault as fault:
            return answers.error(fault, request_id)
        except RecursionError:  # the body could just be read, but not be written again, to count or to compare it
            return answers.error(ApiFault(f"The request body is not valid JSON: {TOO_DEEP}"), request_id)

    def _route(self, request: Request, request_id: str, new_id: NewId) -> Response:
        path, _, query = _origin_form(request.path).partition("?")
        path = path.rstrip("/")
        if path == "/v1/messages":
            _only("POST", request)
            return self._messages(request, request_id, new_id)
        if path == "/v1/messages/count_tokens":
            _only("POST", request)
            return self._count_tokens(request, request_id)
        if path == "/v1/models" or path.startswith("/v1/models/"):
            _only("GET", request)
            check_headers(Context(headers=request.headers))
            found = catalogue.answer(path.removeprefix("/v1/models").strip("/"), dict(parse_qsl(query)))
            return answers.ok(found, request_id, {})
        raise ApiFault("Not Found", status=404, type="not_found_error")

    def _messages(self, request: Request, request_id: str, new_id: NewId) -> Response:
        count = InputTokens()
        context = self._context(request, count)
        check_headers(context)
        fault = due(self.faults, request)
        if fault is not None:
            fault.strike()
        asked = self._checked(request, context)
        body = dict(asked.seen)
        reply = self.reply(body, new_id, count(body))
        if context.is_beta(CONTROLS):
            reply.message["input_transformations"] = [_dropped(placed.where) for placed in asked.dropped]
        if not body.get("stream"):
            return answers.ok(reply.message, request_id, answers.rate_limits())
        events = stream.events(reply)
        changed = fault.in_stream(events) if fault and fault.in_stream else events
        return answers.stream(changed, request_id, answers.rate_limits())

    def reply(self, body: dict[str, Any], new_id: NewId, input_tokens: int) -> Reply:
        """What the model says to a request that keeps every rule. The world of a question (course.proofs) says its own."""
        return respond(body, self.scenarios, new_id, input_tokens=input_tokens, context_window=self.context_window)

    def _count_tokens(self, request: Request, request_id: str) -> Response:
        count = InputTokens()
        context = self._context(request, count, counting=True)
        check_headers(context)
        return answers.ok({"input_tokens": count(self._checked(request, context).seen)}, request_id, {})

    def _checked(self, request: Request, context: Context) -> Asked:
        """The request, once it has passed every rule."""
        body = read_body(request.body)
        if isinstance(body, dict) and "thread" in body and context.is_beta("message-threads"):
            _no_threads()
        if (
            isinstance(body, dict)
            and body.get("model") == self.stands_in_for
            and find(self.stands_in_for or "") is None
        ):
            body["model"] = MODEL
        return check_body(body, context)

    def _context(self, request: Request, count: InputTokens, *, counting: bool = False) -> Context:
        return Context(
            headers=request.headers,
            lenient=self.lenient,
            counting=counting,
            tokens=count,
            context_window=self.context_window,
        )


def _scenarios(scenario: str | Scenario | None) -> tuple[Scenario, ...]:
    if isinstance(scenario, Scenario):
        return (scenario,)
    return tuple(load_scenario(str(name)) for name in ([scenario] if scenario is not None else names()))


def _origin_form(target: str) -> str:
    """A request target without the host that a client may put before it ("http://127.0.0.1/v1/models?limit=5")."""
    return "/" + target[len("http://") :].partition("/")[2] if target.startswith("http://") else target


def _dropped(path: str) -> dict[str, str]:
    """How the API says that a thinking block was kept from the model. Source: the installed SDK's types."""
    return {"type": "thinking_dropped", "path": path, "reason": "prefix_binding_mismatch"}


def _only(method: str, request: Request) -> None:
    if request.method.upper() != method:
        raise ApiFault("Method Not Allowed", status=405, headers={"allow": method})


def _no_threads() -> NoReturn:
    """Conversations that the server remembers are not offered. With this code the SDK sends the whole history instead."""
    details = {"error_code": "thread_unsupported_request"}
    raise ApiFault("`thread` is not supported here. Send the full conversation without it.", details=details)
