"""Eight clients at once on loopback: nothing is lost, and the offline model costs little beside the HTTP around it.

Each server runs in a process of its own, so that the clients' work is not part of its speed. To see the figures:

    pytest tests/benchmarks/test_server_load.py -s
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from urllib.parse import urlsplit

CLIENTS = 8
REQUESTS = 2_000  # to each server
ROUNDS = 5  # the two servers take turns, so that other work on the machine disturbs both
LEAST_SHARE = 0.3  # of the rate of the same server answering a constant

OFFLINE = "from course.offline.server import serve; serve()"
CONSTANT = """
import sys
from course.offline.server import Server
from course.offline.wire import Response

class Constant:
    def handle(self, request):
        return Response(200, {"content-type": "application/json"}, [b'{"content": "' + b"x" * 600 + b'"}'])

with Server(Constant()) as server:
    print(server.url, flush=True)
    server.serve_forever()
"""
BODY = json.dumps(
    {
        "model": "claude-opus-5-5",
        "max_tokens": 1024,
        "tools": [
            {
                "name": name,
                "description": "A tool of the first lesson.",
                "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
            }
            for name in ("list_files", "read_file")
        ],
        "messages": [
            {"role": "user", "content": "Which files are in this directory? Then read package.json."},
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "I look at the directory first."},
                    {"type": "tool_use", "id": "toolu_1", "name": "list_files", "input": {"path": "."}},
                ],
            },
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "package.json\nREADME.md"}],
            },
        ],
    }
).encode()
HEADERS = {"content-type": "application/json", "x-api-key": "offline", "anthropic-version": "2026-10-21"}


@contextmanager
def served(code: str) -> Iterator[str]:
    """The URL of a server that runs in a process of its own."""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def ask(url: str, count: int) -> int:
    """Send `count` requests on one connection; how many were answered, whole."""
    answered = 0
    with closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)) as line:
        for _ in range(count):
            line.request("POST", "/v1/messages", BODY, HEADERS)
            response = line.getresponse()
            answered += response.status == 200 and "content" in json.loads(response.read())
    return answered


def seconds(url: str, clients: ThreadPoolExecutor) -> float:
    """How long a round takes, with all clients at once. No request may be lost."""
    start = time.perf_counter()
    answered = sum(clients.map(lambda _: ask(url, REQUESTS // ROUNDS // CLIENTS), range(CLIENTS)))
    took = time.perf_counter() - start
    assert answered == REQUESTS // ROUNDS
    return took


def test_eight_clients_lose_nothing_and_wait_little() -> None:
    with served(CONSTANT) as constant, served(OFFLINE) as offline, ThreadPoolExecutor(CLIENTS) as clients:
        for url in (constant, offline):
            ask(url, 50)  # the first requests load modules and scenarios
        rounds = [(seconds(constant, clients), seconds(offline, clients)) for _ in range(ROUNDS)]
    most, ours = (REQUESTS / sum(took) for took in zip(*rounds, strict=True))
    print(f"\nconstant: {most:.0f} requests/s; offline model: {ours:.0f} requests/s; share {ours / most:.2f}")
    assert ours >= LEAST_SHARE * most
