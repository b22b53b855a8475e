"""A Trace: everything that happened while a loop ran, as plain frozen data that can be walked forward and back.

A Trace holds no words for a reader and no live object, so it goes to JSON and back without loss (`Trace.to_json`,
`Trace.from_json`). What is large is stored once: a message in `pool`, the part of a request body around `messages` in
`params`. The state of `messages` after a step is a `Version`: what it shares with an earlier version, and what is new.
A run of 1,000 requests therefore takes memory in proportion to what changed, not to the square of its length.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal

__all__ = ["Change", "Ending", "Exchange", "Function", "Place", "Step", "ToolRun", "Trace", "Version"]

Json = Any  # None, bool, int, float, str, list or dict, as json.loads gives them

StepKind = Literal["start", "ask", "tool", "change", "error", "end"]
ChangeKind = Literal["append", "extend", "insert", "edit", "delete", "rebuild"]
EndingKind = Literal["returned", "raised", "fuse", "interrupted"]


@dataclass(frozen=True)
class Function:
    """A function of the learner's whose lines are followed: its name, its source, the number of its first line."""

    name: str
    source: str
    first_line: int = 1
    file: str = ""


@dataclass(frozen=True)
class Place:
    """A line of the learner's code: an index into `Trace.code`, and the line's number in its file or cell."""

    function: int
    line: int


@dataclass(frozen=True)
class Version:
    """One state of `messages`: the first `keep` messages of `parent`, then `add` (indexes into `Trace.pool`), then the last
    `keep_end` messages of `parent`. Without a parent, `add` is all of it. A parent always has a smaller index."""

    parent: int | None
    keep: int
    add: tuple[int, ...]
    keep_end: int = 0


@dataclass(frozen=True)
class Exchange:
    """One HTTP request to `/v1/messages`, and what came back.

    number: 1 for the first request of the run. attempt: 0, or 1, 2, ... for a retry that the SDK made by itself.
    params: index into `Trace.params`, the body without `messages`. messages: the version that was sent.
    status: the HTTP status; None if no response came. reply: the message as the API's JSON, put together from the events if
    it was streamed (`stop_reason` is then None if the stream was cut). error: {"type", "message"} of an API error, or of the
    broken connection.
    """

    number: int
    attempt: int
    params: int
    messages: int
    status: int | None
    reply: Json = None
    error: dict[str, str] | None = None
    streamed: bool = False
    seconds: float = 0.0


@dataclass(frozen=True)
class ToolRun:
    """One run of a tool: its name, its input, what it returned (as JSON, or its repr as text) or the error it raised."""

    name: str
    input: Json
    output: Json = None
    error: str | None = None
    tool_use_id: str | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class Change:
    """How `messages` changed: `at` is the index of the first message that is new or different, `count` how many are new,
    `removed` how many are gone."""

    kind: ChangeKind
    at: int
    count: int
    removed: int = 0


@dataclass(frozen=True)
class Ending:
    """How the run ended. value: the repr of what the function returned. error: {"type", "message"} of what it raised.
    fuse: which one ended it, "requests" or "seconds", and `limit`."""

    kind: EndingKind
    value: str | None = None
    error: dict[str, str] | None = None
    fuse: str | None = None
    limit: float | None = None


@dataclass(frozen=True)
class Step:
    """One action of the loop, and the state after it.

    place: the line of the learner's code that did it. path: the lines run since the step before, in order, `place` last
    (the *line* granularity). messages: the version after the step; None while the loop has no `messages` yet.
    Which of `exchange`, `tool`, `change`, `ending` is set follows from `kind`:
    start: none. ask and error: exchange (error: the request failed). tool: tool. change: change. end: ending.
    """

    kind: StepKind
    place: Place | None = None
    path: tuple[Place, ...] = ()
    messages: int | None = None
    exchange: Exchange | None = None
    tool: ToolRun | None = None
    change: Change | None = None
    ending: Ending | None = None
    at: float = 0.0  # seconds since the start of the run


@dataclass(frozen=True)
class Trace:
    """A recorded run. `steps[0]` is always the start, the last one always the end."""

    code: tuple[Function, ...]
    pool: tuple[Json, ...]
    versions: tuple[Version, ...]
    params: tuple[Json, ...]
    steps: tuple[Step, ...]
    name: str = ""
    context_window: int | None = None  # tokens, of the model that was asked
    format: int = 1

    def messages_at(self, version: int | None) -> list[Json]:
        """The messages of a version, as the API's JSON. Costs time in proportion to the versions it is made of."""
        return [self.pool[index] for index in self.pool_indexes(version)]

    def pool_indexes(self, version: int | None) -> list[int]:
        """The places in `pool` of the messages of a version. None: there are no messages yet."""
        chain: list[Version] = []
        while version is not None:
            chain.append(self.versions[version])
            version = chain[-1].parent
        indexes: list[int] = []
        for link in reversed(chain):  # in place: what is kept is not copied for each link
            indexes[link.keep : len(indexes) - link.keep_end] = link.add
        return indexes

    @cached_property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Every request of the run with its response, in order."""
        return tuple(step.exchange for step in self.steps if step.exchange is not None)

    @property
    def ending(self) -> Ending:
        """How the run ended."""
        ending = self.steps[-1].ending
        assert ending is not None, "the last step of a Trace is its end"
        return ending

    def request_body(self, exchange: Exchange) -> dict[str, Json]:
        """The whole body of a request, as it went over the wire. `messages` that was no list stands in `params`."""
        return {"messages": self.messages_at(exchange.messages), **self.params[exchange.params]}

    def __repr__(self) -> str:
        """One line: what a notebook shows below `record(...)` as the last line of a cell."""
        from course.trace.text import in_short

        return in_short(self)

    def __str__(self) -> str:
        """The steps as text, one on a line (course.trace.text)."""
        from course.trace.text import as_text

        return as_text(self)

    def to_json(self) -> str:
        """The Trace as JSON text. What has its default value is left out: that is two thirds of a long run."""
        text: bytes = _adapter().dump_json(self, exclude_defaults=True)
        return text.decode("utf-8")

    @classmethod
    def from_json(cls, text: str) -> Trace:
        """The Trace that `to_json` wrote. Raises pydantic.ValidationError if the text is not one."""
        trace: Trace = _adapter().validate_json(text)
        return trace


@cache
def _adapter() -> Any:
    from pydantic import TypeAdapter  # when it is needed: `import course` stays light

    return TypeAdapter(Trace)
