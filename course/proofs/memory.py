"""How much memory code of a question may take, where the system can limit it (not on Windows)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["limit", "without_limit"]

MOST = 4 * 2**30  # bytes of addresses; a worker needs less than one of the four


def limit() -> None:
    """Limit this process, and those that it starts."""
    if sys.platform != "win32":
        import resource

        _soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (MOST if hard == resource.RLIM_INFINITY else min(MOST, hard), hard))


@contextmanager
def without_limit() -> Iterator[None]:
    """For a program of ours that reserves more addresses than it uses."""
    if sys.platform == "win32":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
