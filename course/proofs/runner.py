"""The SDK's own tool runner, as a loop that can be recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from course.proofs.setting import MAX_TOKENS
from course.proofs.stage import Stage
from course.settings import MODEL
from course.tools import Tool, run_tool

__all__ = ["tool_runner_loop"]


def tool_runner_loop(options: Mapping[str, Any], stage: Stage) -> Callable[[Any, list[Any]], Any]:
    """A loop that is `client.beta.messages.tool_runner` with these options, on the tools of a stage."""
    tools = [_offered(each) for each in stage.tools]
    request: dict[str, Any] = {"model": MODEL, "max_tokens": MAX_TOKENS, "thread": False, **options}

    def tool_runner(client: Any, messages: list[Any]) -> Any:
        last = None
        for message in client.beta.messages.tool_runner(messages=messages, tools=tools, **request):
            last = message
        return last

    return tool_runner


def _offered(each: Tool) -> Any:
    """A tool of the course as one of the runner's: it gives text, and raises what failed."""
    from anthropic import beta_tool
    from anthropic.lib.tools import ToolError

    def run(**given: Any) -> str:
        result = run_tool([each], {"id": "toolu_01", "name": each.name, "input": given})
        if result.get("is_error"):
            raise ToolError(result["content"])
        return str(result["content"])

    return beta_tool(run, name=each.name, description=each.description, input_schema=each.input_schema)
