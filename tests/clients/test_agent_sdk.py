"""The Claude Agent SDK for Python, with the real program that it brings."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ANSWER = "There are two files: package.json and README.md."
TASK = "Which files are in this directory?"
WATCH = "Watch the queue until it is empty."


@pytest.fixture
def options(agent_program: Path, agent_env: Callable[[str], dict[str, str]], tmp_path: Path) -> Callable[..., Any]:
    """`options(url, ...)`: an agent with two tools of our own, and none of the program's."""
    from claude_agent_sdk import ClaudeAgentOptions, create_sdk_mcp_server, tool

    @tool("list_files", "Lists the files of a folder.", {"path": str})
    async def list_files(arguments: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": "package.json\nREADME.md"}]}

    @tool("check_queue", "Tells how long the queue is.", {})
    async def check_queue(arguments: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": "3 waiting"}]}

    folder = tmp_path / "work"
    folder.mkdir()

    def make(url: str, **more: Any) -> ClaudeAgentOptions:
        return ClaudeAgentOptions(
            cwd=folder,
            env=agent_env(url),
            setting_sources=[],
            tools=[],
            mcp_servers={"course": create_sdk_mcp_server("course", tools=[list_files, check_queue])},
            allowed_tools=["mcp__course__list_files", "mcp__course__check_queue"],
            **more,
        )

    return make


async def collect(messages: Any, into: list[Any]) -> None:
    async for message in messages:
        into.append(message)


def blocks(messages: list[Any]) -> list[str]:
    """The names of all content blocks, in order."""
    return [type(block).__name__ for message in messages for block in getattr(message, "content", [])]


def test_query_runs_a_tool_and_answers(offline, options) -> None:
    from claude_agent_sdk import query

    api = offline()
    messages: list[Any] = []
    asyncio.run(collect(query(prompt=TASK, options=options(api.url)), messages))
    result = messages[-1]
    assert (result.subtype, result.is_error, result.result) == ("success", False, ANSWER)
    assert (result.num_turns, result.stop_reason, result.terminal_reason) == (2, "end_turn", "completed")
    shown = [name for name in blocks(messages) if name != "ThinkingBlock"]
    assert shown == ["TextBlock", "ToolUseBlock", "ToolResultBlock", "TextBlock"]


def test_on_the_wire_a_tool_of_our_own_has_the_name_of_its_server(offline, options) -> None:
    from claude_agent_sdk import query

    api = offline()
    messages: list[Any] = []
    asyncio.run(collect(query(prompt=TASK, options=options(api.url)), messages))
    bodies = [json.loads(request.body) for request in api.requests]
    assert {request.path for request in api.requests} == {"/v1/messages?beta=true"}
    assert {"mcp__course__list_files", "mcp__course__check_queue"} <= {tool["name"] for tool in bodies[0]["tools"]}
    call = next(block for block in bodies[1]["messages"][2]["content"] if block["type"] == "tool_use")
    assert (call["name"], call["input"]) == ("mcp__course__list_files", {"path": "."})


def test_a_session_sends_its_whole_history_each_time(offline, options) -> None:
    from claude_agent_sdk import ClaudeSDKClient

    api = offline()
    answers = []

    async def talk() -> None:
        async with ClaudeSDKClient(options(api.url)) as client:
            for prompt in (TASK, f"Once more: {TASK}"):
                await client.query(prompt)
                messages: list[Any] = []
                await collect(client.receive_response(), messages)
                answers.append(messages[-1].result)

    asyncio.run(talk())
    assert answers == [ANSWER, ANSWER]
    roles = [[turn["role"] for turn in json.loads(request.body)["messages"]] for request in api.requests]
    assert [sum(role != "system" for role in turns) for turns in roles] == [1, 3, 5, 7]


@pytest.mark.parametrize("model", ["claude-haiku-5-5", "claude-opus-5-5", "claude-fable-5-2"])
def test_a_session_sends_its_thinking_back_in_the_conversation_that_it_is_bound_to(
    model: str, offline, options
) -> None:
    """Rule 82: a request that was refused would be sent once more, without the thinking."""
    from claude_agent_sdk import ClaudeSDKClient

    api = offline()

    async def talk() -> None:
        async with ClaudeSDKClient(options(api.url, model=model)) as client:
            for prompt in (TASK, f"Once more: {TASK}"):
                await client.query(prompt)
                await collect(client.receive_response(), [])

    asyncio.run(talk())
    bodies = [json.loads(request.body) for request in api.requests]
    sent = [
        [block["type"] for turn in body["messages"] for block in turn["content"] if turn["role"] == "assistant"]
        for body in bodies
    ]
    assert {body["model"] for body in bodies} == {model}
    assert [kinds.count("thinking") for kinds in sent] == [0, 1, 2, 3]


def test_max_turns_is_a_fuse_and_raises(offline, options) -> None:
    from claude_agent_sdk import ResultError, query

    api = offline(endless=True)
    messages: list[Any] = []
    with pytest.raises(ResultError) as caught:
        asyncio.run(collect(query(prompt=WATCH, options=options(api.url, max_turns=2)), messages))
    assert caught.value.subtype == "error_max_turns"
    result = messages[-1]
    assert (result.subtype, result.is_error, result.terminal_reason) == ("error_max_turns", True, "max_turns")
    assert (result.errors, result.stop_reason) == (["Reached maximum number of turns (2)"], "tool_use")
    assert len(api.requests) == 2


def test_max_budget_is_a_fuse_and_raises(offline, options) -> None:
    from claude_agent_sdk import ResultError, query

    messages: list[Any] = []
    agent = query(prompt=WATCH, options=options(offline(endless=True).url, max_budget_usd=0.0001))
    with pytest.raises(ResultError):
        asyncio.run(collect(agent, messages))
    assert (messages[-1].subtype, messages[-1].terminal_reason) == ("error_max_budget_usd", "budget_exhausted")


def test_a_refused_call_is_a_result_with_api_error_status(offline, options) -> None:
    from claude_agent_sdk import ResultError, query

    messages: list[Any] = []
    with pytest.raises(ResultError):
        asyncio.run(collect(query(prompt=TASK, options=options(offline(faults=["bad_key"]).url)), messages))
    result = messages[-1]
    assert (result.subtype, result.is_error, result.api_error_status) == ("success", True, 401)
