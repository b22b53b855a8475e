"""Signatures: data that a client carries and sends back, made and recognised without any memory of what was sent.

The real API signs with a secret key. Here the key is public, in the line below: it protects nothing. It only lets the
rules tell what the offline model wrote from what was written, or changed, by hand (rules 81 to 83).
"""

from __future__ import annotations

import base64
import hashlib
import hmac

__all__ = ["seal", "sign", "unseal"]

PUBLIC_KEY = b"course.offline: not a secret"
SIZE = 16  # bytes of a seal


def seal(data: bytes) -> str:
    """The data with a seal over it, as base64 text."""
    return base64.b64encode(data + _seal(data)).decode("ascii")


def unseal(signature: str) -> bytes | None:
    """The data of a signature that was made here; None for one that was forged, cut or changed."""
    try:
        raw = base64.b64decode(signature, validate=True)
    except ValueError:  # not base64, or not even ASCII
        return None
    if (
        base64.b64encode(raw).decode("ascii") != signature
    ):  # the last character says more than the bytes: it was changed
        return None
    data, seal = raw[:-SIZE], raw[-SIZE:]
    return data if len(seal) == SIZE and hmac.compare_digest(seal, _seal(data)) else None


def sign(text: str) -> str:
    """A signature that holds nothing but a digest of the text: for what is never read again, such as a page that was found."""
    return seal(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:SIZE])


def _seal(data: bytes) -> bytes:
    return hmac.new(PUBLIC_KEY, data, hashlib.sha256).digest()[:SIZE]
