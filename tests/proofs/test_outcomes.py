"""What came of a run. Each loop below is run for real; where several things went wrong, the first in the order counts."""

from __future__ import annotations

from typing import Any

import pytest
from worlds import setting

from course.offline.scenario import load_scenario
from course.proofs.outcomes import Asked, Story, error_text, outcome
from course.proofs.program import Program
from course.proofs.stage import Stage, right_answer
from course.quiz.proof_forms import Outcome, outcomes

LOOP = """\
reply = ask(messages)
while reply.stop_reason == "tool_use":
    messages.append({"role": "assistant", "content": %s})
    messages += %s
    reply = ask(messages)
return reply
"""
APPEND = 'messages.append({"role": "assistant", "content": reply.content})'
HURRY = '{"type": "text", "text": "Hurry."}'
ALL = "[run(call) for call in calls(reply)]"


def given(code: str, name: str = "tool_use") -> str:
    return Stage(setting(name)).run(Program(code)).outcome.value


def on(task: str, code: str) -> str:
    return Stage(load_scenario(task)).run(Program(code)).outcome.value


def loop(turn: str = "reply.content", then: str = f'[{{"role": "user", "content": {ALL}}}]') -> str:
    return LOOP % (turn, then)


@pytest.mark.parametrize(
    ("code", "name", "expected"),
    [
        (loop(), "tool_use", "answered"),
        ("return run_loop(client, messages, tools, model=MODEL)", "max_tokens, text", "answered"),
        ("return ask(messages)", "tool_use", "stopped_early"),
        ("return ask(messages)", "pause_turn", "stopped_early"),
        ("return ask(messages)", "max_tokens, text", "stopped_early"),
        ("return ask(messages)", "end_turn", "answered"),
        ("return ask(messages)", "stop_sequence", "answered"),
        ("return ask(messages)", "end_turn, empty", "empty_answer"),
        ("return ask(messages)", "refusal", "declined"),
        (loop(then="[]"), "tool_use", "refused"),
        ("while True: ask(messages)", "tool_use", "runaway"),
        ("while True: pass", "tool_use", "runaway"),
        ("return 1", "tool_use", "never_ran"),
        ("return 1 / 0", "tool_use", "raised"),
        ("reply = ask(messages)\nreturn reply.content[0].name", "tool_use", "raised"),
        ("for call in calls(ask(messages)): run(call)", "max_tokens, a call", "ran_cut_call"),
        ("for call in calls(ask(messages)): run(call)\nreturn 1 / 0", "max_tokens, a call", "ran_cut_call"),
        ("ask(messages)\nreturn ask(messages)", "end_turn", "asked_again"),
        ("ask(messages)\nreturn ask(messages)", "max_tokens, text", "asked_again"),
        ("ask(messages)\nreturn ask(messages)", "refusal", "asked_again"),
        (f"reply = ask(messages)\n{APPEND}\nreturn reply", "refusal", "kept_refusal"),
        (loop(turn="calls(reply)"), "tool_use", "changed_turn"),
        (loop(turn='[block.model_dump(exclude_none=True) for block in reply.content]'), "tool_use", "answered"),
        (loop(then=f'[{{"role": "user", "content": [each]}} for each in {ALL} * 1]'), "tool_use", "answered"),
        (loop(then=f'[{{"role": "user", "content": {ALL} + [{HURRY}]}}]'), "tool_use", "empty_answer"),
    ],
)  # fmt: skip
def test_in_a_world_of_its_own(code: str, name: str, expected: str) -> None:
    assert given(code, name) == expected


@pytest.mark.parametrize(
    ("task", "code", "expected"),
    [
        ("parallel_reads", loop(), "answered"),
        ("parallel_reads", loop(then=f'[{{"role": "user", "content": [each]}} for each in {ALL}]'), "split_results"),
        ("parallel_reads", loop(then=f'[{{"role": "user", "content": {ALL}[:-1]}}]'), "refused"),
        ("list_then_read", loop().replace("    reply = ask", "    del messages[:-2]\n    reply = ask"), "wrong_answer"),
        ("refused", "return ask(messages)", "declined"),
        ("endless", loop(), "runaway"),
        ("long_answer", "return ask(messages, max_tokens=40)", "stopped_early"),
        ("long_answer", "ask(messages, max_tokens=40)\nreturn ask(messages, max_tokens=40)", "asked_again"),
        ("long_answer", "ask(messages, max_tokens=40)\nreturn ask(messages)", "answered"),
        ("plain_chat", 'return ask(messages, stop_sequences=["."])', "answered"),
    ],
)
def test_on_a_task_of_the_offline_model(task: str, code: str, expected: str) -> None:
    assert on(task, code) == expected


def test_the_rest_of_a_cut_answer_is_a_part_of_the_answer() -> None:
    code = """\
reply = ask(messages, max_tokens=40)
messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": "Please continue."}]
return ask(messages)
"""
    assert on("long_answer", code) == "answered"


def test_a_task_without_an_end_has_no_right_answer() -> None:
    assert right_answer(load_scenario("endless")) is None
    assert "package.json" in (right_answer(load_scenario("list_then_read")) or "")


def test_a_result_for_a_cut_call_counts_as_run_also_if_no_tool_ran() -> None:
    call = {"type": "tool_use", "id": "toolu_01", "name": "save", "input": {}}
    cut = Asked([], {"content": [call], "stop_reason": "max_tokens"})
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_01", "content": "saved"}]}
    answer = Asked([result], {"content": [{"type": "text", "text": "Saved."}], "stop_reason": "end_turn"})
    assert outcome(Story((cut, answer), [])) is Outcome.RAN_CUT_CALL


def test_an_error_in_place_of_its_result_does_not() -> None:
    call = {"type": "tool_use", "id": "toolu_01", "name": "save", "input": {}}
    cut = Asked([], {"content": [call], "stop_reason": "max_tokens"})
    block = {"type": "tool_result", "tool_use_id": "toolu_01", "content": "cut", "is_error": True}
    reply = {"content": [{"type": "text", "text": "I could not save it."}], "stop_reason": "end_turn"}
    answer = Asked([{"role": "user", "content": [block]}], reply)
    assert outcome(Story((cut, answer), [])) is Outcome.ANSWERED


CUT_STREAM = """\
with client.messages.stream(model=MODEL, max_tokens=1024, tools=definitions, messages=messages) as stream:
    reply = stream.get_final_message()
"""


@pytest.mark.parametrize(
    ("fault", "code", "expected"),
    [
        ("stream_cut", f"{CUT_STREAM}return reply", "stopped_early"),
        ("stream_cut", f"{CUT_STREAM}for call in calls(reply): run(call)", "ran_cut_call"),
        ("stream_cut", f"{CUT_STREAM}return run_loop(client, messages, tools, model=MODEL)", "answered"),
        ("overloaded", "return ask(messages)", "raised"),
        ("overloaded", "try:\n    ask(messages)\nexcept anthropic.APIStatusError as error:\n    return error", "stopped_early"),
        ("overloaded", "return run_loop(client.with_options(max_retries=1), messages, tools, model=MODEL)", "answered"),
        ("bad_key", "return ask(messages)", "refused"),
    ],
)  # fmt: skip
def test_with_a_fault_on_the_way(fault: str, code: str, expected: str) -> None:
    for where in (load_scenario("count_python_files"), setting("tool_use")):
        assert Stage(where, faults=(fault,)).run(Program(code)).outcome.value == expected


def test_an_interrupted_run_is_a_runaway() -> None:
    assert outcome(Story((), [], ending="interrupted")) is Outcome.RUNAWAY


def test_the_error_is_the_api_s_or_python_s_or_none() -> None:
    def text(code: str) -> Any:
        return error_text(Stage(setting()).run(Program(code)).trace)

    assert text("return client.messages.create(model=MODEL, max_tokens=9, messages=[])") == (
        "messages: at least one message is required"
    )
    assert text("return 1 / 0") == "division by zero"
    assert text("return ask(messages)") == ""


def test_every_outcome_has_a_sentence() -> None:
    assert list(outcomes()) == list(Outcome)
