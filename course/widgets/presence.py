"""When what was said stands in `messages`: from which step to which.

A loop that forgets to append loses what the model said or what a tool returned. The stepper shows it on each card.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from course.trace.events import Trace

__all__ = ["kept"]

Spans = list[tuple[int, int]]  # from this step on, up to (without) that step


def kept(trace: Trace) -> dict[int, Spans]:
    """For each request that was answered, and each tool run whose call is known: the spans of steps in which the
    assistant's turn, or the result, stands in `messages`. An empty list: never.

    A turn is known again by the ids of its tool calls, or, without any, by its text. Costs time in proportion to what
    changed.
    """
    turns: dict[Any, Spans] = defaultdict(list)
    results: dict[Any, Spans] = defaultdict(list)
    for index, spans in _presence(trace).items():
        message = trace.pool[index]
        role = message.get("role") if isinstance(message, dict) else None
        if role == "assistant":
            turns[_identity(message)] += spans
        for block in _blocks(message) if role == "user" else ():
            results[block.get("tool_use_id")] += spans
    found: dict[int, Spans] = {}
    for number, step in enumerate(trace.steps):
        if step.kind == "ask" and step.exchange is not None:
            found[number] = turns.get(_identity(step.exchange.reply), [])
        elif step.tool is not None and step.tool.tool_use_id is not None:
            found[number] = results.get(step.tool.tool_use_id, [])
    return found


def _presence(trace: Trace) -> dict[int, Spans]:
    """The spans of steps in which each message of the pool stands in `messages`."""
    spans: dict[int, Spans] = defaultdict(list)
    since: dict[int, int] = {}
    version: int | None = None
    standing: list[int] = []
    for number, step in enumerate(trace.steps):
        if step.messages is None or step.messages == version:
            continue
        link = trace.versions[step.messages]
        if link.parent is not None and link.parent == version:
            replaced, new = slice(link.keep, len(standing) - link.keep_end), list(link.add)
        else:  # not made from the version that stood before
            replaced, new = slice(None), trace.pool_indexes(step.messages)
        gone = set(standing[replaced])
        standing[replaced] = new
        for index in gone.difference(new):
            if index not in standing:
                spans[index].append((since.pop(index), number))
        for index in new:
            since.setdefault(index, number)
        version = step.messages
    for index, start in since.items():
        spans[index].append((start, len(trace.steps)))
    return spans


def _blocks(message: Any) -> list[dict[str, Any]]:
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _identity(message: Any) -> tuple[str, ...]:
    blocks = _blocks(message)
    calls = tuple(str(block.get("id")) for block in blocks if block.get("type") == "tool_use")
    return calls or ("", *(str(block.get("text")) for block in blocks if block.get("type") == "text"))
