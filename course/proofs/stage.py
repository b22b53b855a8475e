"""Where a loop of an item is run and recorded: in the item's own world, or on a task of the offline model."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from course.clients import client
from course.errors import LoopError
from course.loop import LARGEST_MAX_TOKENS, run_loop
from course.offline.faults import Fault
from course.offline.scenario import Scenario
from course.proofs.blocks import texts
from course.proofs.guard import guarded
from course.proofs.outcomes import Run
from course.proofs.program import Program
from course.proofs.scenario_tools import tools_for
from course.proofs.setting import MAX_TOKENS, SERVER_TOOLS, Setting
from course.proofs.world import World, client_of
from course.settings import MODEL, load_settings
from course.tools import Tool, run_tool
from course.trace import Fuse, Trace, record

__all__ = ["Loop", "Stage", "right_answer"]

REQUESTS = 12  # after so many, a run is ended
SECONDS = (1.0, 4.0)  # the second for a loop that took too long: perhaps only because the machine has much to do
HASTY = (0.3,)
Loop = Callable[[Any, list[Any]], Any]


@dataclass(frozen=True)
class Stage:
    """A place to run loops in: the world of a setting, or a scenario of the offline model.

    patient: a loop that takes too long is run once more, with more time; if not, it gets little time, and that once.
    faults: what goes wrong on the way. requests: the fuse.
    """

    where: Setting | Scenario
    patient: bool = True
    faults: tuple[Fault | str, ...] = ()
    requests: int = REQUESTS

    def play(self, loop: Loop, name: str = "") -> Run:
        """Run a loop of the course's own, on a fresh client and fresh messages."""
        return self._in_time(lambda asked, messages, fuse: record(loop, asked, messages, fuse=fuse, name=name))

    def run(self, program: Program) -> Run:
        """Run an item's code. Raises what it raises outside of its functions."""

        def recorded(asked: Any, messages: list[Any], fuse: Fuse) -> Trace:
            alone = threading.active_count() == 1  # as in a worker
            with guarded(everywhere=alone), program.function_with(self._names(asked)) as function:
                return record(function, asked, messages, fuse=fuse, name=program.function)

        return self._in_time(recorded)

    def _in_time(self, recorded: Callable[[Any, list[Any], Fuse], Trace]) -> Run:
        for seconds in SECONDS if self.patient else HASTY:
            asked, world = self._client()
            trace = recorded(asked, self.messages(), Fuse(requests=self.requests, seconds=seconds))
            if trace.ending.fuse != "seconds":
                break
        if isinstance(self.where, Scenario):
            return Run(trace, wanted=right_answer(self.where))
        assert world is not None
        return Run(trace, tuple(world.news))

    def _client(self) -> tuple[Any, World | None]:
        if isinstance(self.where, Setting):
            world = World(self.where, self.faults)
            return client_of(world), world
        settings = replace(load_settings(), mode="offline")
        return client(self.where, faults=self.faults, max_retries=0, settings=settings), None

    def messages(self) -> list[Any]:
        """What the loop starts from."""
        if isinstance(self.where, Setting):
            return self.where.start()
        return [{"role": "user", "content": self.where.prompt}]

    @property
    def tools(self) -> list[Tool]:
        """The tools that the loop may run."""
        return self.where.tools if isinstance(self.where, Setting) else tools_for(self.where)

    @property
    def definitions(self) -> list[dict[str, Any]]:
        """The `tools` of each request, with those that the API runs itself."""
        if isinstance(self.where, Setting):
            return self.where.definitions
        searches = any(step.searches for step in self.where.script)
        return [*(each.definition for each in self.tools), *([SERVER_TOOLS["web_search"]] if searches else [])]

    def _names(self, asked: Any) -> dict[str, Any]:
        """What code of an item finds: the names of the notebooks, and a few that keep short code short."""
        import anthropic

        tools, definitions = self.tools, self.definitions
        limit = self.where.max_tokens if isinstance(self.where, Setting) else MAX_TOKENS

        def ask(messages: list[Any], **more: Any) -> Any:
            request = {"model": MODEL, "max_tokens": limit, "tools": definitions, "messages": messages}
            return asked.messages.create(**{**request, **more})

        def run(call: Any) -> dict[str, Any]:
            return run_tool(tools, call)

        return {
            "MODEL": MODEL,
            "LoopError": LoopError,
            "anthropic": anthropic,
            "ask": ask,
            "calls": _calls,
            "client": asked,
            "definitions": definitions,
            "json": json,
            "print": _say_nothing,
            "re": re,
            "run": run,
            "run_loop": run_loop,
            "run_tool": run_tool,
            "task": _task(self.messages()),
            "text_of": _text_of,
            "tools": tools,
        }


@lru_cache(maxsize=64)
def right_answer(scenario: Scenario) -> str | None:
    """The answer that the loop of the course gets to a scenario's task; None if it gets none."""
    stage = Stage(scenario)
    asked, _world = stage._client()
    tools: list[Any] = [*stage.tools, *stage.definitions[len(stage.tools) :]]
    try:
        reply = run_loop(asked, stage.messages(), tools, model=MODEL, max_tokens=LARGEST_MAX_TOKENS, max_requests=12)
    except LoopError:
        return None
    return _text_of(reply) if reply.stop_reason == "end_turn" else None


def _task(messages: list[Any]) -> str:
    return "\n".join(texts(messages[:1], "user"))


def _calls(reply: Any) -> list[Any]:
    """The calls in a reply."""
    return [block for block in reply.content if block.type == "tool_use"]


def _text_of(reply: Any) -> str:
    """The text of a reply."""
    return "".join(block.text for block in reply.content if block.type == "text")


def _say_nothing(*_values: Any, **_more: Any) -> None:
    """`print` for code whose output nobody sees."""
