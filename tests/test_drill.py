"""`drill` with a question whose answer is run: typed in the terminal, graded by running it."""

from __future__ import annotations

import io

from quiz.examples import EVERY_KIND, bank, item
from rich.console import Console
from typer.testing import CliRunner

from course.cli import _run_code, app
from course.quiz.session import Session, start
from course.quiz.terminal import ask_in_terminal


def drill(source: str) -> Session:
    """The session after this source was typed."""
    lines = iter([*source.splitlines(), "."])
    output = Console(file=io.StringIO())
    return ask_in_terminal(start(bank(item("write-the-loop"))), lambda _prompt: next(lines), output, run=_run_code)


def test_the_solution_that_is_typed_is_right():
    session = drill(EVERY_KIND.item("write-the-loop").solution)
    assert session.state.answers[0].correct


def test_one_request_is_half_of_the_way():
    session = drill(EVERY_KIND.item("write-the-loop").wrong[0].code)
    assert session.state.answers[0].credit == 0.5
    assert session.grade(0).verdicts[0].misconception == "text-means-done"


def test_the_bank_that_was_named_says_its_title_first():
    result = CliRunner().invoke(app, ["drill", "drill_messages", "--count", "1"], input="q\n")
    assert result.output.startswith("Drill: what changes in messages (after notebook 04)\n\nQuestion 1 of 1\n")
