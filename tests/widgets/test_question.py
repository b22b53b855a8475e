"""The question card, without a browser: what leaves the kernel, and when."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from quiz.examples import EVERY_KIND, action, bank, item, one
from secrets_of import secrets_of

from course.errors import LessonError
from course.quiz.bank import QUIZZES, Bank, load_bank
from course.quiz.session import Score
from course.quiz.tables import misconceptions
from course.stop_reasons import Action, actions
from course.widgets.question import QuestionCard, quiz

BANKS = Path(__file__).parents[1] / "quiz" / "banks"


@pytest.fixture(autouse=True)
def new_learner(monkeypatch, tmp_path):
    monkeypatch.setenv("COURSE_PROGRESS_FOLDER", str(tmp_path / "progress"))


class Page:
    """Stands for the page: sends the card what the page would, and keeps what the card sends."""

    def __init__(self, *items, seed: int = 0, of: Bank | None = None) -> None:
        self.card = QuestionCard(of or bank(*items), seed=seed, clock=lambda: 42.0)
        self.received: list[dict] = []
        self.card.send = lambda content, buffers=None: self.received.append(content)

    def send(self, **content) -> list[dict]:
        self.received.clear()
        self.card._handle_custom_msg(content, [])
        return list(self.received)

    def look(self) -> dict:
        """What a page gets that was just opened."""
        [message] = self.send(do="look", view="a view")
        return message

    def answer(self, number: int, option: int) -> dict:
        """Choose the option that stands at this index in the file. Gives the grade."""
        answer = self.card.session.order(number).index(option)
        [message] = self.send(do="answer", number=number, answer=answer)
        return message["grades"][str(number)]


def everything_sent(card: QuestionCard) -> str:
    """All that a notebook or a page could hold of the card."""
    return json.dumps([card.get_state(), card._repr_mimebundle_(), repr(card)], default=str)


def traits_of(card: QuestionCard) -> dict:
    """What a notebook saves of the card. The names of models differ from card to card."""
    return {name: value for name, value in card.get_state().items() if name not in ("layout", "tooltip")}


def test_a_new_card_shows_the_questions():
    page = Page(one("a", texts="xy", pin=True, code="f()"), action())
    assert page.card.title == "A small bank"
    assert page.card.questions == [
        {
            "stem": "stem a",
            "extras": [{"title": "Code", "code": "f()", "numbered": True}],
            "task": "Choose one answer.",
            "form": "choose",
            "many": 0,
            "options": [{"text": "x"}, {"text": "y"}],
        },
        {
            "stem": "What next?",
            "extras": [
                {
                    "title": "response",
                    "json": '{"stop_reason": "max_tokens", "content": [{"type": "text", "text": "The ans"}]}',
                }
            ],
            "task": "Choose one answer.",
            "form": "choose",
            "many": 0,
            "options": [{"text": actions()[action]} for action in (Action.GET_THE_REST, Action.FINISH)],
        },
    ]
    assert page.look() == {
        "state": {"questions": None, "drafts": {}, "at": 0, "view": "a view"},
        "grades": {},
        "notes": [],
    }


@pytest.mark.parametrize("name", ["00_start_here", "01_raw_loop"])
def test_nothing_that_leaves_the_kernel_before_an_answer_holds_a_key(name):
    sent = everything_sent(quiz(name))
    secrets = secrets_of(load_bank(QUIZZES / f"{name}.yaml").items)
    assert [secret for secret in secrets if json.dumps(secret)[1:-1] in sent] == []
    assert not set(card_keys(quiz(name))) & {"correct", "why", "misconception", "answer", "proof"}


def card_keys(card: QuestionCard) -> list[str]:
    return [key for question in card.questions for key in question]


def test_two_banks_that_differ_in_their_key_alone_send_the_same():
    first, second = (Page(one(right=right)) for right in (0, 3))
    assert traits_of(first.card) == traits_of(second.card)
    assert first.look() == second.look()


def test_what_a_notebook_saves_is_the_same_whatever_was_done():
    page = Page(*(one(f"item-{n}") for n in range(4)))
    before = traits_of(page.card), repr(page.card), page.card._repr_mimebundle_()[0]["text/plain"]
    page.answer(0, 1)
    page.answer(1, 2)
    page.send(do="draft", number=2, answer=3)
    page.send(do="again")
    page.answer(0, 0)
    assert (traits_of(page.card), repr(page.card), page.card._repr_mimebundle_()[0]["text/plain"]) == before
    restarted = Page(*(one(f"item-{n}") for n in range(4)))
    assert (traits_of(restarted.card), repr(restarted.card)) == before[:2]


def test_a_right_answer():
    page = Page(one("a", texts="xy", right=1, pin=True))
    assert page.send(do="answer", number=0, answer=1) == [
        {
            "grades": {
                "0": {
                    "correct": True,
                    "partial": "",
                    "answer": 1,
                    "refs": [],
                    "runs": [],
                    "options": [
                        {"correct": False, "chosen": False, "why": "why x", "belief": "", "fix": None, "run": None},
                        {"correct": True, "chosen": True, "why": "why y", "belief": "", "fix": None, "run": None},
                    ],
                }
            },
        }
    ]
    assert page.card.session.score == Score(right=1, answered=1, total=1)
    assert page.card.session.state.answers[0].at == 42.0


def test_a_wrong_answer_is_told_with_the_belief_behind_it():
    grade = Page(one("a", texts="xy", right=1, pin=True)).answer(0, 0)
    assert not grade["correct"]
    assert grade["options"][0]["belief"] == misconceptions()["model-remembers"]


def test_a_grade_is_in_the_order_that_is_shown():
    page = Page(one(right=1), seed=5)
    order = page.card.session.order(0)
    assert order != (0, 1, 2, 3), "the seed changes the order"
    grade = page.answer(0, 3)
    assert grade["answer"] == order.index(3)
    assert [option["correct"] for option in grade["options"]] == [option == 1 for option in order]
    assert [option["why"] for option in grade["options"]] == [f"why {'abcd'[option]}" for option in order]


def test_a_grade_is_sent_but_never_kept_in_a_trait():
    page = Page(one("a", texts=["secret", "other"]))
    page.answer(0, 0)
    assert "why secret" not in everything_sent(page.card)
    assert "why other" not in everything_sent(page.card)


def test_an_answer_tells_nothing_about_other_questions():
    page = Page(one("a"), one("b"))
    [message] = page.send(do="answer", number=0, answer=0)
    assert list(message["grades"]) == ["0"]


def test_a_question_is_answered_once():
    page = Page(one(right=1))
    page.answer(0, 0)
    assert not page.answer(0, 1)["correct"]
    assert page.card.session.score == Score(right=0, answered=1, total=1)


def test_a_page_that_is_opened_again_gets_the_grades_and_goes_on_where_it_was():
    page = Page(one("a"), one("b"), one("c"))
    page.answer(0, 1)
    page.answer(2, 1)
    message = page.look()
    assert list(message["grades"]) == ["0", "2"]
    assert message["state"]["at"] == 1


def test_after_a_restart_of_the_kernel_the_answers_are_back():
    before = Page(one("a"), one("b"))
    grade = before.answer(0, 1)
    after = Page(one("a"), one("b"))
    assert after.look()["grades"] == {"0": grade}
    assert after.card.session == before.card.session


def test_what_was_chosen_and_not_checked_is_back_too():
    before = Page(one("a"), one("b"))
    before.send(do="draft", number=1, answer=3)
    after = Page(one("a"), one("b"))
    assert after.look()["state"]["drafts"] == {"1": 3}
    after.answer(1, 0)
    assert after.look()["state"]["drafts"] == {}


def test_start_again_asks_in_another_order():
    page = Page(*(one(f"item-{n}") for n in range(6)))
    page.answer(0, 0)
    [message] = page.send(do="again")
    assert message["grades"] == {}
    assert message["state"]["view"] is None  # it is for every view of the card
    assert message["state"]["at"] == 0
    assert message["state"]["questions"] != page.card.questions
    assert [question["stem"] for question in message["state"]["questions"]] == [f"stem item-{n}" for n in range(6)]
    assert page.look() == {**message, "state": {**message["state"], "view": "a view"}}


def test_after_a_restart_of_the_kernel_the_new_attempt_is_back():
    before = Page(*(one(f"item-{n}") for n in range(6)))
    before.answer(0, 0)
    before.send(do="again")
    before.answer(3, 0)
    after = Page(*(one(f"item-{n}") for n in range(6)))
    assert after.look() == before.look()
    assert list(after.look()["grades"]) == ["3"]


def test_a_broken_file_is_told_when_the_page_looks(tmp_path):
    folder = tmp_path / "progress"
    folder.mkdir()
    (folder / "quiz-elsewhere-small.json").write_text("{", encoding="utf-8")
    page = Page(one("a"))
    [note] = page.look()["notes"]
    assert note.endswith("a new file is begun: earlier answers are missing.")
    assert page.look()["notes"] == []


def test_a_folder_that_can_not_be_written_is_told_and_the_quiz_goes_on(monkeypatch, tmp_path):
    folder = tmp_path / "file"
    folder.write_text("in the way")
    monkeypatch.setenv("COURSE_PROGRESS_FOLDER", str(folder))
    page = Page(one("a"), one("b"))
    told = (
        f"Your progress can't be kept (File exists): it counts until the kernel ends. Make room or allow writing in {folder}, "
        "or set COURSE_PROGRESS_FOLDER to another folder."
    )
    first, second = page.send(do="answer", number=0, answer=0)
    assert list(first["grades"]) == ["0"]
    assert second == {"notes": [told]}
    assert len(page.send(do="answer", number=1, answer=0)) == 1
    assert list(page.look()["grades"]) == ["0", "1"]


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"do": "anything"},
        {"do": "answer"},
        {"do": "answer", "number": 1, "answer": 0},
        {"do": "answer", "number": -1, "answer": 0},
        {"do": "answer", "number": 0, "answer": 4},
        {"do": "answer", "number": 0, "answer": "0"},
        {"do": "answer", "number": 0, "answer": 1.0},
        {"do": "answer", "number": 0, "answer": [0]},
        {"do": "draft", "number": 0, "answer": 4},
        {"do": "run", "number": 0, "run": 0},
        {"do": "answer", "number": True, "answer": 0},
        {"do": "answer", "number": [], "answer": {}},
    ],
)
def test_a_message_that_makes_no_sense_is_left_alone(content):
    page = Page(one())
    assert page.send(**content) == []
    assert page.card.session.score.answered == 0


def test_the_answer_to_a_code_item_of_a_bank_from_elsewhere_is_not_run():
    told = "This bank is not one of the course's, so nothing of it is run: an answer can't be checked here."
    page = Page(item("write-the-loop"))
    assert page.card.questions[0]["unchecked"] == told
    sent = page.send(do="answer", number=0, answer="raise SystemExit")
    assert sent == [{"refused": {"number": 0, "text": told}}]


def test_code_that_can_not_be_read_is_told_and_uses_up_no_question(monkeypatch):
    monkeypatch.setattr("course.quiz.store.QUIZZES", BANKS)
    page = Page(of=replace(EVERY_KIND, items=(item("write-the-loop"),)))
    sent = page.send(do="answer", number=0, answer="def loop(:")
    told = "Line 1 of your code can't be read: invalid syntax. Correct it and check again."
    assert sent == [{"refused": {"number": 0, "text": told}}]
    assert page.card.session.score.answered == 0
    assert page.look()["state"]["drafts"] == {"0": "def loop(:"}  # and it is not lost


def test_nothing_is_run_before_the_answer_nor_of_a_bank_from_elsewhere():
    of = replace(EVERY_KIND, items=(item("pick-the-next"),))
    page = Page(of=of)
    assert page.send(do="run", number=0, run=0) == []
    page.answer(0, 1)
    assert page.send(do="run", number=0, run=0) == []


def test_after_the_answer_an_option_of_the_course_can_be_run(monkeypatch):
    monkeypatch.setattr("course.quiz.store.QUIZZES", BANKS)
    page = Page(of=replace(EVERY_KIND, items=(item("pick-the-next"),)))
    before = traits_of(page.card)
    assert page.send(do="run", number=0, run=0) == []
    page.answer(0, 1)
    [message] = page.send(do="run", number=0, run=2)
    assert (message["trace"]["number"], message["trace"]["run"]) == (0, 2)
    assert json.loads(message["trace"]["data"])["lanes"][0]["trace"]["steps"]
    assert page.send(do="run", number=0, run=3) == []
    assert traits_of(page.card) == before


def test_the_text_form():
    card = Page(one("a", texts="xy", pin=True, code="if a:\n    b()", stem="First.\n\nSecond?\n"), action()).card
    assert (
        repr(card)
        == """\
A small bank

1. First.

Second?

      if a:
          b()

   ( ) x
   ( ) y

2. What next?

      {
        "stop_reason": "max_tokens",
        "content": [{"type": "text", "text": "The ans"}]
      }

   ( ) The reply was cut off. Run none of its tools. Raise max_tokens and ask again, or say that it is incomplete.
   ( ) Stop: the answer is complete. Return it.

Answer in JupyterLab, or in a terminal: python3 run.py drill small"""
    )


def test_the_text_form_is_whole():
    card = Page(*(one(f"item-{n}") for n in range(30))).card
    assert card._repr_mimebundle_()[0]["text/plain"] == repr(card)


def test_a_bank_of_the_course_by_its_name():
    assert quiz("01_raw_loop").title == "The raw loop"


def test_a_name_that_does_not_exist():
    with pytest.raises(LessonError) as caught:
        quiz("01_raw_lop")
    assert str(caught.value) == 'There is no quiz "01_raw_lop". Did you mean "01_raw_loop"?'
