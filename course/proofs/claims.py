"""What an option can claim about a run: for each name a function from the run to the value that is true.

The names stand in course/quiz/proof_forms.py; a test holds the two equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from course.proofs.outcomes import Run, error_text, final_messages, last_attempts, text_of

__all__ = ["CLAIMS", "PARTS", "false_claims", "values"]

PARTS = ("answer", "says", "errors")  # claims about a text name a part of it; all others name the value itself


def _stop_reasons(run: Run) -> list[Any]:
    return [None if each.reply is None else each.reply["stop_reason"] for each in run.story.asked]


def _answer(run: Run) -> str:
    """The text of the last reply; empty if the last request was refused."""
    return text_of((run.story.asked[-1].reply if run.story.asked else None) or {})


def _tools_run(run: Run) -> list[str]:
    return [step.tool.name for step in run.trace.steps if step.tool is not None]


def _status(run: Run) -> int | None:
    return run.trace.exchanges[-1].status if run.trace.exchanges else None


def _raises(run: Run) -> str | None:
    error = run.trace.ending.error
    return None if error is None else error["type"]


CLAIMS: dict[str, Callable[[Run], Any]] = {
    "outcome": lambda run: run.outcome.value,
    "requests": lambda run: len(run.story.asked),
    "tool_runs": lambda run: len(_tools_run(run)),
    "tools_run": _tools_run,
    "stop_reasons": _stop_reasons,
    "messages": lambda run: len(final_messages(run.trace)),
    "roles": lambda run: [message.get("role") for message in final_messages(run.trace)],
    "sent": lambda run: [len(each.messages) for each in run.story.asked],
    "max_tokens": lambda run: [each.max_tokens for each in run.story.asked],
    "system": lambda run: [run.trace.params[each.params].get("system") for each in last_attempts(run.trace)],
    "answer": _answer,
    "status": _status,
    "says": lambda run: error_text(run.trace),
    "raises": _raises,
}


def values(run: Run) -> dict[str, Any]:
    """Every claim's true value."""
    return {name: value(run) for name, value in CLAIMS.items()}


def false_claims(claim: Mapping[str, Any], true: Mapping[str, Any]) -> dict[str, Any]:
    """The claims that are not true, each with the true value. A claim about something that was not run is false."""
    return {name: true.get(name) for name, said in claim.items() if not _holds(name, said, true)}


def _holds(name: str, said: Any, true: Mapping[str, Any]) -> bool:
    if name not in true:
        return False
    if name in PARTS:
        return isinstance(said, str) and said in str(true[name])
    return bool(said == true[name]) and type(said) is type(true[name])
