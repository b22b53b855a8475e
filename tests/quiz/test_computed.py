"""Keys that follow from a stop_reason."""

from __future__ import annotations

import pytest
from quiz.examples import item

from course.quiz.computed import with_key
from course.stop_reasons import Action, table


def action(reason: object, *, correct: bool = False) -> dict:
    options = [
        {"action": each.value, "why": "wrong", "why_right": "right", "misconception": "m", "gives": "g", "says": "s"}
        for each in Action
    ]
    if correct:
        options[0]["correct"] = True
    return {"kind": "action", "response": {"stop_reason": reason}, "options": options}


@pytest.mark.parametrize("fact", table(), ids=lambda fact: fact.value)
def test_the_action_of_each_stop_reason_is_the_right_option(fact):
    options = with_key(action(fact.value))["options"]
    assert [option["action"] for option in options if option.get("correct")] == [fact.action.value]
    for option in options:
        if option.get("correct"):
            assert option == {"action": fact.action.value, "why": "right", "why_right": "right", "correct": True}
        else:
            assert option["why"] == "wrong"


def test_a_key_that_is_written_is_left_as_it_is():
    raw = action("end_turn", correct=True)
    assert with_key(raw) is raw


@pytest.mark.parametrize("raw", [action("new_reason"), action(["end_turn"]), action(None), {"kind": "action"}, {}])
def test_where_nothing_can_be_computed_the_item_is_left_as_it_is(raw):
    assert with_key(raw) is raw


def test_the_key_follows_what_a_variant_draws():
    seen = set()
    for seed in range(30):
        drawn = item("paused-search", seed)
        right = [option.action.value for option in drawn.options if option.correct]
        seen.add((drawn.response["stop_reason"], *right))
    assert seen == {("pause_turn", "send_back"), ("end_turn", "finish")}


def pairs(*reasons: object) -> dict:
    return {
        "kind": "match",
        "left": [{"response": {"stop_reason": reason}} for reason in reasons],
        "right": [{"action": "finish"}, {"text": "Sleep."}, {"action": "send_back"}],
    }


def test_pairs_of_responses_and_actions():
    assert with_key(pairs("pause_turn", "end_turn", "stop_sequence"))["pairs"] == [2, 0, 0]


@pytest.mark.parametrize("raw", [pairs("refusal"), {"kind": "match", "left": 3}, pairs("end_turn") | {"pairs": [2]}])
def test_pairs_that_cannot_be_computed_or_are_written(raw):
    assert with_key(raw) is raw
