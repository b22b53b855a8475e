"""Doing an answer: from an item and an answer to a recorded run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from course.offline.faults import stream_cut
from course.offline.scenario import load_scenario
from course.proofs.actors import Actors
from course.proofs.arrays import derived_response, send
from course.proofs.outcomes import Run
from course.proofs.program import Program, placed
from course.proofs.setting import ANSWER, MAX_TOKENS, TASK, Setting
from course.proofs.stage import Stage
from course.quiz.items import (
    ActionItem,
    ArrayItem,
    BuildItem,
    CodeItem,
    Item,
    LineItem,
    ManyItem,
    MatchItem,
    OneItem,
    OrderItem,
    PickItem,
    RepairItem,
)
from course.quiz.proof_forms import Outcome, Predict, Try

__all__ = [
    "CannotDo",
    "array_of",
    "do",
    "do_left",
    "form_of",
    "goal_for",
    "goal_of",
    "setting_of",
    "stage_of",
    "whole_code",
]

OWN = "own"
BROKEN = "stream_broken"  # as stream_cut, but the connection breaks


class CannotDo(Exception):
    """There is nothing to run for this answer."""


def form_of(item: Item) -> Try | Predict | None:
    """The proof of an item that is run; None if it has none."""
    return None if item.proof is None else item.proof.try_ or item.proof.predict


def goal_of(item: Item) -> Outcome:
    """What the right answer must give."""
    return goal_for(item, item.response)


def goal_for(item: Item, response: Any) -> Outcome:
    """The same, for a response that is not the item's own."""
    form = form_of(item)
    if isinstance(form, Try) and form.goal is not None:
        return form.goal
    reason = (response or {}).get("stop_reason")
    return Outcome.DECLINED if reason == "refusal" else Outcome.ANSWERED


def setting_of(item: Item, response: Any = None) -> Setting:
    """The item's own world. response: in place of the item's."""
    form = form_of(item)
    right = _right_array(item)
    before = () if isinstance(item, PickItem) else item.messages or ()
    setting = Setting(
        messages=(item.messages or ({"role": "user", "content": TASK},)) if right is None else before,
        response=response or item.response,
        results=item.results or {},
        answer=(form and form.answer) or ANSWER,
        whole=form.whole if form else None,
        max_tokens=(form and form.max_tokens) or MAX_TOKENS,
    )
    if right is None:
        return setting
    return replace(setting, response=derived_response(setting.messages, right), asked=True)


def _right_array(item: Item) -> list[Any] | None:
    """The right array of an item that proposes arrays and shows no response: the reply that it goes on from is in there."""
    if item.response is not None:
        return None
    if isinstance(item, ArrayItem):
        return item.next_messages(item.right)
    if isinstance(item, PickItem):
        return item.next_messages(next(at for at, option in enumerate(item.options) if option.correct))
    return None


def stage_of(item: Item, task: str | None = None, response: Any = None) -> Stage:
    """Where the item's answers are done. task: in place of the proof's. Raises CourseError for a task that is not there."""
    form = form_of(item)
    name = task or (form.task if form else None) or OWN
    stage = Stage(setting_of(item, response) if name == OWN else load_scenario(name))
    if form is None:
        return stage
    faults = tuple(stream_cut(cleanly=False) if name == BROKEN else name for name in form.faults)
    return replace(stage, faults=faults, requests=form.fuse)


def whole_code(item: Item, code: str) -> str:
    """The code with what stands around it."""
    form = form_of(item)
    return code if form is None or form.around is None else placed(form.around, code)


def do(item: Item, answer: Any, task: str | None = None, *, patient: bool = True) -> Run:
    """Do an answer and record it. Raises CannotDo, CodeFault, or what code raises outside of its functions.

    task: in place of the proof's. patient: see Stage.
    """
    stage = replace(stage_of(item, task), patient=patient)
    if isinstance(item, ActionItem):
        return stage.play(Actors(setting_of(item)).of(item.options[answer].action))
    if isinstance(item, (PickItem, BuildItem, RepairItem)):
        return send(stage, array_of(item, answer))
    return stage.run(Program(source_of(item, answer), item.function if isinstance(item, CodeItem) else None))


def array_of(item: PickItem | ArrayItem, answer: Any) -> list[Any]:
    """The array of the next request, if this is the answer."""
    whole = isinstance(item, PickItem) and item.options[answer].messages is not None
    before = [] if whole or item.messages is not None else setting_of(item).start()
    return [*before, *item.next_messages(answer)]


def source_of(item: Item, answer: Any) -> str:
    """The code that does an answer. Raises CannotDo if there is none."""
    if isinstance(item, CodeItem):
        return str(answer)
    if isinstance(item, OrderItem):
        return whole_code(item, item.source(answer))
    if isinstance(item, LineItem):
        if item.options[answer].fix is None:
            raise CannotDo
        return whole_code(item, item.fixed(answer))
    if isinstance(item, (OneItem, ManyItem)):
        option = item.options[answer]
        part = option.code or option.do
        if part is None:
            raise CannotDo
        return whole_code(item, placed(item.code, part))
    raise CannotDo


def do_left(item: MatchItem, at: int) -> Run:
    """Do one of the lefts of a `match`: its code, or the right's action on its response."""
    left = item.left[at]
    if left.response is not None:
        action = item.right[item.pairs[at]].action
        if action is None:
            raise CannotDo
        stage = stage_of(item, response=left.response)
        return stage.play(Actors(setting_of(item, left.response)).of(action))
    code = left.code or left.do
    if code is None:
        raise CannotDo
    return stage_of(item).run(Program(whole_code(item, placed(item.code, code))))
