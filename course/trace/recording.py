"""A Trace while it is being made: the steps so far, the lines since the last one, the fuse."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from course.trace.candidates import Candidates
from course.trace.events import Change, Ending, Exchange, Json, Place, Step, StepKind, ToolRun, Trace
from course.trace.fuse import Fuse, Stopped
from course.trace.live import Live
from course.trace.redact import cleaned
from course.trace.sources import Sources
from course.trace.versions import Store, Versions
from course.trace.watch import Watched

__all__ = ["Draft", "Recording"]

LONGEST_PATH = 1_000  # lines between two steps; of a longer way the end is kept


@dataclass(eq=False)
class Draft:
    """A step that may still change: a streamed reply comes in while the loop runs on."""

    kind: StepKind
    place: Place | None
    path: list[Place]
    at: float
    messages: int | None = None
    exchange: Exchange | None = None
    tool: ToolRun | None = None
    change: Change | None = None
    ending: Ending | None = None
    candidate: Watched | None = None  # a list that may turn out to be `messages`,
    content: list[Json] = field(default_factory=list)  # and how it was then

    def step(self) -> Step:
        return Step(
            self.kind, self.place, tuple(self.path[-LONGEST_PATH:]), self.messages,
            self.exchange, self.tool, self.change, self.ending, round(self.at, 6),
        )  # fmt: skip


class Recording:
    """What happened so far. The line follower, the wire and the watcher of tools write into it."""

    def __init__(
        self,
        fuse: Fuse,
        sources: Sources,
        live: Live | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.fuse = fuse
        self.sources = sources
        self.live = live
        self.clock = clock
        self.began = clock()
        self.waited = 0.0  # seconds that the loop had nothing to do but wait for replies
        self.waiting = 0  # for so many at this moment
        self.waiting_since = 0.0
        self.place: Place | None = None  # the line that runs
        self.path: deque[Place] = deque(maxlen=LONGEST_PATH)
        self.versions = Versions()
        self.params = Store()
        self.drafts: list[Draft] = [Draft("start", None, [], 0.0)]
        self.candidates = Candidates(self)
        self.requests = 0
        self.model = ""
        self.keys: set[str] = set()
        self.blown: str | None = None  # "requests" or "seconds", once the fuse has blown
        self.interrupted = False

    def ran(self, place: Place) -> None:
        """A line begins to run."""
        self.place = place
        self.path.append(place)
        if self.live is not None:
            self.live.look(self.requests)

    def add(self, kind: StepKind) -> Draft:
        """A new step, done by the line that runs."""
        if self.place is not None and (not self.path or self.path[-1] is not self.place):
            self.path.append(self.place)
        draft = Draft(kind, self.place, list(self.path), self.clock() - self.began, self.versions.number)
        self.path.clear()
        self.drafts.append(draft)
        return draft

    def drop(self, draft: Draft) -> None:
        """Take a step back; its lines belong to the next one."""
        index = self.drafts.index(draft)
        del self.drafts[index]
        if index < len(self.drafts):
            self.drafts[index].path[:0] = draft.path
        else:
            self.give_back(draft.path)

    def give_back(self, lines: list[Place]) -> None:
        """These lines ran since the last step, before those that are noted already."""
        self.path = deque([*lines, *self.path], maxlen=LONGEST_PATH)

    def set_messages(self, content: list[Json]) -> None:
        """`messages` is now this; a step tells the change if there is one."""
        change = self.versions.update(content)
        if change is not None:
            self.add("change").change = change

    def ask(self, body: dict[str, Json], attempt: int) -> Draft:
        """A request is about to be sent. attempt: 0, or the number of the SDK's retry. Raises Stopped if the fuse is blown."""
        attempt = attempt or self._begins_again(body)
        if attempt == 0 and self.requests >= self.fuse.requests:
            self.blown = self.blown or "requests"
        if self.blown or self.interrupted:
            raise Stopped(self)
        self.requests += attempt == 0
        self.model = str(body.get("model", ""))
        messages, params = body.get("messages"), dict(body)
        if isinstance(messages, list):
            del params["messages"]
        frame = next(self.sources.learners_frames(sys._getframe(1)), None)
        sent = self.candidates.sent(messages if isinstance(messages, list) else [], frame)
        draft = self.add("ask")
        draft.exchange = Exchange(max(self.requests, 1), attempt, self.params.put(params), sent, None)
        return draft

    def _begins_again(self, body: dict[str, Json]) -> int:
        """Whether the SDK's tool runner sends a request again without its `thread`, which this endpoint did not take: 1, or 0.

        Source: the retry in `anthropic.lib.threads` of anthropic 2.14. It is the SDK's own, like those after a 429.
        """
        last = next((draft.exchange for draft in reversed(self.drafts) if draft.exchange is not None), None)
        refused = last is not None and last.error is not None and "thread" in self.params.values[last.params]
        return int(refused and "thread" not in body)

    def out_of_time(self) -> bool:
        """Whether the loop must end now: its time is over, or the fuse has blown already."""
        if self.blown is None and self.seconds_left() < 0:
            self.blown = "seconds"
        return self.blown is not None

    def seconds_left(self) -> float:
        """What is left of the loop's own time."""
        waits = self.clock() - self.waiting_since if self.waiting else 0.0
        return self.fuse.seconds - (self.clock() - self.began - self.waited - waits)

    def wait(self) -> None:
        """A wait for the other side of the wire begins."""
        if not self.waiting:
            self.waiting_since = self.clock()
        self.waiting += 1

    def go_on(self) -> None:
        """It is over."""
        self.waiting -= 1
        if not self.waiting:
            self.waited += self.clock() - self.waiting_since

    def finish(self, ending: Ending, place: Place | None, name: str) -> Trace:
        """The Trace. place: the line where it ended, if that is not the last one that ran."""
        self.candidates.look(None, thorough=True)
        self.candidates.finish()
        self.place = place or self.place
        self.add("end").ending = ending
        trace = Trace(
            tuple(self.sources.functions), tuple(self.versions.pool.values), tuple(self.versions.versions),
            tuple(self.params.values), tuple(draft.step() for draft in self.drafts), name, _context_window(self.model),
        )  # fmt: skip
        return cleaned(trace, self.keys)


def _context_window(model: str) -> int | None:
    from course.offline.models import find

    found = find(model)
    return None if found is None else found.context_window
