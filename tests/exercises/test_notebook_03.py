"""Each common wrong answer to an exercise of notebook 03 is told what it did."""

import pytest

from course.exercises import find
from course.exercises.notebook_03 import _tools
from course.settings import MODEL
from course.stop_reasons import fact
from course.tools import run_tool

TOOLS = _tools()
DEFINITIONS = [each.definition for each in TOOLS]
RIGHT = {"A": "max_tokens", "B": "stop_sequence", "C": "max_tokens", "D": "end_turn", "E": "pause_turn"}


def test_the_right_predictions_pass():
    assert find("03.1").check(RIGHT).passed


@pytest.mark.parametrize(
    ("changed", "happened", "matters"),
    [
        ({"A": "stop_sequence"}, "A: the reply does not end with stop_sequence.", "long before step 12"),
        ({"B": "end_turn"}, "B: the reply does not end with end_turn.", "You ordered the model to stop there"),
        ({"C": "tool_use"}, "C: the reply does not end with tool_use.", "Its block is there, but cut off"),
        ({"D": "tool_use"}, "D: the reply does not end with tool_use.", "does not make the model use it"),
        ({"E": "tool_use"}, "E: the reply does not end with tool_use.", "The API runs the searches itself"),
        ({"E": "end_turn"}, "E: the reply does not end with end_turn.", "After two of them it pauses."),
        ({"A": "stopped"}, "A: 'stopped' is not a value of stop_reason.", "The table above has all of them."),
        ({"A": "", "C": ""}, "There is no answer yet for: A, C.", "The table above has all values of stop_reason."),
        ({"A": None}, "A: None is not a value of stop_reason.", "The table above has all of them."),
    ],
)
def test_a_wrong_prediction_is_told_why(changed, happened, matters):
    verdict = find("03.1").check(RIGHT | changed)
    assert not verdict.passed
    assert happened in verdict.happened
    assert matters in verdict.matters


@pytest.mark.parametrize("answer", ["max_tokens", {"A": "max_tokens"}, ["max_tokens"] * 5])
def test_predictions_of_another_shape(answer):
    assert find("03.1").check(answer).happened == "predictions is not a dict with the keys A to E."


def next_action(reply):
    row = fact(reply.stop_reason)
    if row is None:
        raise ValueError(f"unknown stop_reason: {reply.stop_reason}")
    return row.action.value


def but(**changes):
    """A right answer that is wrong for some values."""

    def changed(reply):
        return changes.get(str(reply.stop_reason)) or next_action(reply)

    return changed


def ends_when_there_is_text(reply):
    return "finish" if any(block.type == "text" for block in reply.content) else next_action(reply)


def runs_what_looks_like_a_call(reply):
    return "run_tools" if any(block.type == "tool_use" for block in reply.content) else next_action(reply)


def returns_nothing(reply):
    next_action(reply)


def says_it_in_other_words(reply):
    return "continue"


def spins(reply):
    while True:
        next_action(reply)


def takes_a_reply_for_a_dict(reply):
    return reply["stop_reason"]


def is_silent_about_the_value(reply):
    if fact(reply.stop_reason) is None:
        raise ValueError("unknown")
    return next_action(reply)


def raises_something_else(reply):
    return {"tool_use": "run_tools"}[reply.stop_reason] if fact(reply.stop_reason) is None else next_action(reply)


WRONG_ACTIONS = [
    (ends_when_there_is_text, "stop_reason tool_use", "does not make it an answer"),
    (
        runs_what_looks_like_a_call,
        "(content: text, tool_use). next_action returned 'run_tools'.",
        "its input is incomplete",
    ),
    (but(stop_sequence="get_the_rest"), "stop_reason stop_sequence", "Nothing is missing"),
    (but(max_tokens="finish"), "stop_reason max_tokens", "It is no whole answer"),
    (but(max_tokens="shorten"), "stop_reason max_tokens", "raise the limit"),
    (but(pause_turn="finish"), "stop_reason pause_turn", "The server tool has only paused"),
    (but(pause_turn="run_tools"), "stop_reason pause_turn", "a made-up result is a 400"),
    (but(refusal="finish"), "stop_reason refusal", "A refusal is no answer."),
    (but(refusal="send_back"), "stop_reason refusal (content: nothing)", "Show the refusal"),
    (but(model_context_window_exceeded="get_the_rest"), "context_window_exceeded", "A larger max_tokens does not help"),
    (but(model_context_window_exceeded="finish"), "context_window_exceeded", "The reply was cut off"),
    (but(compaction="finish"), "stop_reason compaction", "only summed up the history"),
    (but(brand_new="finish"), "brand_new. next_action returned 'finish'.", "Raise a ValueError that names the value."),
    (but(**{"None": "finish"}), "None. next_action returned 'finish'.", "There is no stop_reason"),
    (is_silent_about_the_value, "does not name the value", "must learn what came"),
    (raises_something_else, "next_action raised KeyError", "Raise a ValueError that names the value."),
    (returns_nothing, "next_action returned None.", "Return one of these: run_tools, finish, get_the_rest"),
    (says_it_in_other_words, "next_action returned 'continue'.", "Return one of these: run_tools, finish"),
    (takes_a_reply_for_a_dict, "next_action raised TypeError", "This value is in the table"),
    (spins, "next_action did not come to an end.", "This value is in the table"),
    ("finish", "next_action is not a function.", "def next_action(reply)"),
]


def test_a_right_next_action_passes():
    verdict = find("03.2").check(next_action)
    assert verdict.passed
    assert verdict.happened.startswith("next_action is right for 11 real replies")


@pytest.mark.parametrize(("answer", "happened", "matters"), WRONG_ACTIONS)
def test_a_wrong_action_is_told_what_would_come_of_it(answer, happened, matters):
    verdict = find("03.2").check(answer)
    assert not verdict.passed
    assert happened in verdict.happened
    assert matters in verdict.matters


def ask(client, messages, max_tokens):
    return client.messages.create(model=MODEL, max_tokens=max_tokens, tools=DEFINITIONS, messages=messages)


def append(messages, reply):
    results = [run_tool(TOOLS, block) for block in reply.content if block.type == "tool_use"]
    messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": results}]


def mended(client, messages):
    max_tokens = 100
    while True:
        reply = ask(client, messages, max_tokens)
        if reply.stop_reason == "max_tokens" and max_tokens < 4096:
            max_tokens *= 2
        elif reply.stop_reason == "tool_use":
            append(messages, reply)
        else:
            return reply


def as_it_was(client, messages):
    while True:
        reply = ask(client, messages, 100)
        if reply.stop_reason in ("end_turn", "max_tokens"):
            return reply
        append(messages, reply)


def goes_on_until_end_turn(client, messages):
    max_tokens = 100
    while True:
        reply = ask(client, messages, max_tokens)
        if reply.stop_reason == "end_turn":
            return reply
        if reply.stop_reason == "max_tokens":
            max_tokens *= 2
        else:
            append(messages, reply)


def goes_on_while_it_is_not_tool_use(client, messages):
    reply = ask(client, messages, 1024)
    while reply.stop_reason != "tool_use":
        reply = ask(client, messages, 1024)
    return reply


def runs_the_cut_call(client, messages):
    max_tokens = 100
    while True:
        reply = ask(client, messages, max_tokens)
        if reply.stop_reason not in ("tool_use", "max_tokens"):
            return reply
        append(messages, reply)
        max_tokens *= 2


def same_limit(client, messages):
    while True:
        reply = ask(client, messages, 100)
        if reply.stop_reason == "tool_use":
            append(messages, reply)
        elif reply.stop_reason != "max_tokens":
            return reply


def appends_the_cut_turn(client, messages):
    max_tokens = 100
    while True:
        reply = ask(client, messages, max_tokens)
        if reply.stop_reason == "max_tokens":
            messages.append({"role": "assistant", "content": reply.content})
            max_tokens *= 2
        elif reply.stop_reason == "tool_use":
            append(messages, reply)
        else:
            return reply


def returns_the_text(client, messages):
    return mended(client, messages).content[-1].text


WRONG_LOOPS = [
    (as_it_was, "ended by max_tokens", "ask again with a larger limit"),
    (goes_on_until_end_turn, "the model refused, and the loop went on", "It asks for no tool"),
    (goes_on_while_it_is_not_tool_use, "ended by tool_use", "Go on as long as stop_reason is tool_use."),
    (runs_the_cut_call, "the loop ran save_summary({'path': 'summary.md'}) all the same", "Look at stop_reason"),
    (same_limit, "the next request allowed 100", "Ask with a larger max_tokens."),
    (appends_the_cut_turn, "400 on request", "tool_result"),
    (returns_the_text, "but returns_the_text returned", "End it with return reply"),
    ("reply", "mended_loop is not a function.", "def mended_loop(client, messages)"),
]


def test_a_mended_loop_passes():
    assert find("03.3").check(mended).passed


@pytest.mark.parametrize(
    ("answer", "happened", "matters"), WRONG_LOOPS, ids=lambda value: getattr(value, "__name__", None)
)
def test_a_wrong_repair_is_told_what_it_did(answer, happened, matters):
    verdict = find("03.3").check(answer)
    assert not verdict.passed
    assert happened in verdict.happened
    assert matters in verdict.matters
