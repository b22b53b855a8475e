"""Can a bank be guessed? Each strategy below knows nothing of the subject. None may do better than chance.

Items without options are left out: whoever knows nothing has next to no chance there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb

from course.quiz.items import Item, OptionItem
from course.quiz.show import choices

__all__ = ["STRATEGIES", "Guess", "guess_all"]


@dataclass(frozen=True)
class Shown:
    """What a guesser sees of an item: the stem and the texts of the options. right: the indexes of those that are right."""

    stem: str
    texts: tuple[str, ...]
    right: frozenset[int]


Rank = Callable[[Shown, int], float]  # the options of the highest ranks are chosen, as many as the card says

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
    return lambda item, option: sum(word in words for word in _words(item.texts[option]))


def _overlap(item: Shown, option: int) -> float:
    stem = {word for word in _words(item.stem) if len(word) > 3}
    return len(stem & set(_words(item.texts[option])))


def _odd_one_out(item: Shown, option: int) -> float:
    """How little an option shares with the other options."""
    sets = [set(_words(text)) for text in item.texts]
    others = set().union(*(words for at, words in enumerate(sets) if at != option))
    return -len(sets[option] & others) / max(len(sets[option]), 1)


def _position(wanted: int) -> Rank:
    return lambda item, option: -abs(option - min(wanted, len(item.texts) - 1))


STRATEGIES: dict[str, Rank] = {
    "longest": lambda item, option: len(item.texts[option]),
    "shortest": lambda item, option: -len(item.texts[option]),
    **{f"position {at + 1}": _position(at) for at in range(4)},
    "most hedged": _count(HEDGES),
    "most absolute words": _count(ABSOLUTES),
    "fewest absolute words": lambda item, option: -_count(ABSOLUTES)(item, option),
    "closest to the stem": _overlap,
    "odd one out": _odd_one_out,
}


def guess_all(items: Sequence[Item]) -> tuple[Guess, ...]:
    """What each strategy gets right. Positions are those of the file, which a pinned item keeps."""
    shown = [_shown(item) for item in items if isinstance(item, OptionItem)]
    chances = [1 / comb(len(item.texts), len(item.right)) for item in shown]
    low, high = _interval(chances)
    return tuple(
        Guess(name, sum(_share(item, rank) for item in shown), len(shown), sum(chances), low, high)
        for name, rank in STRATEGIES.items()
    )


def _shown(item: OptionItem) -> Shown:
    texts = tuple(" ".join(filter(None, (extra.title, extra.text))) for extra in choices(item))
    return Shown(item.stem, texts, frozenset(at for at, option in enumerate(item.options) if option.correct))


def _share(item: Shown, rank: Rank) -> float:
    """The chance that the strategy is right: where several options have the same rank, it takes some of them by lot."""
    ranks = [rank(item, option) for option in range(len(item.texts))]
    last = sorted(ranks, reverse=True)[len(item.right) - 1]  # the rank of the last option that is chosen
    sure = {option for option, value in enumerate(ranks) if value > last}
    tied = {option for option, value in enumerate(ranks) if value == last}
    if not sure <= item.right <= sure | tied:
        return 0.0
    return 1 / comb(len(tied), len(item.right) - len(sure))


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
