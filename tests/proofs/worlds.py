"""Small settings for the tests of the proofs: one response for every stop_reason."""

from __future__ import annotations

from typing import Any

from course.proofs.setting import Setting

CALL = {"type": "tool_use", "id": "toolu_01", "name": "read_ticket", "input": {"number": 3}}
SECOND = {"type": "tool_use", "id": "toolu_02", "name": "read_ticket", "input": {"number": 4}}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_01", "name": "web_search", "input": {"query": "tides"}}
COMPACTION = {"type": "compaction", "content": "So far: nothing.", "encrypted_content": "", "signature": "x"}
TASK = {"role": "user", "content": "Which tickets are open?"}

# name -> the blocks of the response; the name begins with the stop_reason
RESPONSES: dict[str, list[dict[str, Any]]] = {
    "tool_use": [{"type": "text", "text": "I look."}, CALL],
    "end_turn": [{"type": "text", "text": "Ticket 3 is open."}],
    "end_turn, empty": [],
    "stop_sequence": [{"type": "text", "text": "Ticket 3"}],
    "max_tokens, text": [{"type": "text", "text": "The first ticket is"}],
    "max_tokens, a call": [{"type": "text", "text": "I look."}, CALL],
    "pause_turn": [{"type": "text", "text": "I search."}, SEARCH],
    "refusal": [{"type": "text", "text": "Here is"}],
    "refusal, empty": [],
    "model_context_window_exceeded": [{"type": "text", "text": "The first"}],
    "compaction": [COMPACTION],
}


def setting(name: str = "tool_use", **more: Any) -> Setting:
    """The setting with the response of this name."""
    response = {"role": "assistant", "content": RESPONSES[name], "stop_reason": name.partition(",")[0]}
    return Setting(messages=(TASK,), response=response, **more)


def result(call: dict[str, Any] = CALL, content: str = "open", **more: Any) -> dict[str, Any]:
    """The result of a call."""
    return {"type": "tool_result", "tool_use_id": call["id"], "content": content, **more}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}
