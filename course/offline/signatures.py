"""The signature of a thinking block, made and recognised without any memory of what was sent.

The real API signs with a secret key. Here the key is public, in the line below: it protects nothing. It only lets the
rules tell a block that the offline model wrote from one that was written, or changed, by hand (rules 81 and 83).
A signature holds a digest of the thinking and a seal over that digest: so a changed text is told from a forged signature.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

__all__ = ["is_ours", "is_sealed", "sign"]

PUBLIC_KEY = b"course.offline: not a secret"
SIZE = 16  # bytes of the digest, and of the seal


def sign(thinking: str) -> str:
    """The signature (base64 text) that goes with this thinking."""
    digest = hashlib.sha256(thinking.encode("utf-8", "surrogatepass")).digest()[:SIZE]
    return base64.b64encode(digest + _seal(digest)).decode("ascii")


def is_ours(thinking: str, signature: str) -> bool:
    """True if the offline model wrote exactly this thinking."""
    return signature == sign(thinking)


def is_sealed(signature: str) -> bool:
    """True if the offline model made this signature, for this thinking or another."""
    try:
        raw = base64.b64decode(signature, validate=True)
    except ValueError:  # not base64, or not even ASCII
        return False
    return raw[SIZE:] == _seal(raw[:SIZE])


def _seal(digest: bytes) -> bytes:
    return hmac.new(PUBLIC_KEY, digest, hashlib.sha256).digest()[:SIZE]
