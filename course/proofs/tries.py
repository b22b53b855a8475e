"""`proof: {try: ...}` for options: each is done; the right one must reach the goal, each wrong one must give what it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from course.errors import CourseError
from course.proofs.actors import Actors
from course.proofs.doing import CannotDo, do, goal_of, setting_of, stage_of, whole_code
from course.proofs.outcomes import Run, error_text
from course.proofs.program import CodeFault, Program
from course.proofs.taught import taught_action
from course.proofs.words_of_whys import wrong_words
from course.quiz.items import ActionItem, LineItem, OptionItem
from course.quiz.proof_forms import Outcome
from course.quiz.raw import Found, Path
from course.words import _

__all__ = ["attempt", "cannot_run", "try_options", "with_error"]


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
                what = _("This option can't be done: it has no code.")
                yield path, what, _('Write what it does as "do", or give the item another proof.')
        elif option.correct and run.outcome is not goal:
            what = _("The right option gives {given}, not {goal}.").format(given=run.outcome.value, goal=goal.value)
            yield path, with_error(what, run), _("Correct the key.")
        elif not option.correct:
            yield from _wrong_option(option, run, goal, path)


def attempt(item: Any, answer: Any, path: Path) -> tuple[Run | None, list[Found]]:
    """The run of an answer. None if there is nothing to run, or it can't be run (then there is a fault)."""
    try:
        return do(item, answer), []
    except CannotDo:
        return None, []
    except Exception as error:  # what code of an item raises outside of its functions may be anything
        return None, [cannot_run(error, path)]


def cannot_run(error: Exception, path: Path) -> Found:
    """The fault of code that does not even begin. Raises it again if it is none of the code's: a task that is not there."""
    if isinstance(error, CourseError):
        raise error
    if isinstance(error, CodeFault):
        return path, str(error), _("Correct the code.")
    what = _("The code raised {type}: {error}").format(type=type(error).__name__, error=error)
    return path, what, _("Correct the code.")


def with_error(what: str, run: Run) -> str:
    """A sentence, with the error of a run behind it if there was one."""
    text = error_text(run.trace)
    return f"{what} ({text})" if text else what


def _wrong_option(option: Any, run: Run, goal: Outcome, path: Path) -> Iterator[Found]:
    """The faults of a wrong option that was done: it reaches the goal, or gives something else than it says."""
    given = run.outcome
    if given is goal:
        what = _("Two right options: this one gives {goal} too.").format(goal=goal.value)
        yield path, what, _("Make it wrong, or mark it as right.")
        return
    if option.gives is not None and given is not option.gives:
        what = _("The option says that it gives {said}; it gives {given}.")
        text = with_error(what.format(said=option.gives.value, given=given.value), run)
        yield (*path, "gives"), text, _('Write "gives: {given}" and a why that says so.').format(given=given.value)
        return
    if option.says is not None and option.says not in error_text(run.trace):
        what = _("The API says something else: {text}").format(text=error_text(run.trace))
        yield (*path, "says"), what, _("Quote a part of that.")
    yield from wrong_words(option.why, given, path)


def _taught(item: ActionItem) -> Iterator[Found]:
    """What the loop of the course does with the response must be the right action."""
    right = next(at for at, option in enumerate(item.options) if option.correct)
    key = item.options[right].action
    action = taught_action(stage_of(item).play(Actors(setting_of(item)).go_on, "run_loop"))
    if action is not key:
        does = action.value if action else _("none of the six")
        what = _("The right option is {key}, but the action of the course's own loop is {does}.")
        yield ("options", right), what.format(key=key.value, does=does), _("Correct the key or the response.")


def _as_it_stands(item: LineItem, goal: Outcome) -> Iterator[Found]:
    """The code of a `line` item must fail as it stands."""
    form = item.proof.try_ if item.proof else None
    try:
        run = stage_of(item).run(Program(whole_code(item, item.code)))
    except Exception as error:  # as in `attempt`
        yield cannot_run(error, ("code",))
        return
    if run.outcome is goal:
        what = _("No line is wrong: the code as it stands gives {goal}.").format(goal=goal.value)
        yield ("code",), what, _("Put a fault in it.")
    elif form and form.gives is not None and run.outcome is not form.gives:
        what = _("The code as it stands gives {given}, not {said}.")
        text = with_error(what.format(given=run.outcome.value, said=form.gives.value), run)
        yield ("proof", "try"), text, _('Write "gives: {given}", or change the code.').format(given=run.outcome.value)
