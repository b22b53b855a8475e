"""The guess check: it finds a bank with cues, and leaves a bank without any alone."""

from __future__ import annotations

import random

import pytest
from quiz.examples import EVERY_KIND, WRONG, item, one

from course.quiz.guess import Guess, guess_all
from course.quiz.items import ManyItem, Option


def by_name(items) -> dict[str, Guess]:
    return {guess.strategy: guess for guess in guess_all(items)}


def lengths(right_is_longest: bool, count: int = 40) -> list:
    """Items of four options of different lengths; the right one is the longest, or any."""
    draw = random.Random(1)
    items = []
    for number in range(count):
        texts = ["a", "bb", "ccc", "dddd"]
        draw.shuffle(texts)
        right = texts.index("dddd") if right_is_longest else draw.randrange(4)
        items.append(one(f"item-{number}", texts=texts, right=right))
    return items


def test_a_bank_in_which_the_longest_option_is_right():
    longest = by_name(lengths(right_is_longest=True))["longest"]
    assert longest == Guess("longest", right=40, items=40, chance=10.0, low=5, high=16)
    assert not longest.fair


def test_a_bank_in_which_the_longest_option_is_never_right_is_a_cue_too():
    items = [one(f"item-{n}", texts=["aaaa", "b", "c", "d"], right=1 + n % 3) for n in range(40)]
    assert not by_name(items)["longest"].fair


def test_a_bank_without_cues():
    assert [guess.strategy for guess in guess_all(lengths(right_is_longest=False)) if not guess.fair] == []


def test_a_strategy_that_cannot_decide_draws_lots():
    assert by_name([one(texts="abcd", right=2)])["longest"].right == 0.25


@pytest.mark.parametrize(
    ("strategy", "texts", "stem"),
    [
        ("most hedged", ["It does.", "It can, and often may.", "It is.", "It has."], "s"),
        ("most absolute words", ["It does.", "It never does, and always is.", "It is.", "It has."], "s"),
        ("fewest absolute words", ["always", "does", "never", "only"], "s"),
        ("closest to the stem", ["one", "the parser fails", "two", "three"], "When the parser fails, why?"),
        ("odd one out", ["a b c", "x y z", "a b d", "a c d"], "s"),
        ("position 2", list("abcd"), "s"),
        ("shortest", ["aa", "b", "cc", "dd"], "s"),
    ],
)
def test_each_strategy_takes_the_option_it_is_named_for(strategy, texts, stem):
    assert by_name([one(texts=texts, right=1, stem=stem)])[strategy].right == 1.0


def test_chance_counts_the_options_of_each_item():
    guess = guess_all([one("a", texts="ab"), one("b", texts="abcd")])[0]
    assert guess.chance == 0.75


def many(*right: int):
    """An item with the options a, bb, ccc and dddd, of which these are right."""
    options = [
        Option(text=letter * (at + 1), correct=at in right, why="w", misconception=None if at in right else WRONG)
        for at, letter in enumerate("abcd")
    ]
    return ManyItem(id="a", kind="many", objective="messages/memory", stem="s", options=tuple(options))


@pytest.mark.parametrize(("right", "longest", "shortest"), [((2, 3), 1.0, 0.0), ((0, 1), 0.0, 1.0), ((0, 3), 0.0, 0.0)])
def test_of_several_right_options_all_must_be_guessed(right, longest, shortest):
    found = by_name([many(*right)])
    assert (found["longest"].right, found["shortest"].right) == (longest, shortest)
    assert found["longest"].chance == pytest.approx(1 / 6)


def test_lots_are_drawn_for_the_options_that_a_strategy_cannot_tell_apart():
    assert by_name([many(0, 3)])["most hedged"].right == pytest.approx(1 / 6)


def test_items_without_options_are_left_out():
    assert guess_all(EVERY_KIND.items)[0].items == 6
    assert guess_all([item("lines-in-order")])[0].items == 0


def test_lines_and_arrays_are_compared_by_what_is_shown():
    assert by_name([item("pick-the-next")])["longest"].right == 1.0
    assert by_name([item("wrong-line")])["shortest"].right == 1.0
