"""Short words for what is in a Trace: a message, a request, a step, an ending. Stable: no times, no addresses."""

from __future__ import annotations

import json

from course.trace.events import Change, Exchange, Json, Step, ToolRun, Trace
from course.words import _, ngettext

__all__ = ["blocks", "cut", "ending_words", "exchange_words", "message_words", "titles", "tool_words"]


def cut(text: str, width: int) -> str:
    """The text on one line, at most so many characters."""
    text = " ".join(text.split())
    return text if len(text) <= width else text[: max(width - 1, 0)] + "\u2026"


def blocks(message: Json) -> list[dict[str, Json]]:
    """The content blocks of a message; a text becomes one block."""
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def message_words(message: Json) -> str:
    """`assistant: text + tool_use read_file`; a message that is only text shows it."""
    if not isinstance(message, dict):
        return json.dumps(message, ensure_ascii=False)
    parts = blocks(message)
    if len(parts) == 1 and parts[0].get("type") == "text":
        words = json.dumps(parts[0].get("text"), ensure_ascii=False)
    else:
        words = " + ".join(_block_words(block) for block in parts) or _("empty")
    return f"{message.get('role', '?')}: {words}"


def _block_words(block: dict[str, Json]) -> str:
    kind = str(block.get("type", "?"))
    if kind in ("tool_use", "server_tool_use"):
        return f"{kind} {block.get('name', '?')}"
    return f"{kind} (is_error)" if block.get("is_error") else kind


def exchange_words(trace: Trace, exchange: Exchange) -> str:
    """`request 2, 3 messages -> tool_use: list_files`"""
    count = len(trace.messages_at(exchange.messages))
    sent = ngettext("{n} message", "{n} messages", count).format(n=count)
    words = _("request {n}, {sent}").format(n=exchange.number, sent=sent)
    if exchange.attempt:
        words += ", " + _("retry {n}").format(n=exchange.attempt)
    return f"{words} -> {reply_words(exchange)}"


def reply_words(exchange: Exchange) -> str:
    """What came back: the error, or the stop_reason with the tools that were asked for."""
    if exchange.error is not None:
        status = "" if exchange.status is None or exchange.status < 400 else f"{exchange.status} "
        return f"{status}{exchange.error['type']}: {exchange.error['message']}"
    reply = exchange.reply
    if not isinstance(reply, dict):
        return _("no reply")
    names = [str(block.get("name")) for block in blocks(reply) if block.get("type") == "tool_use"]
    reason = reply.get("stop_reason") or _("no stop_reason, the stream was cut")
    return f"{reason}: {', '.join(names)}" if names else str(reason)


def tool_words(run: ToolRun) -> str:
    """`read_file({"path": "a.py"}) -> "print(1)"`"""
    given = json.dumps(run.input, ensure_ascii=False)
    if run.error is not None:
        return _("{call} fails: {error}").format(call=f"{run.name}({given})", error=run.error)
    return f"{run.name}({given}) -> {json.dumps(run.output, ensure_ascii=False)}"


def titles(trace: Trace) -> tuple[str, ...]:
    """A short title for each step: "append the results"."""
    return tuple(_title(trace, step) for step in trace.steps)


def _title(trace: Trace, step: Step) -> str:
    if step.exchange is not None:
        again = _("retry {n}").format(n=step.exchange.attempt) + ": " if step.exchange.attempt else ""
        if step.kind == "error":
            error = step.exchange.error or {"type": ""}
            return again + _("the request fails: {error}").format(
                error=f"{step.exchange.status or ''} {error['type']}".strip()
            )
        return again + _("ask the model: {reply}").format(reply=reply_words(step.exchange))
    if step.tool is not None:
        words = _("run {tool}: it fails") if step.tool.error is not None else _("run {tool}")
        return words.format(tool=step.tool.name)
    if step.change is not None:
        return _change_title(trace, step, step.change)
    if step.ending is None:
        return _("the loop begins")
    return {
        "returned": _("the loop returns"),
        "raised": _("the loop raises {type}").format(type=(step.ending.error or {}).get("type", "")),
        "fuse": _("the fuse ends the loop"),
        "interrupted": _("the loop is interrupted"),
    }[step.ending.kind]


def _change_title(trace: Trace, step: Step, change: Change) -> str:
    new = new_messages(trace, step)
    if change.kind == "append":
        return _("append {what}").format(what=_turn(new[0]))
    if change.kind == "extend":
        two = _("{first} and {second}").format(first=_turn(new[0]), second=_turn(new[1])) if len(new) == 2 else ""
        return _("append {what}").format(what=two or _count(new))
    if change.kind == "insert":
        return _("insert {what} at {at}").format(what=_turn(new[0]) if len(new) == 1 else _count(new), at=change.at)
    if change.kind == "delete":
        words = ngettext("delete message {at}", "delete {n} messages from {at} on", change.removed)
        return words.format(at=change.at, n=change.removed)
    if change.kind == "edit":
        return ngettext("change message {at}", "change {n} messages from {at} on", change.count).format(
            at=change.at, n=change.count
        )
    if not change.removed:
        return _("make messages: {what}").format(what=_turn(new[0]) if len(new) == 1 else _count(new))
    return _("build messages anew: {what}").format(what=_count(trace.messages_at(step.messages)))


def _count(messages: list[Json]) -> str:
    return ngettext("{n} message", "{n} messages", len(messages)).format(n=len(messages))


def _turn(message: Json) -> str:
    """What a message is, in the loop: "the results", "the assistant turn"."""
    kinds = [block.get("type") for block in blocks(message)]
    results = kinds.count("tool_result")
    if results and results == len(kinds):
        return ngettext("the result", "the results", results)
    if results:
        return _("results and more in one turn")
    role = message.get("role") if isinstance(message, dict) else None
    if role == "assistant":
        return _("the assistant turn")
    return _("a user turn") if role == "user" else _("something that is no message")


def new_messages(trace: Trace, step: Step) -> list[Json]:
    """The messages that are new or different after a change."""
    if step.messages is None or step.change is None:
        return []
    return [trace.pool[index] for index in trace.versions[step.messages].add]


def ending_words(trace: Trace) -> str:
    """ "ended by end_turn after 3 requests", "400 on request 2: ...", "stopped by the fuse after 25 requests"."""
    ending = trace.ending
    last = trace.exchanges[-1] if trace.exchanges else None
    after = requests_words(trace)
    if ending.kind == "fuse" and ending.fuse == "seconds":
        return _("stopped by the fuse after {n:g} seconds and {requests}").format(n=ending.limit, requests=after)
    if ending.kind == "fuse":
        return _("stopped by the fuse after {requests}").format(requests=after)
    if ending.kind == "interrupted":
        return _("interrupted after {requests}").format(requests=after)
    if (
        last is not None
        and last.error is not None
        and (ending.kind == "raised" or last.status is None or last.status >= 400)
    ):
        what = last.status if last.status is not None and last.status >= 400 else last.error["type"]
        return _("{what} on request {n}: {message}").format(what=what, n=last.number, message=last.error["message"])
    if ending.kind == "raised":
        error = ending.error or {"type": "", "message": ""}
        return _("raised {type} after {requests}: {message}").format(requests=after, **error)
    if last is None:
        return _("returned without asking the model")
    return _("ended by {reason} after {requests}").format(reason=_reason(last), requests=after)


def requests_words(trace: Trace) -> str:
    """ "3 requests"; retries are not counted."""
    count = trace.exchanges[-1].number if trace.exchanges else 0
    return ngettext("{n} request", "{n} requests", count).format(n=count)


def _reason(exchange: Exchange) -> str:
    reply = exchange.reply if isinstance(exchange.reply, dict) else {}
    return str(reply.get("stop_reason") or _("a stream without stop_reason"))
