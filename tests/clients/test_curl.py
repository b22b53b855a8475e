"""curl, as the lessons show it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from course.settings import MODEL

VERSION = "anthropic-version: 2026-10-21"
KEY = "x-api-key: offline"
ASK = {
    "model": MODEL,
    "max_tokens": 1024,
    "messages": [{"role": "user", "content": "Which files are in this directory?"}],
    "tools": [{"name": "list_files", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}}],
}


def curl(*arguments: str, body: object = None) -> tuple[int, str]:
    """The status and the body of the answer. `body` is sent as JSON, from standard input."""
    data = [] if body is None else ["--data-binary", "@-", "--header", "content-type: application/json"]
    done = subprocess.run(
        ["curl", "--silent", "--show-error", "--noproxy", "*", "--write-out", "\n%{http_code}", *data, *arguments],
        input=None if body is None else json.dumps(body),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    text, _, status = done.stdout.rpartition("\n")
    return int(status), text


@pytest.mark.parametrize("key", [KEY, "authorization: Bearer offline"])
def test_a_message(offline, key: str) -> None:
    status, text = curl(f"{offline().url}/v1/messages", "--header", VERSION, "--header", key, body=ASK)
    message: dict[str, Any] = json.loads(text)
    assert (status, message["stop_reason"]) == (200, "tool_use")
    assert [block["type"] for block in message["content"]] == ["text", "tool_use"]


def test_a_stream(offline) -> None:
    ask = {**ASK, "stream": True}
    url = f"{offline().url}/v1/messages"
    status, text = curl(url, "--no-buffer", "--header", VERSION, "--header", KEY, body=ask)
    names = [line.removeprefix("event: ") for line in text.splitlines() if line.startswith("event: ")]
    assert status == 200
    assert names[0] == "message_start" and names[-2:] == ["message_delta", "message_stop"]


def test_no_key(offline) -> None:
    status, text = curl(f"{offline().url}/v1/messages", "--header", VERSION, body=ASK)
    assert (status, json.loads(text)["error"]["type"]) == (401, "authentication_error")


def test_a_body_that_is_not_json(offline) -> None:
    headers = ["--header", VERSION, "--header", KEY]
    status, text = curl(f"{offline().url}/v1/messages", *headers, "--data", "{not json")
    error = json.loads(text)["error"]
    assert (status, error["type"]) == (400, "invalid_request_error")
    assert error["message"].startswith("The request body is not valid JSON: ")


def test_the_request_id_stands_in_the_header_and_in_the_body(offline, tmp_path: Path) -> None:
    head = tmp_path / "head.txt"
    headers = ["--header", VERSION, "--header", KEY, "--dump-header", str(head)]
    _, text = curl(f"{offline().url}/v1/messages", *headers, "--data", "{}")
    assert f"request-id: {json.loads(text)['request_id']}" in head.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/v1/models", 200),
        ("GET", "/v1/nothing", 404),
        ("GET", "/v1/messages", 405),
        ("PUT", "/v1/messages", 405),
        ("DELETE", "/v1/models", 405),
    ],
)
def test_paths_and_methods(offline, method: str, path: str, expected: int) -> None:
    status, text = curl(f"{offline().url}{path}", "--request", method, "--header", VERSION, "--header", KEY)
    assert status == expected
    assert json.loads(text).get("type", "list") == ("list" if expected == 200 else "error")


def test_a_large_body_for_which_curl_asks_first(offline) -> None:
    large = {**ASK, "messages": [{"role": "user", "content": "Which files are in this directory? " + "x" * 2_000_000}]}
    headers = ["--header", VERSION, "--header", KEY, "--header", "expect: 100-continue"]
    assert curl(f"{offline().url}/v1/messages", *headers, body=large)[0] == 200


def test_a_body_over_32_mb(offline) -> None:
    headers = ["--header", VERSION, "--header", KEY]
    status, text = curl(f"{offline().url}/v1/messages", *headers, body="x" * (33 * 1024 * 1024))
    assert (status, json.loads(text)["error"]["type"]) == (413, "request_too_large")
