"""`tools` and `tool_choice`. Rules 62 to 75. (Rules 63, 64, 66 and 67 are rows of `tool_types.py`.)"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from course.json_schema import validator
from course.offline.rules.asked import Asked, refuse
from course.offline.rules.shapes import BOOLEAN, STRING, demand, record, tagged
from course.offline.rules.tool_types import BETA_TOOLS, TOOLS
from course.offline.wire import ApiFault

__all__ = ["check_named_tool", "check_tool_choice", "check_tools"]

# Rule 72. Source: measured (AEGIS, ADAPTER).
TOOL_CHOICE = tagged(
    record("auto", {"disable_parallel_tool_use?": BOOLEAN}),
    record("any", {"disable_parallel_tool_use?": BOOLEAN}),
    record("tool", {"name": STRING, "disable_parallel_tool_use?": BOOLEAN}),
    record("none", {}),
)

DRAFT = "https://json-schema.org/draft/2020-12"
INVALID_SCHEMA = (
    f"JSON schema is invalid. It must match JSON Schema draft 2020-12 ({DRAFT}). "
    "Learn more about tool use at https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview."
)


to_json = json.JSONEncoder().encode


def check_tool_choice(asked: Asked) -> None:
    """Rules 72, 73 and 75."""
    if "tool_choice" not in asked.body:
        return
    choice = asked.body["tool_choice"]
    demand(TOOL_CHOICE, choice, "tool_choice")  # rule 72
    # Rule 73. Source: measured (FIBER). For "tool" without tools, rule 74 speaks (measured, ADAPTER).
    if choice["type"] == "any" and not asked.body.get("tools"):
        raise refuse("tool_choice.any may only be specified while providing tools")
    # Rule 75. Source: oh-my-pi#12939; messages_api.md names the models.
    if choice["type"] in ("any", "tool") and not asked.model.forced_tools:
        raise refuse('tool_choice: type "tool" and "any" are not supported for this model.')


def check_tools(asked: Asked) -> None:
    """Rules 62 to 71."""
    if "tools" not in asked.body:
        return
    tools, beta = asked.body["tools"], bool(asked.context.betas)
    try:
        fault = _fault(to_json(tools), beta)
    except RecursionError:  # too deep to be written as text: `check_schema` refuses it
        _check(tools, beta)
        return
    if fault is not None:
        raise refuse(fault)


@lru_cache(maxsize=128)
def _fault(text: str, beta: bool) -> str | None:
    """What is wrong with the tools of this JSON text. Remembered: a loop sends the same tools with every request."""
    try:
        _check(json.loads(text), beta)
    except ApiFault as fault:
        return fault.message
    return None


def _check(tools: Any, beta: bool) -> None:
    demand(BETA_TOOLS if beta else TOOLS, tools, "tools")  # rules 62 to 64, 66, 67
    for index, tool in enumerate(tools):
        if (tool.get("type") or "custom") == "custom":
            check_schema(tool, f"tools.{index}.custom")
    # Rule 65. Source: LibreChat#13162.
    names = [tool["name"] for tool in tools if "name" in tool]
    if len(set(names)) < len(names):
        raise refuse("tools: Tool names must be unique.")
    # Rule 71. Source: live reports (ironclaw#7274, Claude Code's changelog). The page "Tool search" words it otherwise.
    if tools and all(tool.get("defer_loading") for tool in tools):
        raise refuse("At least one tool must have defer_loading=false. All tools cannot be deferred.")
    # Without a number in messages_api.md. Source: live reports (CLIProxyAPI#4561, claude-code#86743).
    for tool in tools:
        if tool.get("defer_loading") and tool.get("cache_control"):
            raise refuse(
                f"Tool '{tool.get('name')}' cannot have both defer_loading=true and cache_control set. Tools with "
                "defer_loading cannot use prompt caching."
            )


def check_schema(tool: Mapping[str, Any], where: str) -> None:
    """Rules 68 to 70, for one tool of ours."""
    schema = tool["input_schema"]
    # Rule 69. Source: Codewhale#4329.
    if any(word in schema for word in ("oneOf", "allOf", "anyOf")):
        raise refuse(f"{where}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level")
    # Rule 68. Source: claude-code#86665.
    if not is_valid_schema(schema):
        raise refuse(f"{where}.input_schema: {INVALID_SCHEMA}")
    # Rule 70. Source: measured (AEGIS).
    if tool.get("strict") and not is_closed(schema):
        raise refuse(f"{where}: For 'object' type, 'additionalProperties' must be explicitly set to false")


def is_valid_schema(schema: Any) -> bool:
    """True if this is a JSON Schema of draft 2020-12."""
    schemas = validator()
    from jsonschema.exceptions import SchemaError  # after `validator`, which imports the package without its slow part

    try:
        schemas.check_schema(schema)
    except (SchemaError, RecursionError):  # or nested deeper than anybody could read
        return False
    return True


def is_closed(schema: Any) -> bool:
    """True if every object in the schema forbids further properties."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if part.get("type") == "object" and part.get("additionalProperties") is not False:
                return False
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    return True


def check_named_tool(asked: Asked) -> None:
    """Rule 74: the tool that `tool_choice` names is there. Source: measured (FIBER, ADAPTER)."""
    choice = asked.body.get("tool_choice", {})
    names = {tool.get("name") for tool in asked.body.get("tools", [])}
    if choice.get("type") == "tool" and choice["name"] not in names:
        raise refuse(f"Tool '{choice['name']}' not found in provided tools")
