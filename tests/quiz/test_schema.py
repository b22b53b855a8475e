"""The JSON Schema for editors: it takes every good bank, and finds what it can find in a bad one."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from course.cli import app
from course.json_schema import validator
from course.quiz.bank import QUIZZES
from course.quiz.schema import bank_schema
from course.strict_yaml import read

EVERY_KIND = Path(__file__).parent / "banks" / "every_kind.yaml"
CHECK = validator()(bank_schema())


def item(id: str) -> dict:
    """A copy of this item's raw data."""
    return copy.deepcopy(next(item for item in read(EVERY_KIND).data["items"] if item["id"] == id))


def fits(item: dict) -> bool:
    return CHECK.is_valid({"title": "t", "items": [item]})


def test_it_is_a_schema():
    validator().check_schema(bank_schema())


@pytest.mark.parametrize("path", [EVERY_KIND, *sorted(QUIZZES.glob("*.yaml"))], ids=lambda path: path.stem)
def test_it_takes_every_good_bank(path):
    assert [error.message for error in CHECK.iter_errors(read(path).data)] == []


@pytest.mark.parametrize(
    ("id", "change"),
    [
        ("one-of-four", {"kind": "few"}),
        ("one-of-four", {"stem": " "}),
        ("one-of-four", {"objective": "messages/memry"}),
        ("one-of-four", {"extra": 1}),
        ("one-of-four", {"refs": [{"url": "javascript:alert(1)", "checked": "2026-11-30"}]}),
        ("one-of-four", {"options": []}),
        ("lines-in-order", {"right": ["0"]}),
        ("lines-in-order", {"pieces": ["a", "b", " "]}),
        ("limit-of-three", {"id": "${n}"}),
        ("write-the-loop", {"tasks": [{"task": "own", "gives": "nothing"}]}),
        ("reasons-and-actions", {"left": [{"text": "a", "misconception": "none-such"}, {"text": "b"}]}),
        ("pick-the-next", {"mode": "choose"}),
    ],
)
def test_it_finds_a_wrong_value(id, change):
    assert fits(item(id))
    assert not fits(item(id) | change)


def test_it_finds_a_claim_that_is_not_known():
    faulty = item("limit-of-three")
    faulty["options"][0]["claim"] = {"request": 3}
    assert not fits(faulty)


def test_a_reference_may_stand_for_any_value_but_not_for_any_text():
    assert fits(item("lines-in-order") | {"right": "${right}", "difficulty": "${how}"})
    assert not fits(item("lines-in-order") | {"right": "right"})


def test_the_command_prints_it():
    result = CliRunner().invoke(app, ["schema"])
    assert (result.exit_code, json.loads(result.output)) == (0, bank_schema())
