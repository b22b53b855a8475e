"""Each common wrong answer to an exercise of notebook 05 is told what it did."""

import json

import anthropic
import httpx2
import pytest

from course.exercises import find
from course.exercises.notebook_05 import _definitions
from course.settings import MODEL
from course.tools import run_tool, tool
from course.workspace import Workspace

WORKSPACE = Workspace()
TOOLS = [tool(WORKSPACE.list_files), tool(WORKSPACE.read_file)]
FAULTS = (httpx2.TransportError, anthropic.APIStatusError)
RIGHT = {"message_start": 1, "content_block_start": 4, "content_block_stop": 4, "message_delta": 1, "message_stop": 1}


def test_the_right_counts_pass():
    verdict = find("05.1").check(RIGHT)
    assert verdict.passed
    assert "content_block_start 4" in verdict.happened


def test_zeros_are_no_answer_yet():
    verdict = find("05.1").check(dict.fromkeys(RIGHT, 0))
    assert not verdict.passed
    assert verdict.happened == f"There is no answer yet for: {', '.join(RIGHT)}."
    assert verdict.matters == "Write your numbers in place of the zeros, and run the cell."


@pytest.mark.parametrize(
    ("changed", "matters"),
    [
        ({"content_block_start": 3}, "The text is a block too."),
        ({"content_block_stop": 1}, "Each call is a block of its own"),
        ({"content_block_start": 2}, "Each call is a block of its own"),
        ({"content_block_start": 8}, "Each block of content starts once and stops once."),
        ({"message_delta": 4}, "the reply is one message"),
        ({"message_start": 0}, "the reply is one message"),
    ],
)
def test_a_wrong_count_is_told_why(changed, matters):
    verdict = find("05.1").check(RIGHT | changed)
    assert not verdict.passed
    assert next(iter(changed)) in verdict.happened
    assert matters in verdict.matters


@pytest.mark.parametrize("answer", [4, {}, {"message_start": 1}])
def test_counts_of_another_shape(answer):
    assert find("05.1").check(answer).happened.startswith("counts is not a dict with these keys: message_start,")


def parts(events):
    text, calls, stop_reason, name, bits = "", [], None, "", ""
    for event in events:
        if event.type == "content_block_start":
            name, bits = getattr(event.content_block, "name", ""), ""
        elif event.type == "content_block_delta":
            text += getattr(event.delta, "text", "")
            bits += getattr(event.delta, "partial_json", "")
        elif event.type == "content_block_stop" and name:
            calls.append((name, bits))
        elif event.type == "message_delta":
            stop_reason = event.delta.stop_reason
    return text, calls, stop_reason


def read_stream(events):
    text, calls, stop_reason = parts(events)
    read = [(name, json.loads(bits)) for name, bits in calls] if stop_reason == "tool_use" else []
    return {"text": text, "calls": read, "stop_reason": stop_reason}


def takes_cut_calls(events):
    text, calls, stop_reason = parts(events)
    return {"text": text, "calls": [(name, json.loads(bits)) for name, bits in calls], "stop_reason": stop_reason}


def takes_calls_of_a_broken_stream(events):
    text, calls, stop_reason = parts(events)
    read = [(name, json.loads(bits)) for name, bits in calls] if stop_reason != "max_tokens" else []
    return {"text": text, "calls": read, "stop_reason": stop_reason}


def reads_the_reason_at_the_start(events):
    start = next(iter(events))
    return {"text": "", "calls": [], "stop_reason": start.message.stop_reason}


def makes_up_an_ending(events):
    got = read_stream(events)
    return got | {"stop_reason": got["stop_reason"] or "end_turn"}


def puts_lines_between_the_bits(events):
    events = list(events)
    bits = [event.delta.text for event in events if getattr(getattr(event, "delta", None), "type", "") == "text_delta"]
    return read_stream(events) | {"text": "\n".join(bits)}


def reads_each_bit_as_json(events):
    return [
        json.loads(event.delta.partial_json)
        for event in events
        if hasattr(getattr(event, "delta", None), "partial_json")
    ]


def takes_every_event_for_text(events):
    return "".join(event.delta.text for event in events)


def gives_names_only(events):
    got = read_stream(events)
    return got | {"calls": [name for name, _input in got["calls"]]}


def takes_the_calls_for_a_number(events):
    got = read_stream(events)
    return got | {"calls": len(got["calls"])}


def returns_nothing(events):
    read_stream(events)


def spins(events):
    while True:
        events = iter(events)


WRONG_READERS = [
    (
        takes_cut_calls,
        "a call that max_tokens cut off. It raised JSONDecodeError",
        "Read it last, and only after tool_use.",
    ),
    (
        takes_calls_of_a_broken_stream,
        "Stream: a stream that breaks off. calls is [('list_files'",
        "nobody knows whether",
    ),
    (reads_the_reason_at_the_start, "stop_reason is None, not 'tool_use'.", "stop_reason comes in message_delta"),
    (makes_up_an_ending, "stop_reason is 'end_turn', not None.", "None is the honest value"),
    (puts_lines_between_the_bits, 'text is "I\'ll list the files firs\\nt."', "with nothing between them"),
    (reads_each_bit_as_json, "It raised JSONDecodeError", "One bit alone"),
    (takes_every_event_for_text, "It raised AttributeError", "Not every event has a delta"),
    (
        gives_names_only,
        "calls is ['list_files'], not [('list_files', {'path': '.'})].",
        "all its partial_json together",
    ),
    (takes_the_calls_for_a_number, "calls is 1, not", "all its partial_json together"),
    (returns_nothing, "It returned None.", "Return a dict with the keys text, calls and stop_reason."),
    (spins, "It did not come to an end.", "can be left out"),
    ("events", "read_stream is not a function.", "def read_stream(events)"),
]


def test_a_right_reader_passes():
    assert find("05.2").check(read_stream).passed


@pytest.mark.parametrize(
    ("answer", "happened", "matters"), WRONG_READERS, ids=lambda value: getattr(value, "__name__", None)
)
def test_a_wrong_reader_is_told_what_it_did(answer, happened, matters):
    verdict = find("05.2").check(answer)
    assert not verdict.passed
    assert happened in verdict.happened
    assert matters in verdict.matters


def ask_once(client, messages, attempt):
    number = {"x-stainless-retry-count": str(attempt)}
    request = {"model": MODEL, "max_tokens": 1024, "tools": _definitions()[:2], "messages": messages}
    with client.messages.stream(**request, extra_headers=number) as stream:
        return stream.get_final_message()


def loop_with(ask):
    """The agent loop, with a given way to ask."""

    def steady_loop(client, messages):
        while True:
            reply = ask(client, messages)
            if reply.stop_reason != "tool_use":
                return reply
            messages.append({"role": "assistant", "content": reply.content})
            results = [run_tool(TOOLS, block) for block in reply.content if block.type == "tool_use"]
            messages.append({"role": "user", "content": results})

    return steady_loop


def up_to(attempts, *, same_number=False, caught=FAULTS, none_is_fine=False):
    """Ask so often, and raise an error in the end."""

    def ask(client, messages):
        for attempt in range(attempts):
            try:
                reply = ask_once(client, messages, 0 if same_number else attempt)
            except caught:
                continue
            if none_is_fine or reply.stop_reason is not None:
                return reply
        raise RuntimeError(f"{attempts} attempts failed")

    return loop_with(ask)


def returns_the_last_one(client, messages):
    for attempt in range(3):
        try:
            reply = ask_once(client, messages, attempt)
        except FAULTS:
            continue
        if reply.stop_reason is not None:
            break
    return reply


def never_gives_up(client, messages):
    attempt = 0
    while True:
        try:
            reply = ask_once(client, messages, attempt)
        except FAULTS:
            reply = None
        if reply is not None and reply.stop_reason is not None:
            return reply
        attempt += 1


def appends_the_half_reply(client, messages):
    for attempt in range(3):
        try:
            reply = ask_once(client, messages, attempt)
        except FAULTS:
            continue
        if reply.stop_reason is not None:
            return reply
        messages.append({"role": "assistant", "content": reply.content})
    raise RuntimeError("three attempts failed")


def returns_the_text(client, messages):
    return up_to(3)(client, messages).content[-1].text


WRONG_LOOPS = [
    (loop_with(lambda client, messages: ask_once(client, messages, 0)), "each stream ends early, once", "ask again"),
    (up_to(3, none_is_fine=True), "ended by a stream without stop_reason", "The reply is not whole: ask again."),
    (
        up_to(3, caught=anthropic.APIStatusError),
        "The stream failed with RemoteProtocolError, and nothing",
        "Catch both",
    ),
    (up_to(3, caught=httpx2.TransportError), "The stream failed with APIStatusError, and nothing", "Catch both"),
    (up_to(3, same_number=True), "asked again with the same attempt number", "Give ask_once the next number"),
    (up_to(2), "each stream fails twice. The run: raised RuntimeError", "2 attempts failed"),
    (up_to(5), "It sent 5 requests before it gave up, not 3.", "One attempt and two more."),
    (loop_with(returns_the_last_one), "every stream ends early. After 3 requests the loop returned", "raise an error"),
    (loop_with(never_gives_up), "The loop did not give up.", "Three attempts for one reply"),
    (
        loop_with(appends_the_half_reply),
        "The next attempt was refused with a 400: messages.2:",
        "Leave messages as it is",
    ),
    (returns_the_text, "but returns_the_text returned", "End it with return reply"),
    ("reply", "steady_loop is not a function.", "def steady_loop(client, messages)"),
]


def test_a_steady_loop_passes():
    verdict = find("05.3").check(up_to(3))
    assert verdict.passed, verdict


@pytest.mark.parametrize(("answer", "happened", "matters"), WRONG_LOOPS)
def test_a_wrong_repair_is_told_what_it_did(answer, happened, matters):
    verdict = find("05.3").check(answer)
    assert not verdict.passed
    assert happened in verdict.happened
    assert matters in verdict.matters
