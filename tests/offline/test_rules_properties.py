"""Properties of the rules: what is valid is accepted, one forbidden change is refused by its rule, nothing crashes them."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from histories import MUTATIONS, TOOL, Message, Mutation, histories, json_values, paused_histories
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from course.offline.rules import Context, check
from course.offline.wire import ApiFault

# On a busy machine an example may take its time: that is no fault.
calm = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

HEADERS = {"x-api-key": "a key", "anthropic-version": "2026-10-21"}
BETAS = "compact-2026-01-12,task-budgets-2026-03-13,mid-conversation-output-config-2026-07-01"
contexts = st.builds(
    Context,
    headers=st.sampled_from(
        [
            HEADERS,
            {**HEADERS, "anthropic-beta": BETAS},
            {**HEADERS, "anthropic-version": "2023-06-01", "user-agent": "claude-cli/2.1.332"},
        ]
    ),
    lenient=st.booleans(),
    counting=st.booleans(),
)


def body_of(messages: list[Message]) -> dict[str, Any]:
    return {"model": "claude-opus-5-5", "max_tokens": 300, "tools": [TOOL], "messages": messages}


@calm
@given(histories() | paused_histories())
def test_a_valid_history_is_accepted(messages: list[Message]):
    check(body_of(messages), Context(HEADERS))


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: f"{mutation.rule}-{mutation.name}")
@settings(calm, max_examples=25)
@given(data=st.data())
def test_one_forbidden_change_is_refused_by_its_rule(mutation: Mutation, data: st.DataObject):
    messages = data.draw(histories(needs=mutation.needs))
    mutation.apply(data.draw, messages)  # type: ignore[arg-type]
    with pytest.raises(ApiFault) as caught:
        check(body_of(messages), Context(HEADERS))
    assert (caught.value.status, caught.value.type) == (400, "invalid_request_error")
    assert mutation.words in caught.value.message


@calm
@given(histories())
def test_a_check_changes_nothing(messages: list[Message]):
    body = body_of(messages)
    before = copy.deepcopy(body)
    check(body, Context(HEADERS))
    assert body == before


# Whatever is sent


def answered(body: object, context: Context) -> None:
    """Accepted, or refused in the API's shape. Anything else is an exception of ours."""
    try:
        check(body, context)
    except ApiFault as fault:
        assert fault.message
        assert (fault.status, fault.type) in [(400, "invalid_request_error"), (404, "not_found_error")]
        json.dumps(fault.message)


KEYS = (
    "model max_tokens messages role content type text tools tool_choice name input_schema thinking system stream metadata "
    "source data tool_use_id id input caller cache_control ttl budget_tokens output_config effort stop_sequences container "
    "strict defer_loading citations signature"
)
VALUES = (
    "text image document thinking tool_use tool_result server_tool_use web_search_tool_result compaction custom auto any "
    "tool enabled adaptive ephemeral base64 object user assistant system claude-opus-5-5 claude-haiku-4-5"
)
leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.sampled_from(VALUES.split())
likely_json = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS.split()) | st.text(max_size=9), inner, max_size=6)
    ),
    max_leaves=20,
)


@calm
@given(likely_json, contexts)
@example({"model": "claude-opus-5-5", "messages": [{"role": ["user"], "content": [{"type": {}}]}]}, Context(HEADERS))
@example({"model": "claude-opus-5-5", "tools": [{"type": []}], "tool_choice": {"type": {}}}, Context(HEADERS))
def test_random_json_never_crashes(body: object, context: Context):
    answered(body, context)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, part in inner for found in places(part, (*path, key)))]


FULL = {
    "thinking": {"type": "adaptive"},
    "tool_choice": {"type": "auto"},
    "system": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}],
    "output_config": {"effort": "low"},
    "metadata": {"user_id": "me"},
    "stop_sequences": ["END"],
    "stream": True,
}


@calm
@given(histories(needs="tools"), likely_json | json_values, st.data(), contexts)
def test_one_value_replaced_by_random_json_never_crashes(
    messages: list[Message], value: object, data: st.DataObject, context: Context
):
    body = {**body_of(messages), **FULL}
    path = data.draw(st.sampled_from(places(body)[1:]))
    *way, last = path
    inside: Any = body
    for key in way:
        inside = inside[key]
    inside[last] = value
    answered(body, context)


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"properties": {"a": value}}
    return value


@pytest.mark.parametrize("depth", [10, 300, 100_000])
def test_deep_nesting_never_crashes(depth: int):
    deep = nested(depth)
    call = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"a": deep}}
    for body in (
        body_of([{"role": "assistant", "content": [call]}, {"role": "user", "content": [deep]}]),
        {
            **body_of([{"role": "user", "content": "a"}]),
            "tools": [{**TOOL, "input_schema": {"type": "object", **deep}}],
        },
        {**body_of([{"role": "user", "content": "a"}]), "metadata": deep},
    ):
        answered(body, Context(HEADERS))


@pytest.mark.parametrize("number", [10**400, -(10**400), float("inf"), float("nan"), 1e308])
@pytest.mark.parametrize("field", ["max_tokens", "temperature", "top_k", "stream"])
def test_extreme_numbers_never_crash(field: str, number: float):
    body = {**body_of([{"role": "user", "content": "a"}]), "model": "claude-haiku-4-5", field: number}
    answered(body, Context({**HEADERS, "anthropic-version": "2023-06-01"}))
