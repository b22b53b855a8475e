"""`python -m course verify`: everything that can be checked about banks, as one report.

It runs the code that stands in the banks, each item in a process that is ended when it takes too long.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course.errors import BankError, Fault
from course.proofs.jobs import Job, prove_all
from course.proofs.likeness import near_duplicates
from course.proofs.proving import how_proved
from course.quiz.bank import QUIZZES, Bank, load_bank
from course.quiz.guess import Guess, guess_all
from course.quiz.items import Item
from course.strict_yaml import Document, read
from course.words import _

__all__ = ["DRAWS", "Report", "verify"]

DRAWS = 3
MOST_WORKERS = 4


@dataclass(frozen=True)
class Report:
    """What was found. faults: each with its file and line. runs: how many proofs there were; of them, held: those that hold,
    not_run: those that were left out."""

    banks: tuple[Bank, ...]
    faults: tuple[Fault, ...]
    guesses: tuple[Guess, ...]
    runs: int
    held: int
    not_run: int
    seconds: float

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of all banks, those with variants as they are drawn first."""
        return tuple(item for bank in self.banks for item in bank.items)

    def to_data(self) -> dict[str, Any]:
        """The figures and the faults as plain data, for another program."""
        figures = {name: getattr(self, name) for name in ("runs", "held", "not_run", "seconds")}
        return {"items": len(self.items), **figures, "faults": [str(fault) for fault in self.faults]}


def verify(
    paths: Sequence[str | Path] = (),
    *,
    draws: int = DRAWS,
    without_agent_sdk: bool = False,
    workers: int = 0,
    before_running: Callable[[], None] = lambda: None,
) -> Report:
    """Check these files, and the files in these folders; by default those of the course.

    draws: how often an item with variants is drawn and proved. without_agent_sdk: proofs that need claude-agent-sdk may be
    left out where it is not installed. workers: how many processes; 0: one for each core, at most four. before_running:
    called before code of a question is run; not at all if none is.
    """
    began = time.monotonic()
    faults: list[Fault] = []
    banks: list[Bank] = []
    jobs: list[Job] = []
    files = _files(paths or (QUIZZES,))
    for file in files:
        for document, bank in _loaded(file, faults):
            banks.append(bank)
            jobs += _jobs(document, bank, draws, faults)
    if any(how_proved(job.item) not in ("none", "missing") for job in jobs):
        before_running()
    done = prove_all(jobs, workers or min(os.cpu_count() or 1, MOST_WORKERS))
    faults += done.faults
    if not without_agent_sdk:
        faults += map(_not_run, done.not_run)
    guesses = guess_all([item for bank in banks for item in bank.items])
    faults += [*_across(banks), *_guessable(guesses, files)]
    in_order = tuple(sorted(set(faults), key=lambda fault: (fault.file, fault.line, fault.what)))
    counted = len(jobs), len(done.held), len(done.not_run)
    return Report(tuple(banks), in_order, guesses, *counted, time.monotonic() - began)


def _files(paths: Sequence[str | Path]) -> list[Path]:
    """The files, and those of the folders. A path that is not there is left for the loader to report."""
    found: list[Path] = []
    for path in map(Path, paths):
        found += sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    return found


def _loaded(file: Path, faults: list[Fault]) -> Iterator[tuple[Document, Bank]]:
    """The bank in a file; none if it has faults."""
    try:
        yield read(file, error=BankError), load_bank(file)
    except BankError as error:
        faults += error.faults


def _jobs(document: Document, bank: Bank, draws: int, faults: list[Fault]) -> Iterator[Job]:
    for at, item in enumerate(bank.items):
        if item.id not in bank.templates:
            yield Job(document, at, item)
            continue
        for seed in range(draws):
            try:
                yield Job(document, at, bank.drawn(item.id, seed), seed)
            except BankError as error:
                faults += error.faults


def _not_run(job: Job) -> Fault:
    what = _("{id}: the proof needs claude-agent-sdk, which is not installed.").format(id=job.item.id)
    return job.fault((), what, _("Install tests/requirements-agent-sdk.txt, or use --without-agent-sdk."))


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
    """Strategies that do better than chance, or worse: the options of all files together give something away."""
    for guess in guesses:
        if guess.items and not guess.fair:
            what = _("The strategy {name!r} is right in {right:.1f} of {items} items; by chance it is {low} to {high}.")
            text = what.format(
                name=guess.strategy, right=guess.right, items=guess.items, low=guess.low, high=guess.high
            )
            place = files[0] if len(files) == 1 else files[0].parent
            yield Fault(str(place), 1, text, _("Change options until it says nothing about the key."))
