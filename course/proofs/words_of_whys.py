"""Does the `why` of an option say what really comes of it? What can be told by a word: whether the request is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator

from course.quiz.proof_forms import Outcome
from course.quiz.raw import Found, Path
from course.words import _

__all__ = ["wrong_words"]

_SAYS_400 = re.compile(r"\b400\b")
_SAYS_REFUSED = re.compile(r"\b400\b|\brefus(?:e|es|ed|al)\b|\bBadRequestError\b|\bnot accept", re.I)


def wrong_words(why: str, given: Outcome, path: Path) -> Iterator[Found]:
    """What the `why` of a wrong option says against what came of it."""
    if given is Outcome.REFUSED and not _SAYS_REFUSED.search(why):
        what = _("The API refuses this request, and the why does not say so.")
        yield (*path, "why"), what, _("Say that it is refused, or that it is a 400.")
    if given is not Outcome.REFUSED and _SAYS_400.search(why):
        what = _("The why speaks of a 400, but no request is refused: it gives {given}.").format(given=given.value)
        yield (*path, "why"), what, _("Say what really happens.")
