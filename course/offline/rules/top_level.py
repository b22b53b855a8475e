"""The fields of the body beside messages, tools and thinking. Rules 1 to 3, 7 to 11, 13 to 18 and 24.

Wordings and order: measured on the API in August 2026 (source ADAPTER of messages_api.md), if not said otherwise.
Rule 24: null is a type fault for most fields; for those in `NULL_IS_OMITTED` it counts as left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from course.offline.models import Model, find, unknown_name
from course.offline.rules.asked import Asked, refuse
from course.offline.rules.beta_fields import check_beta_field
from course.offline.rules.context import NEWEST_VERSION
from course.offline.rules.own_blocks import CACHE_CONTROL, SYSTEM_TEXT, TEXT_OR_NULL
from course.offline.rules.sampling import sampling
from course.offline.rules.shapes import (
    BOOLEAN,
    INTEGER,
    REQUIRED,
    STRING,
    Array,
    Literal,
    Nullable,
    TextOr,
    demand,
    record,
    tagged,
)
from course.offline.rules.strict_schemas import FORM, check_form
from course.offline.wire import ApiFault

__all__ = ["check_container", "check_fields", "check_system", "check_unknown_keys", "find_model"]

NULL_IS_OMITTED = frozenset({"metadata", "inference_geo", "stop_sequences", "cache_control", "container"})  # rule 24
NO_SHAPE = "Input does not match the expected shape."
EFFORT = Literal("low", "medium", "high", "xhigh", "max")  # rule 18

OUTPUT_CONFIG = record(
    None,
    {
        "effort?": Nullable(EFFORT),
        "format?": Nullable(FORM),
    },
)
BETA_OUTPUT_CONFIG = record(
    None,
    {
        **{f"{name}?": check for name, check in OUTPUT_CONFIG.fields.items()},
        "task_budget?": Nullable(tagged(record("tokens", {"total": INTEGER, "remaining?": Nullable(INTEGER)}))),
    },
)
METADATA = record(None, {"user_id?": TEXT_OR_NULL})
SERVICE_TIER = Literal("auto", "standard_only")
SPEED = Nullable(Literal("standard", "fast"))
DIAGNOSTICS = Nullable(record(None, {"previous_message_id?": TEXT_OR_NULL}))
SKILL = record(None, {"type": Literal("anthropic", "custom"), "skill_id": STRING, "version?": STRING})
CONTAINER = record(None, {"id?": TEXT_OR_NULL, "skills?": Nullable(Array(SKILL))})
STOP_SEQUENCES = Array(STRING)


def find_model(body: Mapping[str, Any]) -> Model:
    """Rules 1 to 3: `model` is required, a string, and the name of a model that is still served."""
    if "model" not in body:
        raise refuse(f"model: {REQUIRED}")  # rule 1
    name = body["model"]
    demand(STRING, name, "model")  # rule 2
    if not name:
        raise refuse("model: String should have at least 1 character")  # rule 2
    model = find(name)
    if model is None:
        raise ApiFault(f"model: {unknown_name(name)}", status=404, type="not_found_error")  # rule 3
    return model


def check_system(asked: Asked) -> None:
    """Rule 14: `system` is a string or text blocks. Rule 41 holds here too (reports of Claude Code, 2026-09)."""
    if "system" not in asked.body:
        return
    system = asked.body["system"]
    if isinstance(system, list):
        for index, item in enumerate(system):
            if not isinstance(item, dict):
                raise refuse(f"system.{index}: {NO_SHAPE}")
    demand(TextOr(SYSTEM_TEXT), system, "system")
    texts = [system] if isinstance(system, str) else [block["text"] for block in system]
    if any(text and not text.strip() for text in texts):
        raise refuse("system: text content blocks must contain non-whitespace text")


def output_config(value: Any, asked: Asked) -> None:
    """Rule 18."""
    if not isinstance(value, dict):
        raise refuse(f"output_config: {NO_SHAPE}")
    demand(BETA_OUTPUT_CONFIG if asked.context.is_beta("task-budgets-") else OUTPUT_CONFIG, value, "output_config")
    effort, form = value.get("effort"), value.get("format")
    # By model. Source: measured on Haiku 4.5 (req_011Ce9LTzDGewwdWxBfkVa6G); live on the 4.6 models, 2026-10-08.
    if effort is not None and not asked.model.efforts:
        raise refuse("This model does not support the effort parameter.")
    if effort is not None and effort not in asked.model.efforts:
        levels = ", ".join(sorted(asked.model.efforts))
        raise refuse(f"This model does not support effort level '{effort}'. Supported levels: {levels}.")
    if form is not None:
        check_form(form, "output_config.format")


def cache_control(value: Any, asked: Asked) -> None:
    demand(CACHE_CONTROL, value, "cache_control")


def max_tokens(value: Any, asked: Asked) -> None:
    """Rules 8 to 10: an integer from 0 to the model's cap. (Rule 7, that it is required: `FIELDS`.)"""
    demand(INTEGER, value, "max_tokens")  # rule 8
    if value < 0:  # rule 9. 0 is allowed: it fills the cache
        raise refuse("max_tokens: must be greater than or equal to 0")
    if value > asked.model.max_output:  # rule 10. Source: many reports; they show the dated id
        raise refuse(
            f"max_tokens: {value} > {asked.model.max_output}, which is the maximum allowed number of output tokens for "
            f"{asked.model.full_id}"
        )


def metadata(value: Any, asked: Asked) -> None:
    """Rule 16."""
    if not isinstance(value, dict):
        raise refuse(f"metadata: {NO_SHAPE}")
    demand(METADATA, value, "metadata")


def stop_sequences(value: Any, asked: Asked) -> None:
    """Rule 13."""
    demand(STOP_SEQUENCES, value, "stop_sequences")
    if any(not sequence.strip() for sequence in value):
        raise refuse("stop_sequences: each stop sequence must contain non-whitespace")


def service_tier(value: Any, asked: Asked) -> None:
    """Rule 17."""
    demand(SERVICE_TIER, value, "service_tier")


def speed(value: Any, asked: Asked) -> None:
    demand(SPEED, value, "speed")


def stream(value: Any, asked: Asked) -> None:
    """Rule 15."""
    demand(BOOLEAN, value, "stream")


def container(value: Any, asked: Asked) -> None:
    if not isinstance(value, (str, dict)):
        raise refuse(f"container.ContainerParams: {NO_SHAPE}")
    demand(TextOr(CONTAINER), value, "container")


def inference_geo(value: Any, asked: Asked) -> None:
    demand(STRING, value, "inference_geo")
    if value not in ("global", "us"):
        raise refuse("inference_geo: must be one of ['global', 'us']")


def diagnostics(value: Any, asked: Asked) -> None:
    demand(DIAGNOSTICS, value, "diagnostics")


@dataclass(frozen=True)
class Field:
    """A field of the body: its name, its check, whether it must be there, whether it may come to /count_tokens."""

    name: str
    check: Callable[[Any, Asked], None]
    required: bool = False
    counted: bool = False


# In the order in which the API looks at them.
FIELDS = (
    Field("output_config", output_config, counted=True),
    Field("cache_control", cache_control, counted=True),
    Field("max_tokens", max_tokens, required=True),  # rule 7
    Field("metadata", metadata),
    Field("stop_sequences", stop_sequences),
    Field("temperature", sampling("temperature")),
    Field("service_tier", service_tier),
    Field("speed", speed, counted=True),
    Field("top_k", sampling("top_k")),
    Field("top_p", sampling("top_p")),
    Field("stream", stream),
    Field("container", container),
    Field("inference_geo", inference_geo),
    Field("diagnostics", diagnostics),
)
SAMPLING = frozenset({"temperature", "top_k", "top_p"})
ELSEWHERE = frozenset({"model", "tool_choice", "tools", "messages", "system", "thinking"})  # checked before these


@lru_cache
def known_fields(counting: bool, version: str) -> dict[str, Field]:
    """The fields that this endpoint has in this version (rule 12)."""
    return {
        field.name: field
        for field in FIELDS
        if (field.counted or not counting) and (field.name not in SAMPLING or version != NEWEST_VERSION)
    }


def check_fields(asked: Asked) -> None:
    """Each field of `FIELDS` in turn."""
    for name, field in known_fields(asked.context.counting, asked.context.version).items():
        if name not in asked.body:
            if field.required:
                raise refuse(f"{name}: {REQUIRED}")
        elif asked.body[name] is not None or name not in NULL_IS_OMITTED:
            field.check(asked.body[name], asked)


def check_unknown_keys(asked: Asked) -> None:
    """Rule 11: no other keys, and none of a beta's without its header."""
    known = known_fields(asked.context.counting, asked.context.version)
    for key in asked.body:
        if key not in known and key not in ELSEWHERE:
            check_beta_field(key, asked)


def check_container(asked: Asked) -> None:
    """A container has a use only with code execution. Reported after the conversation's own faults (measured)."""
    tools = asked.body.get("tools", [])
    if isinstance(asked.body.get("container"), str) and not any("execution" in str(tool.get("type")) for tool in tools):
        raise refuse("container: Container identifier can only be provided when using the code execution tool")
