"""The network really is closed: in this process, in its children, and whether or not the error is caught."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

OUTSIDE = "192.0.2.1"  # reserved for examples (RFC 5737): nobody is there


@pytest.fixture
def attempts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A log of its own, since these attempts are made on purpose."""
    log = tmp_path / "attempts.txt"
    monkeypatch.setenv("CLOSED_NETWORK_LOG", str(log))
    return log


def test_a_connection_is_refused_and_noted(attempts: Path) -> None:
    with pytest.raises(OSError, match=r"^The network is closed in tests: socket\.connect '192\.0\.2\.1'\.$"):
        socket.create_connection((OUTSIDE, 80), timeout=5)
    assert attempts.read_text(encoding="utf-8") == f"socket.connect {OUTSIDE}\n"


def test_a_name_is_not_looked_up(attempts: Path) -> None:
    with pytest.raises(OSError, match=r"^The network is closed in tests: socket\.getaddrinfo 'example\.org'\.$"):
        socket.getaddrinfo("example.org", 80)
    assert attempts.read_text(encoding="utf-8") == "socket.getaddrinfo example.org\n"


def test_a_datagram_is_refused(attempts: Path) -> None:
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender,
        pytest.raises(OSError, match=r"^The network is closed in tests: socket\.sendto"),
    ):
        sender.sendto(b"hello", (OUTSIDE, 9))
    assert attempts.exists()


def test_a_child_is_closed_too_and_cannot_hide_it(attempts: Path) -> None:
    code = f"import socket\ntry: socket.create_connection(('{OUTSIDE}', 80), 5)\nexcept OSError: print('hidden')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=True)
    assert done.stdout == "hidden\n"
    assert attempts.read_text(encoding="utf-8") == f"socket.connect {OUTSIDE}\n"


def test_loopback_is_open(attempts: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(("localhost", server.getsockname()[1]), timeout=5).close()
    assert not attempts.exists()


def test_a_kernel_is_closed_too(attempts: Path) -> None:
    """nbval and JupyterLab start kernels as this does."""
    from nbclient import NotebookClient
    from nbformat.v4 import new_code_cell, new_notebook

    code = f"import socket\ntry: socket.create_connection(('{OUTSIDE}', 80), 5)\nexcept OSError as e: print(e)"
    notebook = NotebookClient(new_notebook(cells=[new_code_cell(code)]), kernel_name="python3").execute()
    assert notebook.cells[0].outputs[0]["text"] == "The network is closed in tests: socket.connect '192.0.2.1'.\n"
    assert attempts.read_text(encoding="utf-8") == f"socket.connect {OUTSIDE}\n"
