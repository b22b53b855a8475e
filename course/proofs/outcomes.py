"""What came of a run: one of the outcomes that banks name, found in its requests and in what their replies brought."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from course.proofs.blocks import blocks, call_ids, clean, ids, replies_blocks, results_of, turns
from course.proofs.replies import News
from course.quiz.proof_forms import Outcome
from course.trace import Trace
from course.trace.events import Exchange

__all__ = ["Asked", "Run", "Story", "error_text", "final_messages", "last_attempts", "outcome", "text_of"]

CUT = ("max_tokens", "model_context_window_exceeded", "refusal", None)  # a call in such a reply must not be run
ENDS = ("end_turn", "stop_sequence")
Messages = list[Any]


@dataclass(frozen=True)
class Asked:
    """A request and what came of it: a reply as the API's JSON, or None if there is none.

    lost: there is no reply, and it was not refused: the API was overloaded, the connection broke.
    """

    messages: Messages
    reply: Any
    max_tokens: Any = None
    lost: bool = False


@dataclass(frozen=True)
class Story:
    """What an outcome follows from.

    ending: "returned", "raised", "fuse" or "interrupted". final: `messages` at the end. ran: the ids of the calls that were
    run. news: what each reply brought; empty where the world is a scenario's. wanted: the task's answer, where it has one.
    """

    asked: tuple[Asked, ...]
    final: Messages
    ending: str = "returned"
    ran: frozenset[str] = frozenset()
    news: Sequence[News] = ()
    wanted: str | None = None

    @property
    def answered(self) -> list[Asked]:
        """The requests that were not refused."""
        return [each for each in self.asked if each.reply is not None]


@dataclass(frozen=True)
class Run:
    """A recorded run. news, wanted: as in Story."""

    trace: Trace
    news: Sequence[News] = ()
    wanted: str | None = None

    @cached_property
    def story(self) -> Story:
        trace = self.trace
        asked = [
            Asked(
                _dicts(trace.messages_at(exchange.messages)),
                None if exchange.error is not None else exchange.reply,
                trace.params[exchange.params].get("max_tokens"),
                lost=exchange.error is not None and not 400 <= (exchange.status or 0) < 500,
            )
            for exchange in last_attempts(trace)
        ]
        ran = frozenset(str(step.tool.tool_use_id) for step in trace.steps if step.tool is not None)
        final = _dicts(final_messages(trace))
        return Story(tuple(asked), final, trace.ending.kind, ran, self.news, self.wanted)

    @property
    def outcome(self) -> Outcome:
        """What came of it."""
        return outcome(self.story)


def outcome(story: Story) -> Outcome:
    """What came of a run. Where several hold, the first in this order: it is what went wrong first or worst."""
    if story.ending in ("fuse", "interrupted"):
        return Outcome.RUNAWAY
    if not story.asked:
        return Outcome.NEVER_RAN if story.ending == "returned" else Outcome.RAISED
    if ran_cut_call(story):
        return Outcome.RAN_CUT_CALL
    last = story.asked[-1]
    if last.reply is None and not last.lost:
        return Outcome.REFUSED
    if story.ending == "raised":
        return Outcome.RAISED
    return Outcome.STOPPED_EARLY if last.reply is None else _of_a_return(story, last.reply)


def _of_a_return(story: Story, last: Any) -> Outcome:
    if kept_refusal(story):
        return Outcome.KEPT_REFUSAL
    if brought_nothing(story):
        return Outcome.ASKED_AGAIN
    if last["stop_reason"] == "refusal":
        return Outcome.DECLINED
    if last["stop_reason"] not in ENDS:
        return Outcome.STOPPED_EARLY
    if not last["content"]:
        return Outcome.EMPTY_ANSWER
    if story.wanted is not None and text_of(last).strip() not in story.wanted:
        return Outcome.WRONG_ANSWER
    if changed_turn(story):
        return Outcome.CHANGED_TURN
    return Outcome.SPLIT_RESULTS if split_results(story) else Outcome.ANSWERED


def text_of(reply: Any) -> str:
    """The text of a reply."""
    return "".join(str(block.get("text", "")) for block in blocks(reply))


def last_attempts(trace: Trace) -> list[Exchange]:
    """The requests, each as it went in the end: without those that the SDK sent once more by itself."""
    return list({exchange.number: exchange for exchange in trace.exchanges}.values())


def final_messages(trace: Trace) -> Messages:
    """`messages` at the end of a run, or those of the last request if the loop had no such list."""
    end = trace.messages_at(trace.steps[-1].messages)
    if end or not trace.exchanges:
        return end
    return trace.messages_at(trace.exchanges[-1].messages)


def error_text(trace: Trace) -> str:
    """The text of the API's last error, or of what Python raised; empty if there was none."""
    errors = [exchange.error["message"] for exchange in last_attempts(trace) if exchange.error is not None]
    return errors[-1] if errors else (trace.ending.error or {}).get("message", "")


def ran_cut_call(story: Story) -> bool:
    """Whether a tool ran for a call that was cut off, or a request holds a result for it that is no error."""
    cut = _calls_of(each.reply for each in story.answered if each.reply["stop_reason"] in CUT)
    cut -= _calls_of(each.reply for each in story.answered if each.reply["stop_reason"] not in CUT)  # the same, whole
    given = {
        id for each in story.asked for id, result in results_of(each.messages).items() if not result.get("is_error")
    }
    return bool(cut & (story.ran | given))


def _calls_of(replies: Iterable[Any]) -> set[str]:
    return {id for reply in replies for id in call_ids(reply["content"])}


def kept_refusal(story: Story) -> bool:
    """Whether a turn that was refused stands in `messages` at the end, or in a later request."""
    for number, each in enumerate(story.asked):
        if each.reply is None or each.reply["stop_reason"] != "refusal":
            continue
        refused = _cleaned(each.reply["content"])
        before = _assistants(each.messages).count(refused)
        later = [*(other.messages for other in story.asked[number + 1 :]), story.final]
        if any(_assistants(messages).count(refused) > before for messages in later):
            return True
    return False


def brought_nothing(story: Story) -> bool:
    """Whether a request brought nothing new: the same reply again, or that there is no more to say.

    A stream that was cut may be asked for again.
    """
    if story.news:
        before = [None, *story.answered]
        after_whole = [news for each, news in zip(before, story.news, strict=False) if each is None or _is_whole(each)]
        return any(news in ("again", "no_more") for news in after_whole)
    pairs = pairwise((each.messages, each.max_tokens) for each in story.answered if _is_whole(each))
    return any(before == after for before, after in pairs)


def _is_whole(asked: Asked) -> bool:
    return asked.reply["stop_reason"] is not None


def changed_turn(story: Story) -> bool:
    """Whether a reply with calls went back into `messages` other than it came."""
    for before, after in pairwise(story.answered):
        reply = before.reply["content"]
        own = ids([{"content": reply}])
        for role, turn in turns(after.messages):
            if role == "assistant" and own & ids([{"content": turn}]) and not replies_blocks(turn, reply):
                return True
    return False


def split_results(story: Story) -> bool:
    """Whether the results of one turn's calls went back in several user messages."""
    return any(_has_result(before) and _has_result(after) for before, after in pairwise(story.answered[-1].messages))


def _has_result(message: dict[str, Any]) -> bool:
    return any(block.get("type") == "tool_result" for block in blocks(message))


def _assistants(messages: Messages) -> list[Any]:
    """The content of each assistant message, for comparing."""
    return [_cleaned(blocks(message)) for message in messages if message.get("role") == "assistant"]


def _cleaned(content: Any) -> list[Any]:
    return [clean(block) for block in content]


def _dicts(messages: Messages) -> list[dict[str, Any]]:
    return [message for message in messages if isinstance(message, dict)]
