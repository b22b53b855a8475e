"""Tools as they are offered: other names in front, other parameter names, forced calls."""

from __future__ import annotations

from typing import Any

import pytest

from course.clients import client
from course.offline.scenario import load_scenario
from course.settings import MODEL, OFFLINE


def offer(name: str, **properties: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {key: {"type": kind} for key, kind in properties.items()}}
    return {"name": name, "input_schema": {**schema, "required": list(properties)}}


def first_call(*tools: dict[str, Any], scenario: str = "count_python_files", **rest: Any) -> tuple[str, Any]:
    prompt = load_scenario(scenario).prompt
    reply = client(scenario, settings=OFFLINE).messages.create(
        model=MODEL, max_tokens=500, tools=tools, messages=[{"role": "user", "content": prompt}], **rest
    )
    (call,) = [block for block in reply.content if block.type == "tool_use"]
    return call.name, call.input


def test_a_tool_of_a_server_is_called_by_its_full_name() -> None:
    assert first_call(offer("mcp__course__list_files", path="string")) == ("mcp__course__list_files", {"path": "."})


def test_an_exact_name_comes_before_one_with_a_prefix() -> None:
    assert first_call(offer("mcp__x__list_files"), offer("list_files", path="string"))[0] == "list_files"


def test_a_parameter_of_another_name_gets_the_value() -> None:
    assert first_call(offer("list_files", folder="string")) == ("list_files", {"folder": "."})


def test_parameters_of_other_names_get_the_values_in_their_order() -> None:
    name, wanted = first_call(offer("save_summary", file="string", content="string"), scenario="long_tool_input")
    assert (name, list(wanted), wanted["file"]) == ("save_summary", ["file", "content"], "summary.md")
    assert wanted["content"].startswith("# The harbour board")


def test_a_parameter_that_is_required_gets_the_value_before_one_that_is_not() -> None:
    tool = offer("list_files", hidden="boolean", folder="string")
    tool["input_schema"]["required"] = ["folder"]
    assert first_call(tool) == ("list_files", {"folder": "."})


def test_a_tool_without_parameters_gets_none() -> None:
    assert first_call(offer("list_files")) == ("list_files", {})


def test_a_result_counts_whatever_the_tool_and_its_parameter_are_called() -> None:
    tool = offer("mcp__course__list_files", folder="string")
    messages: list[Any] = [{"role": "user", "content": "Count the Python files in this project."}]
    sdk = client("count_python_files", settings=OFFLINE)
    reply = sdk.messages.create(model=MODEL, max_tokens=500, tools=[tool], messages=messages)
    result = {"type": "tool_result", "tool_use_id": reply.content[-1].id, "content": "a.py"}
    messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": [result]}]
    final = sdk.messages.create(model=MODEL, max_tokens=500, tools=[tool], messages=messages)
    assert final.content[0].text == "There is 1 Python file in this project: a.py."


def test_a_forced_call_that_the_task_does_not_need_fits_the_schema() -> None:
    tool = offer("book", day="string", seats="integer", window="boolean")
    wanted = ("book", {"day": "", "seats": 0, "window": False})
    assert first_call(tool, scenario="plain_chat", tool_choice={"type": "any"}) == wanted
    assert first_call(tool, scenario="plain_chat", tool_choice={"type": "tool", "name": "book"}) == wanted


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"const": 7}, 7),
        ({"enum": ["b", "a"]}, "b"),
        ({"type": ["integer", "null"]}, 0),
        ({"type": "integer", "minimum": 3}, 3),
        ({"anyOf": [{"type": "array"}, {"type": "null"}]}, []),
        ({"type": "object", "properties": {"a": {"type": "number"}, "b": {}}, "required": ["a"]}, {"a": 0}),
        ({}, ""),
    ],
    ids=str,
)
def test_the_input_of_a_forced_call_keeps_to_the_schema(schema: dict[str, Any], value: object) -> None:
    tool = {"name": "f", "input_schema": {"type": "object", "properties": {"x": schema}, "required": ["x"]}}
    assert first_call(tool, scenario="plain_chat", tool_choice={"type": "any"}) == ("f", {"x": value})


def test_a_tool_of_the_api_s_own_that_the_caller_runs_can_be_forced() -> None:
    bash = {"type": "bash_20250124", "name": "bash"}
    assert first_call(bash, scenario="plain_chat", tool_choice={"type": "any"}) == ("bash", {})


def test_the_search_of_the_api_is_forced_beside_a_tool_with_such_a_name() -> None:
    reply = client("plain_chat", settings=OFFLINE).messages.create(
        model=MODEL,
        max_tokens=500,
        tools=[{"type": "web_search_20250305", "name": "web_search"}, offer("mcp__x__web_search", query="string")],  # type: ignore[list-item]
        tool_choice={"type": "tool", "name": "web_search"},
        messages=[{"role": "user", "content": "Hello."}],
    )
    assert [block.type for block in reply.content] == ["server_tool_use", "web_search_tool_result", "text"]


def test_a_tool_that_is_still_to_be_found_is_not_forced() -> None:
    later, now = {**offer("later"), "defer_loading": True}, offer("now")
    assert first_call(later, now, scenario="plain_chat", tool_choice={"type": "any"}) == ("now", {})
