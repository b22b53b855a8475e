"""The two lists of names that every item draws on: what it drills, and what a wrong option believes.

The names are written in banks and in learners' records: they never change. Their sentences may, and are translated.
"""

from __future__ import annotations

from dataclasses import dataclass

from course.words import _

__all__ = ["FocusPoint", "focus_points", "misconceptions", "objectives"]


@dataclass(frozen=True)
class FocusPoint:
    """One of the five points of the exam's objective on agentic loops, and the parts that items name."""

    name: str
    title: str
    parts: dict[str, str]


def focus_points() -> tuple[FocusPoint, ...]:
    """The five focus points, in the reader's language. An item's `objective` is `name/part`."""
    return (
        FocusPoint(
            "stop-reason",
            _("Given a stop_reason, choose what the loop does"),
            {
                "go-on": _("tool_use: run the tools and ask again"),
                "finish": _("end_turn and stop_sequence: the answer is complete"),
                "cut-off": _("max_tokens and a full context window: the answer is not complete"),
                "pause": _("pause_turn: send the turn back as it is"),
                "refusal": _("refusal: show it, and leave that turn out"),
                "no-reason": _("an error, a stream that was cut, or a value that the loop does not know"),
            },
        ),
        FocusPoint(
            "messages",
            _("Say what changes in messages between two requests"),
            {
                "memory": _("the model sees messages and nothing else"),
                "both-turns": _("the assistant turn, then the user turn with its results"),
                "pairing": _("one result for each call, with its id"),
                "order": _("results first, in one turn"),
            },
        ),
        FocusPoint(
            "agent-or-workflow",
            _("Tell the model's decisions from a decision tree, and choose for a task"),
            {
                "who-decides": _("who decides the next step: the model or your code"),
                "choose": _("the simplest design that does the task"),
            },
        ),
        FocusPoint(
            "anti-patterns",
            _("Spot the anti-pattern in code"),
            {
                "prose-ending": _("reading the model's prose to decide whether to stop"),
                "counted-ending": _("a fixed number of rounds as the way out"),
                "text-ending": _("text in a reply taken for its end"),
                "dropped-turn": _("results without the assistant turn before them"),
                "text-after-results": _("text after the results in the same turn"),
                "pause-ending": _("pause_turn taken for the end"),
                "cut-call": _("a call that was cut off, run or asked for again with the same limit"),
                "fixed-order": _("a fixed order of tools called an agent"),
            },
        ),
        FocusPoint(
            "fuses",
            _("Know that limits on turns and on cost are fuses"),
            {
                "limits": _("what max_turns and max_budget_usd do, and what they don't"),
                "result": _("what a run that hit a limit returns"),
            },
        ),
    )


def objectives() -> dict[str, str]:
    """Every `name/part` that an item may name, and what it means."""
    return {f"{point.name}/{part}": text for point in focus_points() for part, text in point.parts.items()}


def misconceptions() -> dict[str, str]:
    """What a wrong option believes: name and sentence."""
    return {
        "text-means-done": _("If a reply holds text, it is the final answer."),
        "words-mean-done": _("The wording of a reply says whether the work is done."),
        "count-means-done": _("After enough rounds, the work is done."),
        "only-end-turn-ends": _("Every reply that is not end_turn asks for another round."),
        "tool-use-is-the-end": _("tool_use means that the work of this run is done."),
        "cut-is-complete": _("A reply that was cut off can be used as it is."),
        "cut-call-is-complete": _("A call that was cut off can be run with what came."),
        "same-limit-again": _("What was too long once will fit the next time."),
        "pause-is-end": _("pause_turn means that the model has finished."),
        "any-turn-goes-on": _("Any turn goes on where it stopped when it is sent back as it is."),
        "make-up-result": _("A missing result may be made up by the loop."),
        "refusal-is-error": _("A refusal is a fault that goes away when the request is sent again."),
        "refusal-is-answer": _("A refused turn is an answer like any other and stays in messages."),
        "error-has-reason": _("A request that failed has a stop_reason too."),
        "every-error-passes": _("Whatever failed will work when it is sent again."),
        "model-remembers": _("The model remembers earlier requests by itself."),
        "stop-sequence-is-cut": _("A reply that met a stop sequence is not complete."),
        "empty-is-cut": _("An empty reply was cut off."),
        "reason-acts-alone": _("stop_reason has an effect even where the code does not read it."),
        "model-runs-code": _("The model runs the tools itself."),
        "result-arrives-by-itself": _("What a tool returns reaches the model by itself."),
        "max-tokens-is-memory": _("max_tokens is how much the model can remember."),
        "block-is-message": _("Each content block is a message of its own."),
        "reply-is-message": _("A reply goes into messages whole, with all its fields."),
        "roles-must-alternate": _("The API refuses two user turns in a row."),
        "results-are-enough": _("The results alone are enough; the model knows what it asked for."),
        "call-is-enough": _("The assistant turn alone is enough; the results need not go back."),
        "one-result-is-enough": _("One result stands for all calls of a turn."),
        "ids-do-not-matter": _("The API matches results to calls by their order or their name."),
        "results-as-text": _("A result can go back as plain text."),
        "result-role": _("A tool's result has a role of its own, or belongs to the assistant."),
        "one-turn-per-result": _("Each result goes back in a turn or a request of its own."),
        "guide-after-results": _("A hint after the results helps the model."),
        "order-is-free": _("Text may stand anywhere among the results."),
        "failure-ends-the-run": _("A tool that failed ends the run."),
        "rewrite-history": _("Old turns may be changed or dropped freely between requests."),
        "always-agent": _("An agent is better than a workflow."),
        "always-workflow": _("What must be reliable can't be decided by a model."),
        "tools-make-agent": _("A program that calls a model and tools is an agent."),
        "branch-makes-agent": _("A program in which the model picks a branch is an agent."),
        "size-makes-agent": _("Many steps or a long prompt make an agent."),
        "loop-makes-agent": _("A loop around a model is an agent."),
        "code-makes-workflow": _("A check or a limit in code makes an agent a workflow."),
        "prompt-fixes-order": _("Steps that stand in the prompt are done in that order."),
        "limit-is-way-out": _("A limit on turns is how a loop ends."),
        "limit-is-completion": _("A run that hit its limit has done its work."),
        "limit-makes-better": _("A higher or lower limit makes the model work better."),
        "limit-undoes-work": _("What a run did before it hit its limit is undone or lost."),
        "limit-always-raises": _("Every limit that is reached raises an exception."),
        "model-knows-limit": _("The model knows the limit and finishes in time."),
        "budget-is-exact": _("A budget stops a run before it costs more than the limit."),
        "turn-is-call": _("A limit on turns counts the calls of tools."),
        "wrong-tool-for-limit": _("max_tokens limits the rounds of a loop, or its cost."),
    }
