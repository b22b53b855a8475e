"""Faults on request, as the real SDK reports them: every typed exception, what it retries, what a cut stream leaves."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import anthropic
import httpx2
import pytest

from course.clients import client
from course.errors import CourseError
from course.offline import faults
from course.offline.endpoint import Endpoint
from course.offline.faults import Fault
from course.offline.transport import OfflineTransport
from course.offline.wire import ApiFault, Request, Response
from course.settings import MODEL, OFFLINE

ASK: dict[str, Any] = {"model": MODEL, "max_tokens": 100, "messages": [{"role": "user", "content": "Hello"}]}


class Seen(Endpoint):
    """Remembers the attempt that each request says it is."""

    attempts: list[str]

    def handle(self, request: Request) -> Response:
        self.attempts.append(request.headers["x-stainless-retry-count"])
        return super().handle(request)


def meet(*some: Fault | str, max_retries: int = 2) -> tuple[Seen, anthropic.Anthropic]:
    endpoint = Seen("plain_chat", faults=some)
    endpoint.attempts = []
    http_client = httpx2.Client(transport=OfflineTransport(endpoint))
    sdk = anthropic.Anthropic(
        api_key="k", base_url="http://offline.invalid", http_client=http_client, max_retries=max_retries
    )
    return endpoint, sdk


def answer_with(status: int, kind: str) -> Fault:
    return Fault("any", None, ApiFault("what happened", status=status, type=kind))


TYPED = [
    (400, "invalid_request_error", anthropic.BadRequestError),
    (401, "authentication_error", anthropic.AuthenticationError),
    (402, "billing_error", anthropic.PaymentRequiredError),
    (403, "permission_error", anthropic.PermissionDeniedError),
    (404, "not_found_error", anthropic.NotFoundError),
    (408, "timeout_error", anthropic.RequestTimeoutError),
    (409, "conflict_error", anthropic.ConflictError),
    (413, "request_too_large", anthropic.RequestTooLargeError),
    (422, "invalid_request_error", anthropic.UnprocessableEntityError),
    (429, "rate_limit_error", anthropic.RateLimitError),
    (500, "api_error", anthropic.InternalServerError),
    (503, "api_error", anthropic.ServiceUnavailableError),
    (504, "timeout_error", anthropic.GatewayTimeoutError),
    (529, "overloaded_error", anthropic.OverloadedError),
]


@pytest.mark.parametrize(("status", "kind", "error"), TYPED)
def test_the_sdk_raises_its_typed_exception(status: int, kind: str, error: type[anthropic.APIStatusError]) -> None:
    _endpoint, sdk = meet(answer_with(status, kind), max_retries=0)
    with pytest.raises(error) as raised:
        sdk.messages.create(**ASK)
    caught = raised.value
    assert (caught.status_code, caught.type, caught.api_message) == (status, kind, "what happened")
    assert caught.request_id is not None and caught.request_id.startswith("req_011C")


@pytest.mark.parametrize(
    "name", ["rate_limited", "overloaded", "server_error", "unavailable", "timeout", "disconnected"]
)
def test_one_fault_is_got_over_by_the_sdks_own_retry(name: str) -> None:
    if name in ("timeout", "disconnected"):  # without a response there is no retry-after: the SDK waits half a second
        _endpoint, sdk = meet(name, max_retries=0)
        assert sdk.messages.create(**ASK, extra_headers={"x-stainless-retry-count": "1"}).stop_reason == "end_turn"
        return
    endpoint, sdk = meet(name)
    assert sdk.messages.create(**ASK).stop_reason == "end_turn"
    assert endpoint.attempts == ["0", "1"]


def test_faults_come_one_after_the_other() -> None:
    endpoint, sdk = meet(faults.rate_limited(), faults.overloaded(), max_retries=2)
    assert sdk.messages.create(**ASK).stop_reason == "end_turn"
    assert endpoint.attempts == ["0", "1", "2"]


def test_more_faults_than_retries_reach_the_caller() -> None:
    endpoint, sdk = meet(faults.overloaded(times=None), max_retries=1)
    with pytest.raises(anthropic.OverloadedError):
        sdk.messages.create(**ASK)
    assert endpoint.attempts == ["0", "1"]


def test_the_same_fault_meets_every_new_request() -> None:
    endpoint, sdk = meet("overloaded")
    for _request in range(2):
        sdk.messages.create(**ASK)
    assert endpoint.attempts == ["0", "1", "0", "1"]


def test_a_bad_key_is_not_tried_again() -> None:
    endpoint, sdk = meet("bad_key")
    with pytest.raises(anthropic.AuthenticationError) as raised:
        sdk.messages.create(**ASK)
    assert (endpoint.attempts, raised.value.api_message) == (["0"], "invalid x-api-key")


def test_a_429_says_how_long_to_wait() -> None:
    _endpoint, sdk = meet(faults.rate_limited(retry_after_ms=1500), max_retries=0)
    with pytest.raises(anthropic.RateLimitError) as raised:
        sdk.messages.create(**ASK)
    headers = raised.value.response.headers
    assert (headers["retry-after"], headers["retry-after-ms"]) == ("2", "1500")


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("name", "error"), [("timeout", anthropic.APITimeoutError), ("disconnected", anthropic.APIConnectionError)]
)
def test_without_an_answer_it_is_a_connection_error(name: str, error: type[Exception], stream: bool) -> None:
    _endpoint, sdk = meet(name, max_retries=0)
    with pytest.raises(error):
        sdk.messages.create(**ASK, stream=stream)


def test_a_stream_cut_cleanly_leaves_text_and_no_stop_reason() -> None:
    _endpoint, sdk = meet("stream_cut")
    with sdk.messages.stream(**ASK) as stream:
        message = stream.get_final_message()
    assert (message.stop_reason, message.content[0].text[:6]) == (None, "Hello.")


def test_a_stream_cut_by_a_broken_connection_raises_after_the_text() -> None:
    _endpoint, sdk = meet(faults.stream_cut(cleanly=False))
    received = ""
    with pytest.raises(httpx2.RemoteProtocolError), sdk.messages.stream(**ASK) as stream:
        for text in stream.text_stream:
            received += text
    assert received.startswith("Hello.")


def test_an_error_event_in_mid_stream_is_a_status_error_with_status_200() -> None:
    _endpoint, sdk = meet("stream_error")
    received = ""
    with pytest.raises(anthropic.APIStatusError) as raised, sdk.messages.stream(**ASK) as stream:
        for text in stream.text_stream:
            received += text
    assert (type(raised.value), raised.value.status_code, raised.value.type) == (
        anthropic.APIStatusError, 200, "overloaded_error"
    )  # fmt: skip
    assert received.startswith("Hello.")


@pytest.mark.parametrize("name", ["stream_cut", "stream_error"])
def test_a_stream_that_says_nothing_is_not_finished_either(name: str) -> None:
    _endpoint, sdk = meet(name)
    kinds = []
    with suppress(anthropic.APIStatusError):
        for event in sdk.messages.create(**{**ASK, "max_tokens": 0}, stream=True):
            kinds.append(event.type)
    assert kinds == ["message_start"]


@pytest.mark.parametrize("name", ["stream_cut", "stream_error"])
def test_a_fault_of_the_stream_leaves_other_requests_alone(name: str) -> None:
    _endpoint, sdk = meet(name)
    assert sdk.messages.create(**ASK).stop_reason == "end_turn"


def test_a_later_attempt_can_be_played_with_the_header() -> None:
    _endpoint, sdk = meet("stream_cut")
    with sdk.messages.stream(**ASK, extra_headers={"x-stainless-retry-count": "1"}) as stream:
        assert stream.get_final_message().stop_reason == "end_turn"


@pytest.mark.parametrize("count", ["9" * 5000, "-1", "x", "²", ""], ids=["huge", "negative", "word", "power", "empty"])
def test_a_header_that_is_no_number_is_the_first_attempt(count: str) -> None:
    headers = {"x-api-key": "k", "anthropic-version": "2026-10-21", "x-stainless-retry-count": count}
    request = Request("POST", "/v1/messages", headers, b"{}")
    assert Endpoint(faults=["overloaded"]).handle(request).status == 529


def test_an_unknown_name_lists_those_that_there_are() -> None:
    with pytest.raises(CourseError) as error:
        client(faults=["overload"], settings=OFFLINE)
    assert str(error.value) == (
        "There is no fault 'overload'. Did you mean overloaded? The faults are: bad_key, disconnected, overloaded, "
        "rate_limited, server_error, stream_cut, stream_error, timeout, unavailable."
    )


def test_every_name_makes_the_fault_of_that_name() -> None:
    assert [make().name for make in faults.FAULTS.values()] == list(faults.FAULTS)
