"""The offline API on loopback, for the real clients. They all meet the same small tasks."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from course.offline.endpoint import Endpoint
from course.offline.faults import Fault
from course.offline.scenario import Call, Scenario, Step
from course.offline.server import running
from course.offline.wire import Request, Response
from course.proofs.agent import environment

NODE = Path(__file__).parent / "node"
INSTALL = ("install", "--no-audit", "--no-fund", "--no-package-lock", "--omit=optional")
LISTS = Scenario(
    name="lists_files",
    prompt="Which files are in this directory?",
    knows=[["files", "directory"]],
    tools=["list_files"],
    script=[Step(say="I list the files.", calls=[Call(tool="list_files", input={"path": "."})])],
    answer="There are two files: package.json and README.md.",
)
CHECKS_FOR_EVER = Scenario(
    name="checks_for_ever",
    prompt="Watch the queue until it is empty.",
    knows=[["queue"]],
    tools=["check_queue"],
    script=[Step(calls=[Call(tool="check_queue")], forever=True)],
    answer="The queue is empty.",
)


@dataclass
class Offline:
    """An endpoint on loopback: its URL, and the requests that have reached it."""

    endpoint: Endpoint
    url: str = ""
    requests: list[Request] = field(default_factory=list)

    def handle(self, request: Request) -> Response:
        self.requests.append(request)
        return self.endpoint.handle(request)


@pytest.fixture
def offline() -> Iterator[Callable[..., Offline]]:
    """`offline()` starts an endpoint that lists files; `offline(faults=["timeout"])`; `offline(endless=True)`."""
    with ExitStack() as stack:

        def start(*, faults: Iterable[Fault | str] = (), endless: bool = False) -> Offline:
            served = Offline(Endpoint(CHECKS_FOR_EVER if endless else LISTS, faults=faults))
            served.url = stack.enter_context(running(served))
            return served

        yield start


def need(found: object, missing: str) -> None:
    """Some of the real clients are other programs. In CI all are there; elsewhere their tests may be left out."""
    if not found:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(missing)


@pytest.fixture(scope="session")
def node_folder() -> Path:
    """A folder outside the repository with the npm packages of node/package.json; installed once for each version."""
    need(shutil.which("node") and shutil.which("npm"), "Node.js with npm was not found.")
    wanted = NODE / "package.json"
    version = hashlib.sha256(wanted.read_bytes()).hexdigest()[:12]
    folder = platformdirs.user_cache_path("agent-loop-course", appauthor=False) / f"node-{version}"
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as name:
            fresh = Path(name) / "node"
            fresh.mkdir()
            shutil.copy(wanted, fresh)
            done = subprocess.run([shutil.which("npm") or "npm", *INSTALL], cwd=fresh, capture_output=True, text=True)
            need(done.returncode == 0, f"npm install failed: {done.stderr}")
            with suppress(OSError):  # another worker was faster: its folder is as good
                fresh.rename(folder)
    return folder


@pytest.fixture
def run_node(node_folder: Path) -> Iterator[Callable[..., Any]]:
    """`run_node("messages.mjs", url, ...)` runs a script of node/ and gives what it printed, read as JSON."""
    with tempfile.TemporaryDirectory(dir=node_folder) as beside_the_packages:

        def run(script: str, *arguments: str, env: Mapping[str, str] | None = None) -> Any:
            shutil.copy(NODE / script, beside_the_packages)
            done = subprocess.run(
                [shutil.which("node") or "node", script, *arguments],
                cwd=beside_the_packages,
                env={**os.environ, **(env or {})},
                capture_output=True,
                text=True,
                encoding="utf-8",
                timeout=120,
            )
            assert done.returncode == 0, done.stderr
            return json.loads(done.stdout)

        yield run


@pytest.fixture
def agent_program() -> Path:
    """The program that the Claude Agent SDK for Python brings with it. The SDK for TypeScript can use the same."""
    found = importlib.util.find_spec("claude_agent_sdk")
    need(found, "claude-agent-sdk is not installed (tests/requirements-agent-sdk.txt).")
    assert found is not None and found.origin is not None
    return Path(found.origin).parent / "_bundled" / ("claude.exe" if os.name == "nt" else "claude")


@pytest.fixture
def agent_env(tmp_path: Path) -> Iterator[Callable[[str], dict[str, str]]]:
    """`agent_env(url)`: the environment in which the agent's program asks this URL, and nothing else.

    Its proxy, for every other host, is a port where nobody answers: at the end nothing may have knocked there.
    """
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        proxy = f"http://127.0.0.1:{elsewhere.getsockname()[1]}"

        yield lambda url: environment(url, proxy, str(tmp_path))
        elsewhere.setblocking(False)
        with pytest.raises(BlockingIOError):
            elsewhere.accept()
