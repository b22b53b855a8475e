"""The signature of a thinking block, made and recognised without any memory of what was sent.

The real API signs with a secret key. Here the key is public, in the line below: it protects nothing. It only lets the
rules tell a block that the offline model wrote from one that was written, or changed, by hand (rules 81 and 83).
"""

from __future__ import annotations

import base64
import hashlib
import hmac

__all__ = ["is_ours", "sign"]

PUBLIC_KEY = b"course.offline: not a secret"


def sign(thinking: str) -> str:
    """The signature (base64 text) that goes with this thinking."""
    digest = hmac.new(PUBLIC_KEY, thinking.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
    return base64.b64encode(digest).decode("ascii")


def is_ours(thinking: str, signature: str) -> bool:
    """True if the offline model wrote exactly this thinking."""
    return signature == sign(thinking)
