"""The event stream: its grammar, and that the real SDK builds the very message that comes without streaming."""

from __future__ import annotations

import json
from typing import Any

import pytest

from course.clients import client
from course.offline.scenario import load_scenario
from course.settings import MODEL, OFFLINE

LIST = {"name": "list_files", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}}
SAVE = {
    "name": "save_summary",
    "input_schema": {"type": "object", "properties": {"path": {"type": "string"}, "text": {"type": "string"}}},
}
SEARCH = {"type": "web_search_20260318", "name": "web_search"}


def request(scenario: str, *tools: dict[str, Any], max_tokens: int = 1000, **rest: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": load_scenario(scenario).prompt}]
    return {"model": MODEL, "max_tokens": max_tokens, "messages": messages, "tools": list(tools), **rest}


CASES = {
    "text": ("long_answer", request("long_answer")),
    "text and a call": ("count_python_files", request("count_python_files", LIST)),
    "thinking": (
        "count_python_files",
        request("count_python_files", LIST, thinking={"type": "adaptive", "display": "summarized"}),
    ),
    "hidden thinking": (
        "count_python_files",
        request("count_python_files", LIST, thinking={"type": "adaptive", "display": "omitted"}),
    ),
    "cut text": ("long_answer", request("long_answer", max_tokens=30)),
    "cut call": ("long_tool_input", request("long_tool_input", SAVE, max_tokens=100)),
    "nothing": ("long_answer", request("long_answer", max_tokens=0)),
    "stop sequence": ("long_answer", request("long_answer", stop_sequences=["5."])),
    "server tool": ("research", request("research", SEARCH)),
    "refusal": ("refused", request("refused")),
}


def raw_events(name: str) -> list[tuple[str, dict[str, Any]]]:
    """The events as they go over the wire: the name on the event line, and the data."""
    scenario, body = CASES[name]
    sdk = client(scenario, settings=OFFLINE)
    with sdk.messages.with_streaming_response.create(**body, stream=True) as response:
        text = b"".join(response.iter_bytes()).decode("utf-8")
    found = []
    for event in text.removesuffix("\n\n").split("\n\n"):
        first, second = event.split("\n")
        found.append((first.removeprefix("event: "), json.loads(second.removeprefix("data: "))))
    return found


def without_ids(message: Any) -> dict[str, Any]:
    data: dict[str, Any] = message.to_dict()
    data.pop("id")
    usage = data["usage"]
    data["usage"] = {key: usage.get(key) for key in ("input_tokens", "output_tokens")}
    for block in data["content"]:
        for key in ("id", "tool_use_id", "parsed_output"):
            block.pop(key, None)
    return data


@pytest.mark.parametrize("name", CASES)
def test_the_sdk_builds_the_message_that_comes_without_streaming(name: str) -> None:
    scenario, body = CASES[name]
    whole = client(scenario, settings=OFFLINE).messages.create(**body)
    with client(scenario, settings=OFFLINE).messages.stream(**body) as stream:
        assert without_ids(stream.get_final_message()) == without_ids(whole)


@pytest.mark.parametrize("name", CASES)
def test_the_events_keep_the_grammar(name: str) -> None:
    events = raw_events(name)
    assert all(event == data["type"] for event, data in events)
    kinds = [event for event, _data in events]
    assert (kinds[0], kinds[-2:]) == ("message_start", ["message_delta", "message_stop"])
    assert kinds.count("ping") == (1 if "content_block_start" in kinds else 0)
    assert "content_block_start" not in kinds or kinds[2] == "ping"
    open_block, next_index = None, 0
    for event, data in events:
        if event == "content_block_start":
            assert (open_block, data["index"]) == (None, next_index)
            open_block, next_index = next_index, next_index + 1
        elif event in ("content_block_delta", "content_block_stop"):
            assert data["index"] == open_block
            open_block = None if event == "content_block_stop" else open_block
    assert open_block is None


def test_the_start_has_no_stop_reason_and_the_delta_has_the_whole_usage() -> None:
    events = dict(raw_events("text and a call"))
    start, end = events["message_start"]["message"], events["message_delta"]
    assert (start["content"], start["stop_reason"], start["stop_sequence"], start["stop_details"]) == (
        [],
        None,
        None,
        None,
    )
    assert list(start) == [
        "model", "id", "type", "role", "content", "container", "stop_reason", "stop_sequence", "stop_details", "usage",
        "diagnostics",
    ]  # fmt: skip
    assert list(start["usage"]) == [
        "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "cache_creation", "output_tokens",
        "service_tier", "inference_geo",
    ]  # fmt: skip
    assert end["delta"] == {"stop_reason": "tool_use", "stop_sequence": None, "stop_details": None, "container": None}
    assert list(end["usage"]) == [
        "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens",
        "output_tokens_details",
    ]  # fmt: skip
    assert end["usage"]["output_tokens"] > start["usage"]["output_tokens"]


def test_a_call_starts_empty_and_its_first_fragment_is_empty() -> None:
    events = raw_events("text and a call")
    start = [data["content_block"] for event, data in events if event == "content_block_start"][1]
    assert (list(start), start["input"], start["caller"]) == (
        ["type", "id", "name", "input", "caller"], {}, {"type": "direct"}
    )  # fmt: skip
    parts = [
        data["delta"]["partial_json"] for event, data in events if data.get("delta", {}).get("partial_json") is not None
    ]
    assert parts[0] == "" and json.loads("".join(parts)) == {"path": "."}


def test_the_json_of_a_cut_call_stops_in_the_middle() -> None:
    deltas = [data["delta"] for event, data in raw_events("cut call") if event == "content_block_delta"]
    text = "".join(delta["partial_json"] for delta in deltas if delta["type"] == "input_json_delta")
    assert text.startswith('{"path": "summary.md", "text": "# The harbour board')
    with pytest.raises(json.JSONDecodeError):
        json.loads(text)


def test_the_signature_is_the_last_delta_of_thinking() -> None:
    events = raw_events("thinking")
    starts = [data["content_block"] for event, data in events if event == "content_block_start"]
    deltas = [data["delta"]["type"] for event, data in events if event == "content_block_delta" and data["index"] == 0]
    assert starts[0] == {"type": "thinking", "thinking": "", "signature": ""}
    assert deltas[-1] == "signature_delta" and set(deltas[:-1]) == {"thinking_delta"}


def test_thinking_counts_as_output() -> None:
    scenario, body = CASES["thinking"]
    usage = client(scenario, settings=OFFLINE).messages.create(**body).usage
    assert usage.output_tokens_details is not None
    assert 0 < usage.output_tokens_details.thinking_tokens < usage.output_tokens


def test_thinking_goes_back_in_a_loop() -> None:
    scenario, body = CASES["thinking"]
    sdk = client(scenario, settings=OFFLINE)
    reply = sdk.messages.create(**body)
    result = {"type": "tool_result", "tool_use_id": reply.content[-1].id, "content": "a.py\nb.txt"}
    turns = [{"role": "assistant", "content": reply.content}, {"role": "user", "content": [result]}]
    final = sdk.messages.create(**{**body, "messages": [*body["messages"], *turns]})
    assert final.content[-1].text == "There is 1 Python file in this project: a.py."
