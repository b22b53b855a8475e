"""The writers and judges on which exercise 07.2 runs. Each follows from what it is given alone, as the offline model does."""

from __future__ import annotations

from course.trace import Trace
from course.words import _

__all__ = ["DESKS", "Desk"]

LIMIT = 4  # drafts that the exercise allows
PATIENCE = 9  # drafts or verdicts after which the desk closes, so that an endless loop ends at once

Fault = tuple[str, str]  # what happened, and why it matters


class DeskClosed(Exception):
    """More was asked for than anybody needs."""


class Desk:
    """A writer and a judge. drafts: which draft follows which feedback ("" at first; feedback that it does not know is as
    good as none). verdicts: the verdict on each draft. passes: the draft that passes, or None."""

    def __init__(self, drafts: dict[str, str], verdicts: dict[str, str], passes: str | None) -> None:
        self.drafts, self.verdicts, self.passes = drafts, verdicts, passes
        self.feedback: list[str] = []  # what `write` was given, call by call
        self.judged = 0

    def write(self, feedback: str = "") -> str:
        """The draft that follows this feedback."""
        self.feedback.append(str(feedback or ""))
        if len(self.feedback) >= PATIENCE:
            raise DeskClosed
        known = next((each for each in reversed(self.drafts) if each and each in self.feedback[-1]), "")
        return self.drafts[known]

    def judge(self, draft: str) -> str:
        """PASS, or FAIL and why."""
        self.judged += 1
        if self.judged >= PATIENCE:
            raise DeskClosed
        return self.verdicts.get(draft, _("FAIL: this is no draft, it is {draft!r}.").format(draft=draft))

    def fault(self, trace: Trace) -> Fault | None:
        """What is wrong with a run of the learner's function on this desk; None if it was right."""
        ending = trace.ending
        error = ending.error or {}
        if len(self.feedback) > LIMIT:
            return (
                _("improve asked for more than {limit} drafts.").format(limit=LIMIT),
                _("Some judges are never content. Only this limit ends the loop then; each round costs two requests."),
            )
        if ending.kind != "returned" and error.get("type", "DeskClosed") == "DeskClosed":
            return (
                _("improve did not come to an end."),
                _("One round is one draft and one verdict on it. Use a for loop over four drafts."),
            )
        if ending.kind == "raised":
            return (
                _("improve raised {type}: {message}").format(**error),
                _("It gets two functions: write(feedback) returns a draft, judge(draft) returns a verdict."),
            )
        if ending.value == repr(self.passes):
            return self._too_many()
        return self._wrong_value(ending.value or "")

    def _too_many(self) -> Fault | None:
        needed = LIMIT if self.passes is None else list(self.verdicts).index(self.passes) + 1
        if len(self.feedback) <= needed:
            return None
        return (
            _("Draft {number} passed, and improve asked for another one.").format(number=needed),
            _("PASS is the way out. A draft that is good enough is not made better for its own sake."),
        )

    def _wrong_value(self, value: str) -> Fault:
        """It returned something else than the draft that passes."""
        drafts = {repr(draft): verdict for draft, verdict in self.verdicts.items()}
        if not self.feedback:
            return _("improve never called write."), _("Ask for a draft first, then for a verdict on it.")
        if self.passes is not None and len(self.feedback) > 1 and not any(self.feedback):
            return (
                _("Every call of write got no feedback, so the draft stayed the same."),
                _("The writer knows only what it is given. Give it the verdict on its last draft."),
            )
        if value in drafts and self.passes is None:
            return (
                _("None of the drafts passed, and improve returned {value}.").format(value=value),
                _("Whoever gets it takes it for checked. Return None when the fuse has blown."),
            )
        if value in drafts:
            return (
                _("improve returned {value}, and the verdict on it was: {verdict}").format(
                    value=value, verdict=drafts[value]
                ),
                _("Only a verdict that begins with PASS lets a draft out. The word may also stand within a reason."),
            )
        if value == "None" and len(self.feedback) < LIMIT:
            return (
                _("improve returned None after {count} drafts. The next one would have passed.").format(
                    count=len(self.feedback)
                ),
                _("A limit that is too small cuts off work that was going well. Allow four drafts."),
            )
        return (
            _("improve returned {value}.").format(value=value),
            _("Return the draft that passed, not the verdict on it; None if none of four passed."),
        )


def second_passes() -> Desk:
    """What the notebook shows: too long, then short enough."""
    return Desk(
        {"": "The last ferry of the day leaves at nine.", "too long": "Last ferry: 9 pm."},
        {"The last ferry of the day leaves at nine.": "FAIL: it is too long.", "Last ferry: 9 pm.": "PASS"},
        "Last ferry: 9 pm.",
    )


def first_passes() -> Desk:
    """Nothing to mend."""
    return Desk({"": "No ferry today."}, {"No ferry today.": "PASS"}, "No ferry today.")


def third_passes() -> Desk:
    """Two verdicts, each about another fault; one of them has the word PASS in its reason."""
    return Desk(
        {"": "Ferry soon.", "no time": "Ferry at nine.", "which ferry": "Last ferry: 9 pm."},
        {
            "Ferry soon.": "FAIL: there is no time in it.",
            "Ferry at nine.": "FAIL: to PASS, it must say which ferry.",
            "Last ferry: 9 pm.": "PASS",
        },
        "Last ferry: 9 pm.",
    )


def none_passes() -> Desk:
    """A judge who is never content."""
    return Desk({"": "Last ferry: nine."}, {"Last ferry: nine.": "FAIL: it could be shorter."}, None)


DESKS = (second_passes, first_passes, third_passes, none_passes)
