"""`proof: {predict: ...}`: something is run, and each option claims something about the run. The right claims are true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from course.proofs import claims
from course.proofs.agent import NotInstalled, agent_values
from course.proofs.doing import CannotDo, do, setting_of, stage_of, whole_code
from course.proofs.outcomes import Run
from course.proofs.program import Program
from course.proofs.runner import tool_runner_loop
from course.proofs.tries import cannot_run
from course.quiz.items import Item, ManyItem, OneItem, OptionItem
from course.quiz.proof_forms import Predict
from course.quiz.raw import Found, Path
from course.words import _

__all__ = ["has_own_runs", "predict_options", "predicted_run"]


def predict_options(item: OptionItem, form: Predict) -> Iterator[Found]:
    """The faults of the options' claims."""
    if has_own_runs(item):
        yield from _own_runs(item, form)
        return
    try:
        true = true_values(item, form)
    except NotInstalled:
        raise
    except Exception as error:  # what code of an item raises outside of its functions may be anything
        yield cannot_run(error, ("code",))
        return
    for at, option in enumerate(item.options):
        path: Path = ("options", at)
        if option.claim is None:
            remedy = _('Write "claim: {example}", or give the item another proof.').format(example="{requests: 3}")
            yield path, _("The option makes no claim."), remedy
            continue
        false = claims.false_claims(option.claim, true)
        if option.correct and false:
            name, value = next(iter(false.items()))
            what = _("The right option's claim is not true: {name} is {value}.")
            yield (*path, "claim", name), what.format(name=name, value=_shown(value)), _("Correct it.")
        elif not option.correct and not false:
            what = _("Two right options: this one's claim is true too.")
            yield (*path, "claim"), what, _("Make it wrong, or mark it as right.")


def true_values(item: Item, form: Predict) -> dict[str, Any]:
    """What is true of the run. Raises NotInstalled, CodeFault, or what code raises outside of its functions."""
    if form.agent_sdk is not None:
        return agent_values(form.agent_sdk, form.task or "own")
    return _of_runs([predicted_run(item, form, task) for task in _tasks(form)])


def _tasks(form: Predict) -> tuple[str, ...]:
    return form.tasks or (form.task or "own",)


def _of_runs(runs: list[Run]) -> dict[str, Any]:
    """What is true of the first of these runs, and of all of them together."""
    true = claims.values(runs[0])
    if len(runs) > 1:
        orders = {tuple(claims.CLAIMS["tools_run"](run)) for run in runs}
        true["order_depends_on_model"] = len(orders) > 1
    return true


def has_own_runs(item: Item) -> bool:
    """Whether the options bring code of their own, about which they claim something."""
    return isinstance(item, (OneItem, ManyItem)) and any(option.code or option.do for option in item.options)


def _own_runs(item: OptionItem, form: Predict) -> Iterator[Found]:
    """Each option's claim is true of its own run, and a right option's of no wrong one's."""
    true: dict[int, dict[str, Any]] = {}
    for at, option in enumerate(item.options):
        path: Path = ("options", at)
        try:
            true[at] = _of_runs([do(item, at, task) for task in _tasks(form)])
        except CannotDo:
            yield path, _("This option can't be done: it has no code."), _('Write what it does as "do".')
            continue
        except Exception as error:  # what code of an item raises outside of its functions may be anything
            yield cannot_run(error, path)
            continue
        if option.claim is None:
            yield path, _("The option makes no claim."), _('Write "claim: {example}".').format(example="{requests: 3}")
            continue
        for name, value in claims.false_claims(option.claim, true[at]).items():
            what = _("The claim is not true of the option's own run: {name} is {value}.")
            yield (*path, "claim", name), what.format(name=name, value=_shown(value)), _("Correct it.")
    claimed = [option.claim for option in item.options if option.correct and option.claim is not None]
    for at in [at for at in true if not item.options[at].correct]:
        if any(len(claims.false_claims(claim, true[at])) == 0 for claim in claimed):
            what = _("Two right options: what a right one claims is true of this one too.")
            yield ("options", at), what, _("Make it wrong, or let the right one claim more.")


def predicted_run(item: Item, form: Predict, task: str) -> Run:
    """The run that the options are about: of the code, of the SDK's tool runner, or of the messages as they are."""
    stage = stage_of(item, task)
    if form.tool_runner is not None:
        return stage.play(tool_runner_loop(form.tool_runner, stage), "tool_runner")
    source = form.around if item.code is None else whole_code(item, item.code)
    if source is not None:
        return stage.run(Program(source))
    setting = setting_of(item)
    return stage.play(lambda client, messages: client.messages.create(**setting.body(messages)), "ask")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:199] + "\N{HORIZONTAL ELLIPSIS}"
