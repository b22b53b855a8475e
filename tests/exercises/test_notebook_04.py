"""Each common wrong answer to an exercise of notebook 04 is told what it did."""

import pytest

from course.errors import LoopError
from course.exercises import find
from course.settings import MODEL
from course.tools import run_tool, tool
from course.workspace import Workspace

WORKSPACE = Workspace()


def save_summary(path: str, text: str = "") -> str:
    """Save a text."""
    return f"{len(text)} characters saved in {path}"


TOOLS = [tool(WORKSPACE.list_files), tool(WORKSPACE.read_file), tool(save_summary)]
DEFINITIONS = [each.definition for each in TOOLS]
LARGEST_MAX_TOKENS = 16_000


def ask(client, messages, max_tokens=1024):
    return client.messages.create(model=MODEL, max_tokens=max_tokens, tools=DEFINITIONS, messages=messages)


def calls_of(reply):
    return [block for block in reply.content if block.type == "tool_use"]


def append(messages, reply):
    """The assistant turn and the results."""
    messages.append({"role": "assistant", "content": reply.content})
    messages.append({"role": "user", "content": [run_tool(TOOLS, call) for call in calls_of(reply)]})


def solution(id):
    """The function that the solution of an exercise defines."""
    exercise = find(id)
    names = {
        name: globals()[name]
        for name in ("MODEL", "TOOLS", "DEFINITIONS", "LARGEST_MAX_TOKENS", "run_tool", "LoopError")
    }
    exec(exercise.solution, names)  # noqa: S102 - a text of the course, not of a learner
    return names[exercise.answer]


@pytest.mark.parametrize("id", ["04.1", "04.2", "04.3", "04.4"])
def test_the_solution_passes(id):
    assert find(id).check(solution(id)).passed


def assert_told(id, answer, happened, matters):
    verdict = find(id).check(answer)
    assert not verdict.passed
    assert happened in verdict.happened
    assert matters in verdict.matters


def named(value):
    return getattr(value, "__name__", None)


# 04.1: the fuse


def returns_at_the_limit(client, messages, max_requests):
    for _request in range(max_requests):
        reply = ask(client, messages)
        if reply.stop_reason != "tool_use":
            return reply
        append(messages, reply)
    return reply


def returns_none_at_the_limit(client, messages, max_requests):
    for _request in range(max_requests):
        reply = ask(client, messages)
        if reply.stop_reason != "tool_use":
            return reply
        append(messages, reply)
    return None


def has_no_limit(client, messages, max_requests):
    while True:
        reply = ask(client, messages)
        if reply.stop_reason != "tool_use":
            return reply
        append(messages, reply)


def asks_on_when_the_model_is_done(client, messages, max_requests):
    for _request in range(max_requests):
        reply = ask(client, messages)
        if reply.stop_reason == "tool_use":
            append(messages, reply)
    if reply.stop_reason == "tool_use":
        raise LoopError("too many")
    return reply


def raises_at_the_last_request(client, messages, max_requests):
    for request in range(max_requests):
        reply = ask(client, messages)
        append(messages, reply)
        if request == max_requests - 1:
            raise LoopError("too many")
        if reply.stop_reason != "tool_use":
            return reply
    return None


def sends_one_too_few(client, messages, max_requests):
    for _request in range(max_requests - 1):
        reply = ask(client, messages)
        if reply.stop_reason != "tool_use":
            return reply
        append(messages, reply)
    raise LoopError("too many")


def raises_another_error(client, messages, max_requests):
    for _request in range(max_requests):
        reply = ask(client, messages)
        if reply.stop_reason != "tool_use":
            return reply
        append(messages, reply)
    raise RuntimeError("too many")


def returns_nothing(client, messages, max_requests):
    for _request in range(max_requests):
        reply = ask(client, messages)
        if reply.stop_reason != "tool_use":
            return
        append(messages, reply)
    raise LoopError("too many")


FUSES = [
    (
        returns_at_the_limit,
        "the model still asked for a tool, and fused_loop returned that reply.",
        "takes that for the answer",
    ),
    (returns_none_at_the_limit, "asked for a tool, and fused_loop returned None.", "takes that for the answer"),
    (has_no_limit, "the loop did not stop. The fuse of this check ended it after 12 requests.", "Without a limit"),
    (
        asks_on_when_the_model_is_done,
        "the model was done after 3 requests, and the loop sent 5.",
        "as soon as its stop_reason",
    ),
    (
        raises_at_the_last_request,
        "the model was done with request 3, and fused_loop raised",
        "Look at the reply first.",
    ),
    (sends_one_too_few, "LoopError came after 3 requests.", "the number of requests that may be sent"),
    (raises_another_error, "With max_requests=4: fused_loop raised RuntimeError: too many.", "Raise LoopError"),
    (returns_nothing, "returned None, not the last reply.", "End it with return reply"),
    ("loop", "fused_loop is not a function.", "def fused_loop(client, messages, max_requests)."),
]


@pytest.mark.parametrize(("answer", "happened", "matters"), FUSES, ids=named)
def test_what_is_wrong_with_a_fuse(answer, happened, matters):
    assert_told("04.1", answer, happened, matters)


# 04.2: the results


def result(call, content, **more):
    return {"type": "tool_result", "tool_use_id": call.id, "content": content, **more}


def attempt(call, functions):
    try:
        return result(call, functions[call.name](**call.input))
    except Exception as error:
        return result(call, repr(error), is_error=True)


def user(results):
    return {"role": "user", "content": results}


def lets_errors_out(calls, functions):
    return user([result(call, functions[call.name](**call.input)) for call in calls])


def stops_at_the_first_failure(calls, functions):
    results = []
    for call in calls:
        results.append(attempt(call, functions))
        if "is_error" in results[-1]:
            break
    return user(results)


def leaves_failures_out(calls, functions):
    return user([each for each in (attempt(call, functions) for call in calls) if "is_error" not in each])


def does_not_mark_failures(calls, functions):
    return user([result(call, attempt(call, functions)["content"]) for call in calls])


def marks_with_a_word(calls, functions):
    results = [attempt(call, functions) for call in calls]
    return user([{**each, "is_error": "true"} if "is_error" in each else each for each in results])


def marks_everything(calls, functions):
    return user([{**attempt(call, functions), "is_error": True} for call in calls])


def says_only_that_it_failed(calls, functions):
    results = [attempt(call, functions) for call in calls]
    return user([{**each, "content": "failed"} if "is_error" in each else each for each in results])


def adds_a_text(calls, functions):
    return user([attempt(call, functions) for call in calls] + [{"type": "text", "text": "Go on."}])


def returns_the_list(calls, functions):
    return [attempt(call, functions) for call in calls]


def returns_a_turn_for_each(calls, functions):
    return [user([attempt(call, functions)]) for call in calls]


def takes_the_role_tool(calls, functions):
    return {"role": "tool", "content": [attempt(call, functions) for call in calls]}


def answers_with_names(calls, functions):
    return user([{**attempt(call, functions), "tool_use_id": call.name} for call in calls])


def checks_errors_but_not_names(calls, functions):
    results = []
    for call in calls:
        function = functions[call.name]
        try:
            results.append(result(call, function(**call.input)))
        except Exception as error:
            results.append(result(call, str(error), is_error=True))
    return user(results)


def never_returns(calls, functions):
    while calls:
        calls = list(calls)


ANSWERS = [
    (lets_errors_out, "answer_calls raised OSError: the sensor at the north berth", "must not end the run"),
    (
        stops_at_the_first_failure,
        "the ids ['toolu_1', 'toolu_2'], and the calls have ['toolu_1', 'toolu_2', 'toolu_3']",
        "400",
    ),
    (leaves_failures_out, "the ids ['toolu_1', 'toolu_3'], and the calls have", "exactly one result"),
    (does_not_mark_failures, "measure_depth failed, and its result does not have is_error", "Without the mark"),
    (marks_with_a_word, "measure_depth failed, and its result does not have is_error set to True.", "Without the mark"),
    (marks_everything, "measure_depth worked, and its result is", "without is_error"),
    (says_only_that_it_failed, "its result says only 'failed'.", "only if it reads what went wrong"),
    (adds_a_text, "The turn holds something that is not a tool_result.", "answers no call"),
    (returns_the_list, "answer_calls returned [{", "Return one message"),
    (returns_a_turn_for_each, "answer_calls returned [{", "Return one message"),
    (takes_the_role_tool, "answer_calls returned {'role': 'tool'", "Return one message"),
    (answers_with_names, "the ids ['measure_depth'], and the calls have ['toolu_1']", "with its id"),
    (checks_errors_but_not_names, "answer_calls raised KeyError: 'ring_bell'.", "must not end the run"),
    (never_returns, "answer_calls did not return.", "Go through the calls once."),
    (lambda calls, functions: None, "answer_calls returned None.", "Return one message"),
    (7, "answer_calls is not a function.", "def answer_calls(calls, functions)."),
]


@pytest.mark.parametrize(("answer", "happened", "matters"), ANSWERS, ids=named)
def test_what_is_wrong_with_the_results(answer, happened, matters):
    assert_told("04.2", answer, happened, matters)


# 04.3: calls that were cut off


def runs_what_is_cut(client, messages, max_tokens):
    while True:
        reply = ask(client, messages, max_tokens)
        if not calls_of(reply):
            return reply
        append(messages, reply)


def asks_with_the_same_limit(client, messages, max_tokens):
    while True:
        reply = ask(client, messages, max_tokens)
        if reply.stop_reason == "max_tokens":
            continue
        if reply.stop_reason != "tool_use":
            return reply
        append(messages, reply)


def takes_the_cut_for_the_end(client, messages, max_tokens):
    while True:
        reply = ask(client, messages, max_tokens)
        if reply.stop_reason != "tool_use":
            return reply
        append(messages, reply)


def keeps_the_cut_turn(client, messages, max_tokens):
    while True:
        reply = ask(client, messages, max_tokens)
        if reply.stop_reason == "max_tokens":
            max_tokens *= 2
            messages.append({"role": "assistant", "content": reply.content})
        elif reply.stop_reason != "tool_use":
            return reply
        else:
            append(messages, reply)


def grows_too_slowly(client, messages, max_tokens):
    while True:
        reply = ask(client, messages, max_tokens)
        if reply.stop_reason == "max_tokens":
            max_tokens += 1
        elif reply.stop_reason != "tool_use":
            return reply
        else:
            append(messages, reply)


def ends_after_the_first_tools(client, messages, max_tokens):
    reply = ask(client, messages, max_tokens)
    while reply.stop_reason == "max_tokens":
        max_tokens *= 2
        reply = ask(client, messages, max_tokens)
    if reply.stop_reason == "tool_use":
        append(messages, reply)
        reply = ask(client, messages, max_tokens)
    return reply


def returns_the_text(client, messages, max_tokens):
    return solution("04.3")(client, messages, max_tokens).content[-1].text


CUTS = [
    (
        runs_what_is_cut,
        "max_tokens=100: the reply was cut off by max_tokens, and the loop ran save_summary({'path'",
        "Look at",
    ),
    (
        asks_with_the_same_limit,
        "a reply was cut off at 100 tokens, and the next request allowed 100.",
        "a larger max_tokens",
    ),
    (takes_the_cut_for_the_end, "The run: ended by max_tokens after 1 request", "cut off by max_tokens"),
    (keeps_the_cut_turn, "400 on request 2", "tool_result"),
    (
        grows_too_slowly,
        "after 12 requests the limit had grown to 111, and the reply was still cut off.",
        "Double the limit",
    ),
    (
        ends_after_the_first_tools,
        "Task list_then_read, max_tokens=1024: The run: ended by tool_use",
        "Go on as long as",
    ),
    (returns_the_text, "returned 'I saved the summary.", "End it with return reply"),
    (None, "careful_loop is not a function.", "def careful_loop(client, messages, max_tokens)."),
]


@pytest.mark.parametrize(("answer", "happened", "matters"), CUTS, ids=named)
def test_what_is_wrong_with_a_careless_loop(answer, happened, matters):
    assert_told("04.3", answer, happened, matters)


# 04.4: how many requests


COUNTS = [
    (3, "The run did not send 3 requests.", "it has not seen the result yet"),
    (5, "The run did not send 5 requests.", "come in one reply"),
    (7, "The run did not send 7 requests.", "A search needs no request of its own"),
    (1, "The run did not send 1 request.", "must be sent back"),
    (0, "Every run sends at least one request.", "Write your number in place of 0"),
    ("four", "'four' is not a whole number.", "Write a number"),
    (True, "True is not a whole number.", "Write a number"),
]


@pytest.mark.parametrize(("answer", "happened", "matters"), COUNTS)
def test_a_wrong_count_is_told_what_it_leaves_out(answer, happened, matters):
    assert_told("04.4", answer, happened, matters)
