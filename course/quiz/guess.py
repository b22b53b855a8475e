"""Can a bank be guessed? Each strategy below knows nothing of the subject. None may do better than chance."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from course.quiz.items import Item

__all__ = ["STRATEGIES", "Guess", "guess_all"]

Rank = Callable[[Item, int], float]  # the option of the highest rank is chosen

HEDGES = {"may", "might", "can", "could", "usually", "often", "sometimes", "perhaps", "likely", "depends", "unless"}
ABSOLUTES = {"always", "never", "all", "none", "only", "every", "must", "no", "any", "nothing"}


@dataclass(frozen=True)
class Guess:
    """How often a strategy is right. low and high: between these, chance alone lies in at least 95 of 100 banks.

    right is not whole where a strategy can't decide between options and takes one of them by lot.
    """

    strategy: str
    right: float
    items: int
    chance: float
    low: int
    high: int

    @property
    def fair(self) -> bool:
        """The strategy does no better than chance, and no worse (which would be a cue too)."""
        return self.low <= self.right <= self.high


def _words(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.lower())


def _count(words: set[str]) -> Rank:
    return lambda item, option: sum(word in words for word in _words(item.options[option].shown))


def _overlap(item: Item, option: int) -> float:
    stem = {word for word in _words(item.stem) if len(word) > 3}
    return len(stem & set(_words(item.options[option].shown)))


def _odd_one_out(item: Item, option: int) -> float:
    """How little an option shares with the other options."""
    sets = [set(_words(each.shown)) for each in item.options]
    others = set().union(*(words for at, words in enumerate(sets) if at != option))
    return -len(sets[option] & others) / max(len(sets[option]), 1)


def _position(wanted: int) -> Rank:
    return lambda item, option: option == min(wanted, len(item.options) - 1)


STRATEGIES: dict[str, Rank] = {
    "longest": lambda item, option: len(item.options[option].shown),
    "shortest": lambda item, option: -len(item.options[option].shown),
    **{f"position {at + 1}": _position(at) for at in range(4)},
    "most hedged": _count(HEDGES),
    "most absolute words": _count(ABSOLUTES),
    "fewest absolute words": lambda item, option: -_count(ABSOLUTES)(item, option),
    "closest to the stem": _overlap,
    "odd one out": _odd_one_out,
}


def guess_all(items: Sequence[Item]) -> tuple[Guess, ...]:
    """What each strategy gets right. Positions are those of the file, which a pinned item keeps."""
    chances = [1 / len(item.options) for item in items]
    low, high = _interval(chances)
    return tuple(
        Guess(name, sum(_share(item, rank) for item in items), len(items), sum(chances), low, high)
        for name, rank in STRATEGIES.items()
    )


def _share(item: Item, rank: Rank) -> float:
    """The chance that the strategy is right: several options may have the highest rank."""
    ranks = [rank(item, option) for option in range(len(item.options))]
    best = [option for option, value in enumerate(ranks) if value == max(ranks)]
    return sum(item.options[option].correct for option in best) / len(best)


def _interval(chances: Sequence[float]) -> tuple[int, int]:
    """The middle 95% of how many are right by chance, where item k is right with the chance `chances[k]`."""
    spread = [1.0]
    for chance in chances:
        spread = [
            here * (1 - chance) + before * chance for here, before in zip([*spread, 0.0], [0.0, *spread], strict=True)
        ]
    below, low, high = 0.0, 0, 0
    for right, share in enumerate(spread):
        if below <= 0.025:
            low = right
        if below < 0.975:
            high = right
        below += share
    return low, high
