"""Ids in the API's form: fresh in every response, the same in every run.

An id follows from the request and from how many requests came before it. The request is part of it so that a history which
is handed from one client to another never meets its own ids again: the API wants them unique (rule 51).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from itertools import count

__all__ = ["Ids"]

LETTERS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"  # base 58: none that look alike
_LETTER_OF_BYTE = bytes(ord(LETTERS[byte % len(LETTERS)]) for byte in range(256))
LENGTHS = {"msg_01": 22, "toolu_01": 22, "srvtoolu_01": 22, "req_011C": 20}


class Ids:
    """The ids of one endpoint."""

    def __init__(self) -> None:
        self._numbers = count()

    def for_request(self, body: bytes) -> Callable[[str], str]:
        """A function that makes the ids of one response: `new("toolu_01")` gives "toolu_01" and 22 characters."""
        seed = hashlib.blake2b(body, digest_size=16).digest() + next(self._numbers).to_bytes(8, "big")
        parts = count()

        def new(prefix: str) -> str:
            digest = hashlib.blake2b(seed + next(parts).to_bytes(4, "big"), digest_size=32).digest()
            return prefix + digest.translate(_LETTER_OF_BYTE)[: LENGTHS[prefix]].decode("ascii")

        return new
