"""Proving many items, shared out to some processes. No job is lost: what can't be run is a fault, or is counted as not run."""

from __future__ import annotations

import queue
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from course.errors import Fault
from course.proofs.worker import Died, Worker
from course.quiz.items import Item
from course.strict_yaml import Document
from course.words import _

__all__ = ["Done", "Job", "prove_all"]

SECONDS = 60.0  # for one item; most take less than a tenth of one


@dataclass(frozen=True)
class Job:
    """An item to prove. document, at: where it stands. seed: by which it was drawn; None: it has no variants."""

    document: Document
    at: int
    item: Item
    seed: int | None = None

    def fault(self, path: Sequence[str | int], what: str, remedy: str) -> Fault:
        """A fault at the line of `path`, a path inside the item."""
        return self.document.fault(("items", self.at, *path), what, remedy)


@dataclass
class Done:
    """What the processes have found so far. held: the jobs whose proof holds. not_run: those whose proof needs what is not
    installed."""

    faults: list[Fault] = field(default_factory=list)
    held: list[Job] = field(default_factory=list)
    not_run: list[Job] = field(default_factory=list)


def prove_all(jobs: Sequence[Job], workers: int) -> Done:
    """Prove all of them. Raises what goes wrong in this process."""
    todo: queue.SimpleQueue[Job] = queue.SimpleQueue()
    for job in jobs:
        todo.put(job)
    done = Done()
    with ThreadPoolExecutor(max(workers, 1)) as threads:
        try:
            for thread in [threads.submit(_work, todo, done) for _ in range(min(workers, len(jobs)))]:
                thread.result()
        finally:
            _drop(todo)  # if one has failed, or somebody stops us, the others end after the job that they have
    return done


def _drop(todo: queue.SimpleQueue[Job]) -> None:
    while not todo.empty():
        with suppress(queue.Empty):
            todo.get_nowait()


def _work(todo: queue.SimpleQueue[Job], done: Done) -> None:
    with Worker() as worker:
        while True:
            try:
                job = todo.get_nowait()
            except queue.Empty:
                return
            _prove(job, worker, done)


def _prove(job: Job, worker: Worker, done: Done) -> None:
    data = job.item.model_dump(mode="json", by_alias=True, exclude_unset=True)
    try:
        answer = worker.ask({"do": "prove", "item": data}, seconds=SECONDS)
    except Died as died:
        what = _("{id} did not come to an end in {seconds:g} seconds.") if died.late else _("{id} ended its process.")
        text = what.format(id=job.item.id, seconds=SECONDS)
        done.faults.append(job.fault((), text, _("Look for a loop without an end in its code.")))
        return
    if "not_run" in answer:
        done.not_run.append(job)
    elif not answer["faults"]:
        done.held.append(job)
    for path, what, remedy in answer.get("faults", ()):
        done.faults.append(job.fault(path, f"{_named(job, path)}: {what}", remedy))


def _named(job: Job, path: Sequence[Any]) -> str:
    """Which item, which draw, which part: options are numbered from 1, as they are read."""
    drawn = "" if job.seed is None else _(" (drawn by seed {seed})").format(seed=job.seed)
    parts = {"options": _("option {n}"), "left": _("left {n}"), "wrong": _("wrong answer {n}"), "also": _("also {n}")}
    part = ""
    if len(path) > 1 and path[0] in parts and isinstance(path[1], int):
        part = ", " + parts[path[0]].format(n=path[1] + 1)
    return f"{job.item.id}{drawn}{part}"
