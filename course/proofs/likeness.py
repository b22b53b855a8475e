"""Stems that are nearly the same: whoever has met one question knows the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from course.quiz.items import Item

__all__ = ["near_duplicates"]

ALIKE = 0.85  # the share of words that two stems have in common, in their order


def near_duplicates(items: Sequence[Item]) -> Iterator[tuple[Item, Item, float]]:
    """Pairs of items whose stems are nearly the same, and how alike they are (1.0: the same words)."""
    words = [re.findall(r"\w+", item.stem.lower()) for item in items]
    for second, later in enumerate(words):
        matcher = SequenceMatcher(autojunk=False)
        matcher.set_seq2(later)  # what is kept between comparisons is kept of the second
        for first in range(second):
            matcher.set_seq1(words[first])
            if matcher.real_quick_ratio() >= ALIKE and matcher.quick_ratio() >= ALIKE:
                ratio = matcher.ratio()
                if ratio >= ALIKE:
                    yield items[first], items[second], ratio
