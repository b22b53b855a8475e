"""An item of every form that holds has no faults; each of the broken ones is caught, with what is wrong and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from course.proofs.proving import how_proved, prove
from course.quiz.bank import load_bank

BANKS = Path(__file__).parent / "banks"
RIGHT = load_bank(BANKS / "right.yaml")
BROKEN = load_bank(BANKS / "broken.yaml")
UNANSWERED = (
    "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01. "
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
)
UNASKED = (
    "messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_01. "
    "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
)


def faults(id: str) -> list[str]:
    """The faults of a broken item, each as one line: where, what, remedy."""
    return [f"{'.'.join(map(str, path))}: {what} {remedy}" for path, what, remedy in prove(BROKEN.item(id))]


DRAWS = [(item.id, seed) for item in RIGHT.items for seed in (range(3) if item.id in RIGHT.templates else [0])]


@pytest.mark.parametrize(("id", "seed"), DRAWS)
def test_what_holds_has_no_faults(id: str, seed: int) -> None:
    assert prove(RIGHT.drawn(id, seed)) == ()


def test_each_item_says_how_it_is_proved() -> None:
    assert {how_proved(item) for item in RIGHT.items} == {"try", "predict", "tasks", "none"}
    assert how_proved(BROKEN.item("no-proof-at-all")) == "missing"


def test_a_wrong_key() -> None:
    assert faults("wrong-key") == [
        "options.0: The right option is finish, but the action of the course's own loop is send_back. "
        "Correct the key or the response.",
        "options.0: The right option gives stopped_early, not answered. Correct the key.",
    ]


def test_a_wrong_option_that_gives_something_else_than_it_says() -> None:
    assert faults("wrong-outcome-of-a-wrong-option") == [
        f"options.1.gives: The option says that it gives runaway; it gives refused. ({UNANSWERED}) "
        'Write "gives: refused" and a why that says so.'
    ]


def test_a_why_that_does_not_tell_of_the_400_or_tells_of_one_that_is_not_there() -> None:
    assert faults("why-without-its-400") == [
        "options.1.why: The API refuses this request, and the why does not say so. Say that it is refused, or that it is a 400.",
        "options.2.why: The why speaks of a 400, but no request is refused: it gives asked_again. Say what really happens.",
    ]


def test_an_impossible_history() -> None:
    assert faults("impossible-history") == [
        f"messages: The API refuses these messages: {UNASKED} "
        'Correct them, or quote a part of the error in proof: "refused: ...".'
    ]


def test_a_stop_reason_that_does_not_fit_the_content() -> None:
    assert faults("reason-that-does-not-fit") == [
        "response.stop_reason: With tool_use the content ends with a tool_use block. Change the content, or the stop_reason."
    ]


def test_an_id_that_was_used_before() -> None:
    assert faults("an-id-that-was-used") == [
        "response: The id toolu_01 stands in messages already: a new call has a new id. Change one."
    ]


def test_two_right_options() -> None:
    assert faults("two-right-options") == [
        "options.1: Two right options: this one gives answered too. Make it wrong, or mark it as right."
    ]


def test_a_fix_that_does_not_fix() -> None:
    assert faults("a-fix-that-does-not-fix") == [
        "options.0: The right option gives stopped_early, not answered. Correct the key."
    ]


def test_code_in_which_no_line_is_wrong() -> None:
    assert faults("no-line-is-wrong") == [
        "code: No line is wrong: the code as it stands gives answered. Put a fault in it."
    ]


def test_an_order_that_is_right_and_not_listed() -> None:
    assert faults("an-order-that-is-not-listed") == [
        'right: 1 more order gives answered and is not listed: [0, 1, 3, 2]. Add them to "also", or change the pieces.'
    ]


def test_an_array_in_which_there_is_nothing_to_repair() -> None:
    assert faults("nothing-to-repair") == [
        "start: There is nothing to repair: this order gives answered. Put a fault in it.",
        'right: 1 more order gives answered and is not listed: [0, 1, 3, 2]. Add them to "also", or change the pieces.',
    ]


def test_lines_in_an_order_that_does_not_work() -> None:
    assert faults("lines-in-a-wrong-order") == ["right: This order gives refused, not answered. Correct it."]


def test_a_solution_that_fails() -> None:
    assert faults("a-solution-that-fails") == [
        "solution: The solution gives stopped_early on count_python_files, not answered. "
        "Line 2: the loop ended while the model waited for a tool (list_files). "
        "Go on as long as stop_reason is tool_use. Correct the solution or the task."
    ]


def test_a_wrong_answer_that_passes() -> None:
    assert faults("a-wrong-answer-that-passes") == [
        "wrong.0: A wrong answer passes every task. Add a task that it fails, or delete it."
    ]


def test_a_claim_that_is_false_for_the_right_option_and_true_for_a_wrong_one() -> None:
    assert faults("a-false-claim") == [
        "options.0.claim.sent: The right option's claim is not true: sent is [1, 3, 5]. Correct it.",
        "options.1.claim: Two right options: this one's claim is true too. Make it wrong, or mark it as right.",
    ]


def test_a_pair_that_is_wrong() -> None:
    assert faults("a-pair-that-is-wrong") == [
        "pairs.0: The pair of left 1 is wrong: finish gives stopped_early, not answered. Correct it."
    ]


def test_a_scenario_that_is_not_there() -> None:
    [fault] = faults("a-scenario-that-is-not-there")
    assert fault.startswith(
        "proof: There is no scenario 'count_loaves'. Did you mean count_python_files? The scenarios are: classify_ticket, "
    )


def test_code_that_never_ends_is_ended() -> None:
    assert faults("code-that-never-ends") == [
        "options.0.claim.requests: The right option's claim is not true: requests is 0. Correct it."
    ]


def test_code_that_writes_a_file_is_not_let(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert faults("code-that-writes-a-file") == [
        "options.0.claim.raises: The right option's claim is not true: raises is 'PermissionError'. Correct it."
    ]
    assert list(tmp_path.iterdir()) == []


def test_an_item_without_a_proof() -> None:
    assert faults("no-proof-at-all") == [": The item has no proof. Write one of try, predict and none."]
