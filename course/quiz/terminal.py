"""The same questions in a terminal."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from course.quiz.code_fault import code_fault
from course.quiz.grading import Grade, Run
from course.quiz.items import CodeItem, LineItem, RepairItem
from course.quiz.session import Session
from course.quiz.show import Extra, choices, extras, lefts, task
from course.quiz.terminal_grade import grade_lines
from course.quiz.typed_answers import END_OF_CODE, how_to_answer, marks, read_answer
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
    run: Run | None = None,
) -> Session:
    """Ask every question that is still open, show each grade, and end with the score. Returns the session with its answers.

    Blank or unknown input, and code that can't be read, ask again; `q`, the end of the input, or Ctrl-C stops and still gives
    the score.
    run: runs the answers to `code` items; without it they are left open.
    """
    if console is None:
        from rich.console import Console

        console = Console(highlight=False)
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is another way to stop
        for number in range(session.score.total):
            if session.answered(number) is not None or (isinstance(session.item(number), CodeItem) and run is None):
                continue
            _show_question(session, number, console)
            answer = _typed(session, number, ask, console)
            if answer is None:
                break
            session = session.answer(number, answer, at=clock(), run=run)
            grade = session.grade(number)
            assert grade is not None
            _show_grade(session, number, grade, console)
    _show_score(session, console)
    return session


# What would move the cursor, or show text in another order than it has.
CONTROLS = {
    code: "\N{REPLACEMENT CHARACTER}"
    for code in (*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
    if chr(code) not in "\n\t"
}


def _print(console: Console, text: str = "", style: str = "") -> None:
    """Text as it is: what stands in a bank is neither rich's markup nor a command to the terminal."""
    console.print(text.translate(CONTROLS), style=style, markup=False, emoji=False, highlight=False)


def _print_marked(console: Console, rows: list[tuple[str, str]]) -> None:
    """Texts with a mark before them ("1.", "b."). A long text goes on under its own start."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 1))
    for mark, text in rows:
        table.add_row(f"{mark:>4}", Text(text.translate(CONTROLS)))
    console.print(table)


def _flowing(text: str) -> str:
    """Paragraphs without the line breaks that only the file needs: the terminal has a width of its own."""
    return re.sub(r"(?<!\n)\n(?!\n)", " ", text.strip())


def _show_question(session: Session, number: int, console: Console) -> None:
    item, order = session.item(number), session.order(number)
    heading = _("Question {number} of {total}").format(number=number + 1, total=session.score.total)
    _print(console)
    _print(console, heading, "bold")
    _print(console, _flowing(item.stem))
    for extra in extras(item):
        _show_extra(extra, console)
    _print(console)
    _print(console, task(item))
    _print(console)
    left, shown = lefts(item), choices(item)
    if left:
        _print_marked(console, [(f"{at}.", _one_text(side)) for at, side in enumerate(left, start=1)])
        _print(console)
    if order:
        text_of = _bare if isinstance(item, LineItem) else _one_text  # a line's number is its mark already
        texts = [text_of(shown[index]) for index in order]
        _print_marked(console, list(zip(marks(item, order), texts, strict=True)))
    if isinstance(item, RepairItem):
        places = " ".join(str(order.index(index) + 1) for index in item.start)
        _print(console, _("As it stands: {numbers}").format(numbers=places))
    if isinstance(item, CodeItem):
        _show_extra(Extra("code", _("Begin with"), item.start.rstrip("\n")), console)


def _show_extra(extra: Extra, console: Console) -> None:
    _print(console)
    _print(console, f"{extra.title}:", "dim")
    for line, text in enumerate(extra.text.split("\n"), start=1):
        _print(console, f"{line:>4}  {text}" if extra.kind == "code" else f"  {text}")


def _one_text(extra: Extra) -> str:
    return f"{extra.title}: {extra.text}" if extra.title else extra.text


def _bare(extra: Extra) -> str:
    return extra.text


def _typed(session: Session, number: int, ask: Callable[[str], str], console: Console) -> Any:
    """The answer that the reader typed; None to stop."""
    item, order = session.item(number), session.order(number)
    if isinstance(item, CodeItem):
        return _code_that_can_be_read(item, ask, console)
    while True:
        try:
            given = ask(_("Your answer (q to stop): ")).strip().lower()
        except EOFError:
            return None
        if given == "q":
            return None
        answer = read_answer(item, order, given)
        if answer is not None:
            return answer
        _print(console, how_to_answer(item), "yellow")


def _code_that_can_be_read(item: CodeItem, ask: Callable[[str], str], console: Console) -> str | None:
    """The code that was typed; None to stop. What Python can't read uses up no question."""
    while True:
        _print(console, how_to_answer(item))
        source = _typed_code(ask)
        fault = None if source is None else code_fault(item, source)
        if fault is None:
            return source
        _print(console, fault, "yellow")


def _typed_code(ask: Callable[[str], str]) -> str | None:
    """Lines up to one with only a full stop, or to the end of the input. None to stop."""
    lines: list[str] = []
    while True:
        try:
            line = ask("").rstrip()
        except EOFError:
            return "\n".join(lines) + "\n" if lines else None
        if not lines and line.strip().lower() == "q":
            return None
        if line.strip() == END_OF_CODE and lines:
            return "\n".join(lines) + "\n"
        if lines or line.strip() not in ("", END_OF_CODE):
            lines.append(line)


def _show_grade(session: Session, number: int, grade: Grade, console: Console) -> None:
    item = session.item(number)
    style = "bold green" if grade.correct else "bold red"
    verdict = _("Right.") if grade.correct else _("Not right.")
    if 0 < grade.credit < 1:
        verdict = _("Not right as the exam counts; {percent}% of it is.").format(percent=int(100 * grade.credit))
    _print(console)
    _print(console, verdict, style)
    for title, rows in grade_lines(item, session.order(number), grade):
        if title:
            _print(console, title)
        _print_marked(console, rows)
    for ref in item.refs:
        _print(console, "  " + _("Read more: {url}").format(url=ref.url), "dim")


def _show_score(session: Session, console: Console) -> None:
    score = session.score
    _print(console)
    text = _("{right} of {answered} right. Questions in all: {total}.")
    _print(console, text.format(right=score.right, answered=score.answered, total=score.total), "bold")
