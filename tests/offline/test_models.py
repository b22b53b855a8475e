"""The table of models."""

from __future__ import annotations

from typing import get_args

import pytest
from anthropic._data.deprecated_models import DEPRECATED_MODELS
from anthropic.types.model import Model as SdkModel

from course.offline.models import MODELS, RETIRED, find


def sdk_ids() -> list[str]:
    literal, _ = get_args(SdkModel)
    return list(get_args(literal))


def test_every_id_of_the_sdk_is_known():
    assert [name for name in sdk_ids() if find(name) is None] == []


def test_no_model_is_known_that_the_sdk_does_not_list():
    known = {name for model in MODELS.values() for name in (model.id, model.dated) if name}
    assert known == set(sdk_ids())


def test_the_sdk_and_the_table_agree_on_what_is_deprecated():
    assert {model.id for model in MODELS.values() if model.deprecated} == {
        name for name in DEPRECATED_MODELS if name in MODELS
    }


@pytest.mark.parametrize("name", RETIRED)
def test_a_retired_model_is_not_found(name: str):
    assert find(name) is None


def test_an_alias_and_its_dated_id_are_one_model():
    assert find("claude-haiku-4-5") is find("claude-haiku-4-5-20251001")
    assert find("claude-haiku-4-5").full_id == "claude-haiku-4-5-20251001"  # type: ignore[union-attr]


def test_a_model_without_a_dated_id_is_shown_by_its_own():
    assert MODELS["claude-opus-5-5"].full_id == "claude-opus-5-5"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("claude-opus-5", "Claude Opus 5"),
        ("claude-haiku-4-5", "Claude Haiku 4.5"),
        ("claude-mythos-preview", "Claude Mythos Preview"),
    ],
)
def test_the_name_that_people_say(name: str, shown: str):
    assert MODELS[name].display_name == shown


def test_which_models_always_think():
    always = {model.id for model in MODELS.values() if "disabled" not in model.thinking}
    fable = {f"claude-{family}-{version}" for family in ("fable", "mythos") for version in ("5", "5-1", "5-2")}
    assert always == fable | {"claude-opus-5-5", "claude-sonnet-5-5", "claude-mythos-preview"}


def test_a_type_of_thinking_that_a_model_refuses_comes_with_advice():
    """Rule 79, adaptive on the 4.5 models, has a sentence of its own; between_tools is for the one model that names it."""
    for model in MODELS.values():
        assert set(model.instead) == {"enabled", "disabled"} - model.thinking, model.id
