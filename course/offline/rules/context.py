"""What the rules need to know about a request beside its body."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

__all__ = ["API_VERSIONS", "NEWEST_VERSION", "Context"]

NEWEST_VERSION = "2026-10-21"
API_VERSIONS = ("2023-01-01", "2023-06-01", NEWEST_VERSION)


@dataclass(frozen=True)
class Context:
    """How a request came in.

    headers: with lower-case names. `anthropic-version`, `anthropic-beta`, `user-agent` and the key headers are read.
    lenient: skip the pairing rules (45 to 53, 60), as some compatible endpoints do.
    counting: the request is for `/v1/messages/count_tokens`, which takes no `max_tokens` and no `stream`.
    tokens: how many tokens the body is, or a function that counts them. Called only when all other rules are kept.
    context_window: in tokens, in place of the model's own (a scenario with a small window).
    """

    headers: Mapping[str, str] = field(default_factory=dict)
    lenient: bool = False
    counting: bool = False
    tokens: int | Callable[[Mapping[str, Any]], int] | None = None
    context_window: int | None = None

    @property
    def version(self) -> str:
        """The API version that the caller asks for; "" if the header is missing."""
        return self.headers.get("anthropic-version", "")

    @cached_property
    def betas(self) -> frozenset[str]:
        """The names in the `anthropic-beta` header."""
        names = self.headers.get("anthropic-beta", "").split(",")
        return frozenset(name.strip() for name in names if name.strip())

    @property
    def is_claude_code(self) -> bool:
        """True for Claude Code, which is also the program inside the Claude Agent SDK (messages_api.md part 6)."""
        return self.headers.get("user-agent", "").startswith("claude-cli/")

    def is_beta(self, *prefixes: str) -> bool:
        """True if the caller asked for a beta whose name starts with one of these (any date of it)."""
        return any(name.startswith(prefixes) for name in self.betas)
