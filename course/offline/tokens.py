"""How many tokens something is: one estimate, used for `usage`, for `count_tokens` and for every cut.

The real tokenizer is not public. Here a token is 4 bytes of UTF-8, which is near the usual figure for English. The same
text always costs the same, and the first n tokens of a text are its first 4 * n bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["count", "count_json", "count_request", "cut"]

BYTES = 4  # of one token
PER_MESSAGE = 4  # the role, and the marks around a message
PER_IMAGE = 1500  # an image or a document costs by its size on the page, not by the length of its base64 text
_to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode
_BINARY = ("image", "document")


def count(text: str) -> int:
    """The tokens of a text.

    >>> count("four"), count("fours"), count("")
    (1, 2, 0)
    """
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES)


def cut(text: str, tokens: int) -> str:
    """The longest beginning of a text that is at most so many tokens.

    >>> cut("one two three", 2)
    'one two '
    """
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) <= tokens * BYTES:
        return text
    end = max(tokens, 0) * BYTES
    while end and raw[end] & 0xC0 == 0x80:  # not in the middle of a character
        end -= 1
    return raw[:end].decode("utf-8", "surrogatepass")


def count_json(value: object) -> int:
    """The tokens of a value, written as JSON."""
    return count(_to_json(value))


def count_request(body: Mapping[str, Any]) -> int:
    """The input tokens of a request: its system prompt, its tools and its messages."""
    total = _count_content(body.get("system") or "")
    total += sum(count_json(tool) for tool in body.get("tools") or ())
    return total + sum(PER_MESSAGE + _count_content(message.get("content")) for message in body["messages"])


def _count_content(content: object) -> int:
    if isinstance(content, str):
        return count(content)
    if not isinstance(content, list):
        return 0
    return sum(_count_block(block) for block in content)


def _count_block(block: Mapping[str, Any]) -> int:
    kind = block.get("type")
    if kind == "text":
        return count(block.get("text") or "")
    if kind in _BINARY:
        return PER_IMAGE
    if kind == "tool_result":
        return PER_MESSAGE + _count_content(block.get("content"))
    return count_json({key: value for key, value in block.items() if key not in ("cache_control", "encrypted_content")})
