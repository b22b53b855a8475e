"""What the offline model sees in `messages`: which task it is on, what it asked for, what it was given, what it has said.

It sees nothing else. A result that was not sent back, or whose id belongs to no call, is not there for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from course.offline.scenario import Scenario, meaning

__all__ = ["Place", "Result", "read"]

# A user who begins like this wants the same task to go on.
_NUDGE = re.compile(
    r"\W*(?:(?:please|ok|okay|yes|now|and|bitte|пожалуйста)\W+)*"
    r"(?:(?:continue|go on|keep going|carry on|proceed|resume|weiter|mach (?:bitte )?weiter|fortfahren)\b"
    r"|продолж|続け|继续|繼續|계속)",
    re.IGNORECASE,
)
# "You were cut off. Continue.": the last sentence of a short remark counts.
_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_SHORT = 100  # characters
_REMARK = re.compile(r"\s*<system-reminder>")  # an agent's program adds these; they are not the user's words


@dataclass(frozen=True)
class Result:
    """A call that was answered: the tool and its input, as the model wrote them, and what came back."""

    tool: str
    input: Mapping[str, Any]
    text: str
    failed: bool = False


@dataclass(frozen=True)
class Place:
    """How far the conversation is.

    scenario, prompt: the task that the user gave last; None if no scenario knows it. said: what the model has said since the
    last result. nudged: the user asks it to go on. loose_text: text follows the results in the last turn, and is no task.
    refused: the scenario of a prompt that is refused, wherever it stands in the history.
    """

    scenario: Scenario | None = None
    prompt: str = ""
    results: tuple[Result, ...] = ()
    queries: tuple[str, ...] = ()
    said: str = ""
    nudged: bool = False
    loose_text: bool = False
    refused: Scenario | None = None


def read(messages: Iterable[Mapping[str, Any]], scenarios: Sequence[Scenario], start: Place | None = None) -> Place:
    """The place that a history leads to, from `start` on. Every message is looked at once."""
    reader = _Reader(scenarios, start or Place())
    for message in messages:
        if message["role"] == "assistant":
            reader.assistant(message)
        elif message["role"] == "user":
            reader.user(message)
    return reader.place()


class _Reader:
    def __init__(self, scenarios: Sequence[Scenario], start: Place) -> None:
        self.scenarios = tuple(scenarios)
        self.refused = start.refused
        self.calls: dict[str, tuple[str, Mapping[str, Any]]] = {}  # by id
        self.searches: dict[str, str] = {}  # the queries of web searches, by id
        self._start(start.prompt, start.scenario)
        self.results.extend(start.results)
        self.queries.extend(start.queries)
        self.waiting: list[str] = []  # what the user said in this turn; messages in a row are one turn
        self.after_results = False  # this turn began with results

    def _start(self, prompt: str, scenario: Scenario | None) -> None:
        self.prompt = prompt
        self.scenario = scenario
        self.results: list[Result] = []
        self.queries: list[str] = []
        self.said: list[str] = []
        self.nudged = False
        self.loose_text = False

    def place(self) -> Place:
        self._settle()
        return Place(
            scenario=self.scenario,
            prompt=self.prompt,
            results=tuple(self.results),
            queries=tuple(self.queries),
            said="".join(self.said),
            nudged=self.nudged,
            loose_text=self.loose_text,
            refused=self.refused,
        )

    def user(self, message: Mapping[str, Any]) -> None:
        results = [block for block in _blocks(message) if block["type"] == "tool_result"]
        text = "\n".join(_texts(message))
        if results:
            self._settle()
            for block in results:
                self._result(block)
            self.after_results = True
            self.loose_text = bool(text)
        elif text:
            self.waiting.append(text)

    def _result(self, block: Mapping[str, Any]) -> None:
        call = self.calls.get(block.get("tool_use_id", ""))
        if call is not None:
            self.results.append(Result(*call, result_text(block.get("content")), bool(block.get("is_error"))))
            self.said.clear()

    def _settle(self) -> None:
        """The user's turn is over: what it said is a new task, or about the one that there is."""
        if not self.waiting:
            return
        text = "\n".join(self.waiting)
        self.waiting.clear()
        scenario, refused = meaning(self.scenarios, text)
        same_task = bool(self.prompt) and refused is None and scenario in (None, self.scenario)
        self.nudged = same_task and _is_nudge(text)
        self.loose_text = same_task and scenario is None and self.after_results and not self.nudged
        if not self.nudged and not self.loose_text:
            self.refused = self.refused or refused
            self._start(text, scenario)

    def assistant(self, message: Mapping[str, Any]) -> None:
        self._settle()
        self.after_results = False
        for block in _blocks(message):
            kind = block["type"]
            if kind == "text":
                self.said.append(block["text"])
            elif kind == "tool_use":
                self.calls[block["id"]] = (block["name"], block["input"])
            elif kind == "server_tool_use":
                self.searches[block["id"]] = str(block["input"].get("query", ""))
            elif kind == "web_search_tool_result" and block["tool_use_id"] in self.searches:
                self.queries.append(self.searches[block["tool_use_id"]])
                self.said.clear()


def _is_nudge(text: str) -> bool:
    """True if the user wants the same task to go on."""
    last = _SENTENCES.split(text.strip().rstrip("。！？"))[-1] if len(text) <= _SHORT else text
    return _NUDGE.match(text) is not None or _NUDGE.match(last) is not None


def _blocks(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    content = message["content"]
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content or []


def _texts(message: Mapping[str, Any]) -> Iterator[str]:
    for block in _blocks(message):
        if block["type"] == "text" and not _REMARK.match(block["text"]):
            yield block["text"]


def result_text(content: object) -> str:
    """The text of a `tool_result`: its own, or that of its text blocks; another block stands as JSON."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        return json.dumps(content, ensure_ascii=False)
    return "\n".join(block.get("text") or f"[{block.get('type')}]" for block in content)
