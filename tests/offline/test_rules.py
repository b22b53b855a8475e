"""What the offline endpoint refuses, and how it words it: the shared cases, our own cases, and what a real client sent."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from course.offline import rules
from course.offline.binding import sign_conversation
from course.offline.models import MODELS
from course.offline.rules import Context, check, read_body
from course.offline.wire import ApiFault

CASES = Path(__file__).parent / "cases"
SHARED = json.loads((CASES / "messages_api.json").read_text(encoding="utf-8"))
OWN = yaml.safe_load((CASES / "rules.yaml").read_text(encoding="utf-8"))
RECORDED = sorted(CASES.glob("claude_cli_*.json"))

HEADERS = {"x-api-key": "a key", "anthropic-version": "2026-10-21"}
BASE = {"model": "claude-opus-5-5", "max_tokens": 300, "messages": [{"role": "user", "content": "Hi"}]}
CALL = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "done"}


def fault_of(body: Any, **context: Any) -> ApiFault | None:
    """The fault of this body, or None if it is accepted."""
    headers = {**HEADERS, **context.pop("headers", {})}
    try:
        check(body, Context(headers, **context))
    except ApiFault as fault:
        return fault
    return None


def message_of(**changes: Any) -> str | None:
    """The message that refuses the base request with these fields put over it; None if it is accepted."""
    fault = fault_of({**BASE, **changes})
    return None if fault is None else fault.message


# The shared cases


def sure(certainty: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in SHARED if case["certainty"] == certainty]


def assert_expected(case: dict[str, Any]) -> None:
    expect, fault = case["expect"], fault_of(case["request"])
    if expect["ok"]:
        assert fault is None
        return
    assert fault is not None, "accepted"
    assert (fault.status, fault.type) == (expect["status"], expect["type"])
    assert [part for part in expect["message_contains"] if part not in fault.message] == []


@pytest.mark.parametrize("case", sure("certain"))
def test_shared_case_that_is_certain(case: dict[str, Any]):
    assert_expected(case)


@pytest.mark.parametrize("case", sure("likely"))
def test_shared_case_that_is_likely(case: dict[str, Any]):
    assert_expected(case)


@pytest.mark.parametrize("case", sure("uncertain"))
def test_shared_case_that_is_uncertain_is_answered_in_the_api_s_shape(case: dict[str, Any]):
    """Nobody measured these: no answer is wrong, as long as it is one."""
    fault = fault_of(case["request"])
    assert fault is None or (fault.status, fault.type) == (400, "invalid_request_error")


# Our own cases


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in OWN])
def test_own_case(case: dict[str, Any]):
    body = {key: value for key, value in {**BASE, **case.get("set", {})}.items() if key not in case.get("without", ())}
    options = {name: case[name] for name in ("headers", "lenient", "counting", "tokens") if name in case}
    fault = fault_of(body, **options)
    if case.get("accept"):
        assert fault is None
        return
    assert fault is not None, "accepted"
    expected = (case.get("status", 400), case.get("type", "invalid_request_error"), case["refuse"])
    assert (fault.status, fault.type, fault.message) == expected


def test_own_cases_are_well_formed():
    ids = [case["id"] for case in OWN]
    assert len(set(ids)) == len(ids)
    assert not set(ids) & {case["id"] for case in SHARED}
    assert [case["id"] for case in OWN if ("refuse" in case) == ("accept" in case) or not case["why"]] == []


# A real client


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_what_the_agent_sdk_s_program_sent_is_accepted(path: Path):
    recorded = json.loads(path.read_text(encoding="utf-8"))
    assert fault_of(recorded["body"], headers=recorded["headers"]) is None


def test_without_its_betas_the_same_request_is_not_accepted():
    recorded = json.loads((CASES / "claude_cli_first.json").read_text(encoding="utf-8"))
    fault = fault_of(recorded["body"], headers={"anthropic-version": "2023-06-01"})
    assert fault is not None
    assert fault.message == "messages.1.output_config: Extra inputs are not permitted"


# A reply sent back, as the SDK holds it


def reply_blocks() -> list[Any]:
    from anthropic.types import Message

    content = [THOUGHT, {"type": "text", "text": "Looking."}, {**CALL, "caller": {"type": "direct"}}]
    reply = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": asked(*content)[1]["content"],
    }
    usage = {"input_tokens": 1, "output_tokens": 1}
    return Message.model_validate({**reply, "stop_reason": "tool_use", "stop_sequence": None, "usage": usage}).content


def sent_back(blocks: list[Any]) -> str | None:
    turns = [{"role": "assistant", "content": blocks}, {"role": "user", "content": [RESULT]}]
    return message_of(messages=[{"role": "user", "content": "a"}, *turns])


def test_the_content_of_a_reply_is_accepted_as_its_model_dump():
    blocks = [block.model_dump() for block in reply_blocks()]
    assert blocks[1]["citations"] is None
    assert sent_back(blocks) is None


def test_the_content_of_a_reply_is_accepted_as_the_sdk_sends_it():
    assert sent_back([block.model_dump(exclude_unset=True) for block in reply_blocks()]) is None


# Bodies: rules 21 to 23


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "The request body is not valid JSON: Expecting value: line 1 column 1 (char 0)"),
        (b"{'a': 1}", None),
        (b'{"a": NaN}', "The request body is not valid JSON: unexpected value NaN"),
        (b'{"a": "\\ud83d"}', "The request body is not valid JSON: surrogates not allowed"),
        (b'{"a": "\xff"}', "The request body is not valid JSON: invalid start byte"),
        (b'{"a": "\xed\xa0\xbd"}', "The request body is not valid JSON: invalid continuation byte"),
        (
            b"1" * 5000,
            "The request body is not valid JSON: Exceeds the limit (4300 digits) for integer string conversion: "
            "value has 5000 digits",
        ),
        (b"[" * 200_000, None),
    ],
    ids=[
        "empty",
        "single quotes",
        "NaN",
        "half a character",
        "not UTF-8",
        "raw half a character",
        "long number",
        "deep",
    ],
)
def test_rule_21_a_body_that_is_no_json(body: bytes, message: str | None):
    with pytest.raises(ApiFault) as caught:
        read_body(body)
    assert (caught.value.status, caught.value.type) == (400, "invalid_request_error")
    assert caught.value.message.startswith("The request body is not valid JSON: ")
    assert message is None or caught.value.message == message


def test_rule_21_a_body_of_json():
    assert read_body('{"a": "\\ud83d\\ude00é"}'.encode()) == {"a": "😀é"}


def test_rule_22_a_body_that_is_too_large():
    with pytest.raises(ApiFault) as caught:
        read_body(b" " * (32 * 1024 * 1024 + 1))
    expected = (413, "request_too_large", "Request exceeds the maximum size")
    assert (caught.value.status, caught.value.type, caught.value.message) == expected


@pytest.mark.parametrize("body", [[], "hi", 3, None, True], ids=repr)
def test_a_body_that_is_no_object(body: object):
    assert str(fault_of(body)) == "400 invalid_request_error: Input should be an object"


def test_rule_23_counts_only_when_everything_else_is_right():
    def count(body: object) -> int:
        raise AssertionError("counted")

    assert fault_of({**BASE, "messages": []}, tokens=count) is not None


def test_rule_23_a_function_counts_the_body():
    assert fault_of(BASE, tokens=lambda body: 10 * len(body["messages"]), context_window=10) is None
    fault = fault_of(BASE, tokens=lambda body: 11 * len(body["messages"]), context_window=10)
    assert str(fault) == "400 invalid_request_error: prompt is too long: 11 tokens > 10 maximum"


def test_rule_42_the_number_of_messages():
    message = {"role": "user", "content": "a"}
    assert message_of(messages=[message] * 100_001) == "messages: List should have at most 100000 items, not 100001"


def test_the_name_in_a_call_has_a_longest_length():
    def called(name: str) -> str | None:
        return message_of(messages=[{"role": "assistant", "content": [{**CALL, "name": name}]}, *answer])

    answer = [{"role": "user", "content": [RESULT]}]
    assert called("f" * 200) is None
    assert called("f" * 201) == "messages.0.content.0.tool_use.name: String should have at most 200 characters"


# Strict schemas: rule 70, and how many there may be


def test_the_number_of_strict_tools():
    schema = {"type": "object", "additionalProperties": False}
    tools = [{"name": f"f{number}", "strict": True, "input_schema": schema} for number in range(21)]
    relaxed = {"name": "g", "input_schema": schema}
    assert message_of(tools=[*tools[:20], relaxed]) is None
    assert message_of(tools=[*tools, relaxed]) == (
        "Too many strict tools (21). The maximum number of strict tools supported is 20. "
        "Try reducing the number of tools marked as strict."
    )


OPEN = {"type": "object"}


@pytest.mark.parametrize(
    "part",
    [
        *(
            {word: {"a": OPEN}}
            for word in ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
        ),
        *({word: [{"type": "string"}, OPEN]} for word in ("anyOf", "allOf", "oneOf", "prefixItems")),
        *({word: OPEN} for word in ("items", "additionalProperties", "not", "if", "then", "else")),
    ],
    ids=lambda part: next(iter(part)),
)
def test_rule_70_holds_in_every_part_of_a_schema(part: dict[str, Any]):
    def strict(inside: dict[str, Any]) -> str | None:
        schema = {"type": "object", "additionalProperties": False, "properties": {"x": inside}}
        return message_of(tools=[{"name": "f", "strict": True, "input_schema": schema}])

    closed = json.loads(
        json.dumps(part).replace('{"type": "object"}', '{"type": "object", "additionalProperties": false}')
    )
    assert strict(part) == "tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set to false"
    assert strict(closed) is None


# Thinking that the offline model wrote: rules 81 and 84 (82, 83: test_binding.py)


def asked(*assistant: Any) -> list[Any]:
    """A call and its result, with the thinking of the turn signed."""
    messages = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": list(assistant)},
        {"role": "user", "content": [RESULT]},
    ]
    return sign_conversation({"messages": messages})


THOUGHT = {"type": "thinking", "thinking": "Look first."}


def test_rule_81_thinking_of_ours_is_accepted():
    assert message_of(messages=asked(THOUGHT, CALL)) is None


def test_rule_84_a_turn_that_began_with_thinking_may_go_on_without():
    more = {**CALL, "id": "toolu_2"}
    messages = [
        *asked(THOUGHT, CALL),
        {"role": "assistant", "content": [more]},
        {"role": "user", "content": [{**RESULT, "tool_use_id": "toolu_2"}]},
    ]
    thinking = {"type": "enabled", "budget_tokens": 1024}
    assert message_of(model="claude-haiku-4-5", max_tokens=3000, thinking=thinking, messages=messages) is None


# Every model


def test_rule_75_the_models_that_refuse_a_forced_tool():
    tools = [{"name": "f", "input_schema": {"type": "object"}}]
    refused = {name for name in MODELS if message_of(model=name, tools=tools, tool_choice={"type": "any"}) is not None}
    assert refused == {
        "claude-opus-5-5",
        "claude-sonnet-5-5",
        "claude-fable-5-1",
        "claude-mythos-5-1",
        "claude-fable-5-2",
        "claude-mythos-5-2",
        "claude-mythos-preview",
    }


def test_rule_43_only_the_4_5_models_take_a_prefill():
    messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    accepted = {name for name in MODELS if message_of(model=name, messages=messages) is None}
    assert accepted == {"claude-haiku-4-5", "claude-opus-4-5", "claude-sonnet-4-5"}


# The numbers

FOLDER = Path(rules.__file__).parent
NOT_ENFORCED = {
    61: "a wording of early 2025 that is no longer in use",
    82: "depends on the account: only those made since August 2026 have it",
}
IN_PYTHON = {21, 22, 42, 83}  # held by a test above, not by a row of rules.yaml


def numbers_in(text: str) -> set[int]:
    """The numbers of rules that a text names: "rule 45", "Rules 49 and 50", "rules 1, 2". Of a range, its two ends."""
    lists = re.findall(r"\b[Rr]ules? (\d+(?:(?:, and | and |, | to |-)\d+)*)", text)
    return {int(number) for numbers in lists for number in re.findall(r"\d+", numbers)}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Rule 45.", {45}),
        ("rules 49, 50 and 52, 3 times", {49, 50, 52, 3}),
        ("rules 1 to 3. The 4", {1, 3}),
        ("no 5", set()),
    ],
)
def test_numbers_are_read(text: str, numbers: set[int]):
    assert numbers_in(text) == numbers


def test_every_rule_can_be_found_by_its_number():
    modules = [path for path in FOLDER.glob("*.py") if path.name != "__init__.py"]
    named = set().union(*(numbers_in(path.read_text(encoding="utf-8")) for path in modules))
    assert set(range(1, 91)) - named == set()
    assert max(named) == 90


def test_every_rule_has_a_test_or_a_reason():
    tested = {number for case in OWN for number in case["rules"]} | IN_PYTHON
    assert tested | set(NOT_ENFORCED) == set(range(1, 91))
    assert tested & set(NOT_ENFORCED) == set()
