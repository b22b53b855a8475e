"""Options that claim something about a run: of the item's code, of `around` alone, or of code that each option brings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from items import item

from course.proofs import trace_of
from course.proofs.proving import prove

OWN = """\
kind: one
proof: {{predict: {{tasks: [list_then_read, failing_tool]}}}}
options:
  - text: A loop
    do: return run_loop(client, messages, tools, model=MODEL)
    correct: true
    why: The model decides.
    claim: {claim}
  - text: One request
    do: {other}
    why: Nothing is decided.
    misconception: loop-makes-agent
    claim: {{order_depends_on_model: false}}
"""
ORDER = "{order_depends_on_model: true}"


@pytest.fixture
def faults(tmp_path: Path) -> Callable[[str], list[str]]:
    """The faults of an item from YAML text, each as one line."""

    def found(text: str) -> list[str]:
        every = prove(item(tmp_path, text))
        return [f"{'.'.join(map(str, path))}: {what} {remedy}" for path, what, remedy in every]

    return found


def test_around_alone_is_run_where_an_item_shows_no_code(faults: Callable[[str], list[str]]) -> None:
    text = """\
    kind: one
    proof: {predict: {task: list_then_read, around: "return run_loop(client, messages, tools, model=MODEL)"}}
    options:
      - {text: Three, correct: true, why: Two tools., claim: {requests: 3}}
      - {text: Two, why: Two tools., misconception: turn-is-call, claim: {requests: 2}}
    """
    assert faults(text) == []


def test_each_option_claims_something_of_its_own_run(faults: Callable[[str], list[str]]) -> None:
    assert faults(OWN.format(claim=ORDER, other="return ask(messages)")) == []


def test_a_claim_that_is_not_true_of_its_own_run(faults: Callable[[str], list[str]]) -> None:
    assert faults(OWN.format(claim="{requests: 2}", other="return ask(messages)")) == [
        "options.0.claim.requests: The claim is not true of the option's own run: requests is 3. Correct it."
    ]


def test_what_the_right_option_claims_is_true_of_a_wrong_one_too(faults: Callable[[str], list[str]]) -> None:
    assert faults(OWN.format(claim="{raises: null}", other="return ask(messages)")) == [
        "options.1: Two right options: what a right one claims is true of this one too. "
        "Make it wrong, or let the right one claim more."
    ]


def test_an_option_without_code_among_others_that_have_some(faults: Callable[[str], list[str]]) -> None:
    text = OWN.format(claim=ORDER, other="x").replace("    do: x\n", "")
    assert faults(text) == ['options.1: This option can\'t be done: it has no code. Write what it does as "do".']


def test_the_run_of_the_option_that_was_chosen_is_shown(tmp_path: Path) -> None:
    asked = item(tmp_path, OWN.format(claim=ORDER, other="return ask(messages)"))
    assert [len(trace_of(asked, answer).exchanges) for answer in (0, 1)] == [3, 1]


def raises(name: str, proof: str) -> str:
    """An item whose right option claims that this class of exception is raised."""
    return f"""\
    kind: one
    proof: {{predict: {proof}}}
    options:
      - {{text: So, correct: true, why: The fault., claim: {{raises: {name}}}}}
      - {{text: Not so, why: The fault., misconception: error-has-reason, claim: {{raises: null}}}}
    """


@pytest.mark.parametrize(
    ("on_the_way", "raised"),
    [
        ("[overloaded]", "OverloadedError"),
        ("[stream_error]", "APIStatusError"),
        ("[stream_broken]", "RemoteProtocolError"),
    ],
)
def test_a_fault_on_the_way(faults: Callable[[str], list[str]], on_the_way: str, raised: str) -> None:
    code = (
        "with client.messages.stream(model=MODEL, max_tokens=99, messages=messages) as s: return s.get_final_message()"
    )
    proof = f'{{task: plain_chat, faults: {on_the_way}, around: "{code}"}}'
    assert faults(raises(raised, proof)) == []


def test_a_fault_that_is_not_there(faults: Callable[[str], list[str]]) -> None:
    [fault] = faults(raises("CourseError", '{task: plain_chat, faults: [flood], around: "ask(messages)"}'))
    assert fault.startswith("proof: There is no fault 'flood'.")


def test_a_fuse_of_its_own(faults: Callable[[str], list[str]]) -> None:
    text = """\
    kind: one
    code: return run_loop(client, messages, tools, model=MODEL, max_requests=15)
    proof: {predict: {task: endless, fuse: 20}}
    options:
      - {text: Fifteen, correct: true, why: The limit., claim: {requests: 15, raises: LoopError}}
      - {text: Twelve, why: The limit., misconception: limit-is-way-out, claim: {requests: 12}}
    """
    assert faults(text) == []
