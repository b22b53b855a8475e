"""The kind `match`: each left is done, and what comes of it belongs to its right and to no other."""

from __future__ import annotations

from collections.abc import Iterator

from course.proofs import claims
from course.proofs.doing import CannotDo, do_left, goal_for
from course.proofs.outcomes import Run, error_text
from course.proofs.tries import cannot_run, with_error
from course.quiz.items import MatchItem
from course.quiz.proof_forms import Outcome
from course.quiz.raw import Found, Path
from course.words import _

__all__ = ["predict_pairs", "try_pairs"]


def try_pairs(item: MatchItem) -> Iterator[Found]:
    """The faults that doing each left shows."""
    runs, faults = _runs(item)
    yield from faults
    for at, run in runs.items():
        if item.left[at].response is not None:
            yield from _action(item, at, run.outcome)
        else:
            yield from _left(item, at, run)
    yield from _tell_apart(item, {at: run.outcome for at, run in runs.items() if item.left[at].response is None})


def _action(item: MatchItem, at: int, given: Outcome) -> Iterator[Found]:
    """A response and an action: the action of its pair reaches the goal."""
    goal = goal_for(item, item.left[at].response)
    action = item.right[item.pairs[at]].action
    assert action is not None, "a response is done by an action"
    if given is not goal:
        what = _("The pair of left {n} is wrong: {action} gives {given}, not {goal}.")
        text = what.format(n=at + 1, action=action.value, given=given.value, goal=goal.value)
        yield ("pairs", at), text, _("Correct it.")


def _left(item: MatchItem, at: int, run: Run) -> Iterator[Found]:
    """Code on the left: it gives what it says."""
    left, path, given = item.left[at], ("left", at), run.outcome.value
    if left.gives is None:
        what = _("The left does not say what it gives: it gives {given}.").format(given=given)
        yield path, what, _('Write "gives: {given}".').format(given=given)
    elif run.outcome is not left.gives:
        what = _("The left says that it gives {said}; it gives {given}.").format(said=left.gives.value, given=given)
        yield (*path, "gives"), with_error(what, run), _("Correct it.")
    elif left.says is not None and left.says not in error_text(run.trace):
        what = _("The API says something else: {text}").format(text=error_text(run.trace))
        yield (*path, "says"), what, _("Quote a part of that.")


def _tell_apart(item: MatchItem, given: dict[int, Outcome]) -> Iterator[Found]:
    """Lefts with the same right give the same; lefts with different rights differ, in what they give or in the error."""
    for at, one in given.items():
        for other in [each for each in given if each < at]:
            numbers = {"n": other + 1, "m": at + 1}
            same_right = item.pairs[at] == item.pairs[other]
            if same_right and one is not given[other]:
                what = _("Lefts {n} and {m} belong to the same right, but give {first} and {second}.")
                text = what.format(first=given[other].value, second=one.value, **numbers)
                yield ("pairs", at), text, _("Correct the pairs.")
            alike = one is given[other] and item.left[at].says == item.left[other].says
            if alike and not same_right:
                what = _("Lefts {n} and {m} both give {given}, but they belong to different rights.")
                text = what.format(given=one.value, **numbers)
                yield ("pairs", at), text, _('Make them differ, in "gives" or in "says".')


def predict_pairs(item: MatchItem) -> Iterator[Found]:
    """Each left's claim is true of its own run, and false of those that belong to another right."""
    runs, faults = _runs(item)
    yield from faults
    true = {at: claims.values(run) for at, run in runs.items()}
    for at in runs:
        claim, path = item.left[at].claim, ("left", at)
        if claim is None:
            remedy = _('Write "claim: {example}", or give the item another proof.').format(example="{requests: 3}")
            yield path, _("The left makes no claim."), remedy
            continue
        for name, value in claims.false_claims(claim, true[at]).items():
            what = _("The claim is not true: {name} is {value!r}.").format(name=name, value=value)
            yield (*path, "claim", name), what, _("Correct it.")
        for other in runs:
            if item.pairs[other] != item.pairs[at] and not claims.false_claims(claim, true[other]):
                what = _("The claim is true of left {n} too, which belongs to another right.").format(n=other + 1)
                yield (*path, "claim"), what, _("Make them differ.")


def _runs(item: MatchItem) -> tuple[dict[int, Run], list[Found]]:
    runs: dict[int, Run] = {}
    faults: list[Found] = []
    for at in range(len(item.left)):
        path: Path = ("left", at)
        try:
            runs[at] = do_left(item, at)
        except CannotDo:
            faults.append((path, _("This left can't be done: it has no code."), _('Write what it does as "do".')))
        except Exception as error:  # what code of an item raises outside of its functions may be anything
            faults.append(cannot_run(error, path))
    return runs, faults
