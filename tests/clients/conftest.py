"""The offline API on loopback, for the real clients. They all meet the same small tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

import pytest

from course.offline.endpoint import Endpoint
from course.offline.faults import Fault
from course.offline.scenario import Call, Scenario, Step
from course.offline.server import running
from course.offline.wire import Request, Response

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
