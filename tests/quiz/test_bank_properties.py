"""Whatever stands in a file: `load_bank` gives a bank or a BankError, and a bank can be shown, answered and graded."""

from __future__ import annotations

import copy
import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from rich.console import Console

from course.errors import BankError
from course.quiz.bank import Bank, load_bank
from course.quiz.grading import Ran, grade
from course.quiz.guess import guess_all
from course.quiz.proof_forms import Outcome
from course.quiz.session import State, start
from course.quiz.show import choices, extras, lefts, task
from course.quiz.terminal import ask_in_terminal
from course.quiz.variants import all_draws
from course.strict_yaml import read

EVERY_KIND = Path(__file__).parent / "banks" / "every_kind.yaml"
ITEMS = read(EVERY_KIND).data["items"]
MANY = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))

WORDS = (
    " |${n}|${case.tool}|${n + 1}|$$|right|nothing|wrong_id|end_turn|tool_use|refused|finish|messages/memory|own|1|text|own"
    "|model-remembers|\x1b[2J|\u2028|\u202e|\r\n|one\ntwo|"
)
words = st.sampled_from(WORDS.split("|"))
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.integers(-2, 9), st.floats(), st.text(), words)
junk = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(st.text(max_size=5), words), inner, max_size=4),
        st.fixed_dictionaries({"between": inner}),
        st.fixed_dictionaries({"take": inner, "of": inner}),
    ),
    max_leaves=8,
)


def places(value: Any, path: tuple = ()) -> list[tuple]:
    """The path of each value inside of this one."""
    below = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    return [path, *(place for key, each in below for place in places(each, (*path, key)))]


@st.composite
def changed_items(draw) -> list:
    """Items of every kind, in which some values are replaced, taken out, or moved to a place where they do not belong."""
    items = [copy.deepcopy(draw(st.sampled_from(ITEMS)))]
    for _change in range(draw(st.integers(1, 3))):
        holder, key = items, 0
        for part in draw(st.sampled_from(places(items[0]))):
            holder, key = holder[key], part
        what = draw(st.sampled_from(["vary", "vary", "vary", "replace", "delete", "add", "copy"]))
        if what == "vary":
            holder[key] = draw(near(holder[key]))
        elif what == "delete" and holder is not items:
            del holder[key]
        elif what == "add" and isinstance(holder, dict):
            holder[draw(words)] = draw(junk)
        elif what == "copy" and isinstance(key, str):
            holder[key] = copy.deepcopy(draw(st.sampled_from(ITEMS)).get(key))
        else:
            holder[key] = draw(junk)
    return items


def near(value: Any) -> st.SearchStrategy:
    """Values of the same type."""
    if isinstance(value, str):
        return words | st.text(min_size=1)
    if type(value) is int:
        return st.integers(-1, 6)
    if isinstance(value, list):
        return st.permutations(value) | st.just(value[1:]) | st.just(value * 2)
    return st.just(value)


def loaded(folder: Path, text: str) -> Bank | None:
    """The bank in this text, if it is one."""
    path = folder / "bank.yaml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        return load_bank(path)
    except BankError as error:
        assert error.faults
        assert all(fault.line >= 1 and fault.what.endswith((".", "?")) for fault in error.faults)
        return None


def use(bank: Bank, seed: int) -> None:
    """All that is done with a bank."""
    try:
        session = start(bank, seed=seed)
    except BankError:
        return
    guess_all(bank.items)
    for raw in bank.templates.values():
        assert next(all_draws(raw, 5))
    dice = random.Random(seed)
    for number in range(session.score.total):
        item, order = session.item(number), session.order(number)
        assert sorted(order) == list(range(len(choices(item))))
        assert task(item) and isinstance(extras(item), tuple) and isinstance(lefts(item), tuple)
        right = grade(item, _some_answer(item, dice), run=_ran).right
        assert grade(item, right, run=lambda item, _source: [Ran(each.gives) for each in item.tasks]).correct
        session = session.answer(number, right, run=_ran)
    assert State.from_data(json.loads(json.dumps(session.state.to_data()))) == session.state
    ask_in_terminal(start(bank, seed=seed), _typed(), Console(file=io.StringIO()), run=_ran)


def _typed() -> Callable[[str], str]:
    """What somebody types, until the input ends. (A "q" in the middle of code would be one more line of it.)"""
    lines = iter(["1", "1 2", "1,2", "1a 2a", "x", ".", "2"] * 3)

    def ask(_prompt: str) -> str:
        for line in lines:
            return line
        raise EOFError

    return ask


def _ran(item: Any, _source: str) -> list[Ran]:
    return [Ran(Outcome.ANSWERED) for _task in item.tasks]


def _some_answer(item: Any, dice: random.Random) -> Any:
    if item.kind == "code":
        return "x"
    if item.kind == "match":
        return [dice.randrange(len(item.right)) for _left in item.left]
    if hasattr(item, "pieces"):
        return dice.sample(range(len(item.pieces)), 2)
    return [0] if item.kind == "many" else dice.randrange(len(item.options))


@MANY
@given(items=changed_items(), seed=st.integers(0, 5))
def test_items_of_every_kind_with_something_changed(tmp_path_factory, items, seed):
    bank = loaded(tmp_path_factory.getbasetemp(), json.dumps({"title": "t", "items": items}))
    event("a bank" if bank is not None else "faults")
    if bank is not None:
        use(bank, seed)


@MANY
@given(data=junk)
def test_any_data(tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp()
    assert loaded(folder, json.dumps(data)) is None
    assert loaded(folder, json.dumps({"title": "t", "items": [data]})) is None


@MANY
@given(start=st.integers(0, 5000), length=st.integers(0, 60), text=st.one_of(st.text(max_size=8), words))
def test_any_piece_of_the_text_changed(tmp_path_factory, start, length, text):
    whole = EVERY_KIND.read_text(encoding="utf-8")
    bank = loaded(tmp_path_factory.getbasetemp(), whole[:start] + text + whole[start + length :])
    event("a bank" if bank is not None else "faults")
    if bank is not None:
        use(bank, 0)


@pytest.mark.parametrize("seed", range(20))
def test_the_items_themselves_can_be_used(seed):
    use(load_bank(EVERY_KIND), seed)
