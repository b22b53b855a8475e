"""How long a bank takes to load: `python -m pytest tests/benchmarks/test_bank_load.py -s`.

Limits of the issue: 1,000 items in at most 3 times the time of yaml.CSafeLoader for the same file; 10,000 items at most 1.2
times that for each item; memory in proportion. Nothing here fails because it is slow: the figures are printed, and in extra_info.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from pytest_benchmark.fixture import BenchmarkFixture

from course.quiz.bank import load_bank

EVERY_KIND = Path(__file__).parents[1] / "quiz" / "banks" / "every_kind.yaml"
MEMORY = """\
import re, sys
from pathlib import Path
from course.quiz.bank import load_bank
def most():
    return int(re.search(r"VmHWM:\\s*([0-9]+) kB", Path("/proc/self/status").read_text(encoding="utf-8"))[1])
before = most()
bank = load_bank(sys.argv[1])
print(most() - before)
"""


@pytest.fixture(scope="module")
def bank_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """Writes a bank of so many items: those of every kind again and again, each with an id of its own."""

    def bank_of(count: int) -> Path:
        path = tmp_path_factory.getbasetemp() / f"items_{count}.yaml"
        if not path.exists():
            heading, *items = EVERY_KIND.read_text(encoding="utf-8").split("  - id: ")
            each = (f"  - id: item-{at}-{items[at % len(items)].rstrip()}\n\n" for at in range(count))
            path.write_text(heading + "".join(each), encoding="utf-8")
        return path

    return bank_of


def plain(path: Path) -> object:
    """The file as PyYAML's own safe loader reads it."""
    with open(path, encoding="utf-8") as stream:
        return yaml.load(stream, Loader=yaml.CSafeLoader)


def fastest(work: Callable[[Path], object], path: Path, rounds: int) -> float:
    """The processor time of the fastest round."""
    best = float("inf")
    for _round in range(rounds):
        start = time.process_time()
        work(path)
        best = min(best, time.process_time() - start)
    return best


def memory(path: Path) -> float:
    """How many MB a fresh Python grows by, at most, while it loads the bank."""
    command = [sys.executable, "-c", MEMORY, str(path)]
    grown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300, encoding="utf-8")
    return int(grown.stdout) / 1024


def test_load_1000_items(benchmark: BenchmarkFixture, bank_of: Callable[[int], Path]):
    path = bank_of(1000)
    assert len(benchmark(load_bank, path).items) == 1000
    times = fastest(load_bank, path, 7) / fastest(plain, path, 7)
    benchmark.extra_info["times plain yaml"] = round(times, 2)
    print(f"\n1,000 items take {times:.2f} times as long as yaml.CSafeLoader")


def test_ten_times_the_items(benchmark: BenchmarkFixture, bank_of: Callable[[int], Path]):
    small, large = bank_of(1000), bank_of(10_000)
    bank = benchmark.pedantic(load_bank, (large,), rounds=1)
    assert len(bank.items) == 10_000
    del bank
    ratio = fastest(load_bank, large, 3) / 10 / fastest(load_bank, small, 7)
    benchmark.extra_info["time for each item, against 1,000"] = round(ratio, 2)
    print(f"\n10,000 items take {ratio:.2f} times as long for each item as 1,000")


def test_memory(benchmark: BenchmarkFixture, bank_of: Callable[[int], Path]):
    small, large = bank_of(1000), bank_of(10_000)
    grown = benchmark.pedantic(lambda: (memory(small), memory(large)), rounds=1)
    benchmark.extra_info["MB"] = [round(each) for each in grown]
    print(f"\n1,000 items: {grown[0]:.0f} MB; 10,000 items: {grown[1]:.0f} MB")
    assert grown[1] < 12 * grown[0]
