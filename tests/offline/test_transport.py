"""The in-process edge: the real SDK, sync and async, and a stream that is not held back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import anthropic
import httpx2
import pytest

from course.clients import async_client, client
from course.offline.endpoint import Endpoint
from course.offline.transport import AsyncOfflineTransport, OfflineTransport
from course.offline.wire import Request, Response
from course.settings import MODEL, OFFLINE

ASK: dict[str, Any] = {
    "model": MODEL,
    "max_tokens": 500,
    "messages": [{"role": "user", "content": "Explain in twelve numbered steps how a ferry leaves the harbour."}],
}


class Counting(Endpoint):
    """Counts the chunks that were made so far."""

    made = 0

    def handle(self, request: Request) -> Response:
        response = super().handle(request)
        return Response(response.status, response.headers, self._counted(iter(response.chunks)))

    def _counted(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            self.made += 1
            yield chunk


def test_the_first_event_arrives_before_the_second_is_made() -> None:
    endpoint = Counting("long_answer")
    http_client = httpx2.Client(transport=OfflineTransport(endpoint))
    sdk = anthropic.Anthropic(api_key="k", base_url="http://offline.invalid", http_client=http_client)
    made = []
    for event in sdk.messages.create(**ASK, stream=True):
        made.append(endpoint.made)
        assert event.type != "message_start" or endpoint.made == 1
    assert made == sorted(made) and made[0] == 1 and made[-1] == endpoint.made > 20


def test_async_too() -> None:
    endpoint = Counting("long_answer")

    async def first_events() -> list[int]:
        http_client = httpx2.AsyncClient(transport=AsyncOfflineTransport(endpoint))
        made = []
        async with anthropic.AsyncAnthropic(
            api_key="k", base_url="http://offline.invalid", http_client=http_client
        ) as sdk:
            async for _event in await sdk.messages.create(**ASK, stream=True):
                made.append(endpoint.made)
        return made

    made = asyncio.run(first_events())
    assert made[0] == 1 and made[-1] == endpoint.made > 20


def test_a_stream_that_is_left_early_is_closed() -> None:
    endpoint = Counting("long_answer")
    http_client = httpx2.Client(transport=OfflineTransport(endpoint))
    sdk = anthropic.Anthropic(api_key="k", base_url="http://offline.invalid", http_client=http_client)
    with sdk.messages.stream(**ASK) as stream:
        next(iter(stream.text_stream))
    assert endpoint.made < 10


def test_the_async_client_answers_and_streams() -> None:
    async def both() -> tuple[str, str]:
        async with async_client("long_answer", settings=OFFLINE) as sdk:
            whole = await sdk.messages.create(**ASK)
            async with sdk.messages.stream(**ASK) as stream:
                text = "".join([part async for part in stream.text_stream])
        return whole.content[0].text, text

    whole, streamed = asyncio.run(both())
    assert whole == streamed and whole.endswith("THE END")


def test_eight_requests_at_once_in_one_client() -> None:
    async def together() -> set[str]:
        async with async_client("long_answer", settings=OFFLINE) as sdk:
            replies = await asyncio.gather(*(sdk.messages.create(**ASK) for _each in range(8)))
        return {reply.id for reply in replies}

    assert len(asyncio.run(together())) == 8


def test_count_tokens_and_models() -> None:
    sdk = client(settings=OFFLINE)
    counted = sdk.messages.count_tokens(model=MODEL, messages=ASK["messages"])
    assert counted.input_tokens == sdk.messages.create(**ASK).usage.input_tokens
    assert sdk.models.retrieve(MODEL).id == MODEL
    assert MODEL in [model.id for model in sdk.models.list(limit=3)]  # goes from page to page by itself


@pytest.fixture
def listing() -> Any:
    @anthropic.beta_tool
    def list_files(path: str) -> str:
        """List the files below a folder.

        Args:
            path: the folder
        """
        return f"a.py\n{path.strip('.')}b.py\nc.txt"

    return list_files


@pytest.mark.parametrize("stream", [False, True])
def test_the_tool_runner_falls_back_from_threads_by_itself(listing: Any, stream: bool) -> None:
    runner = client("count_python_files", settings=OFFLINE).beta.messages.tool_runner(
        model=MODEL,
        max_tokens=500,
        tools=[listing],
        messages=[{"role": "user", "content": "Count the Python files in this project."}],
        stream=stream,
    )
    final = runner.until_done()
    assert final.content[0].text == "There are 2 Python files in this project: a.py, b.py."


def test_the_tool_runner_ends_an_endless_task_by_its_fuse(listing: Any) -> None:
    runner = client("endless", settings=OFFLINE).beta.messages.tool_runner(
        model=MODEL,
        max_tokens=500,
        tools=[listing],
        messages=[{"role": "user", "content": "Watch this directory and tell me when something changes."}],
        max_iterations=3,
    )
    assert [message.stop_reason for message in runner] == ["tool_use"] * 3
