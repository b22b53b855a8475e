"""What can be wrong in an item of each kind: every fault in whole sentences, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from course.errors import BankError
from course.quiz.bank import load_bank
from course.quiz.proof_forms import Outcome

OUTCOMES = [f'"{outcome.value}"' for outcome in Outcome]
EVERY_KIND = (Path(__file__).parent / "banks" / "every_kind.yaml").read_text(encoding="utf-8")


def source_of(id: str) -> str:
    """The lines of one item in banks/every_kind.yaml."""
    start = EVERY_KIND.index(f"  - id: {id}\n")
    end = EVERY_KIND.find("\n  - id: ", start)
    return EVERY_KIND[start : None if end < 0 else end + 1]


@pytest.fixture
def faults(tmp_path):
    """The faults of a bank with one item, after some changes to its text. Line 3 is the item's first."""

    def faults(id: str, *changes: tuple[str, str]) -> list[str]:
        text = source_of(id)
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        path = tmp_path / "b.yaml"
        path.write_text(f"title: t\nitems:\n{text}", encoding="utf-8")
        try:
            load_bank(path)
        except BankError as error:
            return str(error).replace(f"{path}:", "").splitlines()
        return []

    return faults


def test_each_item_alone_has_no_faults(faults):
    ids = [line.removeprefix("  - id: ") for line in EVERY_KIND.splitlines() if line.startswith("  - id: ")]
    assert len(ids) == 11
    assert {id: faults(id) for id in ids} == {id: [] for id in ids}


ONE = [
    (
        [("{text: messages, ", "{")],
        ["9: An option has exactly one of text, code; this one has 0. Keep or write one."],
    ),
    (
        [("{text: messages, ", "{text: a, code: b, ")],
        ["9: An option has exactly one of text, code; this one has 2. Keep or write one."],
    ),
    (
        [("correct: true,", "correct: true, gives: answered,")],
        ['9: A right option has "gives". Delete it: the goal stands in "proof".'],
    ),
    (
        [("misconception: model", "gives: runaway, says: x, misconception: model")],
        ['10: "says" is for an option that is refused. Write "gives: refused", or delete it.'],
    ),
    (
        [("misconception: model", "gives: explodes, misconception: model")],
        [
            '10: "gives" is "explodes" (items 1, options 2). It can be '
            + f"{', '.join(OUTCOMES[:-1])} or {OUTCOMES[-1]}."
        ],
    ),
    (
        [("text: messages", "code: a, do: b")],
        ['9: An option has "do" beside "code". Delete it: "code" is what is run.'],
    ),
    (
        [("{none: It is a fact about the API.}", "{}")],
        ["7: A proof is one of three (items 1). Write one of try, predict and none."],
    ),
    (
        [("{none: It is a fact about the API.}", "{none: a, try: {task: own}}")],
        ["7: A proof is one of three (items 1). Write one of try, predict and none."],
    ),
    (
        [("{none: It is a fact about the API.}", "{try: {task: Own!}}")],
        ['7: "task" is "Own!" (items 1). Write "own", or the name of a scenario.'],
    ),
    (
        [("{none: It is a fact about the API.}", "{predict: {}}")],
        ['7: The proof needs one of task and tasks (items 1). Write "task: name".'],
    ),
    (
        [("{none: It is a fact about the API.}", "{predict: {task: own, agent_sdk: {}, tool_runner: {}}}")],
        ["7: The proof runs two things (items 1). Keep one of agent_sdk and tool_runner."],
    ),
]

MANY = [
    (
        [("        correct: true\n", ""), ("why: The call itself.", "why: w\n        misconception: call-is-enough")],
        [
            "13: Correct options: 1 of 3. This kind has two or more, and not all. "
            'Write "correct: true" at each right one.'
        ],
    ),
    (
        [("misconception: result-arrives-by-itself\n        gives: runaway", "correct: true")],
        [
            "13: Correct options: 3 of 3. This kind has two or more, and not all. "
            'Write "correct: true" at each right one.'
        ],
    ),
    (
        [("A sleep", "The results of all calls, in one user turn")],
        ["21: Two options are the same. Change or delete one."],
    ),
]

ACTION = [
    (
        [("reason: [pause_turn, end_turn]", "reason: [refusal]")],
        [
            '20: No option is the action for the response\'s stop_reason. Add it, or write "correct: true" at the right one.'
        ],
    ),
    (
        [('      stop_reason: "${reason}"\n', ""), ("      reason: [pause_turn, end_turn]\n", "")],
        [
            '12: The response has no "stop_reason" (items 1). Add it.',
            '18: No option is the action for the response\'s stop_reason. Add it, or write "correct: true" at the right one.',
        ],
    ),
    (
        [("${case.what}", "${case.wat}"), ("call: {id: srvtoolu}", "call: srvtoolu")],
        [
            '6: "${case.wat}" does not fit every value of the variant. Correct it, or add what is missing there.',
            '12: "call" does not say what is drawn. Write a list, {between: [3, 9]}, {id: toolu} or {take: 2, of: [a, b, c]}.',
        ],
    ),
]

PICK = [
    (
        [("{make: right, ", "{make: rihgt, ")],
        [
            '17: "make" is "rihgt" (items 1, options 1). It can be "right", "nothing", "no_assistant_turn", "no_results", '
            '"drop_one_result", "wrong_id", "name_as_id", "without_id", "text_before", "text_between", "text_after", '
            '"one_turn_per_result", "results_as_text", "result_as_assistant", "result_as_tool", '
            '"results_first_then_assistant", "without_calls", "whole_reply", "made_up_result" or "ask_to_go_on".'
        ],
    ),
    (
        [("{make: right, ", "{make: drop_one_result, ")],
        [
            '17: "drop_one_result" needs a response with 2 or more tool_use blocks; it has 1. '
            "Change the response, or use another make."
        ],
    ),
    (
        [("    results: {list_files: a.py}\n", "")],
        [
            '16: "results" does not say what the call toolu_01 returned. Write "results: {list_files: text}".',
            '17: "results" does not say what the call toolu_01 returned. Write "results: {list_files: text}".',
        ],
    ),
    (
        [("make: no_assistant_turn", "make: right")],
        ["18: Two options are the same. Change or delete one."],
    ),
    (
        [("- add: [", "- messages: [")],
        [
            "16: Some options are what is added, others are whole arrays (items 1). "
            'Write all of them with "add" or "make", or all with "messages".'
        ],
    ),
    (
        [("{make: right, ", "{make: right, add: [], ")],
        ["17: An option has exactly one of add, make, messages; this one has 2. Keep or write one."],
    ),
    ([("    mode: pick\n", "")], ['3: "mode" is missing (items 1). Add it.']),
    (
        [("    mode: pick\n", "    mode: choose\n")],
        ['3: "mode" is "choose" (items 1). It can be "pick", "build", "repair".'],
    ),
]

BUILD = [
    (
        [("right: [1, 2, 3, 0]", "right: [1, 2, 9, -1]")],
        [
            "16: There is no piece 9: the item has 5. They are counted from 0.",
            "16: There is no piece -1: the item has 5. They are counted from 0.",
        ],
    ),
    (
        [("also: [[1, 2, 0, 3]]", "also: [[1, 2, 0, 3, 1], [1, 2, 3, 0], [2, 1, 0, 3], [2, 1, 0, 3]]")],
        [
            "17: A piece stands twice in this order. Keep one of them.",
            "17: This order is there already. Change or delete it.",
            "17: This order is there already. Change or delete it.",
        ],
    ),
    (
        [(", why: It is not needed., misconception: guide-after-results", "")],
        [
            '15: A piece that stands in no right order has no "why". Add it.',
            '15: A piece that stands in no right order has no "misconception". Add it.',
        ],
    ),
    (
        [("content: a.py}", "content: a.py}, why: w, misconception: guide-after-results")],
        ["14: A piece of a right order names a misconception. Delete it."],
    ),
    (
        [("content: b.py}", "content: a.py}"), ("toolu_02, content", "toolu_01, content")],
        ["14: Two pieces are the same. Change or delete one."],
    ),
    (
        [("{role: user, block: {type: text", "{role: system, block: {type: text"), ("right: [1, 2, 3, 0]", "right: 3")],
        [
            '15: "role" is "system" (items 1, pieces 5). It can be "user" or "assistant".',
            '16: "right" must be a list, not 3 (items 1). Start each entry with "- ".',
        ],
    ),
]

REPAIR = [
    ([("start: [2, 0]", "start: [1, 0]")], ["14: There is nothing to repair: this order is right. Change it."]),
    ([("start: [2, 0]", "start: [2, 3]")], ["14: There is no piece 3: the item has 3. They are counted from 0."]),
    ([("    start: [2, 0]\n", "")], ['3: "start" is missing (items 1). Add it.']),
]

LINE = [
    ([("{line: 4,", "{line: 40,")], ["17: There is no line 40: the code has 6. Correct it."]),
    (
        [(", fix: 'if reply.stop_reason == \"end_turn\":'", "")],
        ['17: The right option has no "fix". Write what the line should be.'],
    ),
    ([("{line: 4,", "{line: 3,")], ["17: Two options are the same. Change or delete one."]),
    ([("{line: 4,", "{line: four,")], ['17: "line" must be a whole number, not "four" (items 1, options 2).']),
]

ORDER = [
    (
        [("right: [0, 1, 2]", "right: [0, 1]")],
        [
            '10: A piece that stands in no right order has no "why". Add it.',
            '10: A piece that stands in no right order has no "misconception". Add it.',
        ],
    ),
    (
        [('- "    return reply"', '- "    reply = ask(client, messages)"')],
        ["10: Two pieces are the same. Change or delete one."],
    ),
    ([('- "    return reply"', '- " "')], ['10: "text" is " " (items 1, pieces 3). Write some text.']),
    (
        [('- "    return reply"', "- 7")],
        ['10: This entry must be a mapping, not 7 (items 1, pieces 3). Write "key: value" lines.'],
    ),
]

MATCH = [
    (
        [("whys: [It only paused., It has ended.]", "whys: []")],
        ['14: "whys" has 0 entries, and "left" has 2. Write one for each left.'],
    ),
    (
        [("whys: [It only paused., It has ended.]", "whys: [It only paused.]\n    pairs: [1, 0, 3]")],
        [
            '14: "whys" has 1 entries, and "left" has 2. Write one for each left.',
            '15: "pairs" has 3 entries, and "left" has 2. Write one for each left.',
            '15: There is no right 3: "right" has 3 entries. They are counted from 0.',
        ],
    ),
    (
        [("{action: finish}", "{action: run_tools}")],
        ['3: "pairs" is missing (items 1). Add it.', "13: Two entries are the same. Change or delete one."],
    ),
    (
        [
            ("{action: finish}", "{action: finish, text: Stop.}"),
            ("{response: {content: [], stop_reason: pause_turn}}", "{}"),
        ],
        [
            '3: "pairs" is missing (items 1). Add it.',
            "8: An entry has exactly one of text, code, response; this one has 0. Keep or write one.",
            "11: An entry has exactly one of text, action; this one has 2. Keep or write one.",
        ],
    ),
]

CODE = [
    (
        [("function: loop", "function: my loop")],
        ['7: "function" is "my loop" (items 1). Write the name of a function.'],
    ),
    (
        [("    solution: |", "    solutoin: |")],
        [
            '3: "solution" is missing (items 1). Add it.',
            '14: "solutoin" is not a known key (items 1). Did you mean "solution"?',
        ],
    ),
    (
        [("        misconception: text-means-done\n", "")],
        ['18: "misconception" is missing (items 1, wrong 1). Add it.'],
    ),
    (
        [("gives: declined", "gives: done")],
        [f'13: "gives" is "done" (items 1, tasks 2). It can be {", ".join(OUTCOMES[:-1])} or {OUTCOMES[-1]}.'],
    ),
]


@pytest.mark.parametrize(
    ("id", "changes", "expected"),
    [
        *(("one-of-four", *case) for case in ONE),
        *(("two-of-three", *case) for case in MANY),
        *(("paused-search", *case) for case in ACTION),
        *(("pick-the-next", *case) for case in PICK),
        *(("build-the-next", *case) for case in BUILD),
        *(("repair-the-array", *case) for case in REPAIR),
        *(("wrong-line", *case) for case in LINE),
        *(("lines-in-order", *case) for case in ORDER),
        *(("reasons-and-actions", *case) for case in MATCH),
        *(("write-the-loop", *case) for case in CODE),
    ],
)
def test_faults(faults, id, changes, expected):
    assert faults(id, *changes) == expected
