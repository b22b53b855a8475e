"""`tools` and `tool_choice`. Rules 62 to 75. (Rules 63, 64, 66 and 67 are rows of `tool_types.py`.)"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from course.json_schema import schema_problem
from course.offline.rules.asked import Asked, refuse
from course.offline.rules.shapes import BOOLEAN, STRING, demand, record, tagged
from course.offline.rules.strict_schemas import strict_fault
from course.offline.rules.tool_types import BETA_TOOLS, TOOLS
from course.offline.wire import ApiFault

__all__ = ["check_named_tool", "check_programs", "check_references", "check_tool_choice", "check_tools"]

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


KEY = re.compile("[a-zA-Z0-9_.-]{1,64}")  # of a property in an input_schema
MOST_STRICT = 20
WEB = re.compile(r"web_(search|fetch)_\d{8}")
FILTERS = "20260209"  # since this version

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
    # Rule 75. Source: oh-my-pi#12939; messages_api.md names the models. A tool that is not there is told first: rule 74
    # (measured, FIBER).
    if choice["type"] in ("any", "tool") and not asked.model.forced_tools and not names_no_tool(asked):
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
    # Without a number in messages_api.md. Source: live reports of September and October 2026.
    strict = sum(bool(tool.get("strict")) for tool in tools)
    if strict > MOST_STRICT:
        raise refuse(
            f"Too many strict tools ({strict}). The maximum number of strict tools supported is {MOST_STRICT}. "
            "Try reducing the number of tools marked as strict."
        )
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
    """Rules 68 to 70, and the names of the properties, for one tool of ours."""
    schema = tool["input_schema"]
    # Rule 69. Source: Codewhale#4329.
    if any(word in schema for word in ("oneOf", "allOf", "anyOf")):
        raise refuse(f"{where}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level")
    # Rule 68. Source: claude-code#86665.
    if schema_problem(schema) is not None:
        raise refuse(f"{where}.input_schema: {INVALID_SCHEMA}")
    # Without a number in messages_api.md. Source: measured on 2026-08-02, with a Japanese name; req_011Ca6EmfnQhcB9A66rdNNCu.
    if any(not KEY.fullmatch(key) for key in schema.get("properties", {})):
        raise refuse(f"{where}.input_schema.properties: Property keys should match pattern '^{KEY.pattern}$'")
    fault = strict_fault(schema) if tool.get("strict") else None  # rule 70
    if fault is not None:
        raise refuse(f"{where}: {fault}")


def check_programs(asked: Asked) -> None:
    """The newer web tools let a program filter what they find, unless they say otherwise; some models run no programs.

    Without a number in messages_api.md. Source: req_011Cf2KXZdMSZekaYCipHDy5.
    """
    if asked.model.programs:
        return
    newer = [
        tool
        for tool in asked.body.get("tools", [])
        if WEB.fullmatch(str(tool.get("type"))) and tool["type"][-8:] >= FILTERS
    ]
    names = [tool["name"] for tool in newer if tool.get("allowed_callers") != ["direct"]]
    if names:
        raise refuse(
            f"'{asked.model.full_id}' does not support programmatic tool calling. The following tools have `allowed_callers` "
            f'that require it: {", ".join(names)}. Explicitly set `allowed_callers=["direct"]` on these tools, or use a model '
            "that supports programmatic tool calling."
        )


def check_references(asked: Asked) -> None:
    """A result that points to tools (a tool search of our own) points to those that are there.

    Without a number in messages_api.md. Source: the page "Tool search"; req_011CdTvfWEumrJNm4aZuHahc.
    """
    tools = asked.body.get("tools", [])
    if not all("name" in tool for tool in tools):
        return  # a set of tools: what is in it is not known here
    if any(message["role"] == "system" for message in asked.body["messages"]):
        return  # it may add tools
    known = {tool["name"] for tool in tools}
    for turn in asked.turns:
        for placed in turn.blocks:
            inside = placed.block.get("content") if placed.block["type"] == "tool_result" else None
            for part in inside if isinstance(inside, list) else ():
                if part["type"] == "tool_reference" and part["tool_name"] not in known:
                    raise refuse(f"Tool reference '{part['tool_name']}' not found in available tools")


def check_named_tool(asked: Asked) -> None:
    """Rule 74: the tool that `tool_choice` names is there. Source: measured (FIBER, ADAPTER)."""
    if names_no_tool(asked):
        raise refuse(f"Tool '{asked.body['tool_choice']['name']}' not found in provided tools")


def names_no_tool(asked: Asked) -> bool:
    """True if `tool_choice` names a tool that is not in `tools`, as far as these can be read."""
    choice, tools = asked.body.get("tool_choice", {}), asked.body.get("tools", [])
    if choice.get("type") != "tool" or not isinstance(tools, list):
        return False
    return choice["name"] not in [tool.get("name") for tool in tools if isinstance(tool, dict)]
