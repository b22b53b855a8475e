"""The same questions in a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from course.quiz.grading import Grade
from course.quiz.session import Session
from course.quiz.show import extras
from course.words import _

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["ask_in_terminal"]


def ask_in_terminal(
    session: Session,
    ask: Callable[[str], str] = input,
    console: Console | None = None,
    *,
    clock: Callable[[], float] = time.time,
) -> Session:
    """Ask every question that is still open, show each grade, and end with the score. Returns the session with its answers.

    Blank or unknown input asks again; `q`, or the end of the input, stops and still gives the score.
    """
    if console is None:
        from rich.console import Console

        console = Console(highlight=False)
    for number in range(session.score.total):
        if session.answered(number) is not None:
            continue
        _show_question(session, number, console)
        position = _choose(len(session.order(number)), ask, console)
        if position is None:
            break
        session = session.answer(number, session.order(number)[position], at=clock())
        grade = session.grade(number)
        assert grade is not None
        _show_grade(session, number, grade, console)
    _show_score(session, console)
    return session


CONTROLS = {code: "\N{REPLACEMENT CHARACTER}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


def _print(console: Console, text: str = "", style: str = "") -> None:
    """Text as it is: what stands in a bank is neither rich's markup nor a command to the terminal."""
    console.print(text.translate(CONTROLS), style=style, markup=False, emoji=False, highlight=False)


def _print_numbered(console: Console, texts: list[str]) -> None:
    """Texts with their numbers before them. A long text goes on under its own start."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 1))
    for number, text in enumerate(texts, start=1):
        table.add_row(f"{number:>3}.", Text(text.translate(CONTROLS)))
    console.print(table)


def _show_question(session: Session, number: int, console: Console) -> None:
    item = session.item(number)
    heading = _("Question {number} of {total}").format(number=number + 1, total=session.score.total)
    _print(console)
    _print(console, heading, "bold")
    _print(console, item.stem.strip())
    for extra in extras(item):
        _print(console)
        _print(console, f"{extra.title}:", "dim")
        for line, text in enumerate(extra.text.splitlines(), start=1):
            _print(console, f"{line:>4}  {text}" if extra.kind == "code" else f"  {text}")
    _print(console)
    _print_numbered(console, [item.options[option].shown for option in session.order(number)])


def _choose(count: int, ask: Callable[[str], str], console: Console) -> int | None:
    """The position that the reader chose, counted from 0; None to stop."""
    prompt = _("Your answer (1 to {count}, q to stop): ").format(count=count)
    while True:
        try:
            given = ask(prompt).strip().lower()
        except EOFError:
            return None
        if given == "q":
            return None
        if given.isascii() and given.isdigit() and 1 <= int(given[:9]) <= count:
            return int(given) - 1
        _print(console, _("Type one of the numbers 1 to {count}, or q to stop.").format(count=count), "yellow")


def _show_grade(session: Session, number: int, grade: Grade, console: Console) -> None:
    item = session.item(number)
    verdict, style = (_("Right."), "bold green") if grade.correct else (_("Not right."), "bold red")
    _print(console)
    _print(console, verdict, style)
    rows = []
    for about in (grade.verdicts[option] for option in session.order(number)):
        mark = _("right") if about.correct else _("wrong")
        chosen = " " + _("(your answer)") if about.chosen else ""
        rows.append(f"{mark}{chosen}: {about.why.strip()}")
    _print_numbered(console, rows)
    for ref in item.refs:
        _print(console, "  " + _("Read more: {url}").format(url=ref.url), "dim")


def _show_score(session: Session, console: Console) -> None:
    score = session.score
    _print(console)
    text = _("{right} of {answered} right; {total} questions in all.")
    _print(console, text.format(right=score.right, answered=score.answered, total=score.total), "bold")
