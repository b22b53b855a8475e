"""The questions in a terminal: what is shown, what is asked again, and how it ends."""

from __future__ import annotations

import io

from quiz.examples import action, bank, one
from rich.console import Console

from course.quiz.session import Score, Session, start
from course.quiz.terminal import ask_in_terminal


class Person:
    """Types what it was given, line by line; then the input is at its end."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.prompts: list[str] = []

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def drill(session: Session, *lines: str) -> tuple[Session, str, Person]:
    person = Person(*lines)
    output = io.StringIO()
    after = ask_in_terminal(session, person.ask, Console(width=80, file=output), clock=lambda: 42.0)
    lines = [line.rstrip() for line in output.getvalue().splitlines()]
    return after, "\n".join(lines) + "\n", person


def test_a_whole_drill():
    session = start(bank(one("a", texts="xy", right=0, pin=True, code="if a:\n    b()")))
    after, shown, person = drill(session, "1")
    assert (
        shown
        == """
Question 1 of 1
stem a

Code:
   1  if a:
   2      b()

  1. x
  2. y

Right.
  1. right (your answer): why x
  2. wrong: why y

1 of 1 right; 1 questions in all.
"""
    )
    assert person.prompts == ["Your answer (1 to 2, q to stop): "]
    assert after.state.answers[0].at == 42.0


def test_the_number_is_the_position_that_is_shown():
    session = start(bank(one(right=1)), seed=5)
    position = session.order(0).index(1)
    assert position != 1, "the seed moves the right option"
    after, shown, _ = drill(session, str(position + 1))
    assert after.score == Score(1, 1, 1)
    assert "Right." in shown


def test_a_wrong_answer_shows_every_why():
    after, shown, _ = drill(start(bank(action())), "1", "1")
    assert after.score.answered == 1
    assert "It is not complete." in shown
    assert "It was cut off." in shown


def test_blank_and_unknown_input_asks_again():
    after, shown, person = drill(start(bank(one())), "", "  ", "5", "0", "-1", "x", "²", "9" * 5000, "2")
    assert after.score.answered == 1
    assert len(person.prompts) == 9
    assert shown.count("Type one of the numbers 1 to 4, or q to stop.") == 8


def test_q_stops_and_says_the_score():
    after, shown, _ = drill(start(bank(one("a"), one("b"), one("c"))), "1", " Q ")
    assert after.score.answered == 1
    assert shown.rstrip().endswith("of 1 right; 3 questions in all.")


def test_the_end_of_the_input_stops_and_says_the_score():
    after, shown, _ = drill(start(bank(one("a"), one("b"))))
    assert after.score.answered == 0
    assert shown.rstrip().endswith("0 of 0 right; 2 questions in all.")


def test_what_is_answered_is_not_asked_again():
    session = start(bank(one("a"), one("b"))).answer(0, 0)
    after, shown, _ = drill(session, "1")
    assert after.score.answered == 2
    assert "stem a" not in shown


def test_a_long_option_goes_on_under_its_own_start():
    _, shown, _ = drill(start(bank(one(texts=["word " * 20, "b"], right=1, pin=True))), "q")
    assert f"  1. {('word ' * 15).strip()}\n     {('word ' * 5).strip()}\n  2. b\n" in shown


def test_text_from_a_bank_is_not_read_as_markup():
    _, shown, _ = drill(start(bank(one(stem="[bold]x[/bold] :smile: [link=https://e.org]y[/link]"))), "q")
    assert "[bold]x[/bold] :smile: [link=https://e.org]y[/link]" in shown


def test_control_characters_from_a_bank_do_not_reach_the_terminal():
    _, shown, _ = drill(start(bank(one(stem="a\x1b[2Jb\x07c"))), "q")
    assert "\x1b" not in shown and "\x07" not in shown
