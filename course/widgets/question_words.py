"""The words of the question card, in the reader's language. `{n}` and the like are filled in by the card."""

from __future__ import annotations

from course.words import _

__all__ = ["question_words"]


def question_words() -> dict[str, str]:
    """Each word of the card by its name."""
    return {**_around(), **_answering(), **_arranging(), **_afterwards(), **_running()}


def _around() -> dict[str, str]:
    return {
        "place": _("Question {number} of {total}"),
        "score": _("Right: {right} of {answered}"),
        "check": _("Check"),
        "previous": _("Previous"),
        "next": _("Next"),
        "finish": _("See the score"),
        "overview": _("Overview"),
        "result": _("Your score"),
        "end": _("{right} of {total} right"),
        "open": _("not answered"),
        "again": _("Start again"),
        "waiting": _("Checking…"),
        "waiting_for_code": _("Checking… Your code is run: up to half a minute if it does not end."),
        "unknown": _("Run this cell to go on. Python does not answer yet: it was started anew, or it is busy."),
        "lost": _(
            "Python does not answer: the kernel is busy or has stopped. If it stays like this, run this cell again."
        ),
    }


def _answering() -> dict[str, str]:
    return {
        "nothing": _("Choose an answer first."),
        "choose_first": _("Choose {count} answers first, no more and no fewer."),
        "nothing_added": _("Nothing is added."),
        "new": _("new"),
        "partners": _("What to choose from"),
        "partner_of": _("Partner of entry {n}"),
        "choose_partner": _("Choose…"),
        "match_first": _("Choose a partner for each entry first."),
        "write_first": _("Write your answer first."),
        "tab_moves_on": _("Tab goes on to the next button. Indent with spaces; a new line keeps its indentation."),
    }


def _arranging() -> dict[str, str]:
    return {
        "pool": _("Pieces"),
        "your_order": _("Your order"),
        "your_array": _("Your messages"),
        "add": _("Add"),
        "add_piece": _("Add: {piece}"),
        "up_piece": _("Move up: {piece}"),
        "down_piece": _("Move down: {piece}"),
        "remove_piece": _("Take out: {piece}"),
        "added": _("Added as {n} of {total}: {piece}"),
        "moved": _("Now {n} of {total}: {piece}"),
        "taken_out": _("Taken out: {piece}"),
        "all_used": _("All pieces are used. It may be that not all are needed."),
        "none_used": _("Nothing is here yet. Add pieces in their order."),
        "arrange_first": _("Add pieces first."),
    }


def _afterwards() -> dict[str, str]:
    return {
        "right": _("Right."),
        "not_right": _("Not right."),
        "answer_is": _("The right answer: {answer}"),
        "mark_right": _("right"),
        "mark_wrong": _("wrong"),
        "yours": _("your answer"),
        "belief": _("What it takes for granted:"),
        "fix": _("Mended:"),
        "partner_is": _("wrong, it is {letter}"),
        "right_order": _("The right order"),
        "right_array": _("The right messages"),
        "unneeded": _("Not needed:"),
        "not_needed": _("does not belong here"),
        "missing": _("missing in yours"),
        "solution": _("One solution"),
        "read_more": _("Read more"),
    }


def _running() -> dict[str, str]:
    return {
        "run_it": _("Run it"),
        "running": _("Running…"),
        "play": _("Play"),
        "pause": _("Pause"),
        "position": _("Position"),
    }
