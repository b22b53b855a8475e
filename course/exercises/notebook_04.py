"""The checks of the exercises in notebooks/04_robust_loop.ipynb."""

from __future__ import annotations

from typing import Any

from course.exercises.cuts import ran_a_cut_call, same_limit_again
from course.exercises.exercise import Verdict
from course.exercises.functions import no_such_function
from course.exercises.runs import run, verdict_on_count, verdict_on_ending, verdict_on_value
from course.exercises.tool_answers import wrong_answer
from course.loop import run_loop
from course.settings import MODEL
from course.tools import Tool, tool
from course.trace import Trace
from course.trace.words import cut
from course.words import _, ngettext
from course.workspace import Workspace

__all__ = ["exercise_1", "exercise_2", "exercise_3", "exercise_4"]

WEB_SEARCH = {"type": "web_search_20250305", "name": "web_search"}


def exercise_1(answer: Any) -> Verdict:
    """A limit on the requests that raises LoopError, and never stands for the model's own end."""
    fault = no_such_function(answer, "fused_loop(client, messages, max_requests)")
    if fault is not None:
        return fault
    for scenario, limit, needed in (
        ("endless", 4, None),
        ("list_then_read", 5, 3),
        ("list_then_read", 3, 3),
        ("list_then_read", 2, None),
        ("parallel_reads", 25, 2),
    ):
        trace = run(answer, scenario, limit)
        verdict = _not_blown(trace, limit) if needed is None else _not_finished(trace, limit, needed)
        if verdict is not None:
            happened = _("With max_requests={limit}: {what}").format(limit=limit, what=verdict.happened)
            return Verdict(False, happened, verdict.matters, trace)
    return Verdict(
        True,
        _("Your loop ended by itself on three runs, and raised LoopError on the two that had not come to their end."),
        _("One of them needed every request that it was allowed. That is still a good run."),
    )


def _not_blown(trace: Trace, limit: int) -> Verdict | None:
    """What is wrong with a run that should have ended with LoopError after `limit` requests; None if nothing is."""
    sent = len(trace.exchanges)
    if trace.ending.kind == "returned":
        return Verdict(
            False,
            _("the model still asked for a tool, and fused_loop returned {value}.").format(
                value=cut(trace.ending.value or "", 40) if verdict_on_value(trace) else _("that reply")
            ),
            _("Whoever called it takes that for the answer. Raise LoopError when the limit is reached."),
        )
    if trace.ending.kind == "fuse":
        return Verdict(
            False,
            _("the loop did not stop. The fuse of this check ended it after {count} requests.").format(count=sent),
            _("Without a limit, a task that has no end costs money until somebody notices."),
        )
    error = trace.ending.error
    if error is None or (error["type"] != "LoopError" and sent != limit):
        return verdict_on_ending(trace)
    if error["type"] != "LoopError":
        return Verdict(
            False,
            _("fused_loop raised {type}: {message}.").format(**error),
            _("Raise LoopError, so that whoever calls it can tell a blown fuse from every other error."),
        )
    if sent != limit:
        happened = ngettext("LoopError came after {n} request.", "LoopError came after {n} requests.", sent)
        return Verdict(False, happened.format(n=sent), _("The limit is the number of requests that may be sent."))
    return None


def _not_finished(trace: Trace, limit: int, needed: int) -> Verdict | None:
    """What is wrong with a run that should have come to the model's end; None if nothing is."""
    if (trace.ending.error or {}).get("type") == "LoopError":
        return Verdict(
            False,
            _("the model was done with request {needed}, and fused_loop raised LoopError.").format(needed=needed),
            _("Look at the reply first. Raise only when all requests are used up and no reply was the last one."),
        )
    sent = len(trace.exchanges)
    if trace.ending.kind == "returned" and sent > needed:
        return Verdict(
            False,
            _("the model was done after {needed} requests, and the loop sent {sent}.").format(needed=needed, sent=sent),
            _("Return the reply as soon as its stop_reason is not tool_use. The limit does not end a good run."),
        )
    return verdict_on_ending(trace) or verdict_on_value(trace)


def exercise_2(answer: Any) -> Verdict:
    """One user message that answers several calls, one of which fails."""
    fault = no_such_function(answer, "answer_calls(calls, functions)")
    if fault is not None:
        return fault
    return wrong_answer(answer) or Verdict(
        True,
        _("Every call got its own result, in one user turn. Those that failed are marked with is_error."),
        _("The model read of the failure and went on. A tool that fails ends nothing."),
    )


def exercise_3(answer: Any) -> Verdict:
    """A loop that runs no call of a reply that was cut off, and asks again with a larger limit."""
    fault = no_such_function(answer, "careful_loop(client, messages, max_tokens)")
    if fault is not None:
        return fault
    for scenario, limit in (
        ("long_tool_input", 100),
        ("long_answer", 80),
        ("parallel_reads", 50),
        ("list_then_read", 1024),
    ):
        trace = run(answer, scenario, limit)
        verdict = (
            ran_a_cut_call(trace) or same_limit_again(trace) or verdict_on_ending(trace) or verdict_on_value(trace)
        )
        if verdict is not None:
            happened = _("Task {scenario}, max_tokens={limit}: {what}").format(
                scenario=scenario, limit=limit, what=verdict.happened
            )
            return Verdict(False, happened, verdict.matters, trace)
    return Verdict(
        True,
        _("Your loop ran whole calls only, and ended with a whole answer on 4 tasks."),
        _("One reply held two whole calls and a third that was cut off. None of the three was run, and that is right."),
    )


def exercise_4(answer: Any) -> Verdict:
    """How many requests does a run with pauses and one tool call send?"""
    workspace = Workspace()
    tools: list[Tool | dict[str, Any]] = [tool(workspace.list_files), tool(save_summary), WEB_SEARCH]
    trace = run(
        lambda client, messages: run_loop(client, messages, tools, model=MODEL),
        "research_and_save",
    )
    right = len(trace.exchanges)
    fault = verdict_on_count(answer)
    if fault is not None:
        return fault
    reasons = ", ".join(exchange.reply["stop_reason"] for exchange in trace.exchanges)
    if answer == right:
        return Verdict(
            True,
            _("The run sent {count} requests: {reasons}.").format(count=right, reasons=reasons),
            _(
                "Five searches, two in a request, pause the turn twice. The third request ends with your tool's call, and the "
                "fourth brings its result back."
            ),
            trace,
        )
    happened = ngettext("The run did not send {n} request.", "The run did not send {n} requests.", answer).format(
        n=answer
    )
    return Verdict(False, happened, _why_not(answer, right), trace)


def _why_not(answer: int, right: int) -> str:
    if answer == right - 1:
        return _("After save_summary has run, the model must be asked once more: it has not seen the result yet.")
    if answer == right + 1:
        return _("The fifth search and the call of save_summary come in one reply: there is no pause between them.")
    if answer > right:
        return _("A search needs no request of its own: the API runs it. Only a pause and a call of your tool do.")
    return _("A turn that pauses must be sent back, and each time that is one more request.")


def save_summary(path: str, text: str = "") -> str:
    """Save a text under a name."""
    return f"{len(text)} characters saved in {path}"
