"""The banks that ship with the course."""

from __future__ import annotations

import re

import pytest

from course.quiz.bank import QUIZZES, load_bank
from course.quiz.guess import guess_all
from course.quiz.items import ActionItem, LineItem, OptionItem
from course.quiz.tables import focus_points, misconceptions, objectives
from course.stop_reasons import fact

BANKS = [load_bank(path) for path in sorted(QUIZZES.glob("*.yaml"))]
ITEMS = [item for bank in BANKS for item in bank.items]


@pytest.mark.parametrize(("name", "least"), [("00_start_here", 5), ("01_raw_loop", 8)])
def test_there_is_enough_to_answer(name, least):
    bank = next(bank for bank in BANKS if bank.name == name)
    assert len(bank.items) >= least


def test_ids_are_unique_over_all_banks():
    ids = [item.id for item in ITEMS]
    assert len(ids) == len(set(ids))


def test_every_kind_is_asked():
    kinds = {"one", "many", "action", "messages", "line", "order", "match", "code"}
    assert {item.kind for item in ITEMS} == kinds
    assert {item.mode for item in ITEMS if item.kind == "messages"} == {"pick", "build", "repair"}


def test_the_key_of_an_action_item_is_what_the_table_of_stop_reasons_says():
    for item in ITEMS:
        if isinstance(item, ActionItem):
            right = next(option.action for option in item.options if option.correct)
            known = fact(item.response["stop_reason"])
            assert known is not None and right is known.action, item.id


def test_no_strategy_that_knows_nothing_beats_chance():
    assert {guess.strategy: (guess.right, guess.low, guess.high) for guess in guess_all(ITEMS) if not guess.fair} == {}


def test_the_right_option_is_at_no_favoured_place():
    asked = [item for item in ITEMS if isinstance(item, OptionItem) and not isinstance(item, LineItem)]
    places = [at for item in asked for at, option in enumerate(item.options) if option.correct]
    assert max(places.count(place) for place in set(places)) <= len(places) / 2


def test_stems_differ():
    assert len({item.stem for item in ITEMS}) == len(ITEMS)


def test_most_items_are_a_decision_in_something_concrete():
    shown = [item for item in ITEMS if item.code or item.messages or item.response]
    assert len(shown) > len(ITEMS) / 2


def test_no_link_is_older_than_the_facts_of_the_course():
    assert all(ref.checked.isoformat() >= "2026-11-01" for item in ITEMS for ref in item.refs)


def test_there_are_five_focus_points_and_each_part_has_a_name_of_its_own():
    assert [point.name for point in focus_points()] == [
        "stop-reason",
        "messages",
        "agent-or-workflow",
        "anti-patterns",
        "fuses",
    ]
    assert len(objectives()) == sum(len(point.parts) for point in focus_points())


def test_every_misconception_is_a_sentence():
    assert all(text.endswith(".") for text in misconceptions().values())


def test_the_title_of_a_drill_says_after_which_notebook_it_comes():
    titles = {bank.name: bank.title for bank in BANKS if bank.name.startswith("drill_")}
    assert titles
    wrong = [name for name, title in titles.items() if not re.fullmatch(r"Drill: .+ \(after notebook 0[0-7]\)", title)]
    assert wrong == []
