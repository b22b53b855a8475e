"""The kind `match`: each left is done, and what comes of it belongs to its right and to no other."""

from __future__ import annotations

from collections.abc import Iterator

from course.proofs import claims
from course.proofs.doing import CannotDo, do_left, goal_for
from course.proofs.outcomes import Run, error_text
from course.proofs.program import CodeFault
from course.quiz.items import MatchItem
from course.quiz.proof_forms import Outcome
from course.quiz.raw import Found, Path

__all__ = ["predict_pairs", "try_pairs"]


def try_pairs(item: MatchItem) -> Iterator[Found]:
    """The faults that doing each left shows."""
    runs, faults = _runs(item)
    yield from faults
    for at, run in runs.items():
        left, path = item.left[at], ("left", at)
        given = run.outcome
        if left.response is not None:
            yield from _action(item, at, given)
            continue
        if left.gives is None:
            yield (
                path,
                f"The left does not say what it gives: it gives {given.value}.",
                f'Write "gives: {given.value}".',
            )
        elif given is not left.gives:
            what = f"The left says that it gives {left.gives.value}; it gives {given.value}. {_error(run)}"
            yield path, what.rstrip(), "Correct it."
        elif left.says is not None and left.says not in error_text(run.trace):
            yield (*path, "says"), f"The API says something else: {error_text(run.trace)}", "Quote a part of that."
    yield from _tell_apart(item, {at: run.outcome for at, run in runs.items() if item.left[at].response is None})


def _action(item: MatchItem, at: int, given: Outcome) -> Iterator[Found]:
    """A response and an action: the action of its pair reaches the goal."""
    goal = goal_for(item, item.left[at].response)
    if given is not goal:
        action = item.right[item.pairs[at]].action
        what = f"The pair is wrong: {action.value if action else action} gives {given.value}, not {goal.value}."
        yield ("pairs", at), what, "Correct it."


def _tell_apart(item: MatchItem, given: dict[int, Outcome]) -> Iterator[Found]:
    """Lefts with the same right give the same; lefts with different rights differ, in what they give or in the error."""
    for at, one in given.items():
        for other in [each for each in given if each < at]:
            same_right = item.pairs[at] == item.pairs[other]
            alike = one is given[other] and item.left[at].says == item.left[other].says
            if alike and not same_right:
                what = f"Lefts {other} and {at} both give {one.value}, but they belong to different rights."
                yield ("pairs", at), what, 'Make them differ, in "gives" or in "says".'
            if same_right and one is not given[other]:
                what = (
                    f"Lefts {other} and {at} belong to the same right, but give {given[other].value} and {one.value}."
                )
                yield ("pairs", at), what, "Correct the pairs."


def predict_pairs(item: MatchItem) -> Iterator[Found]:
    """Each left's claim is true of its own run, and false of those that belong to another right."""
    runs, faults = _runs(item)
    yield from faults
    true = {at: claims.values(run) for at, run in runs.items()}
    for at in runs:
        claim, path = item.left[at].claim, ("left", at)
        if claim is None:
            yield path, "The left makes no claim.", 'Write "claim: {requests: 3}", or give the item another proof.'
            continue
        for name, value in claims.false_claims(claim, true[at]).items():
            yield (*path, "claim", name), f"The claim is not true: {name} is {value!r}.", "Correct it."
        for other in runs:
            if item.pairs[other] != item.pairs[at] and not claims.false_claims(claim, true[other]):
                what = f"The claim of left {at} is true of left {other} too, which belongs to another right."
                yield (*path, "claim"), what, "Make them differ."


def _runs(item: MatchItem) -> tuple[dict[int, Run], list[Found]]:
    runs: dict[int, Run] = {}
    faults: list[Found] = []
    for at in range(len(item.left)):
        path: Path = ("left", at)
        try:
            runs[at] = do_left(item, at)
        except CannotDo:
            faults.append((path, "This left can't be done: it has no code.", 'Write what it does as "do".'))
        except CodeFault as fault:
            faults.append((path, str(fault), "Correct the code."))
        except Exception as error:  # what code of an item raises outside of its functions may be anything
            faults.append((path, f"The code raised {type(error).__name__}: {error}", "Correct the code."))
    return runs, faults


def _error(run: Run) -> str:
    text = error_text(run.trace)
    return f"({text})" if text else ""
