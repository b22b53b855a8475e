"""What an item's own world starts from: the messages that were sent, the reply that came, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from course.offline.binding import sign_conversation
from course.proofs.blocks import Block, blocks, copied, every_block
from course.settings import MODEL
from course.tools import Tool

__all__ = ["ANSWER", "MAX_TOKENS", "TASK", "Setting"]

MAX_TOKENS = 1024  # of a request, where an item names no other
TASK = "Do the task that this question is about."  # the first message, where an item has none
ANSWER = "Here is the whole answer to the task."
SERVER_TOOLS = {
    "web_search": {"type": "web_search_20250305", "name": "web_search"},
    "web_fetch": {"type": "web_fetch_20250910", "name": "web_fetch"},
    "code_execution": {"type": "code_execution_20250825", "name": "code_execution"},
}


@dataclass(frozen=True)
class Setting:
    """The world of an item, as plain data.

    messages: what the first request holds. response: its reply; None: the first request is answered at once. results: what
    the tools give, by the id of a call or by the name of a tool. answer: the text of the model's answer in the end. whole:
    the blocks of the reply to a cut request that is sent again with a larger limit. max_tokens: the limit of the first request.
    asked: the first request was sent before the run, and brought the response.
    """

    messages: tuple[Mapping[str, Any], ...] = ({"role": "user", "content": TASK},)
    response: Mapping[str, Any] | None = None
    results: Mapping[str, Any] = field(default_factory=dict)
    answer: str = ANSWER
    whole: tuple[Block, ...] | None = None
    max_tokens: int = MAX_TOKENS
    asked: bool = False

    @property
    def reason(self) -> str | None:
        """The stop_reason of the response."""
        return None if self.response is None else self.response.get("stop_reason")

    @cached_property
    def content(self) -> list[dict[str, Any]]:
        """The blocks of the response, with signatures that the rules take."""
        return [self.signed(block) for block in blocks(self.response or {})]

    def body(self, messages: list[Any]) -> dict[str, Any]:
        """A request with these messages, as an item's world sends it."""
        return {"model": MODEL, "max_tokens": self.max_tokens, "tools": self.definitions, "messages": messages}

    def start(self) -> list[dict[str, Any]]:
        """The messages of the first request, for a loop to work on."""
        return self.with_signatures(list(self.messages))

    def with_signatures(self, messages: list[Any]) -> list[Any]:
        """A copy in which the thinking blocks carry real signatures in place of those that the author made up."""
        changed: list[Any] = copied(messages)
        for message in changed:
            if isinstance(message, dict) and isinstance(message.get("content"), list):
                message["content"] = [self.signed(block) for block in message["content"]]
        return changed

    def signed(self, block: Any) -> Any:
        """The block; thinking with a signature of the item gets the one that stands for it. What was changed then shows."""
        if not isinstance(block, Mapping) or block.get("type") != "thinking" or "signature" not in block:
            return copied(block)
        written = str(block["signature"])
        return {**block, "signature": self._signatures.get(written, written)}

    @cached_property
    def _signatures(self) -> dict[str, str]:
        """The real signatures, by those of the item: each thinking block is signed where the item has it."""
        found: dict[str, str] = {}
        for reply in (self.whole or (), blocks(self.response or {})):
            written = [*self.messages, {"role": "assistant", "content": list(reply)}]
            try:
                real = sign_conversation(self.body(written))
            except (AttributeError, KeyError, TypeError):
                continue  # blocks that lack something: the endpoint says what
            for old, new in zip(every_block(written), every_block(real), strict=True):
                if old.get("type") == "thinking":
                    found[str(old.get("signature"))] = str(new["signature"])
        return found

    def _every_block(self) -> Iterator[Block]:
        for message in (*self.messages, self.response or {}):
            yield from blocks(message)
        yield from self.whole or ()

    @cached_property
    def tools(self) -> list[Tool]:
        """The tools of this world: those that are called in it. They take any input."""
        names = {str(block.get("name")): None for block in self._every_block() if block.get("type") == "tool_use"}
        named = {str(name): None for name in self.results if not str(name).startswith("toolu_")}
        return [self._tool(name) for name in (names | named)]

    def _tool(self, name: str) -> Tool:
        # By id where the item says so: two calls of one tool may give different results.
        by_input = [
            (block.get("input"), self.results[str(block.get("id"))])
            for block in self._every_block()
            if block.get("name") == name and str(block.get("id")) in self.results
        ]
        usual = self.results.get(name, f"(what {name} gives)")

        def run(**given: Any) -> Any:
            return next((result for wanted, result in by_input if wanted == given), usual)

        run.__name__ = name
        return Tool(name, f"The tool {name}.", {"type": "object", "properties": {}}, run)

    @cached_property
    def definitions(self) -> list[dict[str, Any]]:
        """The `tools` of a request, with those that the API runs itself."""
        used = {str(block.get("name")) for block in self._every_block() if block.get("type") == "server_tool_use"}
        return [
            *(each.definition for each in self.tools),
            *(SERVER_TOOLS[name] for name in SERVER_TOOLS if name in used),
        ]
