"""The checks of two exercises of notebooks/06_anti_patterns.ipynb in which code is read, not written."""

from __future__ import annotations

from typing import Any

from course.exercises.exercise import Verdict, no_answer_yet
from course.words import _

__all__ = ["exercise_1", "exercise_4"]

IN_THE_CODE = {1: ("C", "D"), 2: ("A",), 4: ("G",), 5: ("F",)}  # the anti-pattern, and the lines that show it
ENDINGS = ("right", "400", "endless", "early")


def exercise_1(answer: Any) -> Verdict:
    """Four anti-patterns and their lines."""
    if not isinstance(answer, dict):
        return Verdict(
            False, _("spotted is not a dict."), _('Write numbers and letters in curly brackets, such as {3: "B"}.')
        )
    for number, letter in answer.items():
        verdict = _verdict_on_spot(number, str(letter).strip().upper())
        if verdict is not None:
            return verdict
    missing = len(IN_THE_CODE) - len(answer)
    if missing:
        return Verdict(
            False,
            _("You have found {count} of {all}.").format(count=len(answer), all=len(IN_THE_CODE)),
            _("What can end this loop? And is messages the same as in the right loop?"),
        )
    return Verdict(
        True,
        _("All four: the word in line C, the ten rounds in A, the missing assistant turn in G, the text in F."),
        _("Each of them is enough to break this loop. Repairing one only brings the next to light."),
    )


def _verdict_on_spot(number: Any, letter: str) -> Verdict | None:
    """What is wrong with one entry; None if it is right."""
    if number not in (1, 2, 3, 4, 5):
        return Verdict(
            False,
            _("{number!r} is not the number of an anti-pattern above.").format(number=number),
            _("Write 1 to 5, as numbers: they stand in the headings."),
        )
    if number == 3:
        return Verdict(
            False,
            _("Number 3 is not in this code."),
            _("Line C does not stop for text of any kind. It looks for one word in it, and that has another number."),
        )
    if letter in IN_THE_CODE[number]:
        return None
    if len(letter) != 1 or letter not in "ABCDEFGH":
        happened, matters = _("{letter!r} is not the letter of a line.").format(letter=letter), _("Write A to H.")
    else:
        happened = _("Number {number} is in the code, but not in line {letter}.").format(number=number, letter=letter)
        matters = _("Line {letter} {what}").format(letter=letter, what=_what_lines_do()[letter])
    return Verdict(False, happened, matters)


def _what_lines_do() -> dict[str, str]:
    return {
        "A": _("says how often the loop goes round."),
        "B": _("asks the model, as every loop does. There is nothing wrong with it."),
        "C": _("looks for a word in what the model wrote."),
        "D": _("leaves the loop. Which line decides that?"),
        "E": _("runs the tools that were asked for. There is nothing wrong with it."),
        "F": _("adds a text to the results."),
        "G": _("appends to messages. What should stand before it there?"),
        "H": _("returns the last reply. Which line decides that it is the last?"),
    }


def exercise_4(answer: Any) -> Verdict:
    """How three loops end. tests/exercises/test_notebook_06.py runs them."""
    how = _("Write one of {endings} for each loop.").format(endings=", ".join(f'"{each}"' for each in ENDINGS))
    if not isinstance(answer, dict) or set(answer) != set("abc"):
        return Verdict(False, _("predicted is not a dict with the keys a, b and c."), how)
    given = {name: str(ending).strip().lower() for name, ending in answer.items()}
    empty = [name for name in "abc" if not given[name]]
    if empty:
        return no_answer_yet(empty, how)
    unknown = next((name for name in "abc" if given[name] not in ENDINGS), None)
    if unknown is not None:
        words = _("Loop {name}: {given!r} is not one of the four endings.")
        return Verdict(False, words.format(name=unknown, given=answer[unknown]), how)
    right = _how_they_end()
    wrong = [name for name in "abc" if given[name] != right[name][0]]
    if wrong:
        happened = _("Loop {name} does not end like that. {count} of 3 are right.").format(
            name=wrong[0], count=3 - len(wrong)
        )
        return Verdict(False, happened, _why_not(wrong[0], given[wrong[0]]))
    return Verdict(True, _("All three are right."), " ".join(why for _ending, why in right.values()))


def _how_they_end() -> dict[str, tuple[str, str]]:
    return {
        "a": ("400", _("a appends the results before the turn that holds their calls.")),
        "b": ("endless", _("b lets history grow, and sends messages.")),
        "c": ("early", _("c looks at the first block, and that is text.")),
    }


def _why_not(name: str, given: str) -> str:
    """What the ending that was given would take, and where to look."""
    claims = {
        "right": _("For the right ending, all three requests must go through."),
        "400": _("For a 400, a request must hold messages that the API refuses."),
        "endless": _("Without an end, no reply may ever meet the condition."),
        "early": _("To end early, the condition must be met before the answer comes."),
    }
    places = {
        "a": _("What stands in messages right before the results?"),
        "b": _("Which list grows, and which one is sent?"),
        "c": _("Which block comes first in a reply with text and tool_use?"),
    }
    return f"{claims[given]} {places[name]}"
