"""What a loop does wrong with a reply that `max_tokens` cut off, other than to stop there."""

from __future__ import annotations

from course.exercises.exercise import Verdict
from course.trace import Trace
from course.words import _

__all__ = ["ran_a_cut_call", "same_limit_again"]


def ran_a_cut_call(trace: Trace) -> Verdict | None:
    """The verdict on a loop that ran a tool of a reply that was cut off; None if it ran none."""
    reason = None
    for step in trace.steps:
        if step.exchange is not None:
            reason = (step.exchange.reply or {}).get("stop_reason")
        if step.tool is not None and reason == "max_tokens":
            return Verdict(
                False,
                _("the reply was cut off by max_tokens, and the loop ran {name}({given}) all the same.").format(
                    name=step.tool.name, given=step.tool.input
                ),
                _("What came of that call is not what the model meant. Look at stop_reason before you run anything."),
            )
    return None


def same_limit_again(trace: Trace) -> Verdict | None:
    """The verdict on a loop that asks again without a larger limit, or raises it too little; None if it does neither."""
    limits = [trace.request_body(exchange)["max_tokens"] for exchange in trace.exchanges]
    reasons = [(exchange.reply or {}).get("stop_reason") for exchange in trace.exchanges]
    for reason, before, after in zip(reasons, limits, limits[1:], strict=False):
        if reason == "max_tokens" and after <= before:
            return Verdict(
                False,
                _("a reply was cut off at {before} tokens, and the next request allowed {after}.").format(
                    before=before, after=after
                ),
                _("It is cut off again, and paid for again. Ask with a larger max_tokens."),
            )
    if trace.ending.kind == "fuse" and reasons[-1:] == ["max_tokens"]:
        return Verdict(
            False,
            _("after {count} requests the limit had grown to {limit}, and the reply was still cut off.").format(
                count=len(limits), limit=limits[-1]
            ),
            _("Each reply that is cut off is paid for. Double the limit each time."),
        )
    return None
