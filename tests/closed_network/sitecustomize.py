"""Closes the network for every Python process that has this folder in PYTHONPATH: pytest, and the kernels that it starts.

Only this machine itself (loopback) can be reached. An attempt to reach anything else raises NetworkClosedError, and is
written to the file that CLOSED_NETWORK_LOG names, so that an attempt that was caught and hidden is found as well.
"""

from __future__ import annotations

import os
import sys
from typing import Any

LOOPBACK_NAMES = ("localhost", "localhost.localdomain", "ip6-localhost")


class NetworkClosedError(OSError):
    """A connection that leaves this machine was asked for."""


def is_loopback(host: object) -> bool:
    import ipaddress

    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if not host or host in LOOPBACK_NAMES:  # no host: this machine
        return True
    try:
        return ipaddress.ip_address(str(host).partition("%")[0]).is_loopback
    except ValueError:
        return False


def _refuse(what: str, host: object) -> None:
    log = os.environ.get("CLOSED_NETWORK_LOG")
    if log:
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"{what} {host}\n")
    raise NetworkClosedError(f"The network is closed in tests: {what} {host!r}.")


def _is_address(text: object) -> bool:
    """Turning an address that is written in numbers into itself asks nobody."""
    import ipaddress

    try:
        ipaddress.ip_address(str(text).partition("%")[0])
    except ValueError:
        return False
    return True


def close(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook: Python calls it before it connects, sends or asks for a name, and it can't be taken away again."""
    if not event.startswith("socket."):
        return
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        import socket

        sender, address = arguments[0], arguments[1]
        on_a_network = sender.family in (socket.AF_INET, socket.AF_INET6) and isinstance(address, tuple)
        if on_a_network and not is_loopback(address[0]):
            _refuse(event, address[0])
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        import socket

        host = arguments[0]
        if not (is_loopback(host) or _is_address(host) or host == socket.gethostname()):
            _refuse(event, host)


sys.addaudithook(close)
