"""The wire: what was sent and what came back, whole, streamed, retried, broken; and no key in a Trace."""

from __future__ import annotations

import json
import threading
from typing import Any

import httpx2
import loops
import pytest
import small_model
from actions import actions

from course.trace import Trace, record
from course.trace.events import Exchange
from course.trace.sse import StreamedMessage


def ignoring_time(exchange: Exchange) -> tuple[Any, ...]:
    return (exchange.number, exchange.attempt, exchange.status, exchange.reply, exchange.error, exchange.streamed)


def test_requests_are_what_was_sent() -> None:
    sent: list[dict[str, Any]] = []

    def handler(body: dict[str, Any]) -> httpx2.Response:
        sent.append(body)
        return small_model.answer(body)

    for loop in (loops.appends, loops.edits_a_block, loops.sends_the_end_only, loops.forgets_old_turns, loops.streams):
        sent.clear()
        trace = record(loop, small_model.client(handler))
        assert [trace.request_body(exchange) for exchange in trace.exchanges] == sent


def test_messages_that_are_no_list_are_kept_as_they_were_sent() -> None:
    trace = record(loops.sends_text, small_model.client())
    assert trace.request_body(trace.exchanges[0]) == {**loops.ASK, "messages": loops.TASK}


def test_a_response_is_kept_as_it_came() -> None:
    trace = record(loops.appends, small_model.client())
    first = trace.exchanges[0]
    assert ignoring_time(first) == (1, 0, 200, small_model.reply({"messages": []}), None, False)
    assert 0 < first.seconds < 60


def test_a_streamed_reply_is_put_together() -> None:
    whole = [exchange.reply for exchange in record(loops.appends, small_model.client()).exchanges]
    streamed = record(loops.streams, small_model.client())
    assert [exchange.reply for exchange in streamed.exchanges] == whole
    assert all(exchange.streamed for exchange in streamed.exchanges)


def test_a_stream_that_the_loop_leaves_is_kept_as_far_as_it_was_read() -> None:
    (exchange,) = record(loops.leaves_a_stream, small_model.client()).exchanges
    assert exchange.reply["content"][0] == {"type": "text", "text": "Let me see."}
    assert (exchange.reply["stop_reason"], exchange.error) == (None, None)


def test_a_stream_that_is_cut() -> None:
    trace = record(loops.streams, small_model.client(small_model.cut))
    assert actions(trace) == ["start", "rebuild 0 user", "error 1 200", "end raised RemoteProtocolError"]
    (exchange,) = trace.exchanges
    assert exchange.error == {"type": "RemoteProtocolError", "message": "peer closed connection"}
    assert exchange.reply["content"][1]["input"] == {}, "of an input of which little came, little is kept"


def test_an_error_event_ends_a_stream() -> None:
    event = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    body = f"event: error\ndata: {json.dumps(event)}\n\n".encode()
    client = small_model.client(
        lambda _: httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=body)
    )
    trace = record(loops.streams_raw_events, client)
    assert actions(trace)[2] == "error 1 200"
    assert trace.exchanges[0].error == {"type": "overloaded_error", "message": "Overloaded"}


def test_retries_are_attempts_of_one_request() -> None:
    trace = record(loops.asks_once, small_model.client(small_model.failing_at_first(2)))
    assert actions(trace) == [
        *["start", "rebuild 0 user"],
        *["error 1 529", "error 1 retry 1 529", "ask 1 retry 2 tool_use", "end returned"],
    ]
    assert trace.exchanges[0].error == {"type": "overloaded_error", "message": "Overloaded"}


def test_no_connection() -> None:
    trace = record(loops.asks_once, small_model.client(small_model.unreachable).with_options(max_retries=0))
    assert ignoring_time(trace.exchanges[0]) == (
        *(1, 0, None, None),
        {"type": "ConnectError", "message": "All connection attempts failed"},
        False,
    )


def test_an_error_that_is_no_json() -> None:
    client = small_model.client(
        lambda _: httpx2.Response(502, text="<h1>Bad gateway</h1>", headers={"x-should-retry": "false"})
    )
    trace = record(loops.asks_once, client)
    assert trace.exchanges[0].error == {"type": "error", "message": "<h1>Bad gateway</h1>"}


def test_only_messages_are_recorded() -> None:
    def counts_tokens(client: Any) -> None:
        client.messages.count_tokens(model=loops.MODEL, messages=[{"role": "user", "content": "Hi"}])

    trace = record(counts_tokens, small_model.client(lambda _: httpx2.Response(200, json={"input_tokens": 3})))
    assert actions(trace) == ["start", "end returned"]


def test_the_raw_response_is_seen_too() -> None:
    def asks_raw(client: Any) -> Any:
        messages = [{"role": "user", "content": "Hi"}]
        with client.messages.with_streaming_response.create(**loops.ASK, messages=messages) as response:
            return response.parse().stop_reason

    trace = record(asks_raw, small_model.client())
    assert (trace.ending.value, trace.exchanges[0].reply["stop_reason"]) == ("'tool_use'", "tool_use")
    assert trace.exchanges[0].streamed is False


def test_a_transport_of_the_learner_s_is_not_the_loop() -> None:
    def offline_of_mine(client: Any) -> None:
        import anthropic

        def handle(request: httpx2.Request) -> httpx2.Response:
            return small_model.answer(json.loads(request.content))

        http_client = httpx2.Client(transport=httpx2.MockTransport(handle))
        mine = anthropic.Anthropic(api_key="x", http_client=http_client)
        mine.messages.create(**loops.ASK, messages=[{"role": "user", "content": "Hi"}])

    trace = record(offline_of_mine, None)
    assert [function.name for function in trace.code] == ["offline_of_mine"]


def test_a_recording_inside_a_recording() -> None:
    inner: list[Trace] = []

    def outer(client: Any) -> None:
        messages = [{"role": "user", "content": loops.TASK}]
        client.messages.create(**loops.ASK, messages=messages)
        inner.append(record(loops.appends, client))
        messages.append({"role": "user", "content": "Quick!"})
        client.messages.create(**loops.ASK, messages=messages)

    trace = record(outer, small_model.client())
    assert actions(inner[0])[-1] == "end returned"
    assert [exchange.number for exchange in inner[0].exchanges] == [1, 2, 3]
    assert [exchange.number for exchange in trace.exchanges] == [1, 2, 3, 4, 5], "the outer one sees all that is sent"
    assert trace.messages_at(trace.steps[-1].messages)[-1] == {"role": "user", "content": "Quick!"}


def test_no_key_is_in_a_trace() -> None:
    def shows_its_key(client: Any) -> str:
        """It tells sk-ant-api03-abcdefgh-ABCDEFGH to everybody."""
        client.messages.create(**loops.ASK, messages=[{"role": "user", "content": f"My key is {client.api_key}"}])
        raise ValueError(client.api_key)

    trace = record(shows_its_key, small_model.client())
    assert small_model.KEY not in trace.to_json()
    assert "sk-ant" not in trace.to_json() + str(trace)
    assert trace.exchanges[0].number == 1
    assert trace.ending.error == {"type": "ValueError", "message": "[key removed]"}
    assert trace.code[0].source.splitlines()[1].strip() == '"""It tells [key removed] to everybody."""'


def test_a_key_of_another_endpoint_is_known_by_being_sent() -> None:
    key = "0123456789-abcdefghijklmnop"
    client = small_model.client().with_options(api_key=key)

    def tells(client: Any) -> str:
        client.messages.create(**loops.ASK, messages=[{"role": "user", "content": "Hi"}])
        return client.api_key

    assert record(tells, client).ending.value == "'[key removed]'"


def test_an_error_whose_text_fails_is_told_by_its_kind() -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    def fails() -> None:
        raise Odd

    assert record(fails).ending.error == {"type": "Odd", "message": "<its text raised RuntimeError>"}


def test_half_a_character_is_shown_as_one_that_can_t_be_read() -> None:
    def has_half(client: Any) -> str:
        client.messages.create(**loops.ASK, messages=[{"role": "user", "content": "Hi"}])
        messages = [{"role": "user", "content": "half \ud800"}]
        raise ValueError(messages[0]["content"])

    trace = record(has_half, small_model.client())
    assert trace.ending.error == {"type": "ValueError", "message": "half \ufffd"}
    assert trace.from_json(trace.to_json()) == trace


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_events_may_come_in_pieces_of_any_size(size: int) -> None:
    whole = small_model.both_at_once({"messages": []})
    stream = b"".join(small_model.events(whole))
    message, seen = StreamedMessage(), []
    message.on_block = seen.append
    for start in range(0, len(stream), size):
        message.feed(stream[start : start + size])
    assert message.message == whole
    assert seen == whole["content"]


def test_every_kind_of_delta() -> None:
    message = StreamedMessage()
    deltas = [
        ("thinking", {"type": "thinking_delta", "thinking": "Hm"}),
        ("thinking", {"type": "signature_delta", "signature": "abc"}),
        ("text", {"type": "citations_delta", "citation": {"title": "A"}}),
        ("text", {"type": "of_the_future", "number": 1}),
    ]
    start = {"type": "message_start", "message": {"content": [], "usage": {"input_tokens": 1}}}
    lines = [
        start,
        *(
            {"type": "content_block_start", "index": i, "content_block": {"type": kind}}
            for i, (kind, _) in enumerate(deltas)
        ),
    ]
    lines += [{"type": "content_block_delta", "index": i, "delta": delta} for i, (_, delta) in enumerate(deltas)]
    message.feed(
        b"".join(b"data: " + json.dumps(line).encode() + b"\n\n" for line in [*lines, {"type": "ping"}]) + b"data: x\n"
    )
    assert message.message is not None
    assert message.message["content"] == [
        {"type": "thinking", "thinking": "Hm"},
        {"type": "thinking", "signature": "abc"},
        {"type": "text", "citations": [{"title": "A"}]},
        {"type": "text"},
    ]


def test_recordings_in_two_threads_leave_nothing_behind() -> None:
    """The one that began first ends first."""
    from anthropic._base_client import SyncAPIClient

    before = httpx2.Client.send, SyncAPIClient.request
    second_runs, first_is_over = threading.Event(), threading.Event()

    def first(client: Any) -> None:
        assert second_runs.wait(30)

    def second(client: Any) -> None:
        second_runs.set()
        assert first_is_over.wait(30)

    threads = [threading.Thread(target=record, args=(loop, None)) for loop in (first, second)]
    for thread in threads:
        thread.start()
    threads[0].join()
    first_is_over.set()
    threads[1].join()
    assert (httpx2.Client.send, SyncAPIClient.request) == before
