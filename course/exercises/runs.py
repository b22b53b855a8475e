"""Run a learner's loop for a check, and say in words what it did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from course.clients import client
from course.exercises.exercise import Verdict
from course.offline.scenario import load_scenario
from course.offline.script import cannot_use
from course.settings import load_settings
from course.trace import Fuse, Trace, record
from course.trace.explain import explain
from course.trace.words import blocks, ending_words, message_words
from course.words import _

__all__ = ["offline", "on_task", "run", "verdict_on_count", "verdict_on_ending", "verdict_on_task", "verdict_on_value"]

FUSE = Fuse(requests=12, seconds=10)


def offline(scenario: str, **options: Any) -> Any:
    """A client of the offline model, also where the settings name a live one. It answers to the model id of the settings."""
    return client(scenario, settings=replace(load_settings(), mode="offline"), **options)


def run(loop: Callable[..., Any], scenario: str, *more: Any) -> Trace:
    """The Trace of `loop(client, messages, *more)` on the task of a scenario. It is always offline, and it always ends."""
    messages = [{"role": "user", "content": load_scenario(scenario).prompt}]
    return record(loop, offline(scenario), messages, *more, fuse=FUSE)


def verdict_on_count(answer: Any) -> Verdict | None:
    """What is wrong with an answer that can't be a number of requests; None if it can be one."""
    if isinstance(answer, bool) or not isinstance(answer, int):
        return Verdict(
            False, _("{answer!r} is not a whole number.").format(answer=answer), _("Write a number, such as 5.")
        )
    if answer < 1:
        happened = _("Every run sends at least one request.")
        return Verdict(
            False, happened, _("Write your number in place of {answer}, and run the cell.").format(answer=answer)
        )
    return None


def verdict_on_ending(trace: Trace) -> Verdict | None:
    """What is wrong with a run that did not come to the model's own end; None if it did."""
    reason = explain(trace)
    if reason is None and trace.ending.kind == "returned":
        return _verdict_on_tools(trace)
    reason = reason or ""
    reason = reason[:1].upper() + reason[1:]  # without a line in front of it, it begins with a small letter
    return Verdict(False, _("The run: {how}.").format(how=ending_words(trace).rstrip(".")), reason, trace)


def _verdict_on_tools(trace: Trace) -> Verdict | None:
    """What is wrong with a run in which the model had to say that it was not given its tools; None if it did not."""
    says = cannot_use([""]).rstrip(".")
    for exchange in trace.exchanges:
        if any(str(block.get("text")).startswith(says) for block in blocks(exchange.reply)):
            happened = _("Request {n} did not offer the tools of this task, so the model could not do it.")
            matters = _("The model knows only the tools that stand in the request. Send the same tools each time.")
            return Verdict(False, happened.format(n=exchange.number), matters, trace)
    return None


def verdict_on_value(trace: Trace) -> Verdict | None:
    """What is wrong with a run that returned something other than its last reply; None if it returned that."""
    if trace.exchanges and trace.exchanges[-1].reply["id"] in (trace.ending.value or ""):
        return None
    return Verdict(
        False,
        _("The run came to its end, but {name} returned {value}, not the last reply.").format(
            name=trace.name, value=trace.ending.value
        ),
        _("End it with return reply: the answer is in there."),
        trace,
    )


def verdict_on_task(trace: Trace, scenario: str) -> Verdict | None:
    """What is wrong with a run that changed the task itself; None if each request begins with it."""
    task = load_scenario(scenario).prompt
    for exchange in trace.exchanges:
        first = trace.messages_at(exchange.messages)[0]
        if task not in (block.get("text") for block in blocks(first)):
            happened = _("Request {n} no longer began with the task. Its first message was {message}.")
            return Verdict(
                False,
                happened.format(n=exchange.number, message=message_words(first)),
                _(
                    "The model reads the task in every request. Leave the first message as it is, and append the others."
                ),
                trace,
            )
    return None


def on_task(scenario: str, verdict: Verdict | None) -> Verdict | None:
    """The verdict with the task that it is about."""
    if verdict is None:
        return None
    happened = _("Task: {task} {happened}").format(task=load_scenario(scenario).prompt, happened=verdict.happened)
    return replace(verdict, happened=happened)
