"""`@anthropic-ai/sdk` and `@anthropic-ai/claude-agent-sdk` from npm, in Node."""

from __future__ import annotations

from course.settings import MODEL

ANSWER = "There are two files: package.json and README.md."
CALL = {"type": "tool_use", "name": "list_files", "input": {"path": "."}}


def test_a_message(offline, run_node) -> None:
    message = run_node("messages.mjs", offline().url, MODEL, "create")
    assert message["stop_reason"] == "tool_use"
    assert {key: message["content"][1][key] for key in CALL} == CALL


def test_a_stream_gives_the_same_message(offline, run_node) -> None:
    message = run_node("messages.mjs", offline().url, MODEL, "stream")
    assert message["stop_reason"] == "tool_use"
    assert message["content"][0] == {"type": "text", "text": "I list the files."}
    assert {key: message["content"][1][key] for key in CALL} == CALL


def test_raw_events(offline, run_node) -> None:
    kinds = run_node("messages.mjs", offline().url, MODEL, "events")
    assert kinds[:2] == ["message_start", "content_block_start"]
    assert kinds[-3:] == ["content_block_stop", "message_delta", "message_stop"]


def test_a_tool_round_trip(offline, run_node) -> None:
    messages = run_node("messages.mjs", offline().url, MODEL, "loop")
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "assistant"]
    assert messages[-1]["content"] == [{"type": "text", "text": ANSWER}]


def test_a_refused_request_raises_the_typed_error(offline, run_node) -> None:
    error = run_node("messages.mjs", offline().url, MODEL, "error")
    assert (error["typed"], error["status"]) == (True, 400)
    assert error["body"]["error"]["message"] == "messages: at least one message is required"
    assert error["id"] == error["body"]["request_id"]


def test_the_agent_sdk_runs_a_tool(offline, run_node, agent_program, agent_env) -> None:
    task = ("0", "Which files are in this directory?", "list_files")
    run = run_node("agent.mjs", str(agent_program), *task, env=agent_env(offline().url))
    result = run["messages"][-1]
    assert (result["subtype"], result["is_error"], result["result"]) == ("success", False, ANSWER)
    assert (result["num_turns"], run["error"]) == (2, None)


def test_the_agent_sdk_stops_at_max_turns(offline, run_node, agent_program, agent_env) -> None:
    task = ("2", "Watch the queue until it is empty.", "check_queue")
    run = run_node("agent.mjs", str(agent_program), *task, env=agent_env(offline(endless=True).url))
    result = run["messages"][-1]
    assert (result["subtype"], result["errors"]) == ("error_max_turns", ["Reached maximum number of turns (2)"])
    assert run["error"] == "Error: Claude Code returned an error result: Reached maximum number of turns (2)"
