"""Small views on messages as the API's JSON, used by every proof."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

__all__ = [
    "blocks",
    "call_ids",
    "clean",
    "copied",
    "every_block",
    "ids",
    "replies_blocks",
    "results_of",
    "texts",
    "turns",
]

Block = Mapping[str, Any]
Message = Mapping[str, Any]


def copied(value: Any) -> Any:
    """A copy that shares nothing, for code that may change what it is given."""
    return copy.deepcopy(value)


def blocks(message: Message) -> list[Block]:
    """The content of a message as blocks: a string is one text block."""
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content or [] if isinstance(block, Mapping)] if isinstance(content, list) else []


def turns(messages: Iterable[Message]) -> list[tuple[str, list[Block]]]:
    """The conversation as the API reads it: messages of one role in a row are one turn."""
    merged: list[tuple[str, list[Block]]] = []
    for message in messages:
        role = str(message.get("role"))
        if merged and merged[-1][0] == role:
            merged[-1][1].extend(blocks(message))
        else:
            merged.append((role, list(blocks(message))))
    return merged


def every_block(messages: Iterable[Message]) -> Iterator[Block]:
    for message in messages:
        yield from blocks(message)


def ids(messages: Iterable[Message]) -> set[str]:
    """The ids of all calls in these messages, of our own tools and of the API's."""
    kinds = ("tool_use", "server_tool_use")
    return {str(block.get("id")) for block in every_block(messages) if block.get("type") in kinds}


def call_ids(content: Iterable[Block]) -> list[str]:
    """The ids of the calls of our own tools in a reply."""
    return [str(block.get("id")) for block in content if block.get("type") == "tool_use"]


def results_of(messages: Iterable[Message]) -> dict[str, Block]:
    """The results in these messages, by the id of their call."""
    return {
        str(block.get("tool_use_id")): block for block in every_block(messages) if block.get("type") == "tool_result"
    }


def texts(messages: Iterable[Message], role: str) -> list[str]:
    """The texts that this role has said."""
    said = [message for message in messages if message.get("role") == role]
    return [str(block.get("text")) for block in every_block(said) if block.get("type") == "text"]


def clean(block: Block) -> dict[str, Any]:
    """A block without what the SDK or the API adds to it, so that two can be compared."""
    added = {"caller", "citations", "toolset_name", "cache_control"}
    return {key: value for key, value in block.items() if key not in added and value is not None}


def replies_blocks(turn: Sequence[Block], reply: Sequence[Block]) -> bool:
    """Whether a turn holds the blocks of a reply, all of them, in their order and with nothing between them."""
    wanted, there = [clean(block) for block in reply], [clean(block) for block in turn]
    return any(there[at : at + len(wanted)] == wanted for at in range(len(there) - len(wanted) + 1))
