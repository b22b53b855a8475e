"""What every `stop_reason` means for a loop: one table of facts.

Values: the SDK's own type (`anthropic.types.StopReason`, and `BetaStopReason` for `compaction`); a test compares them, so that
a new value fails. Meanings: https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons, read in November 2026.

`stop_reason` belongs to a successful response. An error (4xx, 5xx) has none. In a stream it arrives in `message_delta`; a
stream that was cut before that event leaves it None, and None is never an ending.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from course.words import _

__all__ = ["Action", "StopReasonFact", "actions", "describe", "fact", "table"]


class Action(str, Enum):
    """What a loop does next. The values are what question banks write."""

    RUN_TOOLS = "run_tools"
    FINISH = "finish"
    GET_THE_REST = "get_the_rest"
    SEND_BACK = "send_back"
    SHOW_REFUSAL = "show_refusal"
    SHORTEN = "shorten"


def actions() -> dict[Action, str]:
    """Each action in a sentence, in the reader's language."""
    return {
        Action.RUN_TOOLS: _(
            "Append the assistant turn, run every tool_use block, append one user turn with one tool_result per id, "
            "and ask again."
        ),
        Action.FINISH: _("Stop: the answer is complete. Return it."),
        Action.GET_THE_REST: _(
            "The reply was cut off. Run none of its tools. Raise max_tokens and ask again, or say that it is incomplete."
        ),
        Action.SEND_BACK: _("Append the assistant turn unchanged, add nothing to it, and ask again."),
        Action.SHOW_REFUSAL: _(
            "Show the refusal, read stop_details, and do not go on with the refused turn in messages."
        ),
        Action.SHORTEN: _("The context window is full. Shorten or compact messages before asking again."),
    }


@dataclass(frozen=True)
class StopReasonFact:
    """One row: the value, when it comes, what `content` holds, what the loop does.

    scope: "exam" if the certification exam can ask for it, "production" if only real programs meet it.
    beta: only the beta endpoint sends it.
    """

    value: str
    when: str
    content: str
    action: Action
    scope: Literal["exam", "production"] = "exam"
    beta: bool = False


def table() -> tuple[StopReasonFact, ...]:
    """All values, in the order in which the course meets them, in the reader's language."""
    return (
        StopReasonFact(
            "tool_use",
            _("The model asks for one or more of your tools."),
            _("Perhaps text, then one or more tool_use blocks."),
            Action.RUN_TOOLS,
        ),
        StopReasonFact(
            "end_turn",
            _("The model has finished its answer."),
            _("Text, as a rule. It can be empty after tool results that had text after them."),
            Action.FINISH,
        ),
        StopReasonFact(
            "stop_sequence",
            _("One of your stop_sequences came up."),
            _("The text before it. The field stop_sequence names which one."),
            Action.FINISH,
        ),
        StopReasonFact(
            "max_tokens",
            _("The reply reached the max_tokens of the request."),
            _("Text that is cut off, or a last tool_use block with an incomplete input."),
            Action.GET_THE_REST,
        ),
        StopReasonFact(
            "pause_turn",
            _("A server tool (web search, for example) reached the limit of its own loop."),
            _("Text and server tool blocks so far. No tool of yours waits for a result."),
            Action.SEND_BACK,
        ),
        StopReasonFact(
            "refusal",
            _("The model, or a safety check, declined to answer."),
            _("Nothing, or a part of an answer to throw away. stop_details says why."),
            Action.SHOW_REFUSAL,
        ),
        StopReasonFact(
            "model_context_window_exceeded",
            _("The reply filled the context window before it reached max_tokens."),
            _("A reply that is cut off, but valid."),
            Action.SHORTEN,
        ),
        StopReasonFact(
            "compaction",
            _("The API compacted the conversation and paused, as the request asked it to."),
            _("One compaction block: the summary that now stands for the history."),
            Action.SEND_BACK,
            scope="production",
            beta=True,
        ),
    )


def fact(value: str | None) -> StopReasonFact | None:
    """The row of a value; None for a value that the table does not know (and for None: a stream that was cut)."""
    return next((row for row in table() if row.value == value), None)


def describe(value: str | None) -> str:
    """When this value comes, in one sentence, in the reader's language."""
    row = fact(value)
    if row is not None:
        return row.when
    if value is None:
        return _("There is no stop_reason: the reply did not come to its end.")
    return _("This course does not know this stop_reason. A loop should stop here and say so.")
