"""Judges a function that answers tool calls: `answer(calls, functions)` returns the user message with their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from course.exercises.exercise import Verdict
from course.exercises.runs import run, verdict_on_ending
from course.settings import MODEL
from course.tools import tool
from course.trace import Fuse, Trace, record
from course.words import _
from course.workspace import Workspace

__all__ = ["wrong_answer"]


def wrong_answer(answer: Callable[..., Any]) -> Verdict | None:
    """What is wrong with such a function, on calls of its own and in whole runs; None if nothing is."""
    for calls in _sets_of_calls():
        kept: list[Any] = []

        def keep(calls: list[Any] = calls, kept: list[Any] = kept) -> None:
            kept.append(answer(calls, FUNCTIONS))

        trace = record(keep, fuse=Fuse(seconds=3))
        verdict = _did_not_return(trace) or _wrong_message(kept[0], calls)
        if verdict is not None:
            asked = ", ".join(f"{call.name}({call.input})" for call in calls)
            happened = _("Calls: {calls}. {what}").format(calls=asked, what=verdict.happened)
            return Verdict(False, happened, verdict.matters, trace)
    return _in_a_run(answer)


def _measure_depth(berth: str) -> str:
    if berth == "north":
        raise OSError("the sensor at the north berth does not answer")
    return f"{berth}: 4.2 m"


FUNCTIONS: dict[str, Callable[..., str]] = {"measure_depth": _measure_depth, "next_ferry": lambda: "14:30 to Ulvik"}


def _sets_of_calls() -> list[list[Any]]:
    """Calls as the SDK gives them: objects with an id, a name and an input."""

    def calls(*wanted: tuple[str, dict[str, Any]]) -> list[Any]:
        return [
            SimpleNamespace(type="tool_use", id=f"toolu_{number}", name=name, input=given)
            for number, (name, given) in enumerate(wanted, start=1)
        ]

    east, north = ("measure_depth", {"berth": "east"}), ("measure_depth", {"berth": "north"})
    return [calls(east), calls(east, north, ("next_ferry", {})), calls(("ring_bell", {}), east)]


def _did_not_return(trace: Trace) -> Verdict | None:
    if trace.ending.kind == "returned":
        return None
    error = trace.ending.error
    if error is None:
        return Verdict(False, _("answer_calls did not return."), _("Go through the calls once."))
    return Verdict(
        False,
        _("answer_calls raised {type}: {message}.").format(**error),
        _("One call that fails must not end the run. Catch the error and make a result with is_error of its text."),
    )


def _wrong_message(message: Any, calls: Sequence[Any]) -> Verdict | None:
    """What is wrong with the user message; None if nothing is."""
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, list) or message.get("role") != "user":
        return Verdict(
            False,
            _("answer_calls returned {message!r}.").format(message=message),
            _('Return one message: {"role": "user", "content": results}.'),
        )
    results = [block for block in content if isinstance(block, dict) and block.get("type") == "tool_result"]
    if len(results) != len(content):
        return Verdict(
            False,
            _("The turn holds something that is not a tool_result."),
            _("A block without the type tool_result answers no call, and text behind results leads to empty replies."),
        )
    ids, wanted = [block.get("tool_use_id") for block in results], [call.id for call in calls]
    if sorted(map(str, ids)) != sorted(wanted):
        return Verdict(
            False,
            _("The results have the ids {ids}, and the calls have {wanted}.").format(ids=ids, wanted=wanted),
            _("Each call needs exactly one result with its id, in this turn. Otherwise the API answers 400."),
        )
    by_id = {block["tool_use_id"]: block for block in results}
    return next(filter(None, (_wrong_result(by_id[call.id], call) for call in calls)), None)


def _wrong_result(result: dict[str, Any], call: Any) -> Verdict | None:
    """What is wrong with the result of one call; None if nothing is."""
    text, marked = str(result.get("content") or ""), result.get("is_error", False)
    try:
        output, why = FUNCTIONS[call.name](**call.input), None
    except Exception as error:
        output, why = "", str(error)
    if why is None and (marked is not False or output not in text):
        return Verdict(
            False,
            _("{name} worked, and its result is {result!r}.").format(name=call.name, result=result),
            _("Its content should be what the function returned, without is_error."),
        )
    if why is not None and marked is not True:
        return Verdict(
            False,
            _("{name} failed, and its result does not have is_error set to True.").format(name=call.name),
            _("Without the mark, the model may take the words of the error for the tool's output."),
        )
    known = call.name in FUNCTIONS
    if why is not None and (not text.strip() or (known and why not in text)):
        return Verdict(
            False,
            _("{name} failed, and its result says only {text!r}.").format(name=call.name, text=text),
            _("The model can find another way only if it reads what went wrong."),
        )
    return None


def _in_a_run(answer: Callable[..., Any]) -> Verdict | None:
    """The same function in a whole loop, with real replies; None if it comes to its end."""
    workspace = Workspace()

    def list_files(path: str = ".") -> str:
        return "\n".join(workspace.list_files(path))

    functions: dict[str, Callable[..., str]] = {
        "list_files": list_files,
        "read_file": workspace.read_file,
    }
    definitions = [tool(workspace.list_files).definition, tool(workspace.read_file).definition]

    def loop(client: Any, messages: list[dict[str, Any]]) -> Any:
        while True:
            reply = client.messages.create(model=MODEL, max_tokens=1024, tools=definitions, messages=messages)
            messages.append({"role": "assistant", "content": reply.content})
            if reply.stop_reason != "tool_use":
                return reply
            messages.append(answer([block for block in reply.content if block.type == "tool_use"], functions))

    verdicts = (verdict_on_ending(run(loop, scenario)) for scenario in ("parallel_reads", "failing_tool"))
    return next(filter(None, verdicts), None)
