"""Can the transcript of an item have happened? Its messages are accepted, and its response is a reply that can follow them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from course.proofs.arrays import Refused, accepted
from course.proofs.blocks import Block, blocks, call_ids, ids
from course.proofs.doing import setting_of
from course.proofs.setting import Setting
from course.quiz.items import Item, MatchItem
from course.quiz.raw import Found, Path
from course.stop_reasons import fact
from course.words import _

__all__ = ["impossible"]

CUT = ("max_tokens", "model_context_window_exceeded", "refusal")
ENDS = ("end_turn", "stop_sequence")
SERVER = ("server_tool_use", "compaction")


def impossible(item: Item) -> Iterator[Found]:
    """What can't have happened."""
    setting = replace(setting_of(item), asked=False)
    found = list(_messages(item, setting)) if item.messages is not None else []
    if item.proof and item.proof.refused is not None and item.response is not None:
        what = _("The item has a response, but its messages are refused.")
        found.append((("response",), what, _('Delete it, or delete "refused".')))
    yield from found
    if found:
        return
    if item.response is not None:
        yield from _response(setting, ("response",))
    if isinstance(item, MatchItem):
        for at, left in enumerate(item.left):
            if left.response is not None:
                yield from _response(setting_of(item, left.response), ("left", at, "response"))


def _messages(item: Item, setting: Setting) -> Iterator[Found]:
    """Whether the messages are accepted; or refused, if the item says so."""
    wanted = item.proof.refused if item.proof else None
    form = item.proof.predict if item.proof else None
    assert item.messages is not None
    try:
        accepted(setting, item.messages)
    except Refused as refused:
        if wanted is None and not (form and item.code is None and item.response is None):
            what = _("The API refuses these messages: {text}").format(text=refused)
            yield ("messages",), what, _('Correct them, or quote a part of the error in proof: "refused: ...".')
        elif wanted is not None and wanted not in str(refused):
            what = _("The API says something else: {text}").format(text=refused)
            yield ("proof", "refused"), what, _("Quote a part of that.")
    else:
        if wanted is not None:
            yield ("messages",), _("The API accepts these messages."), _('Break them, or delete "refused".')


def _response(setting: Setting, path: Path) -> Iterator[Found]:
    response, reason = setting.response or {}, setting.reason
    content = blocks(response)
    if not isinstance(response.get("content"), list):
        yield path, _("The content of a response is a list of blocks."), _('Write "content: [...]".')
        return
    if response.get("role", "assistant") != "assistant":
        yield path, _("The role of a response is assistant."), _("Correct it, or leave it out.")
    for what, remedy in _misfits(reason, response, content):
        yield (*path, "stop_reason"), what, remedy
    known = ids(setting.messages) & ids([response])
    if known:
        what = _("The id {id} stands in messages already: a new call has a new id.").format(id=sorted(known)[0])
        yield path, what, _("Change one.")
    else:
        yield from _shape(setting, path)


def _misfits(reason: str | None, response: Mapping[str, Any], content: list[Block]) -> Iterator[tuple[str, str]]:
    """Where the stop_reason does not fit the content."""
    kinds = [str(block.get("type")) for block in content]
    if reason is not None and fact(reason) is None:
        return  # an item about a value that nobody knows
    change = _("Change the content, or the stop_reason.")
    if reason == "tool_use" and kinds[-1:] != ["tool_use"]:
        yield _("With tool_use the content ends with a tool_use block."), change
    if "tool_use" in kinds and reason not in ("tool_use", None, *CUT):
        yield _("With {reason} there is no tool_use block: a call gives tool_use.").format(reason=reason), change
    if "tool_use" in kinds and "text" in kinds[kinds.index("tool_use") :]:
        yield _("Text stands behind a tool_use block, where the model writes none."), _("Put it before the call.")
    if reason == "pause_turn" and not (
        kinds and (kinds[-1] == "server_tool_use" or kinds[-1].endswith("_tool_result"))
    ):
        yield _("With pause_turn the content ends with a block of a server tool."), change
    if reason in ENDS and _pending(content):
        yield _("A server tool has no result, and the reply ends with {reason}.").format(reason=reason), change
    if reason == "compaction" and kinds != ["compaction"]:
        yield _("With compaction the content is one compaction block."), change
    yield from _more_fields(reason, response, content)


def _more_fields(reason: str | None, response: Mapping[str, Any], content: list[Block]) -> Iterator[tuple[str, str]]:
    """The fields that only some stop_reasons fill."""
    sequence = response.get("stop_sequence")
    if reason == "stop_sequence" and not isinstance(sequence, str):
        yield _("With stop_sequence the field stop_sequence names the sequence."), _('Add "stop_sequence: ...".')
    if reason != "stop_sequence" and sequence is not None:
        yield _("With {reason} the field stop_sequence is null.").format(reason=reason), _("Delete it.")
    if isinstance(sequence, str) and any(sequence in str(block.get("text", "")) for block in content):
        yield _("The stop sequence stands in the text: the text ends before it."), _("Take it out of the text.")
    if reason != "refusal" and response.get("stop_details") is not None:
        yield _("With {reason} the field stop_details is null.").format(reason=reason), _("Delete it.")


def _pending(content: list[Block]) -> bool:
    """Whether a server tool was called and its result is not there."""
    done = {block.get("tool_use_id") for block in content}
    return any(block.get("type") == "server_tool_use" and block.get("id") not in done for block in content)


def _shape(setting: Setting, path: Path) -> Iterator[Found]:
    """Whether the response could be sent back, with a result for each call, and something to go on from."""
    content = [block for block in setting.content if not (block.get("type") == "text" and not block.get("text"))]
    if not content:
        return
    results = [{"type": "tool_result", "tool_use_id": id, "content": "ok"} for id in call_ids(content)]
    turn = {"role": "assistant", "content": content}
    ends_open = content[-1].get("type") in SERVER or str(content[-1].get("type")).endswith("_tool_result")
    after = [{"role": "user", "content": results or "Go on."}] if results or not ends_open else []
    try:
        accepted(setting, [*setting.messages, turn, *after])
    except Refused as refused:
        what = _("The API refuses this turn when it is sent back: {text}").format(text=refused)
        yield path, what, _("Correct its blocks.")
