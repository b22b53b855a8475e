"""Each common wrong answer to an exercise of notebook 06 is told what it did."""

import nbformat
import pytest

from course.clients import client as new_client
from course.exercises import find
from course.lessons import NOTEBOOKS
from course.offline.scenario import load_scenario
from course.settings import MODEL, Settings
from course.tools import run_tool, tool
from course.trace import record
from course.workspace import Workspace

WORKSPACE = Workspace()
TOOLS = [tool(WORKSPACE.list_files), tool(WORKSPACE.read_file)]
HINT = {"type": "text", "text": "Go on."}


def ask(client, messages, tools=TOOLS, max_tokens=1024):
    definitions = [each if isinstance(each, dict) else each.definition for each in tools]
    return client.messages.create(model=MODEL, max_tokens=max_tokens, tools=definitions, messages=messages)


def results(reply, tools=TOOLS):
    return [run_tool(tools, block) for block in reply.content if block.type == "tool_use"]


def text(reply):
    return "".join(block.text for block in reply.content if block.type == "text")


def assistant(reply):
    return {"role": "assistant", "content": reply.content}


def user(content):
    return {"role": "user", "content": content}


def run_text(code, names):
    """Run code of the course. It has a file name of its own, so that the recorder can tell its lines from others."""
    exec(compile(code, "<exercise of notebook 06>", "exec"), names)  # noqa: S102 - a text of the course, not of a learner


def solved(id):
    """What the solution of an exercise defines, run with the names of the notebook."""
    names = {"ask": ask, "results_of": results}
    run_text(find(id).solution, names)
    return names[find(id).answer]


def refused(id, answer):
    verdict = find(id).check(answer)
    assert not verdict.passed
    return f"{verdict.happened}\n{verdict.matters}"


# 06.1: spot them


RIGHT_SPOTS = {1: "C", 2: "A", 4: "G", 5: "F"}


@pytest.mark.parametrize("answer", [RIGHT_SPOTS, {1: "d", 2: " a", 4: "g", 5: "f"}, solved("06.1")], ids=str)
def test_all_four_are_spotted(answer):
    assert find("06.1").check(answer).passed


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("C", 'spotted is not a dict.\nWrite numbers and letters in curly brackets, such as {3: "B"}.'),
        ({}, "You have found 0 of 4.\nWhat can end this loop? And is messages the same as in the right loop?"),
        (
            {1: "C", 2: "A"},
            "You have found 2 of 4.\nWhat can end this loop? And is messages the same as in the right loop?",
        ),
        (
            {7: "E"},
            "7 is not the number of an anti-pattern above.\nWrite 1 to 5, as numbers: they stand in the headings.",
        ),
        (
            {"1": "C"},
            "'1' is not the number of an anti-pattern above.\nWrite 1 to 5, as numbers: they stand in the headings.",
        ),
        (
            {3: "C"},
            "Number 3 is not in this code.\nLine C does not stop for text of any kind. It looks for one word in it, and "
            "that has another number.",
        ),
        ({1: ""}, "'' is not the letter of a line.\nWrite A to H."),
        ({1: "CD"}, "'CD' is not the letter of a line.\nWrite A to H."),
        ({2: "H"}, "Number 2 is in the code, but not in line H.\nLine H returns the last reply. Which line decides that "
                   "it is the last?"),
        ({4: "B"}, "Number 4 is in the code, but not in line B.\nLine B asks the model, as every loop does. There is "
                   "nothing wrong with it."),
        ({5: "G"}, "Number 5 is in the code, but not in line G.\nLine G appends to messages. What should stand before it "
                   "there?"),
    ],
    ids=str,
)  # fmt: skip
def test_a_wrong_spot_is_told_what_the_line_does(answer, told):
    assert refused("06.1", answer) == told


# 06.2: a loop that the model ends, with a fuse


def as_shipped(client, messages):
    for _ in range(10):
        reply = ask(client, messages)
        if "done" in text(reply).lower():
            break
        messages.append(user([*results(reply), HINT]))
    return reply


def without_the_assistant_turn(client, messages):
    for _ in range(10):
        reply = ask(client, messages)
        if reply.stop_reason != "tool_use":
            return reply
        messages.append(user(results(reply)))
    raise RuntimeError("too many")


def with_text_after_results(client, messages):
    for _ in range(10):
        reply = ask(client, messages)
        messages.append(assistant(reply))
        if reply.stop_reason != "tool_use":
            return reply
        messages.append(user([*results(reply), HINT]))
    raise RuntimeError("too many")


def still_reads_words(client, messages):
    for _ in range(10):
        reply = ask(client, messages)
        messages.append(assistant(reply))
        if reply.stop_reason != "tool_use" or "done" in text(reply).lower():
            return reply
        messages.append(user(results(reply)))
    raise RuntimeError("too many")


def goes_on_after_the_end(client, messages):
    for _ in range(10):
        reply = ask(client, messages)
        messages.append(assistant(reply))
        messages.append(user(results(reply) or "Go on."))
    return reply


def three_rounds(client, messages):
    for _ in range(3):
        reply = ask(client, messages)
        messages.append(assistant(reply))
        if reply.stop_reason != "tool_use":
            return reply
        messages.append(user(results(reply)))
    raise RuntimeError("too many")


def returns_at_the_limit(client, messages):
    for _ in range(10):
        reply = ask(client, messages)
        messages.append(assistant(reply))
        if reply.stop_reason != "tool_use":
            return reply
        messages.append(user(results(reply)))
    return reply


def has_no_fuse(client, messages):
    while True:
        reply = ask(client, messages)
        messages.append(assistant(reply))
        if reply.stop_reason != "tool_use":
            return reply
        messages.append(user(results(reply)))


def returns_the_text(client, messages):
    return text(has_no_fuse(client, messages))


def spins(client, messages):
    while True:
        messages = list(messages)


def raises(client, messages):
    return ask(client, messages)["content"]


WRONG_MENDED = [
    ("loop", "mended is not a function.\nWrite it with def mended(client, messages)."),
    (as_shipped, "The model had finished with reply 1, and the loop asked again all the same."),
    (without_the_assistant_turn, "Append the assistant turn first"),
    (with_text_after_results, "the last reply is empty"),
    (still_reads_words, "ended by tool_use after 2 requests"),
    (goes_on_after_the_end, "The model had finished with reply 1, and the loop asked again all the same."),
    (three_rounds, "Read the settings of this project. The run: raised RuntimeError after 3 requests: too many"),
    (returns_at_the_limit, "After 10 requests the loop returned, while the model still asked for a tool."),
    (has_no_fuse, "The loop had no end of its own. It was stopped after 40 requests."),
    (returns_the_text, "returns_the_text returned 'Hello. I am the offline model"),
    (spins, "never asked the model"),
    (raises, "'Message' object is not subscriptable"),
]


@pytest.mark.parametrize(("answer", "told"), WRONG_MENDED, ids=lambda value: getattr(value, "__name__", None))
def test_a_wrong_repair_is_told_what_it_did(answer, told):
    assert told in refused("06.2", answer)


def test_a_right_repair_passes_and_its_fuse_is_seen():
    verdict = find("06.2").check(solved("06.2"))
    assert verdict.passed
    assert verdict.happened == (
        "Your loop came to the model's own end on 4 tasks. On one without an end, its fuse blew."
    )


# 06.3: max_tokens and pause_turn


def asks_with_the_same_limit(client, messages, tools, max_tokens):
    while True:
        reply = ask(client, messages, tools, max_tokens)
        if reply.stop_reason == "max_tokens":
            continue
        messages.append(assistant(reply))
        if reply.stop_reason in ("end_turn", "pause_turn"):
            return reply
        messages.append(user(results(reply, tools)))


def runs_what_was_cut_off(client, messages, tools, max_tokens):
    while True:
        reply = ask(client, messages, tools, max_tokens)
        messages.append(assistant(reply))
        if not results(reply, tools):
            return reply
        messages.append(user(results(reply, tools)))


def ends_at_max_tokens(client, messages, tools, max_tokens):
    while True:
        reply = ask(client, messages, tools, max_tokens)
        messages.append(assistant(reply))
        if reply.stop_reason != "tool_use":
            return reply
        messages.append(user(results(reply, tools)))


def appends_what_was_cut_off(client, messages, tools, max_tokens):
    while True:
        reply = ask(client, messages, tools, max_tokens)
        messages.append(assistant(reply))
        if reply.stop_reason == "max_tokens":
            max_tokens *= 2
        elif reply.stop_reason == "tool_use":
            messages.append(user(results(reply, tools)))
        elif reply.stop_reason != "pause_turn":
            return reply


def careful_with(on_pause):
    """A loop that is right but for what it does at pause_turn: False ends it there."""

    def careful(client, messages, tools, max_tokens):
        while True:
            reply = ask(client, messages, tools, max_tokens)
            if reply.stop_reason == "max_tokens":
                max_tokens *= 2
            elif reply.stop_reason == "tool_use":
                messages.extend([assistant(reply), user(results(reply, tools))])
            elif reply.stop_reason != "pause_turn" or not on_pause(messages, reply):
                return reply

    return careful


def appends_nothing(messages, reply):
    return True


def adds_a_user_turn(messages, reply):
    messages.extend([assistant(reply), user("Please continue.")])
    return True


def makes_up_a_result(messages, reply):
    messages.extend([assistant(reply), user([])])
    return True


def stops(messages, reply):
    return False


PAUSE = "After pause_turn the last message of the next request was not the paused turn, as it came."
WRONG_CAREFUL = [
    (5, "careful is not a function.\nWrite it with def careful(client, messages, tools, max_tokens)."),
    (asks_with_the_same_limit, "The loop asked 12 times with max_tokens=100, and was cut off each time."),
    (runs_what_was_cut_off, "The loop ran a call that was cut off: save_summary got a path, and no text."),
    (ends_at_max_tokens, "the last reply was cut off by max_tokens"),
    (appends_what_was_cut_off, "400 on request 2"),
    (careful_with(stops), "the loop ended at pause_turn"),
    (careful_with(appends_nothing), PAUSE),
    (careful_with(adds_a_user_turn), PAUSE),
    (careful_with(makes_up_a_result), PAUSE),
    (as_shipped, "client, messages, tools, max_tokens: too many positional arguments."),
]


@pytest.mark.parametrize(("answer", "told"), WRONG_CAREFUL, ids=lambda value: getattr(value, "__name__", None))
def test_a_careless_loop_is_told_what_it_did(answer, told):
    assert told in refused("06.3", answer)


def test_a_careful_loop_passes():
    assert find("06.3").check(solved("06.3")).passed


def test_going_on_after_a_text_that_was_cut_off_passes_too():
    def careful(client, messages, tools, max_tokens):
        while True:
            reply = ask(client, messages, tools, max_tokens)
            cut_off = reply.stop_reason == "max_tokens"
            if cut_off and any(block.type == "tool_use" for block in reply.content):
                max_tokens *= 4
                continue
            messages.append(assistant(reply))
            if reply.stop_reason == "tool_use" or cut_off:
                messages.append(user("Please continue." if cut_off else results(reply, tools)))
            elif reply.stop_reason != "pause_turn":
                return reply

    assert find("06.3").check(careful).passed


# 06.4: predict


RIGHT_ENDINGS = {"a": "400", "b": "endless", "c": "early"}
HOW = 'Write one of "right", "400", "endless", "early" for each loop.'


def three_loops():
    """The loops a to c as the notebook shows them."""
    notebook = nbformat.read(NOTEBOOKS / "06_anti_patterns.ipynb", as_version=4)
    (cell,) = [cell for cell in notebook.cells if cell.id == "ex-4-loops"]
    names = {"ask": ask, "results_of": results}
    run_text(cell.source, names)
    return {name: names[name] for name in "abc"}


def how_it_ends(loop):
    messages = [user(load_scenario("list_then_read").prompt)]
    trace = record(loop, new_client("list_then_read", settings=Settings()), messages)
    if trace.exchanges[-1].status == 400:
        return "400"
    if trace.ending.kind == "fuse":
        return "endless"
    return "right" if trace.exchanges[-1].reply["stop_reason"] == "end_turn" else "early"


def test_the_loops_end_as_the_check_says():
    assert {name: how_it_ends(loop) for name, loop in three_loops().items()} == RIGHT_ENDINGS


@pytest.mark.parametrize("answer", [RIGHT_ENDINGS, {**RIGHT_ENDINGS, "a": 400}, solved("06.4")], ids=str)
def test_right_endings_pass(answer):
    assert find("06.4").check(answer).passed


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("right", f"predicted is not a dict with the keys a, b and c.\n{HOW}"),
        ({"a": "400"}, f"predicted is not a dict with the keys a, b and c.\n{HOW}"),
        ({**RIGHT_ENDINGS, "b": ""}, f"There is no answer yet for: b.\n{HOW}"),
        ({**RIGHT_ENDINGS, "b": "later"}, f"Loop b: 'later' is not one of the four endings.\n{HOW}"),
        (
            {**RIGHT_ENDINGS, "a": "right"},
            "Loop a does not end like that. 2 of 3 are right.\n"
            "For the right ending, all three requests must go through. What stands in messages right before the results?",
        ),
        (
            {**RIGHT_ENDINGS, "b": "400", "c": "right"},
            "Loop b does not end like that. 1 of 3 are right.\n"
            "For a 400, a request must hold messages that the API refuses. Which list grows, and which one is sent?",
        ),
        (
            {**RIGHT_ENDINGS, "c": "endless"},
            "Loop c does not end like that. 2 of 3 are right.\n"
            "Without an end, no reply may ever meet the condition. Which block comes first in a reply with text and "
            "tool_use?",
        ),
        (
            {**RIGHT_ENDINGS, "a": "early"},
            "Loop a does not end like that. 2 of 3 are right.\n"
            "To end early, the condition must be met before the answer comes. What stands in messages right before the "
            "results?",
        ),
    ],
    ids=str,
)
def test_a_wrong_ending_is_told_where_to_look(answer, told):
    assert refused("06.4", answer) == told
