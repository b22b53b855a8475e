"""Our tables of fields against the types of the installed SDK: a new field, block, tool or beta fails here."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin

import pytest
from anthropic.resources.messages import Messages
from anthropic.types import ContentBlockParam, OutputConfigParam, ThinkingConfigParam, ToolChoiceParam, ToolUnionParam
from anthropic.types.anthropic_beta_param import AnthropicBetaParam
from anthropic.types.beta import (
    BetaCompactionConfigParam,
    BetaContentBlockParam,
    BetaContextManagementConfigParam,
    BetaOutputConfigParam,
    BetaSystemMessageParam,
    BetaThinkingConfigParam,
    BetaToolUnionParam,
)
from anthropic.types.beta.message_count_tokens_params import MessageCountTokensParams as BetaCountParams
from anthropic.types.beta.message_create_params import MessageCreateParamsBase as BetaCreateParams
from anthropic.types.message_count_tokens_params import MessageCountTokensParams
from anthropic.types.message_create_params import MessageCreateParamsBase
from typing_extensions import NotRequired, Required, get_type_hints, is_typeddict

from course.offline.rules import beta_fields, shapes, thinking, tool_types, tools, top_level
from course.offline.rules.blocks import BETA_BLOCKS, BLOCKS
from course.offline.rules.content import ITEM_CHECKS
from course.offline.rules.headers import KNOWN_BETAS


def members(kind: Any) -> list[Any]:
    """The members of a union, flat, without None and without the response classes that the SDK also takes."""
    origin = get_origin(kind)
    if origin in (Required, NotRequired):
        return members(get_args(kind)[0])
    if origin in (Union, types.UnionType):
        return [each for part in get_args(kind) for each in members(part)]
    if origin is not None and str(origin).endswith("Annotated"):
        return members(get_args(kind)[0])
    if kind is type(None) or (inspect.isclass(kind) and hasattr(kind, "model_fields")):
        return []
    return [kind]


def differences(kind: Any, check: Any, where: str = "") -> list[str]:
    """Where the SDK's type and our check do not agree: names of fields, which are required, the values of literals."""
    if isinstance(check, shapes.Nullable):
        return differences(kind, check.check, where)
    parts = members(kind)
    records = [part for part in parts if is_typeddict(part)]
    if isinstance(check, shapes.Tagged):
        return compare_tags(records, check, where)
    if isinstance(check, shapes.Record):
        return compare_fields(records[0], check, where) if len(records) == 1 else [f"{where}: {len(records)} types"]
    if isinstance(check, shapes.TextOr):
        return ([] if str in parts else [f"{where}: no text"]) + differences(kind, check.check, where)
    if isinstance(check, shapes.Either):
        return differences(kind, check.array, where) + compare_tags_or_fields(records, check.other, where)
    if isinstance(check, shapes.Array):
        lists = [part for part in parts if get_origin(part) in (Iterable, Sequence, list)]
        return differences(get_args(lists[0])[0], check.check, f"{where}[]") if lists else [f"{where}: no list"]
    if isinstance(check, shapes.Literal):
        values = {value for part in parts if get_origin(part) is Literal for value in get_args(part)}
        return [] if values == set(check.values) else [f"{where}: {values} and {check.values}"]
    return compare_plain(parts, check, where)


def compare_tags_or_fields(records: list[Any], check: Any, where: str) -> list[str]:
    return compare_fields(records[0], check, where) if isinstance(check, shapes.Record) else [f"{where}: not a record"]


def compare_plain(parts: list[Any], check: Any, where: str) -> list[str]:
    if check == shapes.OBJECT:  # any members: where the SDK says which, they are of no use to a lesson
        fits = any(is_typeddict(part) or get_origin(part) is dict for part in parts)
        return [] if fits else [f"{where}: no object"]
    if check is shapes.ANY or check is tool_types.input_schema:
        return []
    wanted = (
        {shapes.STRING: str, shapes.INTEGER: int, shapes.BOOLEAN: bool}.get(check)
        if isinstance(check, shapes.Plain)
        else str
    )
    return [] if wanted in parts else [f"{where}: {parts} and {check}"]


def tags_of(kind: Any) -> tuple[str, ...]:
    """The values of `type` of a TypedDict."""
    hint = get_type_hints(kind, include_extras=True)["type"]
    return tuple(value for part in members(hint) for value in get_args(part))


def compare_tags(records: list[Any], check: shapes.Tagged, where: str) -> list[str]:
    theirs = {tag: kind for kind in records for tag in tags_of(kind)}
    found = [f"{where}: {tag} is missing" for tag in theirs.keys() - check.records.keys()]
    found += [f"{where}: {tag} is not in the SDK" for tag in check.records.keys() - theirs.keys()]
    for tag in theirs.keys() & check.records.keys():
        found += compare_fields(theirs[tag], check.records[tag], f"{where}.{tag}")
    return found


def compare_fields(kind: Any, check: shapes.Record, where: str) -> list[str]:
    hints = get_type_hints(kind, include_extras=True)
    found = [f"{where}.{name} is missing" for name in hints.keys() - check.fields.keys()]
    found += [f"{where}.{name} is not in the SDK" for name in check.fields.keys() - hints.keys()]
    needed = {name for name, hint in hints.items() if get_origin(hint) is Required}
    if needed != check.needed:
        found.append(f"{where}: required are {sorted(needed)}, not {sorted(check.needed)}")
    for name in (hints.keys() & check.fields.keys()) - {"type"}:
        found += differences(hints[name], check.fields[name], f"{where}.{name}")
    return found


@pytest.mark.parametrize(
    ("kind", "check"),
    [
        pytest.param(ContentBlockParam, BLOCKS.check, id="blocks"),
        pytest.param(BetaContentBlockParam, BETA_BLOCKS.check, id="beta blocks"),
        pytest.param(ToolUnionParam, tool_types.TOOLS.check, id="tools"),
        pytest.param(BetaToolUnionParam, tool_types.BETA_TOOLS.check, id="beta tools"),
        pytest.param(ToolChoiceParam, tools.TOOL_CHOICE, id="tool_choice"),
        pytest.param(ThinkingConfigParam, thinking.THINKING, id="thinking"),
        pytest.param(BetaThinkingConfigParam, thinking.BETA_THINKING, id="beta thinking"),
        pytest.param(OutputConfigParam, top_level.OUTPUT_CONFIG, id="output_config"),
        pytest.param(BetaOutputConfigParam, top_level.BETA_OUTPUT_CONFIG, id="beta output_config"),
        pytest.param(BetaCompactionConfigParam, beta_fields.COMPACTION.check.records["summarize"], id="compaction"),
        pytest.param(BetaContextManagementConfigParam, beta_fields.EDITS_WITH_COMPACT, id="context_management"),
    ],
)
def test_fields_are_those_of_the_sdk(kind: Any, check: Any):
    assert differences(kind, check) == []


@pytest.mark.parametrize(
    ("kind", "check", "difference"),
    [
        (
            str,
            shapes.INTEGER,
            "x: [<class 'str'>] and Plain(type=<class 'int'>, what='Input should be a valid integer')",
        ),
        (Literal["a"], shapes.Literal("a", "b"), "x: {'a'} and ('a', 'b')"),
        (ThinkingConfigParam, shapes.tagged(), "x: adaptive is missing"),
        (OutputConfigParam, shapes.record(None, {"effort?": shapes.ANY}), "x.format is missing"),
    ],
)
def test_a_difference_is_found(kind: Any, check: Any, difference: str):
    assert difference in differences(kind, check, "x")


def test_system_items_open_the_fields_of_the_sdk():
    assert set(get_type_hints(BetaSystemMessageParam)) - {"role", "content"} == set(ITEM_CHECKS)


def keys_of(params: Any) -> set[str]:
    """The keys of the body; what the SDK sends as headers is left out."""
    headers = {"betas", "user_profile_id", "workspace_id"}
    assert headers - {"betas"} <= set(inspect.signature(Messages.create).parameters)
    return set(get_type_hints(params)) - headers


def names(fields: Mapping[str, object]) -> set[str]:
    return set(fields) | top_level.ELSEWHERE


def test_the_keys_of_a_message_are_those_of_the_sdk():
    assert names(top_level.known_fields(False, "2026-10-21")) == keys_of(MessageCreateParamsBase) | {"stream"}


def test_the_keys_of_a_count_are_those_of_the_sdk():
    assert names(top_level.known_fields(True, "2026-10-21")) == keys_of(MessageCountTokensParams)


def test_the_beta_keys_are_those_of_the_sdk():
    theirs = (keys_of(BetaCreateParams) | keys_of(BetaCountParams)) - keys_of(MessageCreateParamsBase)
    assert set(beta_fields.BETA_FIELDS) == theirs | {"output_format"}  # the name before output_config.format


def test_each_beta_key_is_opened_by_a_beta_that_is_known():
    opening = {beta for field in beta_fields.BETA_FIELDS.values() for beta in field.betas}
    assert [beta for beta in opening if not any(name.startswith(beta) for name in KNOWN_BETAS)] == []


def test_every_beta_of_the_sdk_is_known():
    theirs = {name for part in get_args(AnthropicBetaParam) for name in get_args(part)}
    assert theirs - KNOWN_BETAS == set()
