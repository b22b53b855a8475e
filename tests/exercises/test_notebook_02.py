"""Each common wrong answer to an exercise of notebook 02 is told what it did, and why it matters."""

import pytest

from course.exercises import find, runs
from course.settings import MODEL
from course.tools import run_tool, tool
from course.trace import Fuse
from course.workspace import Workspace

WORKSPACE = Workspace()
TOOLS = [tool(WORKSPACE.list_files), tool(WORKSPACE.read_file)]
REQUEST = {"model": MODEL, "max_tokens": 1024, "tools": [each.definition for each in TOOLS]}
REPAIRS = ("02.2", "02.4", "02.5")


def results_of(reply):
    return [run_tool(TOOLS, block) for block in reply.content if block.type == "tool_use"]


def loop_with(append):
    """A loop that leaves to `append(messages, reply)` what goes into messages."""

    def loop(client, messages):
        reply = client.messages.create(**REQUEST, messages=messages)
        while reply.stop_reason == "tool_use":
            append(messages, reply)
            reply = client.messages.create(**REQUEST, messages=messages)
        return reply

    return loop


def assistant(reply):
    return {"role": "assistant", "content": reply.content}


def user(content):
    return {"role": "user", "content": content}


def both(messages, reply):
    messages += [assistant(reply), user(results_of(reply))]


def nothing(messages, reply):
    results_of(reply)


def no_results(messages, reply):
    messages.append(assistant(reply))


def no_assistant_turn(messages, reply):
    messages.append(user(results_of(reply)))


def only_text(messages, reply):
    text = "".join(block.text for block in reply.content if block.type == "text")
    messages += [{"role": "assistant", "content": text}, user(results_of(reply))]


def the_reply_itself(messages, reply):
    messages += [reply.model_dump(), user(results_of(reply))]


def no_ids(messages, reply):
    results = [{"type": "tool_result", "content": each["content"]} for each in results_of(reply)]
    messages += [assistant(reply), user(results)]


def ids_of_the_reply(messages, reply):
    messages += [assistant(reply), user([{**each, "tool_use_id": reply.id} for each in results_of(reply)])]


def first_call_only(messages, reply):
    messages += [assistant(reply), user(results_of(reply)[:1])]


def no_failures(messages, reply):
    messages += [assistant(reply), user([each for each in results_of(reply) if not each.get("is_error")])]


def failures_as_text(messages, reply):
    results = [each for each in results_of(reply) if not each.get("is_error")]
    failed = [{"type": "text", "text": each["content"]} for each in results_of(reply) if each.get("is_error")]
    messages += [assistant(reply), user(results + failed)]


def one_turn_each(messages, reply):
    messages.append(assistant(reply))
    messages.extend(user([each]) for each in results_of(reply))


def text_first(messages, reply):
    messages += [assistant(reply), user([{"type": "text", "text": "Results:"}, *results_of(reply)])]


def text_last(messages, reply):
    messages += [assistant(reply), user([*results_of(reply), {"type": "text", "text": "Be short."}])]


def label_behind_each(messages, reply):
    messages.append(assistant(reply))
    messages.extend(user([each, {"type": "text", "text": "Be short."}]) for each in results_of(reply))


def swapped(messages, reply):
    messages += [user(results_of(reply)), assistant(reply)]


def role_tool(messages, reply):
    messages += [assistant(reply), {"role": "tool", "content": results_of(reply)}]


WRONG_APPENDS = [
    (nothing, "stopped by the fuse after 12 requests", "Append its turn and the results to messages"),
    (no_results, "400 on request 2", "must begin with one tool_result for each id."),
    (no_assistant_turn, "400 on request 2", "Append the assistant turn first"),
    (only_text, "400 on request 2", "Append the assistant turn first"),
    (the_reply_itself, "400 on request 2", "not the response itself or its model_dump()."),
    (no_ids, "400 on request 2", "Each tool_result needs tool_use_id"),
    (ids_of_the_reply, "400 on request 2", "copy block.id into tool_use_id."),
    (first_call_only, "Task: Compare README.md, package.json", "must begin with one tool_result for each id."),
    (
        no_failures,
        "The tool read_file failed, and its result did not go back.",
        "A call that failed needs a result too",
    ),
    (
        failures_as_text,
        "The tool read_file failed, and its result did not go back.",
        "A call that failed needs a result too",
    ),
    (one_turn_each, "the results are in several turns", "Put all results of a reply into one user turn."),
    (text_first, "400 on request 2", "must begin with one tool_result for each id."),
    (text_last, "ended by end_turn after 2 requests", "leave out text after the results"),
    (label_behind_each, "ended by end_turn after 2 requests", "leave out text after the results"),
    (swapped, "400 on request 2", "Append the assistant turn first"),
    (role_tool, "400 on request 2", 'A role is "user" or "assistant". Results have the role "user".'),
]


def sends_a_new_list(client, messages):
    """What exercise 02.2 ships with."""
    reply = client.messages.create(**REQUEST, messages=messages)
    while reply.stop_reason == "tool_use":
        reply = client.messages.create(**REQUEST, messages=[*messages, assistant(reply), user(results_of(reply))])
    return reply


def two_rounds_at_most(client, messages):
    for _round in range(2):
        reply = client.messages.create(**REQUEST, messages=messages)
        both(messages, reply)
    return reply


def drops_old_rounds(client, messages):
    reply = client.messages.create(**REQUEST, messages=messages)
    while reply.stop_reason == "tool_use":
        del messages[1:]
        both(messages, reply)
        reply = client.messages.create(**REQUEST, messages=messages)
    return reply


def returns_nothing(client, messages):
    loop_with(both)(client, messages)


def asks_once(client, messages):
    return client.messages.create(**REQUEST, messages=messages)


def offers_no_tools(client, messages):
    return client.messages.create(model=MODEL, max_tokens=1024, messages=messages)


def raises(client, messages):
    return asks_once(client, messages)["content"]


def spins(client, messages):
    while True:
        messages = list(messages)


WRONG_LOOPS = [
    (sends_a_new_list, "Request 3 does not begin with the messages of request 2.", "asks for it again"),
    (drops_old_rounds, "Request 3 does not begin with the messages of request 2.", "asks for it again"),
    (two_rounds_at_most, "ended by tool_use after 2 requests", "Go on as long as stop_reason is tool_use."),
    (returns_nothing, "returned None, not the last reply.", "End it with return reply"),
    (asks_once, "ended by tool_use after 1 request", "Go on as long as stop_reason is tool_use."),
    (offers_no_tools, "Request 1 did not offer the tools of this task", "Send the same tools each time."),
    (raises, "raised TypeError after 1 request", "'Message' object is not subscriptable"),
    ("reply", "is not a function.", "(client, messages)"),
]

WRONG_ROLES = [
    ([], "[] is not a list of roles.", "Write one role for each message"),
    (3, "3 is not a list of roles.", "Write one role for each message"),
    (["user", 3], "is not a list of roles.", "Write one role for each message"),
    (["user"], "did not hold these roles: user.", "The assistant turn is missing"),
    (["user", "user"], "did not hold these roles", "The assistant turn is missing"),
    (["user", "assistant"], "did not hold these roles", "its calls would have no results"),
    (["assistant", "user"], "did not hold these roles", "The first message is still the task"),
    (["user", "assistant", "tool"], "did not hold these roles", "Results have no role of their own, such as tool."),
    (["user", "assistant", "user", "user", "user"], "did not hold these roles", "Blocks are not messages"),
    (["user", *["assistant"] * 4, *["user"] * 3], "did not hold these roles", "Blocks are not messages"),
]


@pytest.mark.parametrize(("answer", "happened", "matters"), WRONG_ROLES, ids=repr)
def test_a_wrong_list_of_roles_is_told_what_is_wrong(answer, happened, matters):
    verdict = find("02.1").check(answer)
    assert not verdict.passed
    assert happened in verdict.happened
    assert matters in verdict.matters


@pytest.mark.parametrize("answer", [["user", "assistant", "user"], ("user", "assistant", "user")])
def test_the_right_roles_pass(answer):
    verdict = find("02.1").check(answer)
    assert verdict.passed
    assert verdict.happened == "The second request held 3 messages: user, assistant, user."


@pytest.mark.parametrize("id", REPAIRS)
def test_a_right_loop_passes_every_repair(id):
    verdict = find(id).check(loop_with(both))
    assert verdict.passed
    assert verdict.happened.startswith("It came to the model's own end on 6 tasks")


@pytest.mark.parametrize("id", REPAIRS)
@pytest.mark.parametrize(
    ("append", "happened", "matters"), WRONG_APPENDS[7:12], ids=lambda value: getattr(value, "__name__", None)
)
def test_a_repair_that_makes_another_mistake_is_told_so(id, append, happened, matters):
    verdict = find(id).check(loop_with(append))
    assert not verdict.passed
    assert happened in verdict.happened
    assert matters in verdict.matters


@pytest.mark.parametrize(
    ("answer", "happened", "matters"), WRONG_LOOPS, ids=lambda value: getattr(value, "__name__", None)
)
def test_a_wrong_loop_is_told_what_it_did(answer, happened, matters):
    verdict = find("02.2").check(answer)
    assert not verdict.passed
    assert happened in verdict.happened
    assert matters in verdict.matters


def test_a_loop_that_never_asks_is_stopped(monkeypatch):
    monkeypatch.setattr(runs, "FUSE", Fuse(requests=12, seconds=0.5))
    verdict = find("02.2").check(spins)
    assert not verdict.passed
    assert "stopped by the fuse after 0.5 seconds" in verdict.happened
    assert verdict.matters.endswith("the loop ran until the fuse blew, and never asked the model.")


def test_append_turn_passes():
    verdict = find("02.3").check(lambda messages, reply, results: messages.extend([assistant(reply), user(results)]))
    assert verdict.passed
    assert verdict.matters.startswith("A loop that calls it goes on")


@pytest.mark.parametrize(
    ("append", "happened", "matters"), WRONG_APPENDS, ids=lambda value: getattr(value, "__name__", None)
)
def test_a_wrong_append_turn_is_told_what_it_did(append, happened, matters):
    verdict = find("02.3").check(lambda messages, reply, results: append(messages, reply))
    assert not verdict.passed
    assert happened in verdict.happened
    assert matters in verdict.matters


def test_append_turn_is_not_told_a_line_that_is_not_its_own():
    verdict = find("02.3").check(lambda messages, reply, results: None)
    assert verdict.matters.startswith("The same messages were sent again and again")


@pytest.mark.parametrize(
    ("answer", "happened", "matters"),
    [
        (lambda messages, reply: None, "too many positional arguments.", "def append_turn(messages, reply, results)."),
        (lambda messages, reply, results: results["content"], "raised TypeError", "list indices must be integers"),
        ([], "append_turn is not a function.", "def append_turn(messages, reply, results)"),
    ],
    ids=["two-parameters", "raises", "list"],
)
def test_an_append_turn_that_can_not_be_called_is_told_so(answer, happened, matters):
    verdict = find("02.3").check(answer)
    assert not verdict.passed
    assert happened in verdict.happened
    assert matters in verdict.matters
