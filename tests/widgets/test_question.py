"""The question card, without a browser: what leaves the kernel, and when."""

from __future__ import annotations

import json

import pytest
from quiz.examples import action, bank, one

from course.errors import LessonError
from course.quiz.bank import QUIZZES, load_bank
from course.widgets.question import QuestionCard, quiz


class Page:
    """Stands for the page: sends the card what the page would, and keeps what the card sends."""

    def __init__(self, *items, seed: int = 0) -> None:
        self.card = QuestionCard(bank(*items), seed=seed, clock=lambda: 42.0)
        self.received: list[dict] = []
        self.card.send = lambda content, buffers=None: self.received.append(content)

    def send(self, **content) -> list[dict]:
        self.received.clear()
        self.card._handle_custom_msg(content, [])
        return list(self.received)

    def answer(self, number: int, option: int) -> list[dict]:
        """Choose the option that stands at this index in the file."""
        return self.send(do="answer", number=number, choice=self.card.session.order(number).index(option))


def everything_sent(card: QuestionCard) -> str:
    """All that a notebook or a page could hold of the card."""
    return json.dumps([card.get_state(), card._repr_mimebundle_(), repr(card)], default=str)


def test_a_new_card_shows_the_questions():
    card = Page(one("a", texts="xy", pin=True, code="f()"), action()).card
    assert card.title == "A small bank"
    assert card.index == 0
    assert card.score == {"right": 0, "answered": 0, "total": 2}
    assert card.questions[0] == {
        "stem": "stem a",
        "extras": [{"kind": "code", "title": "Code", "text": "f()"}],
        "options": ["x", "y"],
    }
    assert card.questions[1]["extras"] == [
        {
            "kind": "json",
            "title": "response",
            "text": '{"stop_reason": "max_tokens", "content": [{"type": "text", "text": "The ans"}]}',
        }
    ]


@pytest.mark.parametrize("name", ["00_start_here", "01_raw_loop"])
def test_nothing_that_leaves_the_kernel_before_an_answer_holds_a_key(name):
    sent = everything_sent(quiz(name))
    for item in load_bank(QUIZZES / f"{name}.yaml").items:
        for option in item.options:
            assert json.dumps(option.why.strip())[1:-1] not in sent
            assert option.misconception is None or option.misconception not in sent
    assert not set(card_keys(quiz(name))) & {"correct", "why", "misconception", "answer", "proof"}


def card_keys(card: QuestionCard) -> list[str]:
    return [key for question in card.questions for key in question]


def test_two_banks_that_differ_in_their_key_alone_send_the_same():
    sent = []
    for right in (0, 3):
        state = Page(one(right=right)).card.get_state()
        sent.append({name: value for name, value in state.items() if name not in ("layout", "tooltip")})
    assert sent[0] == sent[1]


def test_a_right_answer():
    page = Page(one("a", texts="xy", right=1, pin=True))
    assert page.answer(0, 1) == [
        {
            "grades": {
                "0": {
                    "correct": True,
                    "choice": 1,
                    "options": [{"correct": False, "why": "why x"}, {"correct": True, "why": "why y"}],
                    "refs": [],
                }
            },
            "reset": False,
        }
    ]
    assert page.card.score == {"right": 1, "answered": 1, "total": 1}
    assert page.card.session.state.answers[0].at == 42.0


def test_a_grade_is_in_the_order_that_is_shown():
    page = Page(one(right=1), seed=5)
    order = page.card.session.order(0)
    assert order != (0, 1, 2, 3), "the seed changes the order"
    [message] = page.answer(0, 3)
    grade = message["grades"]["0"]
    assert grade["choice"] == order.index(3)
    assert [option["correct"] for option in grade["options"]] == [option == 1 for option in order]
    assert [option["why"] for option in grade["options"]] == [f"why {'abcd'[option]}" for option in order]


def test_a_grade_is_sent_but_never_kept_in_a_trait():
    page = Page(one("a", texts=["secret", "other"]))
    page.answer(0, 0)
    assert "why secret" not in everything_sent(page.card)
    assert "why other" not in everything_sent(page.card)


def test_an_answer_tells_nothing_about_other_questions():
    page = Page(one("a"), one("b"))
    [message] = page.answer(0, 0)
    assert list(message["grades"]) == ["0"]


def test_a_question_is_answered_once():
    page = Page(one(right=1))
    page.answer(0, 0)
    [message] = page.answer(0, 1)
    assert not message["grades"]["0"]["correct"]
    assert page.card.score == {"right": 0, "answered": 1, "total": 1}


def test_a_page_that_is_opened_again_gets_the_grades_of_what_was_answered():
    page = Page(one("a"), one("b"), one("c"))
    assert page.send(do="look") == [{"grades": {}, "reset": False}]
    page.answer(1, 1)
    [message] = page.send(do="look")
    assert list(message["grades"]) == ["1"]


def test_start_again_asks_in_another_order():
    page = Page(*(one(f"item-{n}") for n in range(6)))
    page.answer(0, 0)
    page.card.index = 6
    before = page.card.questions
    assert page.send(do="again") == [{"grades": {}, "reset": True}]
    assert page.card.score == {"right": 0, "answered": 0, "total": 6}
    assert page.card.index == 0
    assert page.card.questions != before
    assert page.send(do="look") == [{"grades": {}, "reset": False}]


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"do": "anything"},
        {"do": "answer"},
        {"do": "answer", "number": 1, "choice": 0},
        {"do": "answer", "number": -1, "choice": 0},
        {"do": "answer", "number": 0, "choice": 4},
        {"do": "answer", "number": 0, "choice": "0"},
        {"do": "answer", "number": 0, "choice": 1.0},
        {"do": "answer", "number": True, "choice": 0},
        {"do": "answer", "number": [], "choice": {}},
    ],
)
def test_a_message_that_makes_no_sense_is_left_alone(content):
    page = Page(one())
    assert page.send(**content) == []
    assert page.card.score["answered"] == 0


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

Answer in JupyterLab, or in a terminal: python -m course drill small"""
    )


def test_the_text_form_is_whole_and_does_not_change_with_the_answers():
    page = Page(*(one(f"item-{n}") for n in range(30)))
    before = page.card._repr_mimebundle_()[0]["text/plain"]
    assert before == repr(page.card)
    page.answer(0, 0)
    assert page.card._repr_mimebundle_()[0]["text/plain"] == before


def test_a_bank_of_the_course_by_its_name():
    assert quiz("01_raw_loop").title == "The raw loop"


def test_a_name_that_does_not_exist():
    with pytest.raises(LessonError) as caught:
        quiz("01_raw_lop")
    assert str(caught.value) == 'There is no quiz "01_raw_lop". Did you mean "01_raw_loop"?'
