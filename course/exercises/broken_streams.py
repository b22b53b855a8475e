"""Judges a loop on a stream whose streams fail."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from course.exercises.exercise import Verdict
from course.exercises.runs import FUSE, offline, verdict_on_ending, verdict_on_value
from course.offline.faults import Fault, stream_cut, stream_error
from course.offline.scenario import load_scenario
from course.trace import Trace, record
from course.words import _, ngettext

__all__ = ["verdict_on_broken_streams"]

TASK = "list_then_read"
ATTEMPTS = 3  # that the loop may make for one reply


def verdict_on_broken_streams(answer: Callable[..., Any]) -> Verdict | None:
    """What is wrong with a loop that should ask up to three times for each reply; None if nothing is."""
    broken = stream_cut(cleanly=False)
    for what, faults in {
        _("no fault"): (),
        _("each stream ends early, once"): (stream_cut(),),
        _("each connection breaks, once"): (broken,),
        _("an error event in each stream, once"): (stream_error(),),
        _("each stream fails twice"): (stream_error(), stream_cut()),
    }.items():
        trace = _steady_run(answer, *faults)
        verdict = _numbers(trace) or _half_reply_kept(trace) or _not_caught(trace)
        verdict = verdict or verdict_on_ending(trace) or verdict_on_value(trace)
        if verdict is not None:
            return _with_fault(what, verdict, trace)
    for what, fault in {
        _("every stream ends early"): stream_cut(times=None),
        _("every connection breaks"): stream_cut(times=None, cleanly=False),
        _("an error event in every stream"): stream_error(times=None),
    }.items():
        trace = _steady_run(answer, fault)
        verdict = _did_not_give_up(trace)
        if verdict is not None:
            return _with_fault(what, verdict, trace)
    return None


def _steady_run(answer: Any, *faults: Fault) -> Trace:
    messages = [{"role": "user", "content": load_scenario(TASK).prompt}]
    return record(answer, offline(TASK, faults=faults), messages, fuse=FUSE)


def _with_fault(what: str, verdict: Verdict, trace: Trace) -> Verdict:
    happened = _("With this: {what}. {happened}").format(what=what, happened=verdict.happened)
    return Verdict(False, happened, verdict.matters, trace)


def _numbers(trace: Trace) -> Verdict | None:
    """The verdict on a loop that asks again with the same number: offline, the fault then stays."""
    sent = [(exchange.messages, exchange.attempt) for exchange in trace.exchanges]
    if any(earlier == later for earlier, later in pairwise(sent)):
        return Verdict(
            False,
            _("The loop asked again with the same attempt number."),
            _("Give ask_once the next number each time: 0, 1, 2. The offline model sees in it when a fault is over."),
        )
    return None


def _half_reply_kept(trace: Trace) -> Verdict | None:
    """The verdict on a loop whose retry is refused, because a reply that failed stands in messages."""
    refused = next((exchange for exchange in trace.exchanges if exchange.status == 400), None)
    if refused is None:
        return None
    return Verdict(
        False,
        _("The next attempt was refused with a 400: {message}").format(message=(refused.error or {}).get("message")),
        _("A reply that failed is thrown away. Leave messages as it is, and ask again."),
    )


def _not_caught(trace: Trace) -> Verdict | None:
    """The verdict on a loop that ended with the exception of a failed stream."""
    kind = (trace.ending.error or {}).get("type", "")
    last = trace.exchanges[-1] if trace.exchanges else None
    if last is None or last.status != 200 or kind not in ("APIStatusError", "RemoteProtocolError"):
        return None
    return Verdict(
        False,
        _("The stream failed with {type}, and nothing caught it.").format(type=kind),
        _(
            "Catch both: httpx2.TransportError (the connection) and anthropic.APIStatusError (an error event). Then ask again."
        ),
    )


def _did_not_give_up(trace: Trace) -> Verdict | None:
    sent = len(trace.exchanges)
    if trace.ending.kind == "fuse":
        return Verdict(
            False,
            _("The loop did not give up. The fuse of this check ended it."),
            _("Three attempts for one reply, then raise an error."),
        )
    if trace.ending.kind != "raised":
        return Verdict(
            False,
            ngettext(
                "After {count} request the loop returned {value}.",
                "After {count} requests the loop returned {value}.",
                sent,
            ).format(count=sent, value=trace.ending.value),
            _("No reply ever came whole. Whoever calls the loop must learn that: raise an error."),
        )
    if sent != ATTEMPTS:
        return Verdict(
            False,
            _("It sent {count} requests before it gave up, not {attempts}.").format(count=sent, attempts=ATTEMPTS),
            _("One attempt and two more. The failure may be over a moment later, but it need not."),
        )
    return None
