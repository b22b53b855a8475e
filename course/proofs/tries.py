"""`proof: {try: ...}` for options: each is done; the right one must reach the goal, each wrong one must give what it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from course.proofs.actors import Actors
from course.proofs.doing import CannotDo, do, goal_of, setting_of, stage_of, whole_code
from course.proofs.outcomes import Run, error_text
from course.proofs.program import CodeFault, Program
from course.proofs.taught import taught_action
from course.proofs.words_of_whys import wrong_words
from course.quiz.items import ActionItem, LineItem, OptionItem
from course.quiz.proof_forms import Outcome
from course.quiz.raw import Found, Path

__all__ = ["attempt", "try_options", "wrong_option"]


def try_options(item: OptionItem) -> Iterator[Found]:
    """The faults that doing each option shows."""
    goal = goal_of(item)
    if isinstance(item, ActionItem):
        yield from _taught(item)
    if isinstance(item, LineItem):
        yield from _as_it_stands(item, goal)
    for at, option in enumerate(item.options):
        path: Path = ("options", at)
        run, faults = attempt(item, at, path)
        yield from faults
        if run is None:
            if not faults and not isinstance(item, LineItem):
                what = "This option can't be done: it has no code."
                yield path, what, 'Write what it does as "do", or give the item another proof.'
            continue
        given = run.outcome
        if option.correct and given is not goal:
            yield (
                path,
                f"The right option gives {given.value}, not {goal.value}. {_detail(run)}".rstrip(),
                "Correct the key.",
            )
        elif not option.correct:
            yield from wrong_option(option, run, goal, path)


def attempt(item: Any, answer: Any, path: Path) -> tuple[Run | None, list[Found]]:
    """The run of an answer. None if there is nothing to run, or it can't be run (then there is a fault)."""
    try:
        return do(item, answer), []
    except CannotDo:
        return None, []
    except CodeFault as fault:
        return None, [(path, str(fault), "Correct the code.")]
    except Exception as error:  # what code of an item raises outside of its functions may be anything
        return None, [(path, f"The code raised {type(error).__name__}: {error}", "Correct the code.")]


def wrong_option(option: Any, run: Run, goal: Outcome, path: Path) -> Iterator[Found]:
    """The faults of a wrong option that was done: it reaches the goal, or gives something else than it says."""
    given = run.outcome
    if given is goal:
        yield path, f"Two right options: this one gives {goal.value} too.", "Make it wrong, or mark it as right."
        return
    if option.gives is not None and given is not option.gives:
        what = f"The option says that it gives {option.gives.value}; it gives {given.value}. {_detail(run)}"
        yield (*path, "gives"), what.rstrip(), f'Write "gives: {given.value}" and a why that says so, or change it.'
        return
    if option.says is not None and option.says not in error_text(run.trace):
        yield (*path, "says"), f"The API says something else: {error_text(run.trace)}", "Quote a part of that."
    yield from wrong_words(option.why, given, path)


def _detail(run: Run) -> str:
    """The error of a run, if there was one."""
    text = error_text(run.trace)
    return f"({text})" if text else ""


def _taught(item: ActionItem) -> Iterator[Found]:
    """What the loop of the course does with the response must be the right action."""
    right = next(at for at, option in enumerate(item.options) if option.correct)
    actors = Actors(setting_of(item))
    action, told = taught_action(stage_of(item).play(actors.go_on, "run_loop"))
    if action is not item.options[right].action:
        what = f"The right option is {item.options[right].action.value}, but the loop of the course {told}."
        yield ("options", right), what, "Correct the key or the response."


def _as_it_stands(item: LineItem, goal: Outcome) -> Iterator[Found]:
    """The code of a `line` item must fail as it stands."""
    form = item.proof.try_ if item.proof else None
    try:
        run = stage_of(item).run(Program(whole_code(item, item.code)))
    except CodeFault as fault:
        yield ("code",), str(fault), "Correct it."
        return
    if run.outcome is goal:
        yield ("code",), f"No line is wrong: the code as it stands gives {goal.value}.", "Put a fault in it."
    elif form and form.gives is not None and run.outcome is not form.gives:
        what = f"The code as it stands gives {run.outcome.value}, not {form.gives.value}. {_detail(run)}"
        yield ("proof", "try"), what.rstrip(), f'Write "gives: {run.outcome.value}", or change the code.'
