"""A Trace as text: for the terminal, for views without a browser, for tests."""

from __future__ import annotations

from textwrap import wrap

from course.trace.events import Step, Trace
from course.trace.explain import explain
from course.trace.words import (
    cut,
    ending_words,
    exchange_words,
    message_words,
    new_messages,
    requests_words,
    tool_words,
)
from course.words import _, ngettext

__all__ = ["as_text", "in_short"]

WIDTH = 100  # columns


def as_text(trace: Trace) -> str:
    """One line for each step, its number first, the line of the code last; then how it ended, and what went wrong if it did."""
    total = len(trace.steps)
    name = trace.name or _("loop")
    steps = ngettext("{n} step", "{n} steps", total).format(n=total)
    lines = [f"{name}: {steps}, {requests_words(trace)}"]
    for number, step in enumerate(trace.steps, start=1):
        lines += _step_lines(trace, step, f"{number:>{len(str(total))}} " + _("of {total}").format(total=total))
    for sentence in (_("The loop: {how}.").format(how=ending_words(trace).rstrip(".")), explain(trace) or ""):
        lines += wrap(sentence, WIDTH, break_on_hyphens=False)  # the name of a model stays in one piece
    return "\n".join(lines)


def in_short(trace: Trace) -> str:
    """How the run ended, in one line, and how to see more."""
    name = trace.name or _("loop")
    if not trace.steps:
        return _("Trace of {name}, without steps").format(name=name)
    words = _("Trace of {name}: {how}. step(trace) shows it.")
    return words.format(name=name, how=cut(ending_words(trace).rstrip("."), WIDTH))


def _step_lines(trace: Trace, step: Step, number: str) -> list[str]:
    """A step on one line; each further message of a change on a line of its own."""
    line = "" if step.place is None else _("line {n}").format(n=step.place.line)
    kind: str = step.change.kind if step.change is not None else step.kind
    if step.messages is not None and kind == "rebuild" and trace.versions[step.messages].parent is None:
        kind = "make"
    first, *more = _details(trace, step) or [""]
    head = f"{number}  {kind:<8} "
    room = WIDTH - len(head) - len(line) - 2
    rows = [f"{head}{cut(first, room):<{room}}  {line}".rstrip()]
    return rows + [" " * len(head) + cut(detail, room) for detail in more]


def _details(trace: Trace, step: Step) -> list[str]:
    if step.exchange is not None:
        return [exchange_words(trace, step.exchange)]
    if step.tool is not None:
        return [tool_words(step.tool)]
    if step.change is not None:
        gone = step.change.removed
        removed = [ngettext("{n} message is gone", "{n} messages are gone", gone).format(n=gone)] if gone else []
        return [message_words(message) for message in new_messages(trace, step)] + removed
    if step.ending is not None:
        error = step.ending.error
        return [f"{step.ending.kind} {error['type']}" if error else f"{step.ending.kind} {step.ending.value or ''}"]
    return [trace.code[step.place.function].name] if step.place is not None and trace.code else []
