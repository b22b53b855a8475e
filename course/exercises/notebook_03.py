"""The checks of the exercises in notebooks/03_stop_reasons.ipynb."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from course.exercises.cuts import ran_a_cut_call, same_limit_again
from course.exercises.exercise import Verdict, no_answer_yet
from course.exercises.functions import no_such_function
from course.exercises.runs import offline, on_task, run, verdict_on_ending, verdict_on_value
from course.loop import run_loop
from course.offline.scenario import load_scenario
from course.settings import MODEL
from course.stop_reasons import Action, actions, describe, fact
from course.tools import Tool, tool
from course.trace import Fuse, Trace, record
from course.words import _
from course.workspace import Workspace

__all__ = ["exercise_1", "exercise_2", "exercise_3"]

FUSE = Fuse(requests=1, seconds=5)
SEARCH = {"type": "web_search_20250305", "name": "web_search"}
UNKNOWN = "brand_new"  # a value that nobody knows yet


def save_summary(path: str, text: str) -> str:
    """Save a summary of the project in a file."""
    return f"Saved {len(text)} characters in {path}."


def _tools() -> list[Tool]:
    workspace = Workspace()
    return [tool(workspace.list_files), tool(workspace.read_file), tool(save_summary)]


def _ask(scenario: str, max_tokens: int = 1024, **more: Any) -> Any:
    """The reply to the task of a scenario."""
    messages = [{"role": "user", "content": load_scenario(scenario).prompt}]
    return offline(scenario).messages.create(model=MODEL, max_tokens=max_tokens, messages=messages, **more)


@cache
def _right() -> dict[str, str]:
    """What the five requests of the exercise really end with."""
    reading, saving = [each.definition for each in _tools()[:2]], [each.definition for each in _tools()[2:]]
    replies = {
        "A": _ask("long_answer", 40, stop_sequences=["12."]),
        "B": _ask("long_answer", stop_sequences=["2.", "12."]),
        "C": _ask("long_tool_input", 100, tools=saving),
        "D": _ask("plain_chat", tools=reading),
        "E": _ask("research", tools=[SEARCH]),
    }
    return {name: reply.stop_reason for name, reply in replies.items()}


def _why() -> dict[str, str]:
    return {
        "A": _("40 tokens are over long before step 12. The sequence is never written, so it can't stop anything."),
        "B": _("The text \"2.\" comes at the second step. You ordered the model to stop there: the limit is far away."),
        "C": _("The call does not fit into 100 tokens. Its block is there, but cut off: stop_reason says max_tokens."),
        "D": _("Tools are offered, but a greeting needs none. Offering a tool does not make the model use it."),
        "E": _("The API runs the searches itself; your loop has nothing to run. After two of them it pauses."),
    }  # fmt: skip


def exercise_1(answer: Any) -> Verdict:
    """The stop_reason of five requests."""
    right = _right()
    if not isinstance(answer, Mapping) or set(answer) != set(right):
        return Verdict(
            False,
            _("predictions is not a dict with the keys A to E."),
            _('Write it as it was: {"A": "end_turn", ...}.'),
        )
    empty = [name for name, value in answer.items() if value == ""]
    if empty:
        return no_answer_yet(empty, _("The table above has all values of stop_reason."))
    for name, value in answer.items():
        if value == right[name]:
            continue
        if fact(value if isinstance(value, str) else None) is None:
            happened = _("{name}: {value!r} is not a value of stop_reason.").format(name=name, value=value)
            return Verdict(False, happened, _("The table above has all of them."))
        happened = _("{name}: the reply does not end with {value}.").format(name=name, value=value)
        return Verdict(False, happened, _why()[name])
    return Verdict(
        True,
        _("All five are right. Each request was sent, and this is what came back."),
        _("What decides is the first thing that stops the model: its own end, a tool, a sequence, or a limit."),
    )


@cache
def _replies() -> tuple[Any, ...]:
    """A real reply for every stop_reason, and one of a value that is not known."""
    tools = _tools()
    definitions = [each.definition for each in tools]
    full = [{"role": "user", "content": load_scenario("small_window").prompt}]
    task = [{"role": "user", "content": load_scenario("list_then_read").prompt}]
    greeting = _ask("plain_chat")
    return (
        _ask("list_then_read", tools=definitions),
        greeting,
        _ask("long_answer", stop_sequences=["5."]),
        _ask("long_answer", 60),
        _ask("long_tool_input", 60, tools=definitions),
        _ask("research", tools=[SEARCH]),
        _ask("refused"),
        run_loop(offline("small_window"), full, tools, model=MODEL, max_tokens=2000),
        offline("list_then_read").beta.messages.create(
            model=MODEL,
            max_tokens=1024,
            messages=task,
            compaction={"type": "summarize"},
            betas=["compact-2026-09-04"],
        ),
        greeting.model_copy(update={"stop_reason": UNKNOWN}),
        greeting.model_copy(update={"stop_reason": None}),
    )


def exercise_2(answer: Any) -> Verdict:
    """From a reply to the name of the next action."""
    fault = no_such_function(answer, "next_action(reply)")
    if fault is not None:
        return fault
    for reply in _replies():
        verdict = _verdict_on_action(answer, reply)
        if verdict is not None:
            return verdict
    return Verdict(
        True,
        _("next_action is right for {count} real replies: every stop_reason, and two that no loop can know.").format(
            count=len(_replies())
        ),
        _("It needs nothing but stop_reason. With it, a loop can do the right thing after every reply."),
    )


def _verdict_on_action(answer: Any, reply: Any) -> Verdict | None:
    reason = reply.stop_reason
    trace, values = _given(answer, reply)
    row = fact(reason)
    if row is None:
        return _verdict_on_unknown(reason, trace, values)
    blocks = ", ".join(block.type for block in reply.content) or _("nothing")
    what = _("A reply with stop_reason {reason} (content: {blocks}).").format(reason=reason, blocks=blocks)
    if not values:
        return Verdict(False, f"{what} {_how(trace)}", _("This value is in the table: return the name of its action."))
    if values[0] == row.action.value:
        return None
    happened = _("{what} next_action returned {value!r}.").format(what=what, value=values[0])
    if values[0] not in {each.value for each in Action}:
        return Verdict(False, happened, _("Return one of these: {all}.").format(all=", ".join(Action)))
    return Verdict(False, happened, _slips().get((reason, values[0])) or f"{row.when} {actions()[row.action]}")


def _verdict_on_unknown(reason: str | None, trace: Trace, values: list[Any]) -> Verdict | None:
    if not values and trace.ending.kind == "raised" and (trace.ending.error or {}).get("type") == "ValueError":
        if str(reason) in (trace.ending.error or {}).get("message", ""):
            return None
        happened = _("For the stop_reason {reason} it raised a ValueError that does not name the value.")
        return Verdict(False, happened.format(reason=reason), _("Whoever reads the error must learn what came."))
    how = _("next_action returned {value!r}.").format(value=values[0]) if values else _how(trace)
    happened = _("A reply with stop_reason {reason}. {how}").format(reason=reason, how=how)
    return Verdict(False, happened, f"{describe(reason)} {_('Raise a ValueError that names the value.')}")


def _given(answer: Any, reply: Any) -> tuple[Trace, list[Any]]:
    """The run of `answer(reply)`, and what it returned, in a list (empty: it did not return)."""
    values: list[Any] = []
    return record(lambda: values.append(answer(reply)), fuse=FUSE, name="next_action"), values


def _how(trace: Trace) -> str:
    if trace.ending.kind == "fuse":
        return _("next_action did not come to an end.")
    error = trace.ending.error or {"type": "", "message": ""}
    return _("next_action raised {type}: {message}.").format(**error)


def _slips() -> dict[tuple[str, str], str]:
    """The common wrong answers: what would come of them."""
    cut = _("The reply was cut off by max_tokens. It is no whole answer, and the end of the text does not say so.")
    return {
        ("tool_use", "finish"): _("The model waits for the result of its call. Text beside it does not make it an answer."),
        ("stop_sequence", "get_the_rest"): _("Nothing is missing: you named the text at which the model must stop."),
        ("max_tokens", "finish"): cut,
        ("max_tokens", "run_tools"): _(
            "The block is there, but its input is incomplete. Run none of the tools of such a reply: ask for the rest."
        ),
        ("max_tokens", "shorten"): _("The limit of the request was too small. The history is not too long: raise the limit."),
        ("pause_turn", "finish"): _("The server tool has only paused: the answer has not been written yet. Send the turn back."),
        ("pause_turn", "run_tools"): _("The API has run the search. No call waits for you, and a made-up result is a 400."),
        ("refusal", "finish"): _(
            "A refusal is no answer. Its turn must not stay in messages, so it needs an action of its own."
        ),
        ("model_context_window_exceeded", "finish"): _("The reply was cut off, though not by your limit. It is not whole."),
        ("model_context_window_exceeded", "get_the_rest"): _(
            "A larger max_tokens does not help: the window is full. Only a shorter history makes room."
        ),
        ("compaction", "finish"): _("The API has only summed up the history. The answer comes when you send the block back."),
    }  # fmt: skip


TASKS = ("list_then_read", "long_tool_input", "long_answer", "refused")


def exercise_3(answer: Any) -> Verdict:
    """A loop that knows a cut from an end, and a refusal from a tool call."""
    fault = no_such_function(answer, "mended_loop(client, messages)")
    if fault is not None:
        return fault
    for scenario in TASKS:
        trace = run(answer, scenario)
        verdict = ran_a_cut_call(trace) or same_limit_again(trace) or _went_on_after_refusal(trace)
        verdict = on_task(scenario, verdict or verdict_on_ending(trace) or verdict_on_value(trace))
        if verdict is not None:
            return verdict
    return Verdict(
        True,
        _(
            "Your loop ran {count} tasks: tool calls, a call that was cut off, a text that was cut off, and a refusal."
        ).format(count=len(TASKS)),
        _("It ran no tool with an incomplete input, and it took no cut for an end."),
    )


def _went_on_after_refusal(trace: Trace) -> Verdict | None:
    reasons = [(exchange.reply or {}).get("stop_reason") for exchange in trace.exchanges]
    if "refusal" not in reasons[:-1]:
        return None
    return Verdict(
        False,
        _("the model refused, and the loop went on and sent another request."),
        _("A refusal is the end of this run: return it. It asks for no tool, and the same request is refused again."),
    )
