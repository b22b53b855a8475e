"""What the card sends to the page for each kind: the question, the grade, and the way between the page's places and the file's
indexes."""

from __future__ import annotations

import json
import re

import pytest
from quiz.examples import EVERY_KIND, bank, item
from secrets_of import secrets_of

from course.quiz.grading import Ran
from course.quiz.items import ITEM
from course.quiz.proof_forms import Outcome
from course.quiz.session import Session, start
from course.quiz.tables import misconceptions
from course.widgets.bundle import HERE
from course.widgets.question_grade import runs, shown_grade
from course.widgets.question_run import run_answer, trace_data
from course.widgets.question_text import as_text
from course.widgets.question_view import shown_messages, shown_question, to_file, to_page
from course.widgets.question_words import question_words

IDS = [each.id for each in EVERY_KIND.items]
ANSWERS = {
    "one-of-four": 1,
    "two-of-three": [0, 2],
    "paused-search": 1,
    "pick-the-next": 2,
    "build-the-next": [1, 0, 4],
    "repair-the-array": [2, 1],
    "wrong-line": 2,
    "lines-in-order": [0, 3, 2],
    "reasons-and-actions": [1, None],
    "limit-of-three": 1,
}


def session_of(id: str, **changes) -> Session:
    """A session over one item, in another order than the file's."""
    return start(bank(item(id).model_copy(update=changes)), seed=3)


def shown(id: str) -> dict:
    return shown_question(session_of(id), 0)


def graded(id: str, answer, **changes) -> dict:
    """The grade of an answer by the file's indexes."""
    return shown_grade(session_of(id, **changes).answer(0, answer), 0, can_run=True)


@pytest.mark.parametrize("id", IDS)
def test_a_question_of_any_kind_holds_no_key(id):
    sent = json.dumps(shown(id))
    assert [secret for secret in secrets_of([item(id)]) if secret in sent] == []
    assert not re.search(r'"(correct|right_order|pairs|whys|also|gives|misconception|proof)"', sent)


@pytest.mark.parametrize("id", [id for id in IDS if id in ANSWERS])
def test_an_answer_goes_to_the_page_and_back(id):
    session = session_of(id)
    one, order = session.item(0), session.order(0)
    assert to_file(one, order, to_page(one, order, ANSWERS[id])) == ANSWERS[id]


@pytest.mark.parametrize("id", [id for id in IDS if id in ANSWERS])
@pytest.mark.parametrize("value", [99, -1, "0", True, 1.0, {}, [99], ["0"], [True]])
def test_what_is_no_place_on_the_page_is_no_answer(id, value):
    session = session_of(id)
    with pytest.raises(ValueError):
        to_file(session.item(0), session.order(0), value)


def test_a_mended_line_and_a_solution_are_not_sent_before_the_answer():
    assert 'reply.stop_reason == "end_turn"' not in json.dumps(shown("wrong-line")).replace("\\", "")
    assert "run_loop" not in json.dumps(shown("write-the-loop"))


@pytest.mark.parametrize("value", [None, 1, ["x"], {}])
def test_what_is_no_text_is_no_code(value):
    with pytest.raises(ValueError):
        to_file(item("write-the-loop"), (), value)


def test_many_says_how_many():
    question = shown("two-of-three")
    assert (question["form"], question["many"], question["task"]) == ("choose", 2, "Choose 2 answers.")
    assert sorted("code" in option for option in question["options"]) == [False, False, True]


def test_a_line_is_shown_with_its_number():
    assert shown("wrong-line")["options"][1] == {"text": "line 4", "source": 'if reply.content[0].type == "text":'}


def test_what_is_appended_is_marked_as_new_behind_what_is_there():
    session = session_of("pick-the-next")
    right = shown_question(session, 0)["options"][session.order(0).index(0)]
    assert [(each["place"], each["role"], each["new"]) for each in right["messages"]] == [
        (1, "assistant", True),
        (2, "user", True),
    ]
    assert right["messages"][1]["text"] == '[{"type": "tool_result", "tool_use_id": "toolu_01", "content": "a.py"}]'


def test_of_a_whole_array_only_the_messages_that_differ_are_new():
    file = item("pick-the-next").model_dump(mode="json", exclude_none=True, by_alias=True)
    before = file["messages"]
    other = [{"role": "user", "content": "Hello"}, *before]
    file["options"] = [
        {"messages": [*before, {"role": "assistant", "content": "a"}], "correct": True, "why": "w"},
        {"messages": other, "why": "w", "misconception": "model-remembers"},
    ]
    session = start(bank(ITEM.validate_python(file)))
    arrays = [shown_question(session, 0)["options"][session.order(0).index(at)]["messages"] for at in (0, 1)]
    assert [[each["new"] for each in array] for array in arrays] == [[False, True], [True, True]]


def test_a_message_with_more_than_a_role_and_content_is_shown_whole():
    assert (
        shown_messages([{"role": "user", "content": "a", "id": 1}])[0]["text"]
        == '{"role": "user", "content": "a", "id": 1}'
    )
    assert shown_messages([{"content": "a"}])[0]["role"] == "?"


def test_pieces_of_an_array_have_a_role_and_a_short_name():
    question = shown("build-the-next")
    assert (question["form"], question["start"], question["base"]) == ("arrange", [], 1)
    piece = next(piece for piece in question["pieces"] if "b.py" in piece["json"])
    assert piece == {
        "role": "user",
        "json": '{"type": "tool_result", "tool_use_id": "toolu_02", "content": "b.py"}',
        "name": "user tool_result toolu_02",
    }


def test_an_array_to_repair_begins_as_it_stands():
    session = session_of("repair-the-array")
    order = session.order(0)
    assert [order[place] for place in shown_question(session, 0)["start"]] == [2, 0]


def test_lines_in_order_keep_their_indentation():
    codes = {piece["code"] for piece in shown("lines-in-order")["pieces"]}
    assert "    return reply" in codes


def test_pairs_show_both_sides():
    question = shown("reasons-and-actions")
    assert question["left"][0] == {"json": '{"content": [], "stop_reason": "pause_turn"}'}
    assert "Stop: the answer is complete. Return it." in question["right"]


def test_code_begins_from_its_start():
    question = shown("write-the-loop")
    assert (question["form"], question["start"]) == ("write", "def loop(client, messages):\n    ...\n")
    assert question["task"] == "Write the function loop. It is run when you have finished."


@pytest.mark.parametrize(
    ("id", "answer", "partial"),
    [
        ("two-of-three", [0, 1], ""),
        ("two-of-three", [0, 2], ""),
        ("reasons-and-actions", [1, 2], "1 of 2 parts is right. The exam would count this as wrong."),
        ("reasons-and-actions", [2, 2], ""),
        (
            "lines-in-order",
            [0, 1],
            "2 of 3 steps are in the right order. The exam would count this as wrong.",
        ),
        ("one-of-four", 1, ""),
    ],
)
def test_partial_credit_is_told_apart_from_the_verdict(id, answer, partial):
    assert graded(id, answer)["partial"] == partial


def test_of_pieces_the_right_order_and_those_that_are_not_needed_are_told():
    session = session_of("build-the-next")
    order = session.order(0)
    grade = graded("build-the-next", [1, 2, 0, 4])
    assert [order[place] for place in grade["answer"]] == [1, 2, 0, 4]
    assert [order[place] for place in grade["right"]] == [1, 2, 0, 3]
    assert not grade["correct"]
    assert grade["stands"] == [True, True, True, False]
    decoy = grade["pieces"][order.index(4)]
    assert decoy == {
        "correct": False,
        "chosen": True,
        "why": "It is not needed.",
        "belief": misconceptions()["guide-after-results"],
        "needed": False,
    }


def test_of_pairs_the_right_partner_is_told():
    session = session_of("reasons-and-actions")
    order = session.order(0)
    left = graded("reasons-and-actions", [1, 2])["left"]
    assert [each["correct"] for each in left] == [True, False]
    assert [order[each["partner"]] for each in left] == [1, 0]
    assert left[1]["belief"] == misconceptions()["only-end-turn-ends"]


def test_the_right_line_comes_with_its_mended_text():
    assert [option["fix"] for option in graded("wrong-line", 1)["options"]] == [
        None,
        'if reply.stop_reason == "end_turn":',
        None,
    ]


def run_words(id: str, answer) -> list[str]:
    session = session_of(id)
    return [words for words, _answer in runs(session.item(0), session.order(0), answer)]


def test_what_can_be_run_after_the_answer():
    assert run_words("one-of-four", 1) == []  # its proof says why there is none
    assert run_words("pick-the-next", 1) == ["Run it"] * 3
    assert run_words("limit-of-three", 1) == []  # what the Agent SDK does is no trace
    assert run_words("write-the-loop", "x = 1") == ["Run your answer", "Run the solution"]
    assert run_words("build-the-next", [1, 0]) == ["Run your answer", "Run the right one"]
    assert run_words("build-the-next", [1, 2, 3, 0]) == ["Run your answer"]
    assert run_words("reasons-and-actions", [1, 0]) == []


def test_each_option_has_its_button_if_each_can_be_run():
    options = graded("pick-the-next", 1)["options"]
    assert [option["run"] for option in options] == [0, 1, 2]
    session = session_of("pick-the-next")
    assert [answer for _words, answer in runs(session.item(0), session.order(0), 1)] == list(session.order(0))


def test_an_option_that_nothing_does_has_no_button():
    order = session_of("two-of-three").order(0)
    runs_of = {at: option["run"] for at, option in zip(order, graded("two-of-three", [0, 2])["options"], strict=True)}
    assert (runs_of[0] is None, runs_of[1] is None, runs_of[2] is None) == (False, False, True)
    assert [option["run"] for option in graded("wrong-line", 1)["options"]] == [0, 1, 2]


def test_nothing_can_be_run_of_a_bank_from_elsewhere():
    grade = shown_grade(session_of("pick-the-next").answer(0, 1), 0, can_run=False)
    assert grade["runs"] == []
    assert [option["run"] for option in grade["options"]] == [None] * 3


def test_the_text_form_of_each_kind():
    text = as_text(start(EVERY_KIND, seed=2))
    assert "   Choose 2 answers.\n   [ ] " in text
    assert "   Choose one line.\n   ( ) line 3: reply = client.messages.create(" in text
    assert '   - user: {"type": "text", "text": "Go on."}' in text
    assert '   1. {"content": [], "stop_reason": "pause_turn"}\n' in text
    assert "   Write the function loop. It is run when you have finished.\n      def loop(client, messages):\n" in text
    assert text.count("Why: ") == 0


@pytest.mark.parametrize("path", sorted((HERE / "js").glob("quiz_*.js")), ids=lambda path: path.name)
def test_the_modules_of_the_card_ask_only_for_words_that_it_has(path):
    source = path.read_text(encoding="utf-8")
    asked = set(re.findall(r"\bwords\.(\w+)", source))
    assert asked - set(question_words()) == set()


def test_every_word_of_the_card_is_used():
    source = "".join(path.read_text(encoding="utf-8") for path in (HERE / "js").glob("quiz_*.js"))
    actions = [f"{action}_piece" for action in re.findall(r'"(add|up|down|remove)"', source)]
    unused = [
        word for word in question_words() if not re.search(rf'\.{word}\b|"{word}"', source) and word not in actions
    ]
    assert unused == []


@pytest.mark.parametrize(
    "id", ["pick-the-next", "build-the-next", "repair-the-array", "wrong-line", "paused-search", "two-of-three"]
)
def test_a_run_is_a_trace_for_the_stepper(id):
    session = session_of(id)
    given = session.answer(0, ANSWERS[id])
    for _words, answer in runs(given.item(0), given.order(0), ANSWERS[id]):
        assert json.loads(trace_data(given.item(0), answer)["data"])["lanes"][0]["trace"]["steps"]


def test_with_the_run_of_pieces_comes_what_their_order_gives():
    of = item("build-the-next")
    assert trace_data(of, list(of.right))["outcome"] == "The task was done and its answer came."
    changed = "The answer came, but the model's turn did not go back as it was."
    assert trace_data(of, [2, 1, 0, 3])["outcome"] == changed
    assert "outcome" not in trace_data(item("pick-the-next"), 0)


@pytest.mark.parametrize(
    ("results", "texts"),
    [
        ([Ran(Outcome.NEVER_RAN)] * 2, ["In all 2 tasks: No request was sent."]),
        (
            [Ran(Outcome.ANSWERED), Ran(Outcome.NEVER_RAN)],
            ["Task 1 of 2: The task was done and its answer came.", "Task 2 of 2: No request was sent."],
        ),
    ],
)
def test_what_comes_of_code_is_said_once_or_for_each_task(results, texts):
    given = session_of("write-the-loop").answer(0, "x", run=lambda _item, _source: results)
    assert [task["text"] for task in shown_grade(given, 0, can_run=True)["tasks"]] == texts


def test_the_answer_to_a_code_item_is_run_to_be_graded_and_can_be_seen():
    solution = item("write-the-loop").solution
    right = session_of("write-the-loop").answer(0, solution, run=run_answer)
    grade = shown_grade(right, 0, can_run=True)
    assert grade["correct"]
    assert grade["runs"] == ["Run your answer", "Run the solution"]
    assert "data" in trace_data(right.item(0), solution)


def test_code_that_python_can_not_read_is_told():
    wrong = session_of("write-the-loop").answer(0, "def loop(:", run=run_answer)
    grade = shown_grade(wrong, 0, can_run=True)
    assert not grade["correct"]
    assert "syntax" in grade["tasks"][0]["text"]
    assert set(trace_data(wrong.item(0), "def loop(:")) == {"fault"}
