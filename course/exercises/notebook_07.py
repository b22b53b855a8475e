"""The checks of the exercises in notebooks/07_agent_or_workflow.ipynb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course.exercises.desk import DESKS
from course.exercises.exercise import Verdict, no_answer_yet
from course.exercises.functions import no_such_function
from course.exercises.harbour import MONDAY, TUESDAY, WEDNESDAY, Logs, log_tools
from course.exercises.runs import FUSE, offline, verdict_on_ending, verdict_on_value
from course.offline.scenario import load_scenario
from course.trace import Fuse, Trace, record
from course.words import _

__all__ = ["exercise_1", "exercise_2", "exercise_3", "exercise_4"]

DAYS = ((MONDAY, "timetable"), (TUESDAY, "clock"), (WEDNESDAY, "network"))  # the logs, and whose log holds the cause


def exercise_1(answer: Any) -> Verdict:
    """Who decides: the model, or the code?"""
    right = {
        1: ("model", _("nothing in the code names the clock. The model read its name in a log and asked for it.")),
        2: ("code", _("the `if` was written before anybody had seen the log. The log only says which way it goes.")),
        3: ("model", _("the loop ends because a reply asked for no tool. The code only notices that.")),
        4: ("code", _("the model can only ask for what you put into `tools`.")),
        5: ("model", _("the code asks a question and takes whatever text comes back.")),
        6: ("code", _("a fuse is a limit that your code sets. The model does not know of it.")),
    }
    return _judged(
        answer, right, ("model", "code"),
        _("To tell them apart, ask: could I know it from the code alone, before any reply has come?"),
    )  # fmt: skip


def exercise_2(answer: Any) -> Verdict:
    """Evaluator and optimizer: write, judge, give the verdict back, until a draft passes or four have failed."""
    fault = no_such_function(answer, "improve(write, judge)")
    if fault is not None:
        return fault
    for make in DESKS:
        desk = make()
        trace = record(answer, desk.write, desk.judge, fuse=Fuse(seconds=3))
        wrong = desk.fault(trace)
        if wrong is not None:
            return Verdict(False, *wrong, trace)
    return Verdict(
        True,
        _("It returned the draft that passed: the first, the second or the third. When none of four passed, None."),
        _("The verdict ends the loop. The limit of four is a fuse, and its blowing can be told from success."),
    )


def exercise_3(answer: Any) -> Verdict:
    """A fixed order of tools becomes a loop in which the model chooses."""
    fault = no_such_function(answer, "detective(client, messages, tools)")
    if fault is not None:
        return fault
    for logs, service in DAYS:
        trace = _investigate(answer, logs)
        verdict = (
            verdict_on_ending(trace) or _who_chose(trace) or verdict_on_value(trace) or _cause(trace, logs, service)
        )
        if verdict is not None:
            return verdict
    return Verdict(
        True,
        _("On three days the cause was in three places, and the model found its way to each of them."),
        _("No line of your code names a service. That is what makes it an agent."),
        trace,
    )


def exercise_4(answer: Any) -> Verdict:
    """Agent or workflow, for ten tasks."""
    right = {
        1: ("workflow", _("each invoice takes the same steps. One request each, in a plain `for` loop.")),
        2: ("agent", _("which file to read next depends on what the last one said, and the tests tell it when it is done.")),
        3: ("workflow", _("five folders, known before: routing. The model names the folder, your code does the rest.")),
        4: ("workflow", _("six languages, known before and independent of each other: parallelisation.")),
        5: ("agent", _("each search follows from what the one before has found, and nobody can say how many it takes.")),
        6: ("workflow", _("write, judge, revise, with rules to judge by: evaluator-optimizer.")),
        7: ("agent", _("each finding opens another way. Let a person agree before it changes anything.")),
        8: ("workflow", _("put the page into the prompt. One request is enough: the simplest workflow there is.")),
        9: ("agent", _("what breaks next is known only after a change, and the tests are its eyes.")),
        10: ("workflow", _("the rule is written down, so it is an `if`. A model may read the letter, not make the rule.")),
    }  # fmt: skip
    return _judged(
        answer, right, ("agent", "workflow"),
        _("In each workflow you can write down the path now. In each agent the next step follows from what was found."),
    )  # fmt: skip


def _judged(answer: Any, right: dict[int, tuple[str, str]], words: tuple[str, str], lesson: str) -> Verdict:
    """The verdict on a dict from numbers to one of two words. right: the word, and why."""
    either = _('Write "{a}" or "{b}".').format(a=words[0], b=words[1])
    if not isinstance(answer, dict):
        return Verdict(False, _("The answer is not a dict."), _("Keep the numbers as they are.") + " " + either)
    given = {number: str(answer.get(number, "")).strip().lower() for number in right}
    empty = [number for number in right if given[number] not in words]
    if empty:
        return no_answer_yet(empty, either)
    wrong = [number for number in right if given[number] != right[number][0]]
    happened = _("{count} of {all} are right.").format(count=len(right) - len(wrong), all=len(right))
    if not wrong:
        return Verdict(True, happened, lesson)
    return Verdict(False, happened, "\n".join(f"{number}: {right[number][1]}" for number in wrong))


def _investigate(loop: Callable[..., Any], logs: Logs) -> Trace:
    """The run of a learner's detective on the logs of one day."""
    messages = [{"role": "user", "content": load_scenario("find_cause").prompt}]
    return record(loop, offline("find_cause"), messages, log_tools(logs), fuse=FUSE)


def _who_chose(trace: Trace) -> Verdict | None:
    """A fault if the model was never let choose a tool."""
    if any(exchange.reply["stop_reason"] == "tool_use" for exchange in trace.exchanges if exchange.reply):
        return None
    return Verdict(
        False,
        _("The model asked for no tool: your code chose which logs it read."),
        _("Give it the tools and let it ask. A fixed order finds only the cause that its author had in mind."),
        trace,
    )


def _cause(trace: Trace, logs: Logs, service: str) -> Verdict | None:
    """A fault if the answer does not hold the log in which the cause is."""
    if logs[service] in str(trace.exchanges[-1].reply["content"]):
        return None
    return Verdict(
        False,
        _("On one of three days the cause was in the log of the {service}, and the answer does not name it.").format(
            service=service
        ),
        _("Each result must be the output of the very tool that the model asked for, with the input that it gave."),
        trace,
    )
