"""How an item says that its key can be proved: plain data. What runs it stands in course/proofs/.

Outcomes and claims are names that banks write; they never change, and a new one needs the code that finds it out.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, model_validator

from course.words import _

__all__ = ["CLAIMS", "Claim", "Outcome", "Predict", "Proof", "Try", "outcomes"]


class Outcome(str, Enum):
    """What comes of doing an option, or of running code."""

    ANSWERED = "answered"
    STOPPED_EARLY = "stopped_early"
    REFUSED = "refused"
    RUNAWAY = "runaway"
    RAN_CUT_CALL = "ran_cut_call"
    CHANGED_TURN = "changed_turn"
    SPLIT_RESULTS = "split_results"
    ASKED_AGAIN = "asked_again"
    KEPT_REFUSAL = "kept_refusal"
    DECLINED = "declined"
    EMPTY_ANSWER = "empty_answer"
    WRONG_ANSWER = "wrong_answer"
    RAISED = "raised"
    NEVER_RAN = "never_ran"


def outcomes() -> dict[Outcome, str]:
    """Each outcome in a sentence, in the reader's language."""
    return {
        Outcome.ANSWERED: _("The task was done and its answer came."),
        Outcome.STOPPED_EARLY: _("The loop stopped while the work was not done."),
        Outcome.REFUSED: _("The API refused a request."),
        Outcome.RUNAWAY: _("The loop did not end; a fuse ended it."),
        Outcome.RAN_CUT_CALL: _("A call that was cut off was run."),
        Outcome.CHANGED_TURN: _("The answer came, but the model's turn did not go back as it was."),
        Outcome.SPLIT_RESULTS: _("The answer came, but the results went back in several turns."),
        Outcome.ASKED_AGAIN: _("A request went out that brought nothing new."),
        Outcome.KEPT_REFUSAL: _("The refused turn stayed in messages."),
        Outcome.DECLINED: _("The refusal was returned, and the refused turn was left out."),
        Outcome.EMPTY_ANSWER: _("The answer is empty."),
        Outcome.WRONG_ANSWER: _("An answer came, but not the one that the task has."),
        Outcome.RAISED: _("Python raised an exception."),
        Outcome.NEVER_RAN: _("No request was sent."),
    }


# What an option can claim about a run: the key, and what its value says.
CLAIMS: dict[str, str] = {
    "outcome": "one of the outcomes",
    "requests": "how many requests were sent",
    "tool_runs": "how many times a tool was run",
    "tools_run": "the names of the tools that were run, in order",
    "stop_reasons": "the stop_reason of each reply, in order",
    "messages": "how many entries messages has at the end",
    "roles": "the role of each entry of messages at the end",
    "sent": "how many entries messages had in each request, in order",
    "max_tokens": "the limit of each request, in order",
    "system": "the system prompt of each request, in order; null where there is none",
    "answer": "a part of the text of the last reply",
    "status": "the HTTP status of the last response",
    "says": "a part of the API's error text",
    "raises": "the name of the exception's class; null if nothing was raised",
    "order_depends_on_model": "true if the tools run in another order for another task",
    "subtype": "ResultMessage.subtype of the Agent SDK",
    "is_error": "ResultMessage.is_error of the Agent SDK",
    "terminal_reason": "ResultMessage.terminal_reason of the Agent SDK",
    "num_turns": "ResultMessage.num_turns of the Agent SDK",
    "stop_reason": "ResultMessage.stop_reason of the Agent SDK",
    "errors": "a part of the texts in ResultMessage.errors of the Agent SDK",
}


def _has_known_claims(claim: dict[str, JsonValue]) -> dict[str, JsonValue]:
    for name in claim:
        if name not in CLAIMS:
            known = _("Known claims: {names}.").format(names=", ".join(CLAIMS))
            raise ValueError(_('"{name}" is not a known claim.').format(name=name), known)
    return claim


Claim = Annotated[dict[str, JsonValue], Field(min_length=1), AfterValidator(_has_known_claims)]
Name = Annotated[str, Field(pattern=r"^[a-z0-9_]+$", description='Write "own", or the name of a scenario.')]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class _Running(_Strict):
    """How something is run.

    around: the code in which the item's code stands, in place of `...`; it is not shown.
    faults: what goes wrong on the way, by the names of course/offline/faults.py, or `stream_broken`. fuse: after how many
    requests a run is ended.
    For `own`: whole: the content of the reply that was cut off. answer: the text of the answer in the end. max_tokens: the
    limit of the first request.
    """

    around: str | None = None
    faults: tuple[str, ...] = ()
    fuse: Annotated[int, Field(ge=1, le=100)] = 12
    whole: tuple[dict[str, JsonValue], ...] | None = None
    answer: str | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None


class Try(_Running):
    """Each option is done. task: a scenario of the offline model, or `own`: a world made from the item's response.

    goal: what the right option must give. gives: for the kind line, what the code gives as it stands.
    """

    task: Name
    goal: Outcome | None = None
    gives: Outcome | None = None


class Predict(_Running):
    """Something is run (for each of `tasks`), and each option claims something about the run.

    What is run: the item's `code`; if it has none, `around` alone, or else its `messages` are sent; or the Agent SDK or the SDK's
    tool runner with these settings. If the options bring code of their own, each claims something about its own run.
    """

    task: Name | None = None
    tasks: Annotated[tuple[Name, ...], Field(min_length=2)] | None = None
    agent_sdk: dict[str, JsonValue] | None = None
    tool_runner: dict[str, JsonValue] | None = None

    @model_validator(mode="after")
    def _says_what_to_run(self) -> Predict:
        if (self.task is None) == (self.tasks is None):
            raise ValueError(_("The proof needs one of task and tasks."), _('Write "task: name".'))
        if self.agent_sdk is not None and self.tool_runner is not None:
            raise ValueError(_("The proof runs two things."), _("Keep one of agent_sdk and tool_runner."))
        return self


class Proof(_Strict):
    """One of three: the options are done, or they predict a run, or there is no proof, and here is why (`none`).

    refused: the API refuses the item's messages, and its error holds this text. Without it they must be accepted.
    """

    try_: Try | None = Field(default=None, alias="try")
    predict: Predict | None = None
    none: Annotated[str, Field(pattern=r"\S", description="Write why.")] | None = None
    refused: Annotated[str, Field(pattern=r"\S", description="Quote the error.")] | None = None

    @model_validator(mode="after")
    def _is_one_of_three(self) -> Proof:
        if [self.try_, self.predict, self.none].count(None) != 2:
            raise ValueError(_("A proof is one of three."), _("Write one of try, predict and none."))
        return self
