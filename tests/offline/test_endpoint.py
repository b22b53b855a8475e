"""The endpoint over plain requests: paths, methods, keys, bodies, headers, ids, counting, models."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from course.offline.endpoint import Endpoint
from course.offline.models import MODELS
from course.offline.wire import Request, Response
from course.settings import MODEL

HEADERS = {"x-api-key": "any", "anthropic-version": "2026-10-21"}
BODY = {"model": MODEL, "max_tokens": 100, "messages": [{"role": "user", "content": "Hello"}]}


def send(
    path: str = "/v1/messages",
    body: object = BODY,
    *,
    method: str = "POST",
    headers: dict[str, str] = HEADERS,
    raw: bytes | None = None,
    endpoint: Endpoint | None = None,
) -> Response:
    content = raw if raw is not None else json.dumps(body).encode()
    return (endpoint or Endpoint()).handle(Request(method, path, headers, content))


def data(response: Response) -> Any:
    return json.loads(b"".join(response.chunks))


def refused(response: Response) -> tuple[int, str, str]:
    """Status, type and message; the envelope is checked on the way."""
    found = data(response)
    assert list(found) == ["type", "error", "request_id"]
    assert found["type"] == "error" and found["request_id"] == response.headers["request-id"]
    assert response.headers["content-type"] == "application/json"
    return response.status, found["error"]["type"], found["error"]["message"]


# where and how


@pytest.mark.parametrize(
    "path", ["/v1/messages", "/v1/messages?beta=true", "/v1/messages/", "http://127.0.0.1:80/v1/messages?beta=true"]
)
def test_messages_are_answered(path: str) -> None:
    assert send(path).status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/v1",
        "/v1/complete",
        "/v1/messages/batches",
        "/v1/model",
        "*",
        "",
        "//",
        "//[",
        "//x/v1/messages",
        "http://[",
    ],
)
def test_another_path_is_a_404(path: str) -> None:
    assert refused(send(path)) == (404, "not_found_error", "Not Found")


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [("GET", "/v1/messages", "POST"), ("PUT", "/v1/messages/count_tokens", "POST"), ("POST", "/v1/models", "GET")],
)
def test_another_method_is_a_405(method: str, path: str, allow: str) -> None:
    response = send(path, method=method)
    assert refused(response) == (405, "invalid_request_error", "Method Not Allowed")
    assert response.headers["allow"] == allow


@pytest.mark.parametrize("key", [{"x-api-key": "k"}, {"authorization": "Bearer k"}, {"authorization": "bearer k"}])
def test_either_key_header_will_do(key: dict[str, str]) -> None:
    assert send(headers={"anthropic-version": "2026-10-21", **key}).status == 200


@pytest.mark.parametrize("key", [{}, {"x-api-key": ""}, {"authorization": "Bearer "}, {"authorization": "Basic abc"}])
@pytest.mark.parametrize("path", ["/v1/messages", "/v1/messages/count_tokens"])
def test_without_a_key_it_is_a_401_whatever_the_body(path: str, key: dict[str, str]) -> None:
    response = send(path, raw=b"no json", headers={"anthropic-version": "2026-10-21", **key})
    assert refused(response)[:2] == (401, "authentication_error")


def test_models_want_a_key_too() -> None:
    assert refused(send("/v1/models", method="GET", headers={}))[:2] == (401, "authentication_error")


def test_without_a_version_it_is_a_400() -> None:
    assert refused(send(headers={"x-api-key": "k"})) == (
        400, "invalid_request_error", "anthropic-version: header is required"
    )  # fmt: skip


@pytest.mark.parametrize("raw", [b"", b"{", b"NaN", b'{"a": NaN}', b"\xff", b"[" * 100_000])
def test_what_is_not_json_is_a_400(raw: bytes) -> None:
    status, kind, message = refused(send(raw=raw))
    assert (status, kind) == (400, "invalid_request_error")
    assert message.startswith("The request body is not valid JSON: ")


def test_a_body_over_32_mb_is_a_413() -> None:
    response = send(raw=b" " * (32 * 1024 * 1024 + 1))
    assert refused(response) == (413, "request_too_large", "Request exceeds the maximum size")


def test_a_400_for_a_stream_is_plain_json_and_says_not_to_try_again() -> None:
    response = send(body={**BODY, "stream": True, "max_tokens": -1})
    assert response.headers["x-should-retry"] == "false"
    assert not any(name.startswith("anthropic-ratelimit") for name in response.headers)
    assert refused(response) == (
        400, "invalid_request_error", "max_tokens: must be greater than or equal to 0"
    )  # fmt: skip


# what comes back


def test_the_message_has_the_fields_of_the_api_in_their_order() -> None:
    message = data(send())
    assert list(message) == [
        "model", "id", "type", "role", "content", "container", "stop_reason", "stop_sequence", "stop_details", "usage",
        "diagnostics",
    ]  # fmt: skip
    assert list(message["usage"]) == [
        "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "cache_creation", "output_tokens",
        "output_tokens_details", "service_tier", "inference_geo",
    ]  # fmt: skip
    assert [list(block) for block in message["content"]] == [["type", "text"]]
    nothing = ("container", "stop_sequence", "stop_details", "diagnostics")
    assert all(message[name] is None for name in nothing)


def test_an_alias_is_answered_with_the_dated_id() -> None:
    alias = next(model for model in MODELS.values() if model.dated)
    assert data(send(body={**BODY, "model": alias.id}))["model"] == alias.dated


def test_a_200_tells_the_rate_limits() -> None:
    headers = send().headers
    names = {name.removeprefix("anthropic-ratelimit-") for name in headers if name.startswith("anthropic-ratelimit-")}
    kinds = ("requests", "tokens", "input-tokens", "output-tokens")
    assert names == {f"{kind}-{what}" for kind in kinds for what in ("limit", "remaining", "reset")}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", headers["anthropic-ratelimit-requests-reset"])


def test_lenient_mode_is_labelled() -> None:
    lenient = Endpoint(lenient=True)
    assert send(endpoint=lenient, raw=b"{").headers["x-course-mode"] == "lenient"
    assert send("/v1/messages/count_tokens", {}, endpoint=lenient).headers["x-course-mode"] == "lenient"
    assert send(endpoint=Endpoint(lenient=True)).headers["x-course-mode"] == "lenient"
    assert "x-course-mode" not in send().headers
    assert repr(Endpoint("list_then_read", lenient=True)) == "Endpoint(list_then_read, lenient)"


def test_ids_have_the_apis_form_and_never_repeat_and_are_the_same_in_every_run() -> None:
    tools = [{"name": "list_files", "input_schema": {"type": "object"}}]
    body = {
        **BODY,
        "tools": tools,
        "messages": [{"role": "user", "content": "Count the Python files in this project."}],
    }

    def run() -> list[str]:
        endpoint, found = Endpoint(), []
        for _request in range(3):
            response = send(body=body, endpoint=endpoint)
            message = data(response)
            found += [response.headers["request-id"], message["id"], message["content"][-1]["id"]]
        return found

    ids = run()
    assert len(set(ids)) == 9 and run() == ids
    forms = (r"req_011C\w{20}", r"msg_01\w{22}", r"toolu_01\w{22}")
    assert all(re.fullmatch(form, each) for form, each in zip(forms * 3, ids, strict=True))


def test_two_clients_that_share_a_history_never_make_the_same_id() -> None:
    tools = [{"name": "read_file", "input_schema": {"type": "object"}}]
    prompt = {"role": "user", "content": "Compare README.md, package.json and harbour/timetable.py."}
    choice = {"type": "auto", "disable_parallel_tool_use": True}
    messages: list[dict[str, Any]] = [prompt]
    for _client in range(3):
        body = {**BODY, "tools": tools, "tool_choice": choice, "messages": messages}
        reply = data(send(body=body))
        result = {"type": "tool_result", "tool_use_id": reply["content"][-1]["id"], "content": "text"}
        messages += [{"role": "assistant", "content": reply["content"]}, {"role": "user", "content": [result]}]
    assert send(body={**BODY, "messages": messages}).status == 200


def test_the_reply_follows_from_the_request_alone() -> None:
    endpoint = Endpoint()
    first, other, again = (data(send(body=body, endpoint=endpoint)) for body in (BODY, {**BODY, "max_tokens": 3}, BODY))
    assert first["content"] == again["content"] != other["content"]
    assert first["usage"] == again["usage"]


def test_threads_are_refused_in_the_way_that_the_sdk_understands() -> None:
    headers = {**HEADERS, "anthropic-beta": "message-threads-2026-08-12"}
    response = send(body={**BODY, "thread": {"type": "create"}}, headers=headers)
    error = data(response)["error"]
    assert (response.status, error["type"], error["details"]) == (
        400, "invalid_request_error", {"error_code": "thread_unsupported_request"}
    )  # fmt: skip


@pytest.mark.parametrize("item", [{}, {"content": []}], ids=["no content", "empty content"])
@pytest.mark.parametrize("place", [0, 1])
def test_a_system_item_that_only_sets_something_is_passed_over(item: dict[str, Any], place: int) -> None:
    messages: list[Any] = [*BODY["messages"]]
    messages.insert(place, {"role": "system", "output_config": {"effort": "low"}, **item})
    headers = {**HEADERS, "anthropic-beta": "mid-conversation-output-config-2026-07-01"}
    reply = data(send(body={**BODY, "messages": messages}, headers=headers))
    assert reply["content"] == data(send())["content"]


# counting and models


def test_count_tokens_gives_the_input_tokens_of_the_same_request() -> None:
    counted = {name: value for name, value in BODY.items() if name != "max_tokens"}
    response = send("/v1/messages/count_tokens", counted)
    assert data(response) == {"input_tokens": data(send())["usage"]["input_tokens"]}


def test_count_tokens_applies_the_rules() -> None:
    assert refused(send("/v1/messages/count_tokens", {"model": MODEL, "messages": []})) == (
        400, "invalid_request_error", "messages: at least one message is required"
    )  # fmt: skip


def get(path: str) -> Any:
    return data(send(path, method="GET", raw=b""))


def test_models_are_listed_page_by_page_in_both_directions() -> None:
    ids = [model.full_id for model in MODELS.values()]
    first = get("/v1/models?limit=4")
    assert [each["id"] for each in first["data"]] == ids[:4]
    assert (first["has_more"], first["first_id"], first["last_id"]) == (True, ids[0], ids[3])
    second = get(f"/v1/models?limit=4&after_id={ids[3]}")
    assert [each["id"] for each in second["data"]] == ids[4:8]
    back = get(f"/v1/models?limit=2&before_id={ids[4]}")
    assert [each["id"] for each in back["data"]] == ids[2:4]
    assert get(f"/v1/models?after_id={ids[-1]}") == {"data": [], "has_more": False, "first_id": None, "last_id": None}


def test_one_model_and_one_that_is_not_there() -> None:
    assert get(f"/v1/models/{MODEL}")["display_name"] == MODELS[MODEL].display_name
    response = send("/v1/models/claude-none", method="GET", raw=b"")
    assert refused(response) == (404, "not_found_error", "model: claude-none")


def test_a_model_s_name_with_a_dot_is_told_the_right_one() -> None:
    message = refused(send("/v1/models/claude-haiku-5.5", method="GET", raw=b""))[2]
    assert message == "model: claude-haiku-5.5 was not found. Did you mean claude-haiku-5-5?"


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=x", "limit=1001", "limit=" + "9" * 5000, "limit=²", "after_id=none"]
)
def test_a_bad_page_is_a_400(query: str) -> None:
    assert refused(send(f"/v1/models?{query}", method="GET"))[:2] == (400, "invalid_request_error")


# whatever comes

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "role",
                    "content",
                    "type",
                    "text",
                    "id",
                    "input",
                    "tool_use_id",
                    "name",
                    "is_error",
                    "compaction",
                    "query",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
BLOCK = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "tool_use", "tool_result", "server_tool_use", "web_search_tool_result", "compaction"])},
    optional={
        "text": st.text(max_size=9) | JSON, "id": st.just("a"), "tool_use_id": st.just("a"), "name": st.text(max_size=5),
        "input": JSON, "content": JSON, "encrypted_content": JSON, "is_error": st.booleans(),
    },
)  # fmt: skip
MESSAGE = st.fixed_dictionaries(
    {
        "role": st.sampled_from(["user", "assistant", "system"]),
        "content": st.text(max_size=20) | st.lists(BLOCK, max_size=4),
    }
)
SOME = Endpoint()
LENIENT = Endpoint(lenient=True)


@given(
    messages=st.lists(MESSAGE, min_size=1, max_size=5),
    extra=st.dictionaries(
        st.sampled_from(
            ["tools", "tool_choice", "thinking", "stop_sequences", "context_management", "system", "stream"]
        ),
        JSON,
        max_size=2,
    ),
)
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_json_crashes_the_endpoint(messages: Any, extra: dict[str, Any]) -> None:
    headers = {**HEADERS, "anthropic-beta": "compact-2026-01-12,context-management-2025-06-27"}
    for endpoint in (SOME, LENIENT):
        response = send(body={**BODY, "messages": messages, **extra}, headers=headers, endpoint=endpoint)
        content = b"".join(response.chunks)
        assert response.status in (200, 400)
        assert response.status == 200 or json.loads(content)["type"] == "error"


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/messages/count_tokens"])
def test_json_that_can_only_just_be_read_crashes_nothing(path: str) -> None:
    """How deep that is depends on the stack: Python's limit is near 1,000."""
    for depth in range(800, 1000):
        deep = "[" * depth + "]" * depth
        call = f'{{"type": "tool_use", "id": "toolu_1", "name": "f", "input": {{"a": {deep}}}}}'
        result = '{"type": "tool_result", "tool_use_id": "toolu_1"}'
        turns = f'[{{"role": "assistant", "content": [{call}]}}, {{"role": "user", "content": [{result}]}}]'
        limit = '"max_tokens": 9, ' if path == "/v1/messages" else ""
        response = send(path, raw=f'{{"model": "{MODEL}", {limit}"messages": {turns}}}'.encode())
        assert response.status == 200 or refused(response)[2].startswith("The request body is not valid JSON")
