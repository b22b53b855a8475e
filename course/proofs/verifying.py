"""`python -m course verify`: everything that can be checked about banks, as one report.

It runs the code that stands in the banks, each item in a process that is ended when it takes too long.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from course.errors import BankError, Fault
from course.proofs.likeness import near_duplicates
from course.proofs.worker import Died, Worker
from course.quiz.bank import QUIZZES, Bank, load_bank
from course.quiz.guess import Guess, guess_all
from course.quiz.items import Item
from course.strict_yaml import Document, read
from course.words import _

__all__ = ["Report", "verify"]

SECONDS = 60.0  # for one item; most take less than a tenth of one
DRAWS = 3


@dataclass(frozen=True)
class Report:
    """What was found. faults: each with its file and line. not_run: how many proofs were left out."""

    banks: tuple[Bank, ...]
    faults: tuple[Fault, ...]
    guesses: tuple[Guess, ...]
    runs: int
    not_run: int
    seconds: float

    @property
    def items(self) -> tuple[Item, ...]:
        return tuple(item for bank in self.banks for item in bank.items)


@dataclass(frozen=True)
class _Job:
    bank: Bank
    file: str
    item: Item
    seed: int


@dataclass
class _Found:
    """What the workers have found so far."""

    faults: list[Fault] = field(default_factory=list)
    not_run: list[_Job] = field(default_factory=list)


def verify(
    paths: Sequence[str | Path] = (), *, draws: int = DRAWS, without_agent_sdk: bool = False, workers: int = 0
) -> Report:
    """Check these files, and the files in these folders; by default those of the course.

    draws: how often an item with variants is drawn and proved. without_agent_sdk: proofs that need claude-agent-sdk may be
    left out where it is not installed. workers: how many processes; 0: one for each core, at most four.
    """
    began = time.monotonic()
    found = _Found()
    files = _files(paths or (QUIZZES,))
    banks = [(file, bank) for file in files for bank in _loaded(file, found.faults)]
    jobs = [
        _Job(bank, str(file), item, seed)
        for file, bank in banks
        for item in bank.items
        for seed in (range(max(draws, 1)) if item.id in bank.templates else (0,))
    ]
    _prove_all(jobs, found, workers or min(os.cpu_count() or 1, 4))
    if found.not_run and not without_agent_sdk:
        found.faults += [_not_run(job) for job in found.not_run]
    only = [bank for _file, bank in banks]
    found.faults += [*_across(only)]
    guesses = guess_all([item for bank in only for item in bank.items])
    found.faults += _guessable(guesses, files)
    faults = tuple(sorted(set(found.faults), key=lambda fault: (fault.file, fault.line, fault.what)))
    return Report(tuple(only), faults, guesses, len(jobs), len(found.not_run), time.monotonic() - began)


def _files(paths: Sequence[str | Path]) -> list[Path]:
    """The files, and those of the folders. A path that is not there is left for the loader to report."""
    found: list[Path] = []
    for path in map(Path, paths):
        found += sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    return found


def _loaded(file: Path, faults: list[Fault]) -> Iterator[Bank]:
    try:
        yield load_bank(file)
    except BankError as error:
        faults += error.faults


def _prove_all(jobs: Sequence[_Job], found: _Found, workers: int) -> None:
    """Share the jobs out to some workers, and wait for all of them."""
    todo: queue.SimpleQueue[_Job] = queue.SimpleQueue()
    for job in jobs:
        todo.put(job)
    threads = [threading.Thread(target=_work, args=(todo, found), daemon=True) for _ in range(min(workers, len(jobs)))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _work(todo: queue.SimpleQueue[_Job], found: _Found) -> None:
    documents: dict[str, Document] = {}
    with Worker() as worker:
        while True:
            try:
                job = todo.get_nowait()
            except queue.Empty:
                return
            if job.file not in documents:
                documents[job.file] = read(job.file, error=BankError)
            _prove(job, documents[job.file], worker, found)


def _prove(job: _Job, document: Document, worker: Worker, found: _Found) -> None:
    at = [item.id for item in job.bank.items].index(job.item.id)
    drawn = _(" (drawn by seed {seed})").format(seed=job.seed) if job.item.id in job.bank.templates else ""
    try:
        question = {"do": "prove", "file": str(Path(job.file).resolve()), "id": job.item.id, "seed": job.seed}
        answer = worker.ask(question, seconds=SECONDS)
    except Died as died:
        what = _("{id} did not come to an end in {seconds:g} seconds.") if died.late else _("{id} ended its process.")
        text = what.format(id=job.item.id, seconds=SECONDS)
        found.faults.append(document.fault(("items", at), text, _("Look for a loop without an end in its code.")))
        return
    if "not_run" in answer:
        found.not_run.append(job)
    for path, what, remedy in answer.get("faults", ()):
        text = f"{job.item.id}{drawn}{_named(path)}: {what}"
        found.faults.append(document.fault(("items", at, *path), text, remedy))


def _named(path: Sequence[str | int]) -> str:
    """Which part of an item: options are numbered from 1, as they are read."""
    parts = {"options": _("option {n}"), "left": _("left {n}"), "wrong": _("wrong answer {n}"), "also": _("also {n}")}
    if len(path) > 1 and path[0] in parts and isinstance(path[1], int):
        return ", " + parts[str(path[0])].format(n=path[1] + 1)
    return ""


def _not_run(job: _Job) -> Fault:
    file, line = job.bank.places[job.item.id]
    what = _("{id}: the proof needs claude-agent-sdk, which is not installed.").format(id=job.item.id)
    return Fault(file, line, what, _("Install tests/requirements-agent-sdk.txt, or use --without-agent-sdk."))


def _across(banks: Sequence[Bank]) -> Iterator[Fault]:
    """What shows only when items of all files are compared: ids and stems that stand twice."""
    places = {item.id: bank.places[item.id] for bank in reversed(banks) for item in bank.items}
    for bank in banks:
        for item in bank.items:
            file, line = bank.places[item.id]
            if places[item.id] != (file, line):
                other = "{}:{}".format(*places[item.id])
                what = _("The id {id} is used in {other} too.").format(id=item.id, other=other)
                yield Fault(file, line, what, _("Ids are permanent: give the newer item another one."))
    for first, second, ratio in near_duplicates([item for bank in banks for item in bank.items]):
        file, line = places[second.id]
        what = _("{id}: the stem is {share:.0%} the same as that of {other}.")
        text = what.format(id=second.id, share=ratio, other=first.id)
        yield Fault(file, line, text, _("Set it in another situation, or ask something else."))


def _guessable(guesses: Sequence[Guess], files: Sequence[Path]) -> Iterator[Fault]:
    for guess in guesses:
        if guess.items and not guess.fair:
            what = _("The strategy {name!r} is right in {right:.1f} of {items} items; by chance it is {low} to {high}.")
            text = what.format(
                name=guess.strategy, right=guess.right, items=guess.items, low=guess.low, high=guess.high
            )
            yield Fault(str(files[0].parent), 1, text, _("Change options until it says nothing about the key."))
