"""The tools that a request offers, and how the model fits its calls to them.

A scenario names a tool `list_files`; a learner may offer it with a prefix (`mcp__course__list_files`) or with a parameter of
another name. The model then calls the tool as it is offered, as a real one would.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from course.offline.samples import sample

__all__ = ["Offered", "short_name"]


def short_name(name: str) -> str:
    """A tool's name without the prefix of its server.

    >>> short_name("mcp__course__list_files")
    'list_files'
    """
    return name.rsplit("__", 1)[-1]


class Offered:
    """The tools of a request. `allowed`: False if `tool_choice` is "none"."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        self._tools: list[Mapping[str, Any]] = list(body.get("tools") or ())
        self.choice: Mapping[str, Any] = body.get("tool_choice") or {"type": "auto"}
        self.allowed = self.choice["type"] != "none"
        self.one_at_a_time = bool(self.choice.get("disable_parallel_tool_use"))

    def find(self, name: str) -> Mapping[str, Any] | None:
        """The client tool of this name, or None."""
        exact = next((tool for tool in self._clients if tool["name"] == name), None)
        return exact or next((tool for tool in self._clients if short_name(tool["name"]) == name), None)

    @cached_property
    def _clients(self) -> list[Mapping[str, Any]]:
        """The tools that the caller runs."""
        return [tool for tool in self._tools if "name" in tool and not _is_server_tool(tool)]

    @property
    def can_search(self) -> bool:
        """True if the web search of the API is offered and may be used."""
        return self.allowed and any(str(tool.get("type", "")).startswith("web_search_") for tool in self._tools)

    def missing(self, names: Iterable[str]) -> list[str]:
        """The names of those tools that can't be used in this request."""
        return [name for name in dict.fromkeys(names) if not self.allowed or self.find(name) is None]

    def fit(self, name: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """The input that a call sends to the tool: the members that its schema names.

        What is left over goes to the properties that are left free, in their order, those that are required first.
        """
        tool = self.find(name)
        schema = tool.get("input_schema", {}) if tool else {}
        properties = schema.get("properties")
        if not isinstance(properties, Mapping):
            return dict(wanted)
        known = {key: value for key, value in wanted.items() if key in properties}
        over = [value for key, value in wanted.items() if key not in properties]
        free = [key for key in properties if key not in known]
        free.sort(key=lambda key: key not in schema.get("required", ()))
        return known | dict(zip(free, over, strict=False))

    def forced(self) -> tuple[str, dict[str, Any]] | None:
        """A call that `tool_choice` forces although the task does not need it: the tool, and an input its schema allows.

        A tool that is still to be found by a search (`defer_loading`) can't be called before.
        """
        if self.choice["type"] not in ("any", "tool"):
            return None
        chosen = [tool for tool in self._clients if tool["name"] == self.choice.get("name", tool["name"])]
        chosen = [tool for tool in chosen if not tool.get("defer_loading")]
        if not chosen:
            return None
        return chosen[0]["name"], sample(chosen[0].get("input_schema") or {"type": "object"})

    def forced_search(self) -> str | None:
        """What to search for if `tool_choice` forces the API's web search although the task does not need it.

        Of the tools that the API runs, the offline model knows this one only.
        """
        named = self.choice["type"] == "tool" and self.choice["name"] == "web_search"
        only = self.choice["type"] == "any" and self.forced() is None
        return "news" if (named or only) and self.can_search else None


def _is_server_tool(tool: Mapping[str, Any]) -> bool:
    return str(tool.get("type", "")).startswith(("web_search_", "web_fetch_", "code_execution_", "tool_search_tool_"))
