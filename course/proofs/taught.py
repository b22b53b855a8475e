"""Which of the six actions a run of the course's own loop did on the first reply."""

from __future__ import annotations

from course.proofs.outcomes import Run
from course.stop_reasons import Action

__all__ = ["taught_action"]


def taught_action(run: Run) -> tuple[Action | None, str]:
    """The action, and what the loop did in words. None: it did something that is none of the six."""
    asked = run.story.asked
    first = asked[0]
    if len(asked) > 1:
        second = asked[1]
        new = second.messages[len(first.messages) :]
        roles = [message.get("role") for message in new]
        if not new:
            return (Action.GET_THE_REST, "asks again with a larger limit") if second.max_tokens > first.max_tokens else (
                None, "asks the same again")  # fmt: skip
        if roles == ["assistant"]:
            return Action.SEND_BACK, "sends the turn back"
        if roles == ["assistant", "user"]:
            return Action.RUN_TOOLS, "runs the tools"
        return None, "asks the model to go on"
    if run.trace.ending.kind != "returned" or first.reply is None:
        return None, "stops with an error"
    if len(run.story.final) > len(first.messages):
        return Action.FINISH, "returns the reply as the answer"
    # The loop returns the reply and leaves its turn out: what then is done is its caller's part.
    caller = {"refusal": Action.SHOW_REFUSAL, "model_context_window_exceeded": Action.SHORTEN}
    return caller.get(first.reply["stop_reason"]), "returns the reply and leaves its turn out"
