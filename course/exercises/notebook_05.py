"""The checks of the exercises in notebooks/05_streaming.ipynb."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

from course.exercises.broken_streams import verdict_on_broken_streams
from course.exercises.exercise import Verdict, no_answer_yet
from course.exercises.functions import no_such_function
from course.exercises.runs import offline
from course.offline.faults import Fault, stream_cut
from course.offline.scenario import load_scenario
from course.settings import MODEL
from course.tools import tool
from course.trace import Fuse, Trace, record
from course.words import _
from course.workspace import Workspace

__all__ = ["exercise_1", "exercise_2", "exercise_3"]

KINDS = ("message_start", "content_block_start", "content_block_stop", "message_delta", "message_stop")


def save_summary(path: str, text: str) -> str:
    """Save a summary of the project in a file."""
    return f"Saved {len(text)} characters in {path}."


@cache
def _definitions() -> tuple[dict[str, Any], ...]:
    workspace = Workspace()
    return tuple(tool(each).definition for each in (workspace.list_files, workspace.read_file, save_summary))


def _client(scenario: str, *faults: Fault) -> Any:
    """A client that is offline, whatever the learner has set."""
    return offline(scenario, faults=faults)


def _task(scenario: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": load_scenario(scenario).prompt}]


def _request(scenario: str, max_tokens: int) -> dict[str, Any]:
    return {"model": MODEL, "max_tokens": max_tokens, "tools": _definitions(), "messages": _task(scenario)}


def _events(scenario: str, max_tokens: int = 1024, *faults: Fault) -> list[Any]:
    """The events of the first reply to a task."""
    return list(_client(scenario, *faults).messages.create(**_request(scenario, max_tokens), stream=True))


def exercise_1(answer: Any) -> Verdict:
    """How many events of each kind there are in a reply with one text and three calls."""
    right = Counter(event.type for event in _events("parallel_reads"))
    if not isinstance(answer, Mapping) or set(answer) != set(KINDS):
        return Verdict(
            False,
            _("counts is not a dict with these keys: {keys}.").format(keys=", ".join(KINDS)),
            _("Change only the numbers in the cell above."),
        )
    if not any(answer.values()):
        return no_answer_yet(KINDS, _("Write your numbers in place of the zeros, and run the cell."))
    for kind in KINDS:
        if answer[kind] != right[kind]:
            happened = _("There are not {count!r} events of the kind {kind}.").format(count=answer[kind], kind=kind)
            return Verdict(False, happened, _why(kind, answer[kind]))
    return Verdict(
        True,
        _("This is what the stream held: {counts}.").format(
            counts=", ".join(f"{kind} {right[kind]}" for kind in KINDS)
        ),
        _(
            "Four blocks, one message. Between the start and the stop of a block come its deltas, as many as there are bits."
        ),
    )


def _why(kind: str, count: Any) -> str:
    if not kind.startswith("content_block"):
        return _("This event belongs to the whole message, and the reply is one message.")
    if count == 3:
        return _("The text is a block too.")
    if count in (1, 2):
        return _("Each call is a block of its own: three calls are three blocks, and the text is one more.")
    return _("Each block of content starts once and stops once.")


def exercise_2(answer: Any) -> Verdict:
    """From the events of a stream to its text, its calls and its stop_reason."""
    fault = no_such_function(answer, "read_stream(events)")
    if fault is not None:
        return fault
    streams = {
        _("a reply with text and a call"): ("list_then_read", _events("list_then_read")),
        _("a reply with three calls"): ("parallel_reads", _events("parallel_reads")),
        _("a reply with text only"): ("plain_chat", _events("plain_chat")),
        _("a call that max_tokens cut off"): ("long_tool_input", _events("long_tool_input", 60)),
        _("a stream that breaks off"): ("list_then_read", _events("list_then_read", 1024, stream_cut())),
    }
    for what, (scenario, events) in streams.items():
        limit = 60 if scenario == "long_tool_input" else 1024
        verdict = _verdict_on_reading(answer, events, _client(scenario).messages.create(**_request(scenario, limit)))
        if verdict is not None:
            happened = _("Stream: {what}. {happened}").format(what=what, happened=verdict.happened)
            return Verdict(False, happened, verdict.matters, verdict.trace)
    return Verdict(
        True,
        _("read_stream is right for all {count} streams.").format(count=len(streams)),
        _("It takes a call only when the whole reply is there. This is what the SDK's stream helper does for you."),
    )


def _verdict_on_reading(answer: Any, events: list[Any], reply: Any) -> Verdict | None:
    """Compare what was read from the events with the same reply without a stream."""
    values: list[Any] = []
    trace = record(lambda: values.append(answer(iter(events))), fuse=Fuse(requests=1, seconds=5), name="read_stream")
    if not values:
        how = _("It did not come to an end.") if trace.ending.kind == "fuse" else _raised(trace)
        return Verdict(False, how, _after_raising(trace), trace)
    got = values[0]
    if not isinstance(got, Mapping) or set(got) != {"text", "calls", "stop_reason"}:
        return Verdict(
            False,
            _("It returned {got!r}.").format(got=got),
            _("Return a dict with the keys text, calls and stop_reason."),
        )
    broken = events[-1].type != "message_stop"
    reason = None if broken else reply.stop_reason
    if got["stop_reason"] != reason:
        happened = _("stop_reason is {got!r}, not {right!r}.").format(got=got["stop_reason"], right=reason)
        return Verdict(False, happened, _why_reason(broken))
    text = "".join(block.text for block in reply.content if block.type == "text")
    if got["text"] != text:
        happened = _("text is {got!r}, not {right!r}.").format(got=got["text"], right=text)
        return Verdict(False, happened, _("Put the bits of all text_delta together, with nothing between them."))
    whole = reply.content if reason == "tool_use" else []
    calls = [(block.name, block.input) for block in whole if block.type == "tool_use"]
    try:
        same = [tuple(call) for call in got["calls"]] == calls
    except TypeError:
        same = False
    if same:
        return None
    happened = _("calls is {got!r}, not {right!r}.").format(got=got["calls"], right=calls)
    return Verdict(False, happened, _why_calls(reason))


def _why_reason(broken: bool) -> str:
    if broken:
        return _("No message_delta came, so nothing says how the reply ended. None is the honest value.")
    return _("stop_reason comes in message_delta, as event.delta.stop_reason. In message_start it is None.")


def _why_calls(reason: str | None) -> str:
    if reason == "tool_use":
        return _(
            "A call begins with content_block_start (its name). Its input is the JSON of all its partial_json together."
        )
    return _(
        "Only a reply with stop_reason tool_use has calls that may run. Of this one nobody knows whether they are whole."
    )


def _raised(trace: Trace) -> str:
    return _("It raised {type}: {message}.").format(**(trace.ending.error or {"type": "", "message": ""}))


def _after_raising(trace: Trace) -> str:
    kind = (trace.ending.error or {}).get("type")
    if kind == "JSONDecodeError":
        return _("One bit alone, or a call that was cut off, is not JSON. Read it last, and only after tool_use.")
    if kind == "AttributeError":
        return _(
            "Not every event has a delta, and not every delta has text: look at event.type and event.delta.type first."
        )
    return _("Events of kinds that you don't need can be left out.")


def exercise_3(answer: Any) -> Verdict:
    """A loop on a stream that asks again after a stream that failed, and gives up in the end."""
    fault = no_such_function(answer, "steady_loop(client, messages)")
    if fault is not None:
        return fault
    return verdict_on_broken_streams(answer) or Verdict(
        True,
        _("Your loop came to the model's own end although its streams failed once or twice, and gave up after three."),
        _("It took no half reply, ran no tool of one, and did not try for ever."),
    )
