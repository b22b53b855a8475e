"""The questions in a terminal: what is shown, what is asked again, and how it ends."""

from __future__ import annotations

import io

import pytest
from quiz.examples import EVERY_KIND, action, bank, item, one
from rich.console import Console

from course.quiz.grading import Ran, Run
from course.quiz.proof_forms import Outcome
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


def drill(session: Session, *lines: str, run: Run | None = None) -> tuple[Session, str, Person]:
    person = Person(*lines)
    output = io.StringIO()
    after = ask_in_terminal(session, person.ask, Console(width=80, file=output), clock=lambda: 42.0, run=run)
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

Choose one answer.

  1. x
  2. y

Right.
  1. right (your answer): why x
  2. wrong: why y

1 of 1 right. Questions in all: 1.
"""
    )
    assert person.prompts == ["Your answer (q to stop): "]
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
    assert shown.rstrip().endswith("of 1 right. Questions in all: 3.")


def test_the_end_of_the_input_stops_and_says_the_score():
    after, shown, _ = drill(start(bank(one("a"), one("b"))))
    assert after.score.answered == 0
    assert shown.rstrip().endswith("0 of 0 right. Questions in all: 2.")


def test_ctrl_c_stops_and_says_the_score():
    typed = iter(["1"])

    def ask(_prompt: str) -> str:
        for line in typed:
            return line
        raise KeyboardInterrupt

    output = io.StringIO()
    after = ask_in_terminal(start(bank(one("a"), one("b"))), ask, Console(width=80, file=output))
    assert after.score.answered == 1
    assert output.getvalue().endswith("of 1 right. Questions in all: 2.\n")


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


def one_of(id: str, *lines: str, run: Run | None = None) -> tuple[Session, str, str]:
    """A drill over one item of banks/every_kind.yaml: the session, what is shown before the answer, and after it."""
    after, shown, _ = drill(start(bank(item(id)), seed=1), *lines, run=run)
    before, _, rest = shown.removeprefix("\nQuestion 1 of 1\n").partition("ight")
    return after, before, rest


def test_several_options():
    after, before, rest = one_of("two-of-three", "1", "1,1", "1,2,3", "2, 3")
    assert before.count("Type 2 different numbers from 1 to 3, for example 1,2, or q to stop.") == 3
    assert "Choose 2 answers." in before
    assert after.state.answers[0].answer == [0, 2]
    assert (
        rest
        == """.
  1. right: What the model waits for.
  2. wrong (your answer): Nothing is waited for.
     It is easy to believe: What a tool returns reaches the model by itself.
  3. right (your answer): The call itself.

0 of 1 right. Questions in all: 1.
"""
    )


def test_pieces_are_typed_in_their_order():
    after, before, rest = one_of("lines-in-order", "3 2", "3 2 1 5")
    assert (
        before
        == """\
Put the lines in order.

Put these in order. There may be some that you don't need.

  1.     return reply
  2.     reply = ask(client, messages)
  3. def loop(client, messages):
  4.     messages.clear()

Not r"""
    )
    assert after.state.answers[0].answer == [0, 1]
    assert (
        rest
        == """ as the exam counts; 50% of it is.
The right order: 3 2 1

  4. wrong: Then nothing is left.

0 of 1 right. Questions in all: 1.
"""
    )


def test_an_array_to_repair_says_how_it_stands():
    after, before, _ = one_of("repair-the-array", "3 2")
    assert "As it stands: 1 2\n" in before
    assert after.score == Score(1, 1, 1)


def test_pairs_are_typed_as_a_number_and_a_letter():
    after, before, rest = one_of("reasons-and-actions", "1a", "1a 2d", "1a 1b", "1a 3b", "1 2", "2a, 1b")
    assert (
        before.replace("\n", " ").count(
            "Type a letter from a to c for each number from 1 to 2, for example 1a 2a, or q to stop."
        )
        == 5
    )
    assert after.state.answers[0].answer == [2, 0]
    assert (
        rest
        == """ as the exam counts; 50% of it is.
  1. wrong; c is right: It only paused.
  2. right: It has ended.

0 of 1 right. Questions in all: 1.
"""
    )


def test_a_line_is_chosen_by_its_number():
    after, before, rest = one_of("wrong-line", "1", "5", "4")
    assert before.count("Type the number of the line: 3, 4, 6, or q to stop.") == 2
    assert '  4. if reply.content[0].type == "text":\n' in before
    assert after.score == Score(1, 1, 1)
    assert 'The line, mended:\n     if reply.stop_reason == "end_turn":\n' in rest


@pytest.mark.parametrize("end", [(".",), ()], ids=["full stop", "end of the input"])
def test_code_is_typed_line_by_line(end):
    sources: list[str] = []

    def run(_item, source):
        sources.append(source)
        return [Ran(Outcome.STOPPED_EARLY), Ran(Outcome.DECLINED)]

    after, before, rest = one_of("write-the-loop", "", "def loop(client, messages):", "", "    pass", *end, run=run)
    assert sources == ["def loop(client, messages):\n\n    pass\n"]
    assert after.state.answers[0].credit == 0.5
    assert "Begin with:\n   1  def loop(client, messages):\n   2      ...\n" in before
    assert "  1. wrong: The loop stopped while the work was not done. One request is no\n     loop.\n" in rest
    assert "A solution:\n     def loop(client, messages):\n" in rest


def test_q_stops_before_code_but_not_inside_it():
    def run(_item, _source):
        return [Ran(Outcome.RAISED), Ran(Outcome.RAISED)]

    assert one_of("write-the-loop", "q", run=run)[0].score.answered == 0
    assert one_of("write-the-loop", "def loop(client, messages):", "  q", ".", run=run)[0].score.answered == 1


def test_code_that_cannot_be_read_is_asked_for_again():
    def run(_item, _source):
        return [Ran(Outcome.RAISED), Ran(Outcome.RAISED)]

    right = ("def loop(client, messages):", "    pass", ".")
    after, before, _ = one_of("write-the-loop", "def loop(client, messages)", ".", *right, run=run)
    assert after.state.answers[0].answer == "def loop(client, messages):\n    pass\n"
    assert "Line 1 of your code can't be read: expected ':'. Correct it and check again.\n" in before
    assert (
        before.replace("\n", " ").count(
            'Type the whole function. A line with only "." ends it; q as the first line stops.'
        )
        == 2
    )


def test_tasks_of_which_the_same_is_said_share_a_row():
    def run(_item, _source):
        return [Ran(Outcome.RAISED), Ran(Outcome.RAISED)]

    _, _, rest = one_of("write-the-loop", "def loop(client, messages): pass", ".", run=run)
    assert "in each task:\n1, 2. wrong: Python raised an exception.\n" in rest


def test_a_belief_is_told_once_for_all_tasks():
    def run(_item, _source):
        return [Ran(Outcome.STOPPED_EARLY, "First."), Ran(Outcome.STOPPED_EARLY, "Second.")]

    _, _, rest = one_of("write-the-loop", "def loop(client, messages): pass", ".", run=run)
    assert "First." in rest and "Second." in rest
    assert rest.count("It is easy to believe: ") == 1


def test_numbers_that_are_not_there_are_answered_with_those_that_are():
    _, before, _ = one_of("lines-in-order", "9 8 7", "3 2")
    assert "Type numbers from 1 to 4 in their order, for example 2 1, or q to stop.\n" in before


def test_code_is_left_open_where_nothing_can_run_it():
    after, before, _ = one_of("write-the-loop")
    assert after.score.answered == 0
    assert "Write the loop." not in before


@pytest.mark.parametrize("each", EVERY_KIND.items, ids=lambda each: each.id)
def test_no_question_shows_its_key(each):
    def run(_item, _source):
        raise AssertionError("nothing was answered")

    _, shown, _ = drill(start(bank(each)), "q", run=run)
    whys = [*getattr(each, "whys", ())]
    for entry in (*getattr(each, "options", ()), *getattr(each, "pieces", ()), *getattr(each, "wrong", ())):
        whys += [text for text in (entry.why, entry.misconception, getattr(entry, "fix", None)) if text]
    assert whys
    assert [why for why in whys if why in shown] == []


def test_lines_of_the_file_are_joined_and_paragraphs_stay():
    _, shown, _ = drill(start(bank(one(stem="one\ntwo\n\nthree\n"))), "q")
    assert "one two\n\nthree\n" in shown
