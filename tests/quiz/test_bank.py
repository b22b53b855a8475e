"""Loading a bank: what a good file gives, and every fault of a bad one, in whole sentences."""

from __future__ import annotations

import pytest

from course.errors import BankError, LessonError
from course.quiz.bank import QUIZZES, load_bank, named_bank, whole_bank
from course.quiz.items import ActionItem, OneItem
from course.stop_reasons import Action, actions

GOOD = """\
title: A small bank
items:
  - id: first
    kind: one
    objective: messages/memory
    stem: What does the model see?
    options:
      - {text: messages, correct: true, why: Nothing else is sent.}
      - {text: The whole session, why: The API keeps no session., misconception: model-remembers}
  - id: second
    kind: action
    objective: stop-reason/finish
    scope: production
    difficulty: hard
    stem: What next?
    response: {stop_reason: end_turn, content: []}
    refs: [{url: "https://example.org/a", checked: 2026-11-30}]
    replaces: [old-second]
    pin: true
    proof: {none: It is a fact.}
    options:
      - {action: finish, correct: true, why: It has ended.}
      - {action: send_back, why: Nothing is paused., misconception: pause-is-end}
"""


@pytest.fixture
def write(tmp_path):
    """Writes a bank and returns its path."""

    def write(text: str):
        path = tmp_path / "small.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def faults(path) -> list[str]:
    with pytest.raises(BankError) as caught:
        load_bank(path)
    return str(caught.value).replace(str(path), "small.yaml").splitlines()


def test_a_good_bank(write):
    path = write(GOOD)
    bank = load_bank(path)
    assert (bank.name, bank.title, len(bank.items)) == ("small", "A small bank", 2)
    first, second = bank.items
    assert isinstance(first, OneItem)
    assert (first.scope, first.difficulty, first.pin, first.refs) == ("exam", "medium", False, ())
    assert isinstance(second, ActionItem)
    assert second.options[0].action is Action.FINISH
    assert second.options[0].shown == actions()[Action.FINISH]
    assert second.refs[0].checked.isoformat() == "2026-11-30"
    assert bank.item("second") is second
    assert bank.places == {"first": (str(path), 3), "second": (str(path), 10)}


def test_every_fault_of_a_bank_is_reported_at_once(write):
    path = write("""\
title: Bad
items:
  - id: Not A Slug
    kind: one
    objective: messages/memry
    difficulty: 3
    stem: ""
    refs:
      - {url: "javascript:alert(1)", checked: yesterday}
    options:
      - {text: a, correct: true, why: w, misconception: model-remembers}
      - {text: a, why: w}
      - {text: b, why: w, misconception: model-remembrs}
      - {text: c, misconception: model-remembers}
  - id: twice
    kind: one
    objective: fuses/limits
    stem: s
    options:
      - {text: a, why: w, misconception: limit-is-way-out}
      - {text: b, why: w, misconception: limit-is-way-out}
  - id: twice
    kind: action
    objective: fuses/limits
    stem: s
    response: {content: []}
    options:
      - {action: finish, correct: true, why: w}
      - {action: stop, correct: true, why: w}
  - id: lonely
    kind: few
""")
    assert faults(path) == [
        'small.yaml:3: "id" is "Not A Slug" (items 1). '
        'Use small letters and digits, with single hyphens between them: "two-calls".',
        'small.yaml:5: The objective "messages/memry" is not known (items 1). Did you mean "messages/memory"?',
        'small.yaml:6: "difficulty" is 3 (items 1). It can be "easy", "medium" or "hard".',
        'small.yaml:7: "stem" is "" (items 1). Write some text.',
        'small.yaml:9: "url" is "javascript:alert(1)" (items 1, refs 1). Write a link that starts with https://.',
        'small.yaml:9: "checked" must be a date, not "yesterday" (items 1, refs 1). Write it as 2026-11-30.',
        "small.yaml:11: A right option names a misconception (items 1, options 1). Delete it.",
        "small.yaml:12: A wrong option names no misconception (items 1, options 2). Add one from course/quiz/tables.py.",
        "small.yaml:12: Two options are the same. Change or delete one.",
        'small.yaml:13: The misconception "model-remembrs" is not known (items 1, options 3). '
        'Did you mean "model-remembers"?',
        'small.yaml:14: "why" is missing (items 1, options 4). Add it.',
        'small.yaml:19: The item has 0 correct options; this kind has one. Write "correct: true" at exactly one.',
        'small.yaml:22: The id "twice" is already used on line 15. Ids are permanent: give the new item another one.',
        'small.yaml:26: The response has no "stop_reason" (items 3). Add it.',
        'small.yaml:27: The item has 2 correct options; this kind has one. Write "correct: true" at exactly one.',
        'small.yaml:29: "action" is "stop" (items 3, options 2). It can be "run_tools", "finish", "get_the_rest", '
        '"send_back", "show_refusal" or "shorten".',
        'small.yaml:30: "kind" is "few" (items 4). It can be "one", "many", "action", "messages", '
        '"line", "order", "match", "code".',
    ]


def test_syntax_is_checked_first(write):
    assert faults(write("title: A\nitems:\n\t- id: x")) == ["small.yaml:3: A tab is used for indentation. Use spaces."]


def test_a_bank_without_items(write):
    assert faults(write("title: A\nitems: []")) == ['small.yaml:2: "items" has too few entries. Write at least 1.']


def test_an_item_with_a_single_option(write):
    path = write(
        GOOD.replace("      - {action: send_back, why: Nothing is paused., misconception: pause-is-end}\n", "")
    )
    assert faults(path) == ['small.yaml:21: "options" has too few entries (items 2). Write at least 2.']


def test_an_objective_that_is_like_no_other(write):
    assert faults(write(GOOD.replace("messages/memory", "zzz"))) == [
        'small.yaml:5: The objective "zzz" is not known (items 1). '
        "The known ones stand in course/quiz/tables.py (objectives)."
    ]


def test_a_hostile_bank_is_only_text(write):
    hostile = "<img src=x onerror=alert(1)> {{7*7}} $(id) [x](javascript:alert(1)) \\x1b[31m"
    bank = load_bank(write(GOOD.replace("What does the model see?", f"'{hostile}'")))
    assert bank.items[0].stem == hostile


@pytest.mark.parametrize(
    ("name", "meant"), [("01_raw_lop", "01_raw_loop"), ("00", "00_start_here"), ("07_", "07_agent")]
)
def test_a_bank_that_does_not_exist(name, meant):
    with pytest.raises(LessonError) as caught:
        named_bank(name)
    assert str(caught.value).startswith(f'There is no quiz "{name}". Did you mean "{meant}')


def test_a_name_cannot_leave_the_folder(tmp_path):
    (tmp_path / "inside").mkdir()
    (tmp_path / "outside.yaml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "inside" / "a.yaml").write_text(GOOD, encoding="utf-8")
    with pytest.raises(LessonError) as caught:
        named_bank("../outside", tmp_path / "inside")
    assert str(caught.value) == 'There is no quiz "../outside". There are: a.'


def test_all_banks_of_a_folder_are_one(tmp_path):
    (tmp_path / "a.yaml").write_text(GOOD, encoding="utf-8")
    other = GOOD.replace("id: first", "id: third").replace("id: second", "id: fourth")
    (tmp_path / "b.yaml").write_text(other, encoding="utf-8")
    bank = whole_bank(tmp_path)
    assert [item.id for item in bank.items] == ["first", "second", "third", "fourth"]
    assert bank.places["fourth"] == (str(tmp_path / "b.yaml"), 10)


def test_the_folder_of_the_course_holds_the_banks():
    assert {"00_start_here", "01_raw_loop"} <= {path.stem for path in QUIZZES.glob("*.yaml")}
