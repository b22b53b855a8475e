"""`proof: {predict: ...}`: something is run, and each option claims something about the run. The right claims are true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from course.proofs import claims
from course.proofs.agent import NotInstalled, agent_values
from course.proofs.doing import setting_of, stage_of, whole_code
from course.proofs.outcomes import Run
from course.proofs.program import Program
from course.proofs.runner import tool_runner_loop
from course.proofs.tries import cannot_run
from course.quiz.items import Item, OptionItem
from course.quiz.proof_forms import Predict
from course.quiz.raw import Found, Path
from course.words import _

__all__ = ["predict_options", "predicted_run"]


def predict_options(item: OptionItem, form: Predict) -> Iterator[Found]:
    """The faults of the options' claims."""
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
    runs = [predicted_run(item, form, task) for task in form.tasks or (form.task or "own",)]
    true = claims.values(runs[0])
    if len(runs) > 1:
        orders = {tuple(claims.CLAIMS["tools_run"](run)) for run in runs}
        true["order_depends_on_model"] = len(orders) > 1
    return true


def predicted_run(item: Item, form: Predict, task: str) -> Run:
    """The run that the options are about: of the code, of the SDK's tool runner, or of the messages as they are."""
    stage = stage_of(item, task)
    if form.tool_runner is not None:
        return stage.play(tool_runner_loop(form.tool_runner, stage), "tool_runner")
    if item.code is not None:
        return stage.run(Program(whole_code(item, item.code)))
    setting = setting_of(item)
    return stage.play(lambda client, messages: client.messages.create(**setting.body(messages)), "ask")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:199] + "\N{HORIZONTAL ELLIPSIS}"
