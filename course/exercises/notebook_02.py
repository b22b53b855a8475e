"""The checks of the exercises in notebooks/02_messages_grow.ipynb."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from course.exercises.exercise import Verdict
from course.exercises.functions import no_such_function
from course.exercises.runs import on_task, run, verdict_on_ending, verdict_on_value
from course.loop import run_loop
from course.settings import MODEL
from course.tools import run_tool, tool
from course.trace import Trace
from course.trace.words import blocks
from course.words import _
from course.workspace import Workspace

__all__ = ["exercise_1", "exercise_2", "exercise_3", "exercise_4", "exercise_5"]

FILE = Path(__file__).name
# The notebook shows the first three. The others have a second round with several calls, and tools that fail.
SCENARIOS = (
    "count_python_files",
    "parallel_reads",
    "list_then_read",
    "most_lines",
    "one_of_two_fails",
    "failing_tool",
)


def exercise_1(answer: Any) -> Verdict:
    """The roles in the second request, after a reply with three calls."""
    if not isinstance(answer, (list, tuple)) or not answer or not all(isinstance(role, str) for role in answer):
        return Verdict(
            False,
            _("{answer!r} is not a list of roles.").format(answer=answer),
            _('Write one role for each message, in their order, such as ["user", "user"].'),
        )
    workspace = Workspace()
    tools = [tool(workspace.list_files), tool(workspace.read_file)]
    trace = run(lambda client, messages: run_loop(client, messages, tools, model=MODEL), "parallel_reads")
    right = [message["role"] for message in trace.request_body(trace.exchanges[1])["messages"]]
    roles = list(answer)
    if roles == right:
        return Verdict(
            True,
            _("The second request held {count} messages: {roles}.").format(count=len(right), roles=", ".join(right)),
            _(
                "The text and the three calls are blocks of one assistant turn; the three results are blocks of one user turn."
            ),
            trace,
        )
    happened = _("The second request did not hold these roles: {roles}.").format(roles=", ".join(roles))
    return Verdict(False, happened, _why_not(roles), trace)


def _why_not(roles: list[str]) -> str:
    """What is wrong with a list of roles that is not user, assistant, user."""
    others = [role for role in roles if role not in ("user", "assistant")]
    if others:
        return _("Results have no role of their own, such as {role}. They go back in a user turn.").format(
            role=others[0]
        )
    if roles[0] != "user":
        return _("The first message is still the task. The API remembers nothing, so it is sent again.")
    if "assistant" not in roles:
        return _("The assistant turn is missing: the model would not know that it has asked for anything.")
    if roles[-1] != "user":
        return _("The last message is the assistant turn: its calls would have no results.")
    return _("That is too many. Blocks are not messages: one reply is one turn, and all its results are one turn.")


def exercise_2(answer: Any) -> Verdict:
    """A loop that forgot the rounds before the last one."""
    return _verdict_on_loop(
        answer, "short_memory", _("Each request now holds everything from before, and what is new at its end.")
    )


def exercise_3(answer: Any) -> Verdict:
    """A function that appends the assistant turn and the results."""
    fault = no_such_function(answer, "append_turn(messages, reply, results)")
    if fault is not None:
        return fault
    workspace = Workspace()
    tools = [tool(workspace.list_files), tool(workspace.read_file)]
    request = {"model": MODEL, "max_tokens": 1024, "tools": [each.definition for each in tools]}

    def loop(client: Any, messages: list[Any]) -> Any:
        reply = client.messages.create(**request, messages=messages)
        while reply.stop_reason == "tool_use":
            answer(messages, reply, [run_tool(tools, block) for block in reply.content if block.type == "tool_use"])
            reply = client.messages.create(**request, messages=messages)
        return reply

    return _verdict_on_loop(
        loop, "append_turn", _("A loop that calls it goes on until the model has finished. Both turns are in messages.")
    )


def exercise_4(answer: Any) -> Verdict:
    """A loop that left out the results of tools that failed."""
    return _verdict_on_loop(
        answer,
        "skips_failures",
        _("Each call has its result. The model read that a tool had failed, and found another way or said so."),
    )


def exercise_5(answer: Any) -> Verdict:
    """A loop that put text before each result, and each result into a turn of its own."""
    return _verdict_on_loop(
        answer, "labels_results", _("All results of a reply are in one user turn, and nothing else is in it.")
    )


def _verdict_on_loop(answer: Any, name: str, passed: str) -> Verdict:
    """Run a loop on all tasks, and tell the first thing that is wrong with it."""
    fault = no_such_function(answer, f"{name}(client, messages)")
    if fault is not None:
        return fault
    for scenario in SCENARIOS:
        trace = _without_own_lines(run(answer, scenario))
        verdict = _verdict_on_memory(trace) or _verdict_on_failures(trace) or verdict_on_ending(trace)
        verdict = on_task(scenario, verdict or verdict_on_value(trace) or _verdict_on_turns(trace))
        if verdict is not None:
            return verdict
    happened = _("It came to the model's own end on {count} tasks, some of which this notebook does not show.")
    return Verdict(True, happened.format(count=len(SCENARIOS)), passed)


def _without_own_lines(trace: Trace) -> Trace:
    """The Trace without the lines of this module: the loop of `exercise_3` is none that the learner can change."""
    own = {number for number, function in enumerate(trace.code) if function.file == FILE}
    steps = [
        replace(step, place=None, path=()) if step.place is not None and step.place.function in own else step
        for step in trace.steps
    ]
    return replace(trace, steps=tuple(steps))


def _verdict_on_memory(trace: Trace) -> Verdict | None:
    """What is wrong with a request that does not hold all messages of the one before; None if each does."""
    sent = [trace.messages_at(exchange.messages) for exchange in trace.exchanges]
    for number, (before, now) in enumerate(pairwise(sent), start=2):
        if now[: len(before)] != before:
            return Verdict(
                False,
                _("Request {n} does not begin with the messages of request {before}.").format(
                    n=number, before=number - 1
                ),
                _(
                    "What is left out never happened, as far as the model can see, so it asks for it again. "
                    "Append to messages, and send all of it each time."
                ),
                trace,
            )
    return None


def _verdict_on_failures(trace: Trace) -> Verdict | None:
    """What is wrong with a request in which only the calls that failed have no result; None if that is not so."""
    failed = {step.tool.tool_use_id: step.tool for step in trace.steps if step.tool is not None and step.tool.error}
    if not trace.exchanges or trace.exchanges[-1].error is None:
        return None
    sent = [block for message in trace.messages_at(trace.exchanges[-1].messages) for block in blocks(message)]
    asked = {block["id"] for block in sent if block.get("type") == "tool_use"}
    answered = {block.get("tool_use_id") for block in sent if block.get("type") == "tool_result"}
    missing = asked - answered
    if not missing or not missing <= failed.keys():
        return None
    return Verdict(
        False,
        _("The tool {tool} failed, and its result did not go back. The API refused the request with a 400.").format(
            tool=failed[min(missing)].name
        ),
        _(
            "A call that failed needs a result too, with is_error and the reason. "
            "The model can then try another way, or tell the user."
        ),
        trace,
    )


def _verdict_on_turns(trace: Trace) -> Verdict | None:
    """What is wrong with results in several user turns, which the API accepts; None if each reply is answered in one."""
    in_a_row = 0
    for message in trace.messages_at(trace.exchanges[-1].messages):
        in_a_row = in_a_row + 1 if message["role"] == "user" else 0
        if in_a_row > 1:
            return Verdict(
                False,
                _(
                    "The API accepted every request, but there are user turns in a row: the results are in several turns."
                ),
                _(
                    "A model that reads such a conversation learns to ask for one tool at a time. "
                    "Put all results of a reply into one user turn."
                ),
                trace,
            )
    return None
