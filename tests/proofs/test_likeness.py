"""Stems that are nearly the same."""

from __future__ import annotations

from pathlib import Path

from course.proofs.likeness import near_duplicates
from course.quiz.bank import load_bank

BROKEN = load_bank(Path(__file__).parent / "banks" / "broken.yaml")


def test_two_stems_that_differ_in_one_word_are_found_and_no_others() -> None:
    found = [(first.id, second.id, round(ratio, 2)) for first, second, ratio in near_duplicates(BROKEN.items)]
    assert found == [("no-proof-at-all", "a-stem-that-stands-twice", 0.9)]
