"""The questions where no widget can be drawn: the same text each time, and no key."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from course.quiz.items import ActionItem, CodeItem, ManyItem, OneItem, OptionItem
from course.quiz.session import Session
from course.quiz.show import Extra, choices, extras, lefts, task
from course.words import _

__all__ = ["as_text"]


def as_text(session: Session) -> str:
    """The title, every question, and where to answer them."""
    lines = [session.bank.title, ""]
    for number in range(session.score.total):
        item = session.item(number)
        lines.append(f"{number + 1}. {item.stem.strip()}")
        for extra in extras(item):
            lines += ["", textwrap.indent(extra.text, "      ")]
        lines += ["", *_answers(session, number), ""]
    lines.append(
        _("Answer in JupyterLab, or in a terminal: python3 run.py drill {name}").format(name=session.bank.name)
    )
    return "\n".join(lines)


def _answers(session: Session, number: int) -> Iterator[str]:
    """What there is to choose from, to put in order, to match or to begin from."""
    item, order = session.item(number), session.order(number)
    if not isinstance(item, OneItem | ActionItem):
        yield f"   {task(item)}"
    if isinstance(item, CodeItem):
        yield textwrap.indent(item.start.rstrip("\n"), "      ")
        return
    for place, left in enumerate(lefts(item), start=1):
        yield _marked(f"{place}.", left)
    sign = "[ ]" if isinstance(item, ManyItem) else "( )" if isinstance(item, OptionItem) else "-"
    parts = choices(item)
    for at in order:
        yield _marked(sign, parts[at])


def _marked(sign: str, part: Extra) -> str:
    """A part behind a sign; what has several lines goes on below its start."""
    start = f"   {sign} "
    title = f"{part.title}: " if part.title else ""
    return start + (title + part.text).replace("\n", "\n" + " " * len(start))
