"""The `anthropic` SDK, through a real socket."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import pytest

from course.offline.endpoint import Endpoint
from course.offline.faults import stream_cut
from course.offline.server import running
from course.settings import MODEL

ANSWER = "There are two files: package.json and README.md."
LIST_FILES = {
    "name": "list_files",
    "description": "Lists the files of a folder.",
    "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
}
ASK: dict[str, Any] = {
    "model": MODEL,
    "max_tokens": 1024,
    "tools": [LIST_FILES],
    "messages": [{"role": "user", "content": "Which files are in this directory?"}],
}


def sdk(url: str, **options: Any) -> anthropic.Anthropic:
    return anthropic.Anthropic(**{"base_url": url, "api_key": "offline", "max_retries": 0, **options})


def answered(content: list[Any]) -> dict[str, Any]:
    """The request that follows: the assistant turn, and the result of its one call."""
    call = content[-1]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "package.json\nREADME.md"}
    turns = [{"role": "assistant", "content": content}, {"role": "user", "content": [result]}]
    return {**ASK, "messages": [*ASK["messages"], *turns]}


def test_a_tool_round_trip(offline) -> None:
    with sdk(offline().url) as client:
        first = client.messages.create(**ASK)
        assert [block.type for block in first.content] == ["text", "tool_use"]
        assert (first.stop_reason, first.content[1].input) == ("tool_use", {"path": "."})
        second = client.messages.create(**answered(first.content))
    assert (second.stop_reason, second.content[0].text) == ("end_turn", ANSWER)


def test_a_tool_round_trip_async(offline) -> None:
    async def run() -> anthropic.types.Message:
        async with anthropic.AsyncAnthropic(base_url=offline().url, api_key="offline", max_retries=0) as client:
            first = await client.messages.create(**ASK)
            return await client.messages.create(**answered(first.content))

    assert asyncio.run(run()).content[0].text == ANSWER


def test_a_stream_gives_the_same_message_piece_by_piece(offline) -> None:
    with sdk(offline().url) as client:
        whole = client.messages.create(**ASK)
        with client.messages.stream(**answered(whole.content)) as stream:
            pieces = list(stream.text_stream)
            final = stream.get_final_message()
    assert len(pieces) > 1 and "".join(pieces) == final.content[0].text == ANSWER
    assert final.stop_reason == "end_turn"


def test_a_stream_async(offline) -> None:
    async def run() -> anthropic.types.Message:
        client = anthropic.AsyncAnthropic(base_url=offline().url, api_key="offline", max_retries=0)
        async with client, client.messages.stream(**ASK) as stream:
            return await stream.get_final_message()

    final = asyncio.run(run())
    assert (final.stop_reason, final.content[1].input) == ("tool_use", {"path": "."})


def test_raw_events(offline) -> None:
    with sdk(offline().url) as client, client.messages.create(**ASK, stream=True) as stream:
        kinds = [event.type for event in stream]
    assert kinds[:2] == ["message_start", "content_block_start"]
    assert kinds[-3:] == ["content_block_stop", "message_delta", "message_stop"]


def test_the_tool_runner(offline) -> None:
    @anthropic.beta_tool
    def list_files(path: str) -> str:
        """List the files of a folder.

        Args:
            path: The folder.
        """
        return "package.json\nREADME.md"

    with sdk(offline().url) as client:
        ask = {key: value for key, value in ASK.items() if key != "tools"}
        final = client.beta.messages.tool_runner(**ask, tools=[list_files]).until_done()
    assert (final.stop_reason, final.content[0].text) == ("end_turn", ANSWER)


def test_tokens_are_counted(offline) -> None:
    ask = {key: value for key, value in ASK.items() if key != "max_tokens"}
    with sdk(offline().url) as client:
        assert client.messages.count_tokens(**ask).input_tokens > 10


def test_models_are_listed(offline) -> None:
    with sdk(offline().url) as client:
        assert MODEL in [model.id for model in client.models.list()]


def test_a_refused_request_raises_the_typed_error(offline) -> None:
    with sdk(offline().url) as client, pytest.raises(anthropic.BadRequestError) as caught:
        client.messages.create(**{**ASK, "messages": []})
    assert caught.value.api_message == "messages: at least one message is required"
    assert caught.value.request_id == caught.value.body["request_id"]  # type: ignore[index]


def test_an_unknown_model_raises_the_typed_error(offline) -> None:
    with sdk(offline().url) as client, pytest.raises(anthropic.NotFoundError) as caught:
        client.messages.create(**{**ASK, "model": "claude-unheard-of"})
    assert caught.value.api_message == "model: claude-unheard-of"


def test_a_body_over_32_mb_raises_the_typed_error(offline) -> None:
    much = [{"role": "user", "content": "x" * (33 * 1024 * 1024)}]
    with sdk(offline().url) as client, pytest.raises(anthropic.RequestTooLargeError) as caught:
        client.messages.create(**{**ASK, "messages": much})
    assert (caught.value.status_code, caught.value.type) == (413, "request_too_large")


@pytest.mark.parametrize(
    ("fault", "error", "status"),
    [
        ("bad_key", anthropic.AuthenticationError, 401),
        ("rate_limited", anthropic.RateLimitError, 429),
        ("server_error", anthropic.InternalServerError, 500),
        ("unavailable", anthropic.ServiceUnavailableError, 503),
        ("overloaded", anthropic.OverloadedError, 529),
    ],
)
def test_each_fault_raises_its_typed_error(offline, fault: str, error: type[Exception], status: int) -> None:
    with sdk(offline(faults=[fault]).url) as client, pytest.raises(error) as caught:
        client.messages.create(**ASK)
    assert type(caught.value) is error
    assert caught.value.status_code == status  # type: ignore[attr-defined]


def test_what_passes_by_itself_is_tried_again(offline) -> None:
    api = offline(faults=["rate_limited", "overloaded"])
    with sdk(api.url, max_retries=2) as client:
        assert client.messages.create(**ASK).stop_reason == "tool_use"
    assert [request.headers["x-stainless-retry-count"] for request in api.requests] == ["0", "1", "2"]


def test_silence_raises_the_timeout_error(offline) -> None:
    with sdk(offline(faults=["timeout"]).url, timeout=0.2) as client, pytest.raises(anthropic.APITimeoutError):
        client.messages.create(**ASK)


def test_a_lost_connection_raises_the_connection_error(offline) -> None:
    with sdk(offline(faults=["disconnected"]).url) as client, pytest.raises(anthropic.APIConnectionError) as caught:
        client.messages.create(**ASK)
    assert not isinstance(caught.value, anthropic.APITimeoutError)


def test_an_error_event_in_mid_stream_raises(offline) -> None:
    client = sdk(offline(faults=["stream_error"]).url)
    with client, pytest.raises(anthropic.APIStatusError) as caught, client.messages.stream(**ASK) as stream:
        stream.until_done()
    assert (caught.value.status_code, caught.value.type) == (200, "overloaded_error")


def test_a_stream_that_ends_early_has_no_stop_reason(offline) -> None:
    with sdk(offline(faults=["stream_cut"]).url) as client, client.messages.stream(**ASK) as stream:
        assert stream.get_final_message().stop_reason is None


def test_a_broken_stream_raises_after_what_came(offline) -> None:
    came: list[str] = []
    client = sdk(offline(faults=[stream_cut(cleanly=False)]).url)
    with client, pytest.raises(httpx2.RemoteProtocolError), client.messages.stream(**ASK) as stream:
        for piece in stream.text_stream:
            came.append(piece)
    assert "".join(came) == "I list the files."


def test_both_ways_to_send_a_key(offline) -> None:
    api = offline()
    for options in ({"api_key": "offline"}, {"api_key": None, "auth_token": "offline"}):
        with sdk(api.url, **options) as client:
            assert client.messages.create(**ASK).stop_reason == "tool_use"
    assert [json.loads(request.body)["model"] for request in api.requests] == [MODEL, MODEL]


def test_the_example_of_the_readme() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    example = readme.partition("```python\n")[2].partition("```")[0]
    with running(Endpoint()) as url:
        program = [sys.executable, "-c", example.replace("http://127.0.0.1:8765", url)]
        done = subprocess.run(program, capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert done.stdout == "To do this I need a tool that this request does not let me use: list_files.\n", done.stderr
