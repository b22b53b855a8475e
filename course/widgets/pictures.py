"""Pictures of what a loop does, drawn from the table of stop reasons: `life_of_a_turn()`, `decision()`, `stop_reasons()`.

A picture is SVG inside HTML. Its ink is that of the page, so it follows light and dark. It is narrow enough for a phone, and
its lines are text, one below the other: a viewer that allows no SVG still shows them in order. A terminal gets `text`.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from course.stop_reasons import Action, StopReasonFact, actions, fact, table
from course.words import _

__all__ = ["Picture", "decision", "life_of_a_turn", "stop_reasons"]

WIDTH = 470  # of a picture, in pixels; it shrinks with its cell
LINE = 18  # from one line of text to the next, in pixels
INK = "var(--vscode-editor-foreground, var(--jp-ui-font-color0, currentColor))"
SANS = "var(--jp-ui-font-family, system-ui, sans-serif)"
MONO = "var(--jp-code-font-family, ui-monospace, Menlo, Consolas, monospace)"
BOX, PITCH = 70, 98  # the height of a box, and from one box to the next
BLUE, GREEN = "#2f6fde", "#1a8f5a"


@dataclass(frozen=True)
class Picture:
    """Something to look at: `html` in the browser, `text` everywhere else."""

    html: str
    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html


def stop_reasons() -> Picture:
    """The whole table: each value, when it comes, what `content` holds, what the loop does."""
    heads = (_("stop_reason"), _("When"), _("What content holds"), _("What the loop does"))
    rows = [(_name(row), row.when, row.content, actions()[row.action]) for row in table()]
    text = "\n\n".join(
        "\n".join([name, *(f"  {head}: {cell}" for head, cell in zip(heads[1:], cells, strict=True))])
        for name, *cells in rows
    )
    left = "style='text-align:left;vertical-align:top;padding:.35em .6em'"
    head = "".join(f"<th {left}>{html.escape(each)}</th>" for each in heads)
    body = "".join(
        f"<tr><td {left}><code>{html.escape(name)}</code></td>"
        + "".join(f"<td {left}>{html.escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for name, *cells in rows
    )
    return Picture(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>", text)


def decision() -> Picture:
    """From the value of stop_reason to what the loop does: one branch for each action of the table."""
    branches = [(_names(action), sentence) for action, sentence in actions().items()]
    branches.append((_("anything else, or None"), _("Stop, and say so. This is never a normal end.")))
    *others, last = branches
    lines = [f"├─ {names}\n│    {sentence}" for names, sentence in others]
    text = "\n".join(["reply.stop_reason", *lines, f"└─ {last[0]}\n     {last[1]}"])
    parts, y = [_text(10, 18, "reply.stop_reason", MONO, bold=True)], 40
    for names, sentence in branches:
        heads, lines = _wrapped(names, 48), _wrapped(sentence, 60)
        parts += [_line(18, y, 38, y), _arrow(38, y, "right")]
        parts += [_text(46, y + 5 + LINE * at, line, MONO, bold=True) for at, line in enumerate(heads)]
        top = y + 5 + LINE * len(heads)
        parts += [_text(46, top + LINE * at, line) for at, line in enumerate(lines)]
        end, y = y, top + LINE * len(lines) + 10
    parts.insert(1, _line(18, 26, 18, end))
    return Picture(_svg(_("What the loop does, by stop_reason"), parts, y - 12), text)


def life_of_a_turn() -> Picture:
    """One round of the loop: ask, tool_use, run, append, ask again."""
    boxes = _life()
    text = "\n".join(f"{title}\n   {first}\n   {second}" for title, first, second in boxes)
    parts = [_line(235, BOX + 8, 235, 3 * PITCH)]  # down the middle; the boxes stand on it
    for at, lines in enumerate(boxes):
        parts += _box(at * PITCH + 8, lines, GREEN if at == 4 else BLUE)
        parts += [_arrow(235, at * PITCH + 8, "down")] if 0 < at < 4 else []
    parts.insert(-4, _text(247, 2 * PITCH - 4, "tool_use", MONO, bold=True))
    parts.insert(-3, _text(372, 4 * PITCH - 4, "end_turn", MONO, bold=True))
    again, read, append, end = (at * PITCH + 8 + BOX // 2 for at in (0, 1, 3, 4))
    parts += [_path(f"M40 {append} H18 V{again} H32"), _arrow(40, again, "right")]
    parts += [_path(f"M430 {read} H452 V{end} H438"), _arrow(430, end, "left")]
    return Picture(_svg(_("The life of one turn"), parts, 4 * PITCH + BOX + 16), text)


def _life() -> tuple[tuple[str, str, str], ...]:
    """The boxes of `life_of_a_turn`: a title and two lines each."""
    asks, ends = fact("tool_use"), fact("end_turn")
    assert asks is not None and ends is not None, "the table has these two values"
    return (
        (_("1. Ask"), _("Send messages and the definitions of the tools."), _("The model sees nothing else.")),
        (_("2. Read stop_reason"), f"tool_use: {asks.when}", f"end_turn: {ends.when}"),
        (_("3. Run"), _("Your code runs every tool_use block of the reply."), _("The model runs nothing.")),
        (
            _("4. Append, then ask again (1.)"),
            _("The assistant turn, unchanged. Then one user turn:"),
            _("one tool_result for each tool_use id."),
        ),
        (_("End"), _("Return the reply."), _("The other values of stop_reason: notebook 03.")),
    )


def _name(row: StopReasonFact) -> str:
    return _("{value} (beta endpoint)").format(value=row.value) if row.beta else row.value


def _names(action: Action) -> str:
    return ", ".join(_name(row) for row in table() if row.action is action)


def _wrapped(text: str, columns: int) -> list[str]:
    """Lines of at most so many columns. A letter of Chinese, Japanese or Korean is two columns wide, and a line may end
    after it."""
    lines, line = [], ""
    for word in _words(text):
        if line and _columns((line + word).rstrip()) > columns:
            lines.append(line.rstrip())
            line = ""
        line += word
    return [*lines, line.rstrip()]


def _words(text: str) -> Iterator[str]:
    """The text in pieces after which a line may end."""
    word = ""
    for letter in text:
        word += letter
        if letter == " " or _columns(letter) == 2:
            yield word
            word = ""
    yield word


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _svg(title: str, parts: list[str], height: int) -> str:
    """The parts as one picture. Each stands on a line of its own, in <pre>, so that texts stay lines without the SVG."""
    drawn = "\n".join(parts)
    return (
        f"<pre style='margin:0;background:none;color:{INK}'><svg xmlns='http://www.w3.org/2000/svg' "
        f"viewBox='0 0 {WIDTH} {height}' style='display:block;width:100%;max-width:{WIDTH}px;height:auto' "
        f"role='group' aria-label='{html.escape(title)}'>\n{drawn}\n</svg></pre>"
    )


def _box(y: int, lines: tuple[str, str, str], colour: str) -> list[str]:
    frame = (
        f"<rect x='40' y='{y}' width='390' height='{BOX}' rx='8' fill='var(--jp-layout-color1, Canvas)'/>"
        f"<rect x='40' y='{y}' width='390' height='{BOX}' rx='8' fill='{colour}' fill-opacity='.1' stroke='{colour}' "
        f"stroke-width='1.5'/>"
    )
    return [frame, *(_text(54, y + 22 + LINE * at, line, bold=at == 0) for at, line in enumerate(lines))]


def _text(x: int, y: int, text: str, font: str = SANS, *, bold: bool = False) -> str:
    weight = 600 if bold else 400
    return (
        f"<text x='{x}' y='{y}' fill='currentColor' style='font:{weight} 13px {font}'>"
        f"{html.escape(text, quote=False)}</text>"
    )


def _path(way: str) -> str:
    return f"<path d='{way}' fill='none' stroke='currentColor' stroke-opacity='.6' stroke-width='1.5'/>"


def _line(x: int, y: int, to_x: int, to_y: int) -> str:
    return _path(f"M{x} {y} L{to_x} {to_y}")


def _arrow(x: int, y: int, to: str) -> str:
    """The head of an arrow, with its point at x, y."""
    back, side = {"right": ((-8, -4), (-8, 4)), "left": ((8, -4), (8, 4)), "down": ((-4, -8), (4, -8))}[to]
    points = " ".join(f"{x + dx},{y + dy}" for dx, dy in ((0, 0), back, side))
    return f"<polygon points='{points}' fill='currentColor' fill-opacity='.7'/>"
