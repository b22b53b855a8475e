"""What the model of an item's own world says next: a function of the request, of the first request, and of the item.

The first request gets the item's response. What a later one gets follows from what its messages hold beyond the first:

    tool_use      every call answered, results first -> the answer; text behind the results -> an empty end_turn
    pause_turn, compaction      the turn sent back -> the answer
    max_tokens    a larger limit -> the whole reply; the cut text with a user turn behind it -> the rest
    refusal       the task is gone -> an answer
    model_context_window_exceeded      a shorter history -> the answer
    an end        a new question behind the turn -> an answer; anything else: there is no more to say
    nothing of this      the same response again
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from course.offline import tokens
from course.proofs.blocks import blocks, call_ids, copied, every_block, ids, results_of, texts, turns
from course.proofs.setting import Setting

__all__ = ["Draft", "News", "first_reply", "next_reply"]

# What a reply brought: the response of the item, the same again, the answer, nothing (an empty turn), the whole of what was
# cut, the rest of it, or that there is no more to say.
News = Literal["response", "again", "answer", "empty", "whole", "rest", "no_more"]

ENDS = ("end_turn", "stop_sequence")
REST = "... and this is the rest."
NO_MORE = "There is no more: the answer above is complete."
_GO_ON = re.compile(
    r"\W*(?:(?:please|ok|okay|yes|now|and)\W+)*(?:continue|go on|keep going|carry on|proceed|resume)\b", re.I
)


@dataclass(frozen=True)
class Draft:
    """A reply without ids, model and usage, and what it brought."""

    news: News
    content: list[dict[str, Any]]
    stop_reason: str | None = "end_turn"
    more: Mapping[str, Any] | None = None  # further fields: stop_sequence, stop_details, ...


def first_reply(setting: Setting) -> Draft:
    """The reply to the first request."""
    return _answer(setting) if setting.response is None else _response(setting, "response")


def next_reply(setting: Setting, first: Mapping[str, Any], body: Mapping[str, Any]) -> Draft:
    """The reply to a later request. first: the body of the first one. Both keep every rule."""
    now = _Now(setting, first, body)
    if setting.response is None or now.said(setting.answer):
        return _no_more(now)
    if now.new_calls and not now.calls_failed:
        return _after_results(now)
    if setting.reason in ("pause_turn", "compaction"):
        return _answer(setting) if now.sent_back else _response(setting, "again")
    if setting.reason == "max_tokens" or setting.reason is None:
        return _after_cut(now)
    if setting.reason == "model_context_window_exceeded":
        return _answer(setting) if now.shorter else _response(setting, "again")
    if setting.reason == "refusal":
        return _response(setting, "again") if now.task_is_there else _answer(setting)
    if setting.reason in ENDS:
        return _after_end(now)
    return _response(setting, "again")


class _Now:
    """What a request holds beyond the first."""

    def __init__(self, setting: Setting, first: Mapping[str, Any], body: Mapping[str, Any]) -> None:
        self.setting = setting
        self.first: list[Any] = first["messages"]
        self.messages: list[Any] = body["messages"]
        self.larger = body["max_tokens"] > first["max_tokens"]
        old = set(call_ids(every_block(self.first)))
        self.new_calls = [id for id in call_ids(every_block(self.messages)) if id not in old]
        results = results_of(self.messages)
        self.calls_failed = all(
            results.get(id, {}).get("is_error") for id in self.new_calls
        ) and setting.reason not in ("tool_use",)
        self.last_role, self.last_turn = turns(self.messages)[-1]

    def said(self, text: str) -> bool:
        """Whether the model's turns hold this text, and the first request did not."""
        return text in texts(self.messages, "assistant")[len(texts(self.first, "assistant")) :]

    @property
    def sent_back(self) -> bool:
        """Whether the history holds the response, of which a part is enough: the outcome tells if it was changed."""
        own = ids([{"content": self.setting.content}])
        kinds = {block.get("type") for block in every_block(self.messages)}
        if self.setting.reason == "compaction":
            return "compaction" in kinds
        return bool(own & ids(self.messages)) or (not own and len(self.messages) > len(self.first))

    @property
    def shorter(self) -> bool:
        return tokens.count_request({"messages": self.messages}) < tokens.count_request({"messages": self.first})

    @property
    def task_is_there(self) -> bool:
        """Whether a text of the user's last turn, or its beginning, is still there: what came before it was answered."""
        there = texts(self.messages, "user")
        asked = texts(self.first[-1:], "user") or texts(self.first, "user")
        return any(new[:40] and old.startswith(new[:40]) for old in asked for new in there)

    @property
    def nudged(self) -> bool:
        """Whether the last message is a request to go on, and nothing else."""
        said = [str(block.get("text")) for block in blocks(self.messages[-1])]
        return len(said) == 1 and _GO_ON.match(said[0]) is not None

    @property
    def user_spoke(self) -> str | None:
        """What the user said behind the response; None if the response is not there, or nothing stands behind it."""
        spoken = self.setting.content[-1].get("text") if self.setting.content else None
        if self.last_role != "user" or (spoken is not None and not self.said(spoken)):
            return None
        new = texts(self.messages, "user")[len(texts(self.first, "user")) :]
        return "\n".join(new) or None


def _after_results(now: _Now) -> Draft:
    """A call was answered. Only the kind of its turn is looked at: the rules have seen to the rest."""
    if now.last_role != "user":
        return _no_more(now)
    kinds = {block.get("type") for block in now.last_turn}
    if kinds >= {"tool_result", "text"} and not now.nudged:
        return Draft("empty", [])
    return _answer(now.setting)


def _after_cut(now: _Now) -> Draft:
    """The reply was cut by max_tokens, or by a connection that broke."""
    setting = now.setting
    if now.user_spoke is not None and not call_ids(setting.content):
        return Draft("rest", [{"type": "text", "text": _rest(setting)}])
    if now.larger or setting.reason is None:
        content = _whole(now)
        return Draft("whole", content, "tool_use" if call_ids(content) else "end_turn")
    return _response(setting, "again", now)


def _after_end(now: _Now) -> Draft:
    setting = now.setting
    spoken = now.user_spoke
    if spoken is not None and (not setting.content or not _GO_ON.match(spoken)):
        return _answer(setting)
    if len(now.messages) > len(now.first) and setting.content and now.last_role == "user" and spoken is not None:
        return _no_more(now)
    return _response(setting, "again")


def _answer(setting: Setting) -> Draft:
    return Draft("answer", [{"type": "text", "text": setting.answer}])


def _no_more(now: _Now) -> Draft:
    """An answer was given, and the loop asks again."""
    return Draft("no_more", [{"type": "text", "text": NO_MORE}])


def _response(setting: Setting, news: News, now: _Now | None = None) -> Draft:
    response = setting.response or {}
    more = {key: response[key] for key in response if key not in ("content", "stop_reason", "usage")}
    content = copied(setting.content)
    return Draft(news, content if now is None else _fresh(content, now), setting.reason, more)


def _whole(now: _Now) -> list[dict[str, Any]]:
    """The whole of the reply that was cut."""
    setting = now.setting
    if setting.whole is not None:
        content = [setting.signed(block) for block in setting.whole]
    elif call_ids(setting.content):
        content = copied(setting.content)
    else:
        content = [{"type": "text", "text": f"{_text(setting.content)} {_rest(setting)}".strip()}]
    return [
        {**block, "id": None} if "id" in block else block for block in content
    ]  # other calls than the one that was cut


def _rest(setting: Setting) -> str:
    said, whole = _text(setting.content), _text(setting.whole or ())
    return whole[len(said) :].strip() if whole.startswith(said) and len(whole) > len(said) else REST


def _text(content: Any) -> str:
    return "".join(str(block.get("text", "")) for block in content)


def _fresh(content: list[dict[str, Any]], now: _Now) -> list[dict[str, Any]]:
    """The blocks, whose calls get new ids (None: one is made) where the history holds theirs already."""
    taken = ids(now.messages)
    return [{**block, "id": None} if block.get("id") in taken else block for block in content]
