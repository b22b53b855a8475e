"""What is appended to `messages` after a reply: the right turns, and the wrong ones that people write.

An option of a `messages` item names one of these with `make:`, so that its turns follow from the item's `response` and
`results`, whatever ids and tools a variant draws. Everything here is plain JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from course.words import _

__all__ = ["MAKES", "CannotMake", "assemble", "made"]

Json = dict[str, Any]
TEXT = "Use these results for the answer."
GO_ON = "Please continue."


class CannotMake(ValueError):
    """The turns can't be made from this item. args: what is wrong, and the remedy."""


@dataclass(frozen=True)
class _Parts:
    """What turns are made of."""

    response: Json
    content: list[Any]
    calls: list[Json]
    returned: Mapping[str, str]

    @property
    def assistant(self) -> Json:
        """The assistant turn, as the reply brought it."""
        return {"role": "assistant", "content": self.content}

    @property
    def texts(self) -> list[str]:
        """What each call returned."""
        return [_result(call, self.returned) for call in self.calls]

    @property
    def results(self) -> list[Json]:
        """A result for each call."""
        return [
            {"type": "tool_result", "tool_use_id": call["id"], "content": text}
            for call, text in zip(self.calls, self.texts, strict=True)
        ]


def _user(*blocks: Any) -> Json:
    return {"role": "user", "content": list(blocks)}


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def _right(parts: _Parts) -> list[Json]:
    return [parts.assistant, _user(*parts.results)] if parts.calls else [parts.assistant]


def _wrong_id(parts: _Parts) -> list[Json]:
    *others, last = parts.results
    return [parts.assistant, _user(*others, {**last, "tool_use_id": last["tool_use_id"] + "x"})]


def _name_as_id(parts: _Parts) -> list[Json]:
    named = [{**result, "tool_use_id": call["name"]} for result, call in zip(parts.results, parts.calls, strict=True)]
    return [parts.assistant, _user(*named)]


def _without_id(parts: _Parts) -> list[Json]:
    bare = [{key: value for key, value in result.items() if key != "tool_use_id"} for result in parts.results]
    return [parts.assistant, _user(*bare)]


def _as_text(parts: _Parts) -> list[Json]:
    lines = [f"{call['name']}: {text}" for call, text in zip(parts.calls, parts.texts, strict=True)]
    return [parts.assistant, {"role": "user", "content": "\n".join(lines)}]


def _without_calls(parts: _Parts) -> list[Json]:
    rest = [block for block in parts.content if block not in parts.calls]
    return [{"role": "assistant", "content": rest or [_text("...")]}, _user(*parts.results)]


def _made_up(parts: _Parts) -> list[Json]:
    ids = [block["id"] for block in parts.content if isinstance(block, dict) and isinstance(block.get("id"), str)]
    if not ids:
        raise CannotMake(_("The response has no block with an id."), _("Add one, or use another make."))
    made_up = {"type": "tool_result", "tool_use_id": ids[-1], "content": "ok"}
    return [parts.assistant, _user(made_up)]


# Name -> the turns that are appended, and how many calls the response must have.
_MAKES: dict[str, tuple[int, Callable[[_Parts], list[Json]]]] = {
    "right": (0, _right),
    "nothing": (0, lambda parts: []),
    "no_assistant_turn": (1, lambda parts: [_user(*parts.results)]),
    "no_results": (1, lambda parts: [parts.assistant]),
    "drop_one_result": (2, lambda parts: [parts.assistant, _user(*parts.results[:-1])]),
    "wrong_id": (1, _wrong_id),
    "name_as_id": (1, _name_as_id),
    "without_id": (1, _without_id),
    "text_before": (1, lambda parts: [parts.assistant, _user(_text(TEXT), *parts.results)]),
    "text_between": (2, lambda parts: [parts.assistant, _user(parts.results[0], _text(TEXT), *parts.results[1:])]),
    "text_after": (1, lambda parts: [parts.assistant, _user(*parts.results, _text(TEXT))]),
    "one_turn_per_result": (2, lambda parts: [parts.assistant, *(_user(result) for result in parts.results)]),
    "results_as_text": (1, _as_text),
    "result_as_assistant": (1, lambda parts: [parts.assistant, {"role": "assistant", "content": parts.results}]),
    "result_as_tool": (1, lambda parts: [parts.assistant, {"role": "tool", "content": parts.results}]),
    "results_first_then_assistant": (1, lambda parts: [_user(*parts.results), parts.assistant]),
    "without_calls": (1, _without_calls),
    "whole_reply": (0, lambda parts: [parts.response, *([_user(*parts.results)] if parts.calls else [])]),
    "made_up_result": (0, _made_up),
    "ask_to_go_on": (0, lambda parts: [parts.assistant, {"role": "user", "content": GO_ON}]),
}
MAKES = tuple(_MAKES)


def made(name: str, response: Mapping[str, Any], results: Mapping[str, str]) -> list[Json]:
    """The turns of this name. results: what each tool returned, by the id of the call or the name of the tool.

    Raises CannotMake if the response or the results do not have what is needed.

    >>> call = {"type": "tool_use", "id": "toolu_01", "name": "read_file", "input": {"path": "a.txt"}}
    >>> made("no_assistant_turn", {"content": [call], "stop_reason": "tool_use"}, {"read_file": "hello"})
    [{'role': 'user', 'content': [{'type': 'tool_result', 'tool_use_id': 'toolu_01', 'content': 'hello'}]}]
    """
    needed, make = _MAKES[name]
    content = response.get("content")
    blocks = content if isinstance(content, list) else []
    calls = [block for block in blocks if isinstance(block, dict) and block.get("type") == "tool_use"]
    if len(calls) < needed:
        what = _('"{name}" needs a response with {needed} or more tool_use blocks; it has {count}.')
        what = what.format(name=name, needed=needed, count=len(calls))
        raise CannotMake(what, _("Change the response, or use another make."))
    return make(_Parts({"role": "assistant", **response}, blocks, calls, results))


def _result(call: Json, results: Mapping[str, str]) -> str:
    id, name = call.get("id"), call.get("name")
    if not isinstance(id, str) or not isinstance(name, str):
        raise CannotMake(_("A tool_use block has no id or no name."), _("Add it."))
    text = results.get(id, results.get(name))
    if not isinstance(text, str):
        what = _('"results" does not say what the call {id} returned.').format(id=id)
        raise CannotMake(what, _('Write "results: {{{name}: text}}".').format(name=name))
    return text


def assemble(pieces: Sequence[tuple[str, Json]]) -> list[Json]:
    """Turns from pieces (role and block). Neighbouring pieces of one role form one turn.

    >>> assemble([("user", {"type": "text", "text": "Hi"}), ("user", {"type": "text", "text": "Anybody?"})])
    [{'role': 'user', 'content': [{'type': 'text', 'text': 'Hi'}, {'type': 'text', 'text': 'Anybody?'}]}]
    """
    turns: list[Json] = []
    for role, block in pieces:
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"].append(block)
        else:
            turns.append({"role": role, "content": [block]})
    return turns
