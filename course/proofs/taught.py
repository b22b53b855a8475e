"""Which of the six actions the course's own loop did on the first reply."""

from __future__ import annotations

from course.proofs.outcomes import Asked, Run
from course.stop_reasons import Action

__all__ = ["taught_action"]


def taught_action(run: Run) -> Action | None:
    """The action, read from the requests of a run of `run_loop`. None: it did something that is none of the six."""
    asked = run.story.asked
    first = asked[0]
    if len(asked) > 1:
        return _by_second_request(first, asked[1])
    if run.trace.ending.kind != "returned" or first.reply is None:
        return None
    if len(run.story.final) > len(first.messages):
        return Action.FINISH
    # The loop returns the reply and leaves its turn out: what is done then is its caller's part.
    caller = {"refusal": Action.SHOW_REFUSAL, "model_context_window_exceeded": Action.SHORTEN}
    return caller.get(first.reply["stop_reason"])


def _by_second_request(first: Asked, second: Asked) -> Action | None:
    new = tuple(message.get("role") for message in second.messages[len(first.messages) :])
    if not new and second.max_tokens > first.max_tokens:
        return Action.GET_THE_REST
    return {("assistant",): Action.SEND_BACK, ("assistant", "user"): Action.RUN_TOOLS}.get(new)
