"""Each common wrong answer to an exercise of notebook 01 is told what it did."""

import pytest

from course.exercises import find
from course.settings import MODEL
from course.tools import run_tool, tool
from course.workspace import Workspace

WORKSPACE = Workspace()
TOOLS = [tool(WORKSPACE.list_files), tool(WORKSPACE.read_file)]
DEFINITIONS = [each.definition for each in TOOLS]


def ask(client, messages):
    return client.messages.create(model=MODEL, max_tokens=1024, tools=DEFINITIONS, messages=messages)


def results(reply):
    return [run_tool(TOOLS, block) for block in reply.content if block.type == "tool_use"]


def right(client, messages):
    while True:
        reply = ask(client, messages)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return reply
        messages.append({"role": "user", "content": results(reply)})


def asks_once(client, messages):
    return ask(client, messages)


def appends_nothing(client, messages):
    reply = ask(client, messages)
    while reply.stop_reason == "tool_use":
        results(reply)
        reply = ask(client, messages)
    return reply


def forgets_the_results(client, messages):
    reply = ask(client, messages)
    while reply.stop_reason == "tool_use":
        messages.append({"role": "assistant", "content": reply.content})
        reply = ask(client, messages)
    return reply


def drops_the_assistant_turn(client, messages):
    reply = ask(client, messages)
    while reply.stop_reason == "tool_use":
        messages.append({"role": "user", "content": results(reply)})
        reply = ask(client, messages)
    return reply


def answers_the_first_call_only(client, messages):
    reply = ask(client, messages)
    while reply.stop_reason == "tool_use":
        messages.append({"role": "assistant", "content": reply.content})
        messages.append({"role": "user", "content": results(reply)[:1]})
        reply = ask(client, messages)
    return reply


def ends_when_there_is_text(client, messages):
    reply = ask(client, messages)
    while not any(block.type == "text" for block in reply.content):
        messages.append({"role": "assistant", "content": reply.content})
        messages.append({"role": "user", "content": results(reply)})
        reply = ask(client, messages)
    return reply


def returns_nothing(client, messages):
    right(client, messages)


def returns_the_text(client, messages):
    return right(client, messages).content[-1].text


def takes_one_argument(client):
    return client


async def waits(client, messages):
    return right(client, messages)


def yields(client, messages):
    yield right(client, messages)


def changes_the_task(client, messages):
    messages[0]["content"] = "hello"
    return right(client, messages)


def raises(client, messages):
    return ask(client, messages)["content"]


def spins(client, messages):
    while True:
        messages = list(messages)


WRONG = [
    (asks_once, "ended by tool_use after 1 request", "Go on as long as stop_reason is tool_use."),
    (appends_nothing, "stopped by the fuse after 12 requests", "Append its turn and the results to messages"),
    (forgets_the_results, "400 on request 2", "must begin with one tool_result for each id."),
    (drops_the_assistant_turn, "400 on request 2", "Append the assistant turn first"),
    (answers_the_first_call_only, "400 on request 2", "must begin with one tool_result for each id."),
    (ends_when_there_is_text, "ended by tool_use after 1 request", "Go on as long as stop_reason is tool_use."),
    (returns_nothing, "returned None, not the last reply.", "End it with return reply"),
    (returns_the_text, "returned 'The directory holds", "End it with return reply"),
    (
        takes_one_argument,
        "my_loop does not take what this exercise gives it, which is client, messages: too many positional arguments.",
        "Write it with def my_loop(client, messages).",
    ),
    (waits, "my_loop is an async function. This exercise wants a plain one.", "def my_loop(client, messages)."),
    (
        yields,
        "my_loop is a generator, since there is a yield in it. This exercise wants a plain function.",
        "def my_loop(",
    ),
    (
        changes_the_task,
        'Request 1 no longer began with the task. Its first message was user: "hello".',
        "Leave the first",
    ),
    (raises, "raised TypeError after 1 request", "'Message' object is not subscriptable"),
    (spins, "stopped by the fuse after 10 seconds", "never asked the model"),
    ("reply", "my_loop is not a function.", "def my_loop(client, messages)"),
]


def test_a_right_loop_passes():
    verdict = find("01.1").check(right)
    assert verdict.passed
    assert verdict.happened.startswith("Your loop came to the model's own end on 3 tasks")
    assert (
        verdict.matters == "It went on each time stop_reason was tool_use, and returned the reply that was the answer."
    )


@pytest.mark.parametrize(("answer", "happened", "matters"), WRONG, ids=lambda value: getattr(value, "__name__", None))
def test_a_wrong_answer_is_told_what_it_did_and_why_it_matters(answer, happened, matters):
    verdict = find("01.1").check(answer)
    assert not verdict.passed
    assert happened in verdict.happened
    assert matters in verdict.matters


def test_a_live_model_of_another_endpoint_does_not_disturb_the_check(monkeypatch):
    monkeypatch.setenv("COURSE_MODE", "live")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("COURSE_MODEL", "my-local-model")

    def asks_a_local_model(client, messages):
        reply = client.messages.create(model="my-local-model", max_tokens=1024, tools=DEFINITIONS, messages=messages)
        if reply.stop_reason != "tool_use":
            return reply
        messages.append({"role": "assistant", "content": reply.content})
        messages.append({"role": "user", "content": results(reply)})
        return asks_a_local_model(client, messages)

    assert find("01.1").check(asks_a_local_model).passed
