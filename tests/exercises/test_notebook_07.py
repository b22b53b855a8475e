"""Each common wrong answer to an exercise of notebook 07 is told what it did."""

import pytest

from course.exercises import find
from course.loop import run_loop
from course.settings import MODEL
from course.tools import run_tool

DECIDES = {1: "model", 2: "code", 3: "model", 4: "code", 5: "model", 6: "code"}
CHOICES = {
    1: "workflow", 2: "agent", 3: "workflow", 4: "workflow", 5: "agent",
    6: "workflow", 7: "agent", 8: "workflow", 9: "agent", 10: "workflow",
}  # fmt: skip


def improves(write, judge):
    feedback = ""
    for _ in range(4):
        draft = write(feedback)
        feedback = judge(draft)
        if feedback.startswith("PASS"):
            return draft
    return None


def improves_with_all_verdicts(write, judge):
    verdicts = []
    while len(verdicts) < 4:
        draft = write("\n".join(verdicts))
        verdicts.append(judge(draft))
        if verdicts[-1].split()[0] == "PASS":
            return draft
    return None


def returns_the_first_draft(write, judge):
    return write("")


def gives_no_feedback(write, judge):
    for _ in range(4):
        draft = write("")
        if judge(draft) == "PASS":
            return draft
    return None


def gives_feedback_once(write, judge):
    draft = write("")
    verdict = judge(draft)
    return draft if verdict == "PASS" else write(verdict)


def allows_two_drafts(write, judge):
    feedback = ""
    for _ in range(2):
        draft = write(feedback)
        feedback = judge(draft)
        if feedback == "PASS":
            return draft
    return None


def looks_for_the_word_anywhere(write, judge):
    feedback = ""
    for _ in range(4):
        draft = write(feedback)
        feedback = judge(draft)
        if "PASS" in feedback:
            return draft
    return None


def returns_the_last_draft_anyway(write, judge):
    feedback = ""
    for _ in range(4):
        draft = write(feedback)
        feedback = judge(draft)
        if feedback.startswith("PASS"):
            break
    return draft


def always_writes_four(write, judge):
    feedback, passed = "", None
    for _ in range(4):
        draft = write(feedback)
        feedback = judge(draft)
        if feedback == "PASS" and passed is None:
            passed = draft
    return passed


def allows_six_drafts(write, judge):
    feedback = ""
    for _ in range(6):
        draft = write(feedback)
        feedback = judge(draft)
        if feedback.startswith("PASS"):
            return draft
    return None


def has_no_fuse(write, judge):
    draft = write("")
    while not (verdict := judge(draft)).startswith("PASS"):
        draft = write(verdict)
    return draft


def judges_for_ever(write, judge):
    draft = write("")
    while not judge(draft).startswith("PASS"):
        continue
    return draft


def spins(write, judge):
    rounds = 0
    while rounds >= 0:
        rounds += 1


def returns_the_verdict(write, judge):
    feedback = write("")
    for _ in range(4):
        feedback = judge(write(feedback))
        if feedback == "PASS":
            return feedback
    return None


def writes_nothing(write, judge):
    return judge("Last ferry: 9 pm.")


def takes_one_argument(write):
    return write("")


IMPROVE = [
    (returns_the_first_draft, "the verdict on it was: FAIL: it is too long.", "begins with PASS lets a draft out"),
    (gives_no_feedback, "Every call of write got no feedback", "Give it the verdict on its last draft."),
    (gives_feedback_once, "the verdict on it was: FAIL: to PASS, it must", "begins with PASS lets a draft out"),
    (allows_two_drafts, "improve returned None after 2 drafts.", "Allow four drafts."),
    (looks_for_the_word_anywhere, "the verdict on it was: FAIL: to PASS, it must", "also stand within a reason"),
    (returns_the_last_draft_anyway, "None of the drafts passed, and improve returned", "Return None when the fuse"),
    (always_writes_four, "Draft 2 passed, and improve asked for another one.", "PASS is the way out."),
    (allows_six_drafts, "improve asked for more than 4 drafts.", "Only this limit ends the loop then"),
    (has_no_fuse, "improve asked for more than 4 drafts.", "Some judges are never content."),
    (judges_for_ever, "improve did not come to an end.", "Use a for loop over four drafts."),
    (spins, "improve did not come to an end.", "One round is one draft and one verdict on it."),
    (returns_the_verdict, "improve returned 'PASS'.", "Return the draft that passed, not the verdict"),
    (writes_nothing, "improve never called write.", "Ask for a draft first"),
    (takes_one_argument, "which is write, judge: too many positional arguments.", "def improve(write, judge)."),
    ("improve", "improve is not a function.", "Write it with def improve(write, judge)."),
]


def ask(client, messages, tools):
    return client.messages.create(
        model=MODEL, max_tokens=1024, tools=[each.definition for each in tools], messages=messages
    )


def the_loop_of_the_course(client, messages, tools):
    return run_loop(client, messages, tools, model=MODEL)


def a_loop_of_its_own(client, messages, tools):
    reply = ask(client, messages, tools)
    while reply.stop_reason == "tool_use":
        calls = [block for block in reply.content if block.type == "tool_use"]
        messages.append({"role": "assistant", "content": reply.content})
        messages.append({"role": "user", "content": [run_tool(tools, call) for call in calls]})
        reply = ask(client, messages, tools)
    return reply


def as_it_is_shipped(client, messages, tools):
    list_services, read_log = [each.function for each in tools]
    found = [*list_services(), read_log("board"), read_log("timetable")]
    messages[0]["content"] += " Here they are:\n" + "\n".join(found)
    return client.messages.create(model=MODEL, max_tokens=1024, messages=messages)


def with_one_more_log(client, messages, tools):
    read_log = tools[1].function
    found = [read_log(service) for service in ("board", "timetable", "clock")]
    messages[0]["content"] += " Here they are:\n" + "\n".join(found)
    return ask(client, messages, tools)


def asks_once(client, messages, tools):
    return ask(client, messages, tools)


def runs_its_own_order(client, messages, tools):
    order = iter([tools[0].function(), *map(tools[1].function, ("board", "timetable", "clock"))])
    reply = ask(client, messages, tools)
    while reply.stop_reason == "tool_use":
        (call,) = [block for block in reply.content if block.type == "tool_use"]
        output = "\n".join([*(found if isinstance(found := next(order), list) else [found])])
        messages.append({"role": "assistant", "content": reply.content})
        messages.append(
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call.id, "content": output}]}
        )
        reply = ask(client, messages, tools)
    return reply


def appends_nothing(client, messages, tools):
    while ask(client, messages, tools).stop_reason == "tool_use":
        continue


def returns_the_text(client, messages, tools):
    return run_loop(client, messages, tools, model=MODEL).content[-1].text


DETECTIVE = [
    (as_it_is_shipped, "The model asked for no tool: your code chose", "A fixed order finds only the cause"),
    (with_one_more_log, "The model asked for no tool: your code chose", "Give it the tools and let it ask."),
    (asks_once, "ended by tool_use after 1 request", "Go on as long as stop_reason is tool_use."),
    (
        runs_its_own_order,
        "the log of the network, and the answer does not name it",
        "the very tool that the model asked",
    ),
    (appends_nothing, "stopped by the fuse after 12 requests", "Append its turn and the results to messages"),
    (returns_the_text, "not the last reply.", "End it with return reply"),
    (None, "detective is not a function.", "Write it with def detective(client, messages, tools)."),
]

NAMES = [
    ("07.1", {}, "There is no answer yet for: 1, 2, 3, 4, 5, 6.", 'Write "model" or "code".'),
    ("07.1", "model", "The answer is not a dict.", 'Write "model" or "code".'),
    ("07.1", {**DECIDES, 2: "model"}, "5 of 6 are right.", "2: the `if` was written before"),
    ("07.1", {**DECIDES, 1: "code"}, "5 of 6 are right.", "1: nothing in the code names the clock."),
    (
        "07.1",
        dict.fromkeys(DECIDES, "code"),
        "3 of 6 are right.",
        "3: the loop ends because a reply asked for no tool.",
    ),
    ("07.1", dict.fromkeys(DECIDES, "model"), "3 of 6 are right.", "6: a fuse is a limit that your code sets."),
    ("07.4", {**CHOICES, 7: "tree"}, "There is no answer yet for: 7.", 'Write "agent" or "workflow".'),
    ("07.4", [*CHOICES.values()], "The answer is not a dict.", "Keep the numbers as they are."),
    ("07.4", dict.fromkeys(CHOICES, "workflow"), "6 of 10 are right.", "9: what breaks next is known only after"),
    ("07.4", dict.fromkeys(CHOICES, "agent"), "4 of 10 are right.", "1: each invoice takes the same steps."),
]


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("07.1", DECIDES),
        ("07.1", {number: f" {word.upper()}" for number, word in DECIDES.items()}),
        ("07.2", improves),
        ("07.2", improves_with_all_verdicts),
        ("07.3", the_loop_of_the_course),
        ("07.3", a_loop_of_its_own),
        ("07.4", CHOICES),
    ],
)
def test_a_right_answer_passes(id, answer):
    verdict = find(id).check(answer)
    assert verdict.passed, verdict


@pytest.mark.parametrize("number", CHOICES)
def test_every_task_has_its_own_reason(number):
    other = "agent" if CHOICES[number] == "workflow" else "workflow"
    verdict = find("07.4").check({**CHOICES, number: other})
    assert verdict.happened == "9 of 10 are right."
    assert verdict.matters.startswith(f"{number}: ") and "\n" not in verdict.matters


@pytest.mark.parametrize(
    ("id", "answer", "happened", "matters"),
    [*NAMES, *[("07.2", *case) for case in IMPROVE], *[("07.3", *case) for case in DETECTIVE]],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_wrong_answer_is_told_what_it_did_and_why_it_matters(id, answer, happened, matters):
    verdict = find(id).check(answer)
    assert not verdict.passed
    assert happened in verdict.happened
    assert matters in verdict.matters
