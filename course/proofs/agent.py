"""Running the real Claude Agent SDK on a task of the offline model, on loopback, and reading what it says of the run."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from course.offline.endpoint import Endpoint
from course.offline.scenario import Scenario, load_scenario
from course.offline.server import running
from course.offline.wire import Request, Response
from course.proofs.memory import without_limit
from course.proofs.scenario_tools import tools_for
from course.tools import Tool
from course.tools import run_tool as run_one

__all__ = ["OPTIONS", "NotInstalled", "agent_values", "environment", "installed"]

# What an item may set. Others could start programs or reach the network.
OPTIONS = ("max_turns", "max_budget_usd", "allowed_tools", "disallowed_tools", "permission_mode", "system_prompt")
SERVER = "course"
SECONDS = 60  # in all; a run takes less than one


class NotInstalled(Exception):
    """claude-agent-sdk is not installed."""


def installed() -> bool:
    """Whether the Agent SDK can be used."""
    return importlib.util.find_spec("claude_agent_sdk") is not None


def agent_values(options: Mapping[str, Any], task: str) -> dict[str, Any]:
    """What is true of a run on a scenario with these options, by the names of claims. Raises NotInstalled."""
    if not installed():
        raise NotInstalled
    values: dict[str, Any] = json.loads(_values(json.dumps(options, sort_keys=True), task))
    return values


@lru_cache(maxsize=256)
def _values(options: str, task: str) -> str:
    """The same run is done once. As text, so that nobody changes what is remembered."""
    return json.dumps(asyncio.run(asyncio.wait_for(_run(json.loads(options), load_scenario(task)), SECONDS)))


@dataclass
class _Counting:
    """An endpoint that knows how often it was asked."""

    endpoint: Endpoint
    requests: int = 0
    ran: list[str] = field(default_factory=list)

    def handle(self, request: Request) -> Response:
        self.requests += request.method == "POST" and request.path.startswith("/v1/messages?")
        return self.endpoint.handle(request)


async def _run(options: Mapping[str, Any], scenario: Scenario) -> dict[str, Any]:
    from claude_agent_sdk import ResultMessage, query

    served = _Counting(Endpoint(scenario))
    result: Any = None
    raises = None
    with (
        tempfile.TemporaryDirectory(prefix="course-agent-", ignore_cleanup_errors=True) as folder,
        running(served) as url,
        _nowhere() as proxy,
        without_limit(),
    ):
        made = _options(options, scenario, served, Path(folder), environment(url, proxy, folder))
        try:
            async for message in _closing(query(prompt=scenario.prompt, options=made)):
                result = message if isinstance(message, ResultMessage) else result
        except Exception as error:
            raises = type(error).__name__
    found = {"requests": served.requests, "raises": raises, "tools_run": served.ran, "tool_runs": len(served.ran)}
    if result is not None:
        names = ("subtype", "is_error", "terminal_reason", "num_turns", "stop_reason")
        found |= {name: getattr(result, name) for name in names}
        found |= {"answer": result.result or "", "errors": "\n".join(result.errors or ())}
    return found


async def _closing(messages: Any) -> AsyncIterator[Any]:
    """The messages of a query, whose generator is closed at the end whatever happens."""
    try:
        async for message in messages:
            yield message
    finally:
        await messages.aclose()


def _options(
    options: Mapping[str, Any], scenario: Scenario, served: _Counting, folder: Path, env: dict[str, str]
) -> Any:
    from claude_agent_sdk import ClaudeAgentOptions, create_sdk_mcp_server

    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        raise ValueError(f'"{unknown[0]}" is not an option that a question can set: {", ".join(OPTIONS)}')
    tools = tools_for(scenario)
    work = folder / "work"
    work.mkdir()
    given = {"allowed_tools": [f"mcp__{SERVER}__{each.name}" for each in tools], **options}
    server = create_sdk_mcp_server(SERVER, tools=[_offered(each, served) for each in tools])
    return ClaudeAgentOptions(cwd=work, env=env, setting_sources=[], tools=[], mcp_servers={SERVER: server}, **given)


def _offered(each: Tool, served: _Counting) -> Any:
    """A tool of the course as one of the Agent SDK's."""
    from claude_agent_sdk import tool

    async def run(arguments: dict[str, Any]) -> dict[str, Any]:
        served.ran.append(each.name)
        result = run_one([each], {"id": "toolu_01", "name": each.name, "input": arguments})
        return {"content": [{"type": "text", "text": result["content"]}], "is_error": result.get("is_error", False)}

    return tool(each.name, each.description, each.input_schema)(run)


def environment(url: str, proxy: str, folder: str) -> dict[str, str]:
    """The program that the SDK starts asks this URL, and nothing else."""
    return {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "offline",
        "CLAUDE_CONFIG_DIR": str(Path(folder) / "config"),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_DISABLE_TERMINAL_TITLE": "1",
        "CLAUDE_CODE_MAX_RETRIES": "0",
        "HTTP_PROXY": proxy,
        "HTTPS_PROXY": proxy,
        "NO_PROXY": "127.0.0.1",
    }


@contextmanager
def _nowhere() -> Iterator[str]:
    """The address of a proxy that never answers, for every other host."""
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        yield f"http://127.0.0.1:{elsewhere.getsockname()[1]}"
