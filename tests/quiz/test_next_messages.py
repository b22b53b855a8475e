"""What is appended after a reply: each make, from one reply with a note and two calls."""

from __future__ import annotations

import pytest

from course.quiz.next_messages import MAKES, CannotMake, assemble, made

NOTE = {"type": "text", "text": "I will look."}
A = {"type": "tool_use", "id": "toolu_a", "name": "list_files", "input": {}}
B = {"type": "tool_use", "id": "toolu_b", "name": "read_file", "input": {"path": "a.txt"}}
REPLY = {"role": "assistant", "content": [NOTE, A, B], "stop_reason": "tool_use"}
RESULTS = {"toolu_a": "a.txt", "read_file": "hello"}  # by the id, or by the name of the tool

TURN = {"role": "assistant", "content": [NOTE, A, B]}
RESULT_A = {"type": "tool_result", "tool_use_id": "toolu_a", "content": "a.txt"}
RESULT_B = {"type": "tool_result", "tool_use_id": "toolu_b", "content": "hello"}
HINT = {"type": "text", "text": "Use these results for the answer."}


def user(*blocks: dict) -> dict:
    return {"role": "user", "content": list(blocks)}


EXPECTED = {
    "right": [TURN, user(RESULT_A, RESULT_B)],
    "nothing": [],
    "no_assistant_turn": [user(RESULT_A, RESULT_B)],
    "no_results": [TURN],
    "drop_one_result": [TURN, user(RESULT_A)],
    "wrong_id": [TURN, user(RESULT_A, {**RESULT_B, "tool_use_id": "toolu_bx"})],
    "name_as_id": [TURN, user({**RESULT_A, "tool_use_id": "list_files"}, {**RESULT_B, "tool_use_id": "read_file"})],
    "without_id": [
        TURN,
        user({"type": "tool_result", "content": "a.txt"}, {"type": "tool_result", "content": "hello"}),
    ],
    "text_before": [TURN, user(HINT, RESULT_A, RESULT_B)],
    "text_between": [TURN, user(RESULT_A, HINT, RESULT_B)],
    "text_after": [TURN, user(RESULT_A, RESULT_B, HINT)],
    "one_turn_per_result": [TURN, user(RESULT_A), user(RESULT_B)],
    "results_as_text": [TURN, {"role": "user", "content": "list_files: a.txt\nread_file: hello"}],
    "result_as_assistant": [TURN, {"role": "assistant", "content": [RESULT_A, RESULT_B]}],
    "result_as_tool": [TURN, {"role": "tool", "content": [RESULT_A, RESULT_B]}],
    "results_first_then_assistant": [user(RESULT_A, RESULT_B), TURN],
    "without_calls": [{"role": "assistant", "content": [NOTE]}, user(RESULT_A, RESULT_B)],
    "whole_reply": [REPLY, user(RESULT_A, RESULT_B)],
    "made_up_result": [TURN, user({"type": "tool_result", "tool_use_id": "toolu_b", "content": "ok"})],
    "ask_to_go_on": [TURN, {"role": "user", "content": "Please continue."}],
}


def test_every_make_is_here():
    assert EXPECTED.keys() == set(MAKES)


@pytest.mark.parametrize("name", MAKES)
def test_each_make(name):
    assert made(name, REPLY, RESULTS) == EXPECTED[name]


def test_no_two_makes_give_the_same():
    turns = list(EXPECTED.values())
    assert all(turns.count(each) == 1 for each in turns)


def test_after_a_pause_only_the_turn_is_right():
    searched = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    paused = {"content": [searched], "stop_reason": "pause_turn"}
    assert made("right", paused, {}) == [{"role": "assistant", "content": [searched]}]
    assert made("made_up_result", paused, {}) == [
        {"role": "assistant", "content": [searched]},
        user({"type": "tool_result", "tool_use_id": "srvtoolu_1", "content": "ok"}),
    ]


@pytest.mark.parametrize(
    ("name", "response", "results", "what", "remedy"),
    [
        (
            "drop_one_result",
            {"content": [A]},
            RESULTS,
            '"drop_one_result" needs a response with 2 or more tool_use blocks; it has 1.',
            "Change the response, or use another make.",
        ),
        (
            "right",
            REPLY,
            {"toolu_a": "x"},
            '"results" does not say what the call toolu_b returned.',
            'Write "results: {read_file: text}".',
        ),
        ("right", {"content": [{"type": "tool_use"}]}, {}, "A tool_use block has no id or no name.", "Add it."),
        (
            "made_up_result",
            {"content": [NOTE]},
            {},
            "The response has no block with an id.",
            "Add one, or use another make.",
        ),
        (
            "wrong_id",
            {"content": "text"},
            {},
            '"wrong_id" needs a response with 1 or more tool_use blocks; it has 0.',
            "Change the response, or use another make.",
        ),
    ],
)
def test_what_cannot_be_made(name, response, results, what, remedy):
    with pytest.raises(CannotMake) as caught:
        made(name, response, results)
    assert caught.value.args == (what, remedy)


def test_neighbouring_pieces_of_one_role_form_one_turn():
    pieces = [("assistant", A), ("user", RESULT_A), ("user", HINT), ("assistant", B)]
    assert assemble(pieces) == [
        {"role": "assistant", "content": [A]},
        user(RESULT_A, HINT),
        {"role": "assistant", "content": [B]},
    ]
    assert assemble([]) == []
