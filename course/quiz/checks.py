"""The faults of an item that show only when its parts are compared: how many options are right, what stands twice, a line
that is not there. They are looked for in the raw data, so that they are reported together with those of single fields; what
has not even the right type is left to pydantic.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from course.quiz import piece_checks
from course.quiz.common import lines_of
from course.quiz.next_messages import MAKES, CannotMake, made
from course.quiz.raw import Found, Path, Raw, entries, mapping
from course.words import _

__all__ = ["check"]

OF_OPTION = {  # kind -> the keys of which an option has one
    "one": ("text", "code"),
    "many": ("text", "code"),
    "action": ("action",),
    "line": ("line",),
    "messages": ("add", "make", "messages"),
}


def check(raw: Raw) -> Iterator[Found]:
    """Where, what is wrong, what to write."""
    kind, mode = raw.get("kind"), raw.get("mode")
    if kind == "order" or (kind == "messages" and mode in ("build", "repair")):
        yield from piece_checks.check_pieces(raw)
    elif kind == "match":
        yield from piece_checks.check_pairs(raw)
    elif isinstance(kind, str) and kind in OF_OPTION and (kind != "messages" or mode == "pick"):
        yield from _options(raw, kind)


def _options(raw: Raw, kind: str) -> Iterator[Found]:
    options = entries(raw.get("options"))
    if options:
        yield from _right_count(raw, kind, [option for _at, option in options])
    seen: set[str] = set()
    for at, option in options:
        path: Path = ("options", at)
        present = sum(key in option for key in OF_OPTION[kind])
        if present != 1 and len(OF_OPTION[kind]) > 1:  # where there is only one key, pydantic says that it is missing
            what = _("An option has exactly one of {names}; this one has {count}.")
            yield path, what.format(names=", ".join(OF_OPTION[kind]), count=present), _("Keep or write one.")
        yield from _proof_fields(option, path)
        if kind == "line":
            yield from _line(raw, option, path)
        try:
            content = _content(raw, option, kind)
        except CannotMake as cannot:
            yield (*path, "make"), *cannot.args
            continue
        if content is not None and content in seen:
            yield path, _("Two options are the same."), _("Change or delete one.")
        elif content is not None:
            seen.add(content)


def _right_count(raw: Raw, kind: str, options: list[Raw]) -> Iterator[Found]:
    right, path = sum(option.get("correct") is True for option in options), ("options",)
    if kind == "many":
        if not 2 <= right < len(options):
            what = _("Correct options: {count} of {all}. This kind has two or more, and not all.")
            yield path, what.format(count=right, all=len(options)), _('Write "correct: true" at each right one.')
    elif right == 1:
        return
    elif kind == "action" and not any("correct" in option for option in options):
        what = _("No option is the action for the response's stop_reason.")
        yield path, what, _('Add it, or write "correct: true" at the right one.')
    else:
        what = _("The item has {count} correct options; this kind has one.").format(count=right)
        yield path, what, _('Write "correct: true" at exactly one.')


def _proof_fields(option: Raw, path: Path) -> Iterator[Found]:
    if option.get("correct") is True and "gives" in option:
        yield (*path, "gives"), _('A right option has "gives".'), _('Delete it: the goal stands in "proof".')
    if "says" in option and option.get("gives") != "refused":
        yield (*path, "says"), _('"says" is for an option that is refused.'), _('Write "gives: refused", or delete it.')
    if "do" in option and "code" in option:
        yield (*path, "do"), _('An option has "do" beside "code".'), _('Delete it: "code" is what is run.')


def _line(raw: Raw, option: Raw, path: Path) -> Iterator[Found]:
    code, line = raw.get("code"), option.get("line")
    count = len(lines_of(code)) if isinstance(code, str) else 0
    if count and type(line) is int and not 1 <= line <= count:
        what = _("There is no line {line}: the code has {count}.").format(line=line, count=count)
        yield (*path, "line"), what, _("Correct it.")
    if option.get("correct") is True and "fix" not in option:
        yield path, _('The right option has no "fix".'), _("Write what the line should be.")


def _content(raw: Raw, option: Raw, kind: str) -> str | None:
    """What a reader sees of an option, to compare it with others. Raises CannotMake if its turns can't be made."""
    if kind != "messages":
        shown = [option[key] for key in OF_OPTION[kind] if isinstance(option.get(key), (str, int))]
        return str(shown[0]) if shown else None
    turns = option.get("add", option.get("messages"))
    if option.get("make") in MAKES:
        turns = made(option["make"], mapping(raw.get("response")), mapping(raw.get("results")))
    return json.dumps(turns, sort_keys=True) if isinstance(turns, list) else None
