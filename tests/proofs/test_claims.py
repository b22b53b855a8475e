"""Claims about a run: what is true of it, and which of the said ones are false."""

from __future__ import annotations

from course.offline.scenario import load_scenario
from course.proofs import claims
from course.proofs.program import Program
from course.proofs.stage import Stage
from course.quiz import proof_forms

OF_THE_AGENT_SDK = {"subtype", "is_error", "terminal_reason", "num_turns", "stop_reason", "errors"}
OF_SEVERAL_TASKS = {"order_depends_on_model"}


def values(task: str, code: str) -> dict:
    return claims.values(Stage(load_scenario(task)).run(Program(code)))


def test_each_name_that_a_bank_may_write_is_known_here() -> None:
    assert claims.CLAIMS.keys() | OF_THE_AGENT_SDK | OF_SEVERAL_TASKS == proof_forms.CLAIMS.keys()


def test_what_is_true_of_a_run_with_two_tools() -> None:
    true = values("list_then_read", "return run_loop(client, messages, tools, model=MODEL, max_tokens=500)")
    answer = true.pop("answer")
    assert answer.startswith("The directory holds 7 files")
    assert true == {
        "outcome": "answered",
        "requests": 3,
        "tool_runs": 2,
        "tools_run": ["list_files", "read_file"],
        "stop_reasons": ["tool_use", "tool_use", "end_turn"],
        "messages": 6,
        "roles": ["user", "assistant", "user", "assistant", "user", "assistant"],
        "sent": [1, 3, 5],
        "max_tokens": [500, 500, 500],
        "system": [None, None, None],
        "status": 200,
        "says": "",
        "raises": None,
    }


def test_what_is_true_of_a_run_that_is_refused() -> None:
    true = values("list_then_read", 'messages.append({"role": "assistant", "content": "Yes."})\nreturn ask(messages)')
    assert (true["outcome"], true["status"], true["raises"]) == ("refused", 400, "BadRequestError")
    assert true["stop_reasons"] == [None]
    assert true["says"].startswith("This model does not support assistant message prefill.")


def test_what_is_true_of_code_that_asks_nothing() -> None:
    true = values("plain_chat", "return 1")
    assert (true["requests"], true["status"], true["answer"], true["messages"]) == (0, None, "", 1)


def test_a_false_claim_comes_with_the_true_value() -> None:
    true = {"requests": 3, "answer": "Seven files."}
    assert claims.false_claims({"requests": 2, "answer": "Seven"}, true) == {"requests": 3}
    assert claims.false_claims({"requests": 3, "answer": "Eight"}, true) == {"answer": "Seven files."}


def test_a_claim_about_what_was_not_run_is_false() -> None:
    assert claims.false_claims({"subtype": "success"}, {"requests": 3}) == {"subtype": None}


def test_true_is_not_one() -> None:
    assert claims.false_claims({"requests": True}, {"requests": 1}) == {"requests": 1}
    assert claims.false_claims({"raises": None}, {"raises": None}) == {}


def test_the_system_prompt_of_each_request_can_be_claimed() -> None:
    true = values("plain_chat", 'ask(messages, system="Be kind.")\nreturn ask(messages)')
    assert true["system"] == ["Be kind.", None]
