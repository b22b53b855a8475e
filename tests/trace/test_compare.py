"""Side by side: the first difference in a sentence, and the endings."""

from __future__ import annotations

import contextlib
from typing import Any

import anthropic
import httpx2
import loops
import pytest
import small_model

from course.trace import Comparison, Fuse, compare, record
from course.trace.alike import place_and_values


def run(loop: Any, name: str, handler: Any = small_model.answer, **kwargs: Any) -> Any:
    return record(loop, small_model.client(handler), name=name, fuse=Fuse(requests=5, seconds=120), **kwargs)


def against_right(loop: Any, handler: Any = small_model.answer) -> Comparison:
    return compare(run(loops.appends, "right"), run(loop, "broken", handler))


def sentence(comparison: Comparison) -> str:
    assert comparison.first_difference is not None
    return comparison.first_difference.sentence


def test_nothing_appended() -> None:
    comparison = against_right(loops.appends_nothing)
    assert sentence(comparison) == (
        "request 2: right sends the assistant turn and the tool's result, broken sends the same message again"
    )
    assert comparison.first_difference is not None
    assert comparison.first_difference.request == 2
    assert comparison.endings == ("ended by end_turn after 3 requests", "stopped by the fuse after 5 requests")


def test_results_forgotten() -> None:
    comparison = against_right(loops.forgets_the_results)
    assert sentence(comparison) == "request 2: right sends the tool's result, broken sends only the assistant turn"
    assert comparison.endings[1] == (
        "400 on request 2: messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. "
        "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
    )


def test_assistant_turn_forgotten() -> None:
    comparison = against_right(loops.forgets_the_assistant_turn)
    assert sentence(comparison) == (
        "request 2: right sends the assistant turn and the tool's result, broken sends the tool's result"
    )


def test_another_content() -> None:
    def lies(client: Any) -> None:
        messages: list[Any] = [{"role": "user", "content": loops.TASK}]
        response = client.messages.create(**loops.ASK, messages=messages)
        messages.append({"role": "assistant", "content": response.content})
        messages.append({"role": "user", "content": [loops.result(response.content[1], "nothing")]})
        client.messages.create(**loops.ASK, messages=messages)

    assert sentence(against_right(lies)) == (
        """request 2: right sends messages[2].content[0].content "['a.py', 'b.py']", """
        'broken sends messages[2].content[0].content "nothing"'
    )


def sends(change: Any) -> Any:
    """A loop that changes what it appends: `change` makes the user turns from the blocks of a reply."""

    def loop(client: Any) -> None:
        messages: list[Any] = [{"role": "user", "content": loops.TASK}]
        response = client.messages.create(**loops.ASK, messages=messages)
        messages.append({"role": "assistant", "content": response.content})
        messages += [{"role": "user", "content": content} for content in change(response.content[1])]
        with contextlib.suppress(anthropic.APIStatusError):
            client.messages.create(**loops.ASK, messages=messages)

    return loop


RESULT = "['a.py', 'b.py']"
NOTE = {"type": "text", "text": "Be short."}


def result(block: Any, **changed: Any) -> dict[str, Any]:
    return {**loops.result(block, RESULT), **changed}


@pytest.mark.parametrize(
    ("change", "sent"),
    [
        (lambda block: [[]], "right sends the tool's result, broken sends an empty user turn"),
        (
            lambda block: [[result(block), NOTE]],
            "right sends the tool's result, broken sends the tool's result, then text",
        ),
        (
            lambda block: [[NOTE, result(block)]],
            "right sends the tool's result, broken sends text, then the tool's result",
        ),
        (
            lambda block: [[result(block), NOTE]] * 2,
            "right sends the tool's result, broken sends 2 turns, each with the tool's result, then text",
        ),
        (
            lambda block: [[result(block, tool_use_id="msg_7")]],
            'right sends messages[2].content[0].tool_use_id "toolu_1", '
            'broken sends messages[2].content[0].tool_use_id "msg_7"',
        ),
        (
            lambda block: [[{"type": "tool_result", "content": RESULT}]],
            'right sends messages[2].content[0].tool_use_id "toolu_1", '
            "broken sends no messages[2].content[0].tool_use_id",
        ),
        (
            lambda block: [[result(block, is_error=True)]],
            "right sends messages[2].content[0].is_error false, broken sends messages[2].content[0].is_error true",
        ),
    ],
)
def test_what_is_sent_in_another_way(change: Any, sent: str) -> None:
    assert sentence(against_right(sends(change))) == f"request 2: {sent}"


def test_a_request_that_leaves_out_what_was_sent_before() -> None:
    def forgets_the_task(client: Any) -> None:
        messages: list[Any] = [{"role": "user", "content": loops.TASK}]
        response = client.messages.create(**loops.ASK, messages=messages)
        messages = [{"role": "assistant", "content": response.content}]
        with contextlib.suppress(anthropic.APIStatusError):
            client.messages.create(**loops.ASK, messages=messages)

    assert sentence(against_right(forgets_the_task)).endswith("broken sends 1 message, but not all that it sent before")


def test_of_long_texts_the_place_is_shown_where_they_differ() -> None:
    start = "The same words at the beginning of both texts, and many of them. "
    runs = [[{"role": "user", "content": start + end}] for end in ("Tides.", "Boards.")]
    place, values = place_and_values(runs) or ("", [])
    assert place == "messages[0].content"
    assert values == ['"…d many of them. Tides."', '"…d many of them. Boards."']


def test_an_end_that_comes_too_soon() -> None:
    comparison = against_right(loops.stops_at_text)
    assert sentence(comparison) == ("request 2: right sends the assistant turn and the tool's result, broken has ended")
    assert comparison.endings[1] == "ended by tool_use after 1 request"


def limited_to(max_tokens: int) -> Any:
    def limited(client: Any) -> None:
        messages = [{"role": "user", "content": loops.TASK}]
        client.messages.create(model=loops.MODEL, max_tokens=max_tokens, messages=messages)

    return limited


def test_parameters_count_if_nothing_else_differs() -> None:
    comparison = compare(run(limited_to(100), "right"), run(limited_to(5), "broken"))
    assert sentence(comparison) == "request 1: right sends max_tokens 100, broken sends max_tokens 5"


def test_parameters_that_make_another_reply() -> None:
    def limits(body: dict[str, Any]) -> dict[str, Any]:
        reply = small_model.reply(body)
        return {**reply, "stop_reason": "max_tokens"} if body["max_tokens"] < 10 else reply

    handler = small_model.by(limits)
    comparison = compare(run(limited_to(100), "right", handler), run(limited_to(5), "broken", handler))
    assert sentence(comparison) == (
        "request 1: right sends max_tokens 100 and gets tool_use: list_files, "
        "broken sends max_tokens 5 and gets max_tokens: list_files"
    )


def test_the_raw_loop_and_the_tool_runner_do_the_same() -> None:
    """The runner first tries a thread; that the endpoint refuses it is the SDK's own affair."""

    def without_threads(body: dict[str, Any]) -> Any:
        if "thread" not in body:
            return small_model.answer(body)
        words = "`thread` is not supported here."
        error = {
            "type": "invalid_request_error",
            "message": words,
            "details": {"error_code": "thread_unsupported_request"},
        }
        return httpx2.Response(400, json={"type": "error", "error": error})

    def list_files(path: str) -> str:
        return "a.py"

    def read_file(path: str) -> str:
        return "print(1)"

    tools = {"list_files": list_files, "read_file": read_file}

    def uses_the_tool_runner(client: Any) -> None:
        from anthropic import beta_tool

        described = [beta_tool(each, description=each.__name__) for each in tools.values()]
        messages: list[Any] = [{"role": "user", "content": loops.TASK}]
        client.beta.messages.tool_runner(**loops.ASK, messages=messages, tools=described).until_done()

    def is_raw(client: Any) -> None:
        ask = {**loops.ASK, "tools": [{"name": name, "input_schema": {"type": "object"}} for name in tools]}
        messages: list[Any] = [{"role": "user", "content": loops.TASK}]
        while (response := client.messages.create(**ask, messages=messages)).stop_reason == "tool_use":
            block = response.content[1]
            messages.append({"role": "assistant", "content": response.content})
            messages.append({"role": "user", "content": [loops.result(block, tools[block.name](**block.input))]})

    runner = run(uses_the_tool_runner, "runner", without_threads)
    assert [(exchange.number, exchange.attempt) for exchange in runner.exchanges] == [(1, 0), (1, 1), (2, 0), (3, 0)]
    comparison = compare(run(is_raw, "raw"), runner)
    assert comparison.endings == ("ended by end_turn after 3 requests",) * 2
    assert comparison.first_difference is None


def test_replies() -> None:
    comparison = against_right(loops.appends, small_model.by(small_model.endless))
    assert sentence(comparison) == "request 2: right gets tool_use: read_file, broken gets tool_use: list_files"


def test_ids_and_form_make_no_difference() -> None:
    """A live model has other ids in each run, and the tool runner sends each text as a block."""

    def renamed(body: dict[str, Any]) -> dict[str, Any]:
        message = small_model.reply(body)
        for block in message["content"]:
            if block["type"] == "tool_use":
                block["id"] = f"toolu_other_{block['id']}"
        return message

    comparison = compare(
        run(loops.appends, "raw"),
        run(loops.streams, "streamed", small_model.by(renamed)),
        run(loops.begins_empty, "another style"),
    )
    assert comparison.first_difference is None
    assert set(comparison.endings) == {"ended by end_turn after 3 requests"}


def test_only_the_endings_differ() -> None:
    def forgets_to_return(client: Any) -> None:
        loops.asks_once(client)
        raise KeyError("answer")

    comparison = compare(run(loops.asks_once, "one"), run(forgets_to_return, "two"))
    assert sentence(comparison) == (
        "the end: one ended by tool_use after 1 request, two raised KeyError after 1 request: 'answer'"
    )


def test_a_retry_is_no_request_of_its_own() -> None:
    comparison = against_right(loops.appends, small_model.failing_at_first(1))
    assert comparison.first_difference is None
    assert len(comparison.requests) == 3


def test_names_are_told_apart() -> None:
    traces = [run(loops.asks_once, name) for name in ("", "", "mine", "mine")]
    assert compare(*traces).names == ("asks_once", "asks_once (2)", "mine", "mine (4)")


def test_one_trace_is_no_comparison() -> None:
    with pytest.raises(ValueError, match=r"^compare\(\) takes two traces or more\.$"):
        compare(run(loops.asks_once, "alone"))


def test_as_text() -> None:
    assert str(against_right(loops.appends_nothing)) == (
        """\
request 1
  right   sends 1 message -> tool_use: list_files
  broken  sends 1 message -> tool_use: list_files
request 2
  right   sends the assistant turn and the tool's result -> tool_use: read_file
  broken  sends the same message again -> tool_use: list_files
request 3
  right   sends the assistant turn and the tool's result -> end_turn
  broken  sends the same message again -> tool_use: list_files
request 4
  right   -
  broken  sends the same message again -> tool_use: list_files
request 5
  right   -
  broken  sends the same message again -> tool_use: list_files
the end
  right   ended by end_turn after 3 requests
  broken  stopped by the fuse after 5 requests
First difference: request 2: right sends the assistant turn and the tool's result, broken sends the same message again"""
    )


ENDINGS = [
    (loops.never_asks, "returned without asking the model"),
    (loops.is_interrupted, "interrupted after 1 request"),
    (loops.leaves_a_stream, "ended by a stream without stop_reason after 1 request"),
    (loops.assigns_append, "raised AttributeError after 1 request: 'NoneType' object has no attribute 'append'"),
]


@pytest.mark.parametrize(("loop", "ending"), ENDINGS, ids=[loop.__name__ for loop, _ in ENDINGS])
def test_endings(loop: Any, ending: str) -> None:
    assert compare(run(loop, "one"), run(loop, "two")).endings == (ending, ending)


def test_endings_by_time_and_without_a_connection() -> None:
    counting = record(loops.runs_forever, small_model.client(), fuse=Fuse(seconds=0.3))
    broken = record(loops.asks_once, small_model.client(small_model.unreachable).with_options(max_retries=0))
    endings = compare(counting, broken).endings
    assert endings[0].startswith("stopped by the fuse after 0.3 seconds and ")
    assert endings[1] == "ConnectError on request 1: All connection attempts failed"
