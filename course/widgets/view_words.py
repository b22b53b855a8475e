"""The words of the stepper's view, in the reader's language. The view itself knows none."""

from __future__ import annotations

from typing import Any

from course.stop_reasons import actions, describe, table
from course.words import _

__all__ = ["stop_reasons", "view_words"]


def stop_reasons() -> dict[str, str]:
    """What each stop_reason means and what the loop does. "" stands for none, "?" for one that the course does not know."""
    todo = actions()
    known = {row.value: f"{row.when} {todo[row.action]}" for row in table()}
    return {**known, "": describe(None), "?": describe("?")}


def view_words() -> dict[str, Any]:
    """Each word of the view by its name. `{n}` and the like are filled in by the view."""
    return {**_controls(), **_panes(), **_cards(), **_wire()}


def _controls() -> dict[str, Any]:
    return {
        "side_by_side": _("Traces side by side: arrow keys step, Home and End jump, the space bar plays"),
        "before_requests": _("before the first request"),
        "waits": _(" (waits)"),
        "stepper": _("Stepper: arrow keys step, Home and End jump, the space bar plays"),
        "steps": _("Steps"),
        "first": _("First step (Home)"),
        "back": _("Back"),
        "back_key": _("One step back (left arrow)"),
        "step": _("Step"),
        "step_key": _("One step forward (right arrow)"),
        "last": _("Last step (End)"),
        "jump": _("Next"),
        "next_request": _("request"),
        "next_change": _("change"),
        "next_error": _("error"),
        "next_difference": _("difference"),
        "granularity": _("What one step is"),
        "actions": _("Actions"),
        "lines": _("Lines"),
        "speed": _("Speed"),
        "speeds": [[2000, _("slow")], [1000, _("normal")], [400, _("fast")], [100, _("very fast")]],
        "position": _("{n} of {total}: {title}"),
        "line": _("line {line}"),
    }


def _panes() -> dict[str, str]:
    return {
        "code": _("Your code"),
        "no_code": _("The code of this loop was not recorded."),
        "conversation": _("Conversation"),
        "nothing_said": _("Nothing has been said yet."),
        "earlier_cards": _("{count} earlier, show"),
        "form": _("How messages are shown"),
        "tree": _("Tree"),
        "json": _("JSON"),
        "no_messages": _("not there yet"),
        "earlier_messages": _("{count} earlier messages, show"),
        "later_messages": _("{count} later messages, show"),
        "removed": _("{count} removed here"),
        "new": _("new"),
        "changed": _("changed"),
        "more_characters": _("{count} more characters, show"),
    }


def _cards() -> dict[str, str]:
    return {
        "user": _("User"),
        "model": _("Model"),
        "tool": _("Tool"),
        "tool_failed": _("Tool: error"),
        "server_tool": _("run by the API itself"),
        "tool_result": _("Tool result, written by the code"),
        "api_error": _("API error"),
        "empty_reply": _("The reply is empty."),
        "kept": _("in messages"),
        "not_kept": _("not in messages"),
        "not_yet_kept": _("not in messages yet"),
        "end": _("End"),
        "ended_returned": _("The loop returned {value}."),
        "ended_raised": _("The loop ended with {type}."),
        "ended_fuse": _("The fuse ended the loop. Limit: {limit} {fuse}."),
        "ended_interrupted": _("The loop was interrupted."),
    }


def _wire() -> dict[str, str]:
    return {
        "wire": _("On the wire"),
        "request": _("request {number}"),
        "request_streamed": _("request {number}, streamed"),
        "retry": _("request {number}, retry {attempt}"),
        "no_request": _("No request yet."),
        "sent": _("request"),
        "came": _("response"),
        "no_response": _("no response"),
        "no_tools": _("none"),
        "count_messages": _("({count} messages, shown beside)"),
        "tokens_of_window": _("{count} of {window} tokens of the context window; {total} in all requests so far"),
        "tokens_none": _("No tokens: the request failed; {total} in all requests so far"),
        "tokens_used": _("{count} tokens in this request; {total} in all requests so far"),
    }
