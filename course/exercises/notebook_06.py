"""The checks of the exercises in notebooks/06_anti_patterns.ipynb."""

from __future__ import annotations

from functools import partial
from typing import Any

from course.exercises.exercise import Verdict
from course.exercises.functions import no_such_function
from course.exercises.reading_06 import exercise_1, exercise_4
from course.exercises.runs import offline, on_task, run, verdict_on_ending, verdict_on_value
from course.offline.scenario import load_scenario
from course.tools import Tool, tool
from course.trace import Fuse, Trace, record
from course.trace.words import blocks, requests_words
from course.words import _

__all__ = ["exercise_1", "exercise_2", "exercise_3", "exercise_4"]

SEVERAL_ROUNDS = ("plain_chat", "said_done", "failing_tool", "parallel_reads")
NO_END = "endless"
MANY = Fuse(requests=40, seconds=10)  # well above the ten requests that the learner's own fuse allows
SEARCH = {"type": "web_search_20250305", "name": "web_search"}
SMALL = 100  # max_tokens: too few for the long call and for the long text


def exercise_2(answer: Any) -> Verdict:
    """A loop that the model ends, with a fuse that raises."""
    fault = no_such_function(answer, "mended(client, messages)")
    if fault is not None:
        return fault
    for scenario in SEVERAL_ROUNDS:
        verdict = on_task(scenario, _verdict_on_end(run(answer, scenario)))
        if verdict is not None:
            return verdict
    trace = _run_without_end(answer)
    return on_task(NO_END, _verdict_on_fuse(trace)) or Verdict(
        True,
        _("Your loop came to the model's own end on {count} tasks. On one without an end, its fuse blew.").format(
            count=len(SEVERAL_ROUNDS)
        ),
        _("The model decides when it is finished. The fuse only says that something is wrong."),
        trace,
    )


def _verdict_on_end(trace: Trace) -> Verdict | None:
    """What is wrong with a run on a task that has an end; None if the model ended it and the last reply came back."""
    return _went_on_after_the_end(trace) or verdict_on_ending(trace) or verdict_on_value(trace)


def _went_on_after_the_end(trace: Trace) -> Verdict | None:
    """A verdict on a loop that asked again although the model had finished."""
    for exchange in trace.exchanges[:-1]:
        reply = exchange.reply if isinstance(exchange.reply, dict) else {}
        if reply.get("stop_reason") == "end_turn" and reply["content"]:
            return Verdict(
                False,
                _("The model had finished with reply {n}, and the loop asked again all the same.").format(
                    n=exchange.number
                ),
                _("When stop_reason is not tool_use, there is nothing to run and nothing to send. Return the reply."),
                trace,
            )
    return None


def _last_reply(trace: Trace) -> dict[str, Any]:
    reply = trace.exchanges[-1].reply if trace.exchanges else None
    return reply if isinstance(reply, dict) else {}


def _run_without_end(answer: Any) -> Trace:
    messages = [{"role": "user", "content": load_scenario(NO_END).prompt}]
    return record(answer, offline(NO_END), messages, fuse=MANY)


def _verdict_on_fuse(trace: Trace) -> Verdict | None:
    """What is wrong with a run on a task that has no end; None if the loop's own fuse blew and said so."""
    requests = requests_words(trace)
    if trace.ending.kind == "raised" and _last_reply(trace):
        return None
    if trace.ending.kind == "returned":
        return Verdict(
            False,
            _("After {requests} the loop returned, while the model still asked for a tool.").format(requests=requests),
            _("Whoever called it takes that for an answer. When the limit is reached, raise an error."),
            trace,
        )
    if trace.ending.kind == "fuse":
        return Verdict(
            False,
            _("The loop had no end of its own. It was stopped after {requests}.").format(requests=requests),
            _("This task never ends. Keep the 10 as a fuse, and raise an error when it is reached."),
            trace,
        )
    return verdict_on_ending(trace)


def exercise_3(answer: Any) -> Verdict:
    """A loop that knows pause_turn and max_tokens."""
    fault = no_such_function(answer, "careful(client, messages, tools, max_tokens)")
    if fault is not None:
        return fault
    for scenario, tools, max_tokens in (
        ("long_tool_input", [_save()], SMALL),
        ("research", [SEARCH], 1024),
        ("long_answer", [_save()], SMALL),
    ):
        trace = run(partial(answer, tools=tools, max_tokens=max_tokens), scenario)
        verdict = on_task(scenario, _verdict_on_care(trace))
        if verdict is not None:
            return verdict
    return Verdict(
        True,
        _("A long call, a web search that paused twice and a long text: all three came to their end."),
        _("Nothing that was cut off was run or taken for an answer, and no pause for an end."),
    )


def _save() -> Tool:
    def save_summary(path: str, text: str = "") -> str:
        """Save a summary in a file. It replaces what the file held before."""
        return f"Saved {len(text)} characters in {path}."

    return tool(save_summary)


def _verdict_on_care(trace: Trace) -> Verdict | None:
    """What is wrong with a run that meets max_tokens or pause_turn; None if it came to the model's own end."""
    for step in trace.steps:
        if step.tool is not None and step.tool.name == "save_summary" and "text" not in (step.tool.input or {}):
            return Verdict(
                False,
                _("The loop ran a call that was cut off: save_summary got a path, and no text."),
                _("The file is empty now. When stop_reason is max_tokens, run nothing of the reply."),
                trace,
            )
    return _same_limit(trace) or _more_than_the_pause(trace) or _verdict_on_end(trace)


def _same_limit(trace: Trace) -> Verdict | None:
    """A verdict on a loop that meets a limit again and again and does not raise it."""
    asked = [exchange for exchange in trace.exchanges if isinstance(exchange.reply, dict)]
    limits = [trace.request_body(exchange)["max_tokens"] for exchange in asked]
    cut = [exchange for exchange in asked if exchange.reply["stop_reason"] == "max_tokens"]
    if trace.ending.kind != "fuse" or len(cut) < len(asked) or len(set(limits)) > 1:
        return None
    return Verdict(
        False,
        _("The loop asked {count} times with max_tokens={limit}, and was cut off each time.").format(
            count=len(limits), limit=limits[0] if limits else 0
        ),
        _("What was too long once is too long again. Ask with a larger max_tokens."),
        trace,
    )


def _more_than_the_pause(trace: Trace) -> Verdict | None:
    """A verdict on a loop that answers a pause with something of its own, or leaves the paused turn out."""
    for before, after in zip(trace.exchanges, trace.exchanges[1:], strict=False):
        if not isinstance(before.reply, dict) or before.reply.get("stop_reason") != "pause_turn":
            continue
        last = trace.messages_at(after.messages)[-1]
        if blocks(last) == before.reply["content"]:
            continue
        return Verdict(
            False,
            _("After pause_turn the last message of the next request was not the paused turn, as it came."),
            _(
                "Append the assistant turn unchanged and nothing behind it. No tool of yours was asked for, "
                "and the user has said nothing."
            ),
            trace,
        )
    return None
