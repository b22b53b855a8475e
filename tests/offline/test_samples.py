"""Values for a schema: what the model answers when the request wants a form (`output_config.format`)."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from anthropic import BadRequestError
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import BaseModel

from course.clients import client
from course.json_schema import schema_problem
from course.offline.samples import MAX_ITEMS, MAX_VALUES, sample
from course.settings import MODEL, OFFLINE

POINT = {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"], "additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, "Hi."),
        ({}, "Hi."),
        (True, "Hi."),
        ({"type": "string", "format": "date"}, "2026-01-31"),
        ({"const": None}, None),
        ({"enum": ["b", "a"]}, "b"),
        ({"type": "boolean"}, False),
        ({"type": "null"}, None),
        ({"type": ["integer", "null"], "minimum": 3}, 3),
        ({"type": "array", "items": POINT}, []),
        ({"type": "array", "items": POINT, "minItems": 2}, [{"x": 0}, {"x": 0}]),
        ({"anyOf": [POINT, {"type": "null"}]}, {"x": 0}),
        ({"$ref": "#/$defs/point", "$defs": {"point": POINT}}, {"x": 0}),
        ({"$ref": "#/$defs/a~1b/anyOf/0", "$defs": {"a/b": {"anyOf": [POINT]}}}, {"x": 0}),
        ({"properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]}, {"a": "Hi."}),
    ],
    ids=str,
)
def test_a_value_fits_its_schema(schema: Any, value: object) -> None:
    assert sample(schema, "Hi.") == value
    Draft202012Validator(schema).validate(value)


def test_a_schema_that_leads_nowhere_or_has_no_end_is_no_trouble() -> None:
    tree: dict[str, Any] = {
        "type": "object",
        "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}},
        "required": ["a", "b"],
    }
    assert json.dumps(sample(tree)).count('"a"') < MAX_VALUES
    assert sample({"$ref": "#/$defs/none"}, "Hi.") == "Hi."
    assert sample({"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}, "Hi.") == "Hi."
    assert len(sample({"type": "array", "minItems": 10**12})) == MAX_ITEMS


class Answer(BaseModel):
    words: str
    mood: Literal["calm", "rough"]
    count: int | None


def test_a_reply_has_the_form_that_the_request_wants() -> None:
    reply = client("plain_chat", settings=OFFLINE).messages.parse(
        model=MODEL, max_tokens=500, messages=[{"role": "user", "content": "Hello."}], output_format=Answer
    )
    assert reply.stop_reason == "end_turn"
    assert reply.parsed_output is not None
    assert reply.parsed_output.words.startswith("Hello. I am the offline model of this course.")
    assert (reply.parsed_output.mood, reply.parsed_output.count) == ("calm", 0)


def test_a_form_that_max_tokens_cuts_is_whole_when_the_model_is_asked_again() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    }
    form: Any = {"format": {"type": "json_schema", "schema": schema}}
    sdk = client("plain_chat", settings=OFFLINE)
    messages: list[Any] = [{"role": "user", "content": "Hello."}]
    first = sdk.messages.create(model=MODEL, max_tokens=8, messages=messages, output_config=form)
    assert first.stop_reason == "max_tokens"
    for _again in range(2):
        messages += [{"role": "assistant", "content": first.content}, {"role": "user", "content": "Please continue."}]
        whole = sdk.messages.create(model=MODEL, max_tokens=500, messages=messages, output_config=form)
        assert list(json.loads(whole.content[0].text)) == ["a"]  # type: ignore[union-attr]


class Person(BaseModel):
    mother: Person | None


def test_a_form_that_refers_to_itself_is_refused() -> None:
    with pytest.raises(BadRequestError) as caught:
        client("plain_chat", settings=OFFLINE).messages.parse(
            model=MODEL, max_tokens=500, messages=[{"role": "user", "content": "Hello."}], output_format=Person
        )
    assert caught.value.body["error"]["message"] == (  # type: ignore[index]
        "output_config.format.schema: Invalid schema: Circular reference detected in schema definitions: Person -> Person. "
        "Self-referencing or mutually-referencing definitions are not supported."
    )


WORDS = (
    "type properties required items minItems anyOf oneOf allOf enum const examples $ref $defs "
    "minimum format string object array integer null number boolean date # #/$defs/a a additionalProperties"
)
words = st.sampled_from(WORDS.split())
odd_schemas = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=5),
    max_leaves=25,
)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(odd_schemas)
@example({"type": "array", "minItems": 2.0})
@example({"$ref": "#", "$defs": {"a": {"$ref": "#/$defs/a"}}})
def test_every_schema_of_json_schema_has_some_value(schema: Any) -> None:
    assume(schema_problem(schema) is None)
    json.dumps(sample(schema, "Hi."))
