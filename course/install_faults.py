"""Why a set-up failed, in one sentence with the remedy. Standard library only: nothing is installed yet."""

from __future__ import annotations

import errno
import shutil
from dataclasses import dataclass
from pathlib import Path

__all__ = ["InstallFault", "SetupError", "explain_oserror", "explain_output"]

AGAIN = "run the same command again"
ENOUGH = 50_000_000  # bytes; with less free space than this a failure to write means that the disk is full


class SetupError(Exception):
    """The set-up can't go on; the text says why, and what to do."""


@dataclass(frozen=True)
class InstallFault:
    """The sentence for the reader. `nothing_changed`: it failed before a package in `.venv` was touched."""

    sentence: str
    nothing_changed: bool = False


def _full(root: Path) -> str:
    return f"The disk that holds {root} is full. Free 1 GB, then {AGAIN}."


def _not_writable(root: Path) -> str:
    return (
        f"No permission to write in {root}. Copy the course to a folder of your own, for example in your home folder, "
        f"close programs that use it, and {AGAIN} there."
    )


_OFFLINE = InstallFault(
    "The packages can't be downloaded: no connection to the package index. Connect to the network (behind a proxy, set "
    f"HTTPS_PROXY), then {AGAIN}. Nothing is lost.",
    nothing_changed=True,
)
_CERTIFICATE = InstallFault(
    "The packages can't be downloaded: a proxy on this network uses a certificate of its own. Set SSL_CERT_FILE and "
    f"PIP_CERT to the certificate file of your organisation, then {AGAIN}.",
    nothing_changed=True,
)
_LONG_PATH = InstallFault(
    f"The path of this folder is too long for Windows. Move the course to a short one, like C:\\course, and {AGAIN} there."
)
_UNKNOWN = InstallFault(f"The installation failed; the lines above say why. Mend that, then {AGAIN}.")

# What pip and uv write, in lower case.
_SPACE = ("no space left", "errno 28", "os error 28", "not enough space", "os error 112", "quota exceeded")
_CERTIFICATES = ("certificate_verify_failed", "certificate verify failed", "invalid peer certificate", "unknownissuer")
_PATHS = ("long path support", "filename or extension is too long", "os error 206")
_NETWORK = (
    "newconnectionerror", "failed to establish a new connection", "name resolution", "getaddrinfo failed",
    "network is unreachable", "connection refused", "connection reset", "timed out", "dns error",
    "error sending request", "failed to fetch", "could not connect", "proxyerror",
)  # fmt: skip
_PERMISSION = ("permission denied", "access is denied", "errno 13", "os error 5", "read-only file system")


def explain_output(output: str, root: Path) -> InstallFault:
    """What the output of venv, pip or uv tells."""
    text = output.lower()

    def holds(signs: tuple[str, ...]) -> bool:
        return any(sign in text for sign in signs)

    if holds(_SPACE):
        return InstallFault(_full(root))
    if holds(_CERTIFICATES):
        return _CERTIFICATE
    if holds(_PATHS):
        return _LONG_PATH
    if holds(_NETWORK):
        return _OFFLINE
    if holds(_PERMISSION):
        return InstallFault(_not_writable(root))
    return _UNKNOWN


def explain_oserror(error: OSError, root: Path) -> str:
    """The sentence for a file that can't be written or removed."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT) or shutil.disk_usage(root).free < ENOUGH:
        return _full(root)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return _not_writable(root)
    return f"{error.filename or root}: {error.strerror}. Mend that, then {AGAIN}."
