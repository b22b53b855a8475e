"""What a card gets: the trace of an answer, and what comes of a learner's own code."""

from __future__ import annotations

from pathlib import Path

import pytest
from items import item

from course.errors import LessonError
from course.proofs import prove, run_code, showing, trace_of
from course.quiz.bank import load_bank, named_bank
from course.quiz.grading import grade
from course.quiz.items import CodeItem

RIGHT = load_bank(Path(__file__).parent / "banks" / "right.yaml")
LOOP = RIGHT.item("write-the-whole-loop")
assert isinstance(LOOP, CodeItem)


def stop_reasons(id: str, answer: object) -> list[str]:
    return [exchange.reply["stop_reason"] for exchange in trace_of(RIGHT.item(id), answer).exchanges if exchange.reply]


def test_an_option_is_run() -> None:
    assert stop_reasons("ticket-before-the-answer", 0) == ["tool_use", "end_turn"]
    assert stop_reasons("ticket-before-the-answer", 1) == ["tool_use"]


def test_an_array_is_sent_after_the_request_that_brought_the_response() -> None:
    trace = trace_of(RIGHT.item("both-turns-of-two-calls"), 1)
    assert [exchange.status for exchange in trace.exchanges] == [200, 400]


def test_pieces_are_sent_as_the_answer_orders_them() -> None:
    assert [exchange.status for exchange in trace_of(RIGHT.item("turns-from-blocks"), [0, 1]).exchanges] == [400]


def test_of_a_prediction_the_one_run_is_shown_whatever_the_answer() -> None:
    assert stop_reasons("three-requests-for-two-files", 1) == ["tool_use", "tool_use", "end_turn"]


def test_a_line_that_stays_shows_the_code_as_it_stands() -> None:
    assert stop_reasons("a-loop-that-reads-words", 1) == ["tool_use"]
    assert stop_reasons("a-loop-that-reads-words", 0) == ["tool_use", "tool_use", "end_turn"]


def test_of_code_the_first_task_that_fails_is_shown() -> None:
    source = "def loop(client, messages):\n    return ask(messages)\n"
    trace = trace_of(LOOP, source)
    assert (trace.name, trace.ending.kind, len(trace.exchanges)) == ("loop", "returned", 1)


@pytest.mark.parametrize(
    ("id", "answer", "reason"),
    [
        ("nothing-to-run", 0, "This question has nothing to run."),
        ("loops-and-their-ends", [0, 1], "There is nothing to run for this answer."),
        ("write-the-whole-loop", "def loop(", "Line 1 of the code can't be read: '(' was never closed."),
    ],
)
def test_what_can_not_be_shown_is_said(id: str, answer: object, reason: str) -> None:
    with pytest.raises(LessonError) as caught:
        trace_of(RIGHT.item(id), answer)
    assert str(caught.value) == reason


def test_of_many_options_the_first_chosen_one_is_run(tmp_path: Path) -> None:
    many = item(
        tmp_path,
        """\
        kind: many
        proof: {try: {task: plain_chat}}
        options:
          - {code: return ask(messages), correct: true, why: It asks.}
          - {code: "return run_loop(client, messages, tools, model=MODEL)", correct: true, why: It asks.}
          - {code: return None, why: It does not., misconception: model-remembers, gives: never_ran}
        """,
    )
    assert len(trace_of(many, [0, 1]).exchanges) == 1


def test_the_agent_sdk_leaves_no_trace(tmp_path: Path) -> None:
    agent = item(
        tmp_path,
        """\
        kind: one
        proof: {predict: {task: endless, agent_sdk: {max_turns: 2}}}
        options:
          - {text: "2", correct: true, why: The limit., claim: {requests: 2}}
          - {text: "3", why: The limit., misconception: limit-is-completion, claim: {requests: 3}}
        """,
    )
    with pytest.raises(LessonError) as caught:
        trace_of(agent, 0)
    assert str(caught.value) == "The Agent SDK runs in a program of its own, whose steps are not seen."


def test_code_is_graded_by_running_it_in_a_process_of_its_own() -> None:
    assert grade(LOOP, LOOP.solution, run=run_code).correct
    result = grade(LOOP, "def loop(client, messages):\n    return ask(messages)\n", run=run_code)
    assert (result.correct, result.credit) == (False, 0.5)
    assert result.verdicts[0].misconception == "text-means-done"


def test_of_a_common_wrong_answer_is_told_only_where_the_run_went_wrong_in_the_same_way() -> None:
    patient = named_bank("drill_fuses").item("write-a-second-chance")
    assert isinstance(patient, CodeItem)
    [foreseen] = [wrong for wrong in patient.wrong if wrong.gives.value == "raised"]
    told = {verdict.misconception for verdict in grade(patient, foreseen.code, run=run_code).verdicts}
    assert told == {None, foreseen.misconception}
    typo = "def patient(client, messages):\n    return run_lop(client, messages)\n"  # raises too, and sends nothing
    assert {verdict.misconception for verdict in grade(patient, typo, run=run_code).verdicts} == {None}


def test_what_the_api_said_is_quoted() -> None:
    source = 'def loop(client, messages):\n    return ask(messages + [{"role": "assistant", "content": "I am"}])\n'
    assert run_code(LOOP, source)[0].says.endswith(
        'The API said: "This model does not support assistant message prefill. The conversation must end with a user message."'
    )


def test_code_that_waits_for_ever_is_a_runaway(monkeypatch: pytest.MonkeyPatch) -> None:
    run_code(LOOP, LOOP.solution)
    monkeypatch.setattr(showing, "SECONDS", 0.5)
    waiting = "import time\n\n\ndef loop(client, messages):\n    time.sleep(600)\n"
    ran = run_code(LOOP, waiting)
    assert {(each.outcome.value, each.says) for each in ran} == {
        ("runaway", "It did not come to an end in 0.5 seconds.")
    }
    with pytest.raises(LessonError) as caught:
        trace_of(LOOP, waiting)
    assert str(caught.value) == "The code did not come to an end, so there is no trace of it."


def test_code_that_ends_its_process_is_said_to(monkeypatch: pytest.MonkeyPatch) -> None:
    ending = "import os\n\n\ndef loop(client, messages):\n    os._exit(1)\n"
    assert {each.says for each in run_code(LOOP, ending)} == {"It ended its process."}


def test_without_processes_code_runs_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "HAS_PROCESSES", False)
    assert [each.outcome.value for each in run_code(LOOP, LOOP.solution)] == ["answered", "declined"]


def test_a_task_can_ask_for_more_than_its_outcome(tmp_path: Path) -> None:
    raised = item(
        tmp_path,
        """\
        kind: code
        function: loop
        start: "def loop(client, messages): ..."
        tasks: [{task: long_answer, claim: {max_tokens: [40, 400]}}]
        solution: |
          def loop(client, messages):
              ask(messages, max_tokens=40)
              return ask(messages, max_tokens=400)
        wrong:
          - code: |
              def loop(client, messages):
                  return ask(messages, max_tokens=8000)
            gives: answered
            why: The first limit is not kept.
            misconception: max-tokens-is-memory
        """,
    )
    assert prove(raised) == ()
    assert grade(raised, raised.solution, run=run_code).correct
    result = grade(raised, raised.wrong[0].code, run=run_code)
    assert (result.correct, result.verdicts[0].misconception) == (False, "max-tokens-is-memory")
    assert result.verdicts[0].why == (
        "The task was done and its answer came. Wanted: max_tokens [40, 400]; the run had [8000]. The first limit is not kept."
    )


def test_a_solution_that_misses_what_its_task_asks_for_is_a_fault(tmp_path: Path) -> None:
    missing = item(
        tmp_path,
        """\
        kind: code
        function: loop
        start: "def loop(client, messages): ..."
        tasks: [{task: plain_chat, claim: {system: [Be kind.]}}]
        solution: |
          def loop(client, messages):
              return ask(messages)
        """,
    )
    assert [what for _path, what, _remedy in prove(missing)] == [
        'The solution gives answered on plain_chat, as it should. Wanted: system ["Be kind."]; the run had [null].'
    ]
