"""What a thinking block is bound to: the conversation before it, and its place in it (rules 82 and 83).

The signature of a thinking block holds short digests of what was there when it was made: the system prompt, the tools, the
messages, and the thinking block before it. A `Prefix` is read forward, block by block, and knows the same of a conversation
that is sent. So a changed history shows without any memory of what was sent.

What counts as a change, and what does not (markers of the cache, the order of the tools, leading thinking blocks that
were left out): the pages "Preserved thinking" and "Compaction and preserved thinking" of the API's documentation.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, Literal, NamedTuple

from course.offline.signatures import seal, unseal

__all__ = [
    "NOTHING", "THINKING_TYPES", "Bond", "Breach", "Prefix", "broken", "digest", "is_summary", "mark_of", "read_bond",
    "sign_conversation", "sign_summary", "sign_thinking",
]  # fmt: skip

THINKING_TYPES = ("thinking", "redacted_thinking")
SIZE = 8  # bytes of a digest
NOTHING = bytes(SIZE)  # stands for what is not there
_BOND = struct.Struct(">8s8s8s8s8s8sI")
_LINE = struct.Struct(">8s8sI")
# The same as if they were left out.
_DEFAULTS = {
    "allowed_callers": ["direct"], "caller": {"type": "direct"}, "defer_loading": False, "description": "",
    "eager_input_streaming": False, "input_examples": [], "is_error": False, "strict": False, "type": "custom",
}  # fmt: skip
_OF_THE_CALLER = ("input", "input_schema", "definition")  # what stands in there has no defaults of the API's
Block = Mapping[str, Any]
Breach = Literal["system", "tools", "thinking", "missing", "changed"]


class Bond(NamedTuple):
    """What the signature of a thinking block holds: digests of `SIZE` bytes, and a number.

    text: its words as they were sent; NOTHING if they were left out (`thinking.display`). after: the block that comes
    next in the same reply. system, tools, messages: what came before. before: the thinking block before it, wherever
    that stands. blocks: how many other blocks came before.
    """

    text: bytes
    after: bytes
    system: bytes
    tools: bytes
    messages: bytes
    before: bytes
    blocks: int


@dataclass(frozen=True)
class Line:
    """The messages up to a place, as one digest; the thinking block that was last; the number of other blocks."""

    messages: bytes = NOTHING
    before: bytes = NOTHING
    blocks: int = 0

    def grown(self, part: bytes) -> Line:
        """The line with one more block, given as its digest."""
        return Line(hashlib.sha256(self.messages + part).digest()[:SIZE], self.before, self.blocks + 1)


class Prefix:
    """The conversation up to a place. It starts before the first message.

    Usually there is one line to it. After a compaction block there are two: the conversation is what the block says and what
    follows; or it is what the block sums up and what follows, for a thinking block that was made before the compaction.
    """

    def __init__(self, body: Mapping[str, Any]) -> None:
        tools = (_plain(tool) for tool in body.get("tools") or () if not tool.get("defer_loading"))
        self.system = digest([_plain(block) for block in _blocks(body.get("system"))])
        self.tools = digest(sorted(digest(tool).hex() for tool in tools))
        self.lines: tuple[Line, ...] = (Line(),)

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Prefix:
        """All that a request holds: what a reply to it comes after."""
        prefix = cls(body)
        for message in body["messages"]:
            prefix.read(message)
        return prefix

    def read(self, message: Mapping[str, Any]) -> None:
        """Go past a message."""
        for block in _blocks(message.get("content")):
            self.add(str(message.get("role")), block)

    def add(self, role: str, block: Block) -> None:
        """Go past a block."""
        if block.get("type") == "compaction" and not is_summary(block):
            return  # one that failed: the API takes no notice of it (the SDK's BetaCompactionBlockParam)
        if block.get("type") in THINKING_TYPES:
            mark = digest(block.get("signature") or block.get("data"))
            self.lines = tuple(replace(line, before=mark) for line in self.lines)
            return
        part = digest([role, _plain(block)])
        if is_summary(block):
            self.lines = (Line().grown(part), *_lines_of(str(block.get("signature"))))
        else:
            self.lines = tuple(line.grown(part) for line in self.lines)

    def sign(self, text: str, after: Block | None) -> str:
        """The signature of a thinking block that is written here. text: as it is sent. after: the block that follows."""
        line = self.lines[0]
        return seal(
            _BOND.pack(
                digest(text) if text else NOTHING,
                mark_of(after) if after is not None else NOTHING,
                self.system,
                self.tools,
                line.messages,
                line.before,
                line.blocks,
            )
        )

    def breach(self, bond: Bond) -> Breach | None:
        """What is not as it was when a thinking block was made; None if it may stand here."""
        if bond.system != self.system:
            return "system"
        if bond.tools != self.tools:
            return "tools"
        found = [_breach_of(bond, line) for line in self.lines]
        return None if None in found else found[0]


def read_bond(signature: str) -> Bond | None:
    """What a signature holds; None if it is not the signature of a thinking block of the offline model."""
    data = unseal(signature)
    return Bond._make(_BOND.unpack(data)) if data is not None and len(data) == _BOND.size else None


def sign_thinking(content: list[dict[str, Any]], prefix: Prefix) -> list[dict[str, Any]]:
    """The blocks of a reply that comes after `prefix`, with its thinking signed. `prefix` is moved to the end of the reply."""
    signed = []
    for block, after in zip_longest(content, content[1:]):
        if block.get("type") == "thinking":
            block = {**block, "signature": prefix.sign(block["thinking"], after)}
        prefix.add("assistant", block)
        signed.append(block)
    return signed


def sign_conversation(body: Mapping[str, Any]) -> list[Any]:
    """The messages of a request, with the thinking in them signed as if the offline model had written it there."""
    prefix, signed = Prefix(body), []
    for message in body["messages"]:
        content = message.get("content")
        if message.get("role") == "assistant" and isinstance(content, list):
            message = {**message, "content": sign_thinking(content, prefix)}
        else:
            prefix.read(message)
        signed.append(message)
    return signed


def sign_summary(body: Mapping[str, Any], *, binds: bool) -> str:
    """The signature of a compaction block that sums up a whole request: thinking that is kept after it stays valid.

    binds: is the model that wrote the summary one that binds its thinking? With another model it does not stay valid.
    """
    lines = Prefix.of(body).lines if binds else ()
    return seal(b"".join(_LINE.pack(line.messages, line.before, line.blocks) for line in lines))


def broken(body: Mapping[str, Any]) -> list[tuple[int, int, Breach]]:
    """The thinking blocks made after another conversation than the one before them here: message, place in it, and why.

    With such a block go the thinking blocks that follow it at once. The model is shown none of them, so they are no part of
    the conversation that later thinking comes after. What stands before a compaction block no longer counts.
    """
    found: list[tuple[int, int, Breach]] = []
    prefix = Prefix(body)
    dropping: Breach | None = None
    for number, message in enumerate(body["messages"]):
        for place, block in enumerate(_blocks(message.get("content"))):
            if block["type"] not in THINKING_TYPES:
                dropping = None
                if is_summary(block):
                    found.clear()
            elif dropping is None and (bond := read_bond(block.get("signature", ""))) is not None:
                dropping = prefix.breach(bond)
            if dropping is not None:
                found.append((number, place, dropping))
            else:
                prefix.add(message["role"], block)
    return found


def is_summary(block: Block) -> bool:
    """True for a compaction block that counts; without content it is one that failed."""
    return block.get("type") == "compaction" and bool(block.get("content"))


def mark_of(block: Block) -> bytes:
    """The digest of a block, by which it is known again wherever it stands."""
    return digest(_plain(block))


def digest(value: object) -> bytes:
    """`SIZE` bytes that stand for a JSON value. The order of an object's members does not matter."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).digest()[:SIZE]


def _breach_of(bond: Bond, line: Line) -> Breach | None:
    if bond.messages != line.messages:
        return "missing" if line.blocks < bond.blocks else "changed"
    # Leading thinking may be left out, so nothing before it is as good as what was there.
    if line.before not in (NOTHING, bond.before):
        return "changed" if bond.before == NOTHING else "thinking"
    return None


def _lines_of(signature: str) -> Iterable[Line]:
    data = unseal(signature) or b""
    return [Line(*fields) for fields in _LINE.iter_unpack(data)] if len(data) % _LINE.size == 0 else []


def _blocks(content: object) -> list[Block]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return content if isinstance(content, list) else []


def _plain(value: Any) -> Any:
    """The value without what makes no difference to the model: nulls, defaults, markers of the cache, the text of a URL."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    plain = {key: item for key, item in value.items() if item is not None and key != "cache_control"}
    plain = {key: item for key, item in plain.items() if key not in _DEFAULTS or item != _DEFAULTS[key]}
    if value.get("type") == "tool_result":
        plain["content"] = _blocks(plain.get("content"))
    source = plain.get("source")
    if isinstance(source, Mapping) and source.get("type") == "url":
        plain["source"] = {"type": "url"}  # the real API compares what is behind it, which is not looked at here
    return {key: item if key in _OF_THE_CALLER else _plain(item) for key, item in plain.items()}
