"""Two or more traces side by side: the first difference in a sentence, and how each ended."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import groupby

from course.trace.alike import alike, normal, place_and_values
from course.trace.events import Exchange, Json, Trace
from course.trace.words import blocks, cut, ending_words, message_words, reply_words
from course.words import _, ngettext

__all__ = ["Comparison", "Difference", "compare"]

FORM = ("stream", "thread")  # parameters that say how a request is made, not what is asked


@dataclass(frozen=True)
class Difference:
    """The first request in which the traces differ (None: the requests are alike, only the endings differ), in a sentence."""

    request: int | None
    sentence: str


@dataclass(frozen=True)
class Comparison:
    """names: of the traces. requests: for each request number what each trace sent and got, in words ("" if it sent none).
    endings: how each ended."""

    names: tuple[str, ...]
    requests: tuple[tuple[str, ...], ...]
    first_difference: Difference | None
    endings: tuple[str, ...]

    def __str__(self) -> str:
        width = max(len(name) for name in self.names)
        lines = []
        for number, row in enumerate(self.requests, start=1):
            lines.append(_("request {n}").format(n=number))
            lines += [
                f"  {name:<{width}}  {cut(words or '-', 96 - width)}"
                for name, words in zip(self.names, row, strict=True)
            ]
        lines.append(_("the end"))
        lines += [
            f"  {name:<{width}}  {cut(ending, 400)}" for name, ending in zip(self.names, self.endings, strict=True)
        ]
        if self.first_difference is None:
            lines.append(_("No difference."))
        else:
            lines.append(_("First difference: {what}").format(what=self.first_difference.sentence))
        return "\n".join(lines)


def compare(*traces: Trace) -> Comparison:
    """Set traces side by side, request by request. Raises ValueError for fewer than two.

    Ids of tool_use blocks and the words of a model differ from run to run: only which tools it asks for, and which result
    belongs to which call, is compared. A retry of the SDK counts as the same request.
    """
    if len(traces) < 2:
        raise ValueError(_("compare() takes two traces or more."))
    names = _names(traces)
    runs = [_Run(trace) for trace in traces]
    count = max(len(run.exchanges) for run in runs)
    rows = tuple(tuple(run.words(number) for run in runs) for number in range(count))
    return Comparison(
        names, rows, _first_difference(names, runs, count), tuple(ending_words(trace) for trace in traces)
    )


def _names(traces: tuple[Trace, ...]) -> tuple[str, ...]:
    """The names of the traces; those without one, or with another's, get a number."""
    names: list[str] = []
    for number, trace in enumerate(traces, start=1):
        name = trace.name or _("loop {n}").format(n=number)
        names.append(f"{name} ({number})" if name in names else name)
    return tuple(names)


class _Run:
    """One trace: its requests, each in a form that can be compared."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        last = {exchange.number: exchange for exchange in trace.exchanges}  # of several attempts, the last
        self.exchanges: list[Exchange] = [last[number] for number in sorted(last)]
        self.messages = [trace.messages_at(exchange.messages) for exchange in self.exchanges]

    def words(self, index: int) -> str:
        if index >= len(self.exchanges):
            return ""
        return f"{self.sends(index)} -> {reply_words(self.exchanges[index])}"

    def params(self, index: int) -> dict[str, str]:
        """The parameters of a request as text; of the tools only their names."""
        params = self.trace.params[self.exchanges[index].params]
        tools = [each.get("name") for each in params.get("tools") or [] if isinstance(each, dict)]
        shown = {**params, "tools": tools} if tools else params
        return {name: json.dumps(value, ensure_ascii=False) for name, value in shown.items() if name not in FORM}

    def added(self, index: int) -> list[str] | None:
        """What a request sends more than the one before; None if it does not go on from there."""
        now, before = self.messages[index], self.messages[index - 1] if index else []
        return [_added(message) for message in now[len(before) :]] if index and now[: len(before)] == before else None

    def sends(self, index: int, common: int = 0) -> str:
        """What a request sends, told from the one before: "sends the tool's result". common: leave out so many of the parts."""
        count, added = len(self.messages[index]), self.added(index)
        if not index:
            return ngettext("sends {n} message", "sends {n} messages", count).format(n=count)
        if added is None:
            words = (
                "sends {n} message, but not all that it sent before",
                "sends {n} messages, but not all that it sent before",
            )
            return ngettext(*words, count).format(n=count)
        if not added:
            return ngettext("sends the same message again", "sends the same {n} messages again", count).format(n=count)
        if len(added) == common:
            return _("sends only {what}").format(what=_joined(added))
        return _("sends {what}").format(what=_joined(added[common:]))


def _added(message: Json) -> str:
    kinds = [block.get("type") for block in blocks(message)]
    results = kinds.count("tool_result")
    if results:
        words = ngettext("the tool's result", "the {n} results of the tools", results).format(n=results)
        others = [str(kind) for kind in kinds if kind != "tool_result"]
        if not others:
            return words
        order = _("{results}, then {other}") if kinds[0] == "tool_result" else _("{other}, then {results}")
        return order.format(results=words, other=others[0])
    role = message.get("role") if isinstance(message, dict) else None
    if not kinds and role == "user":
        return _("an empty user turn")
    return _("the assistant turn") if role == "assistant" else cut(message_words(message), 40)


def _joined(parts: list[str]) -> str:
    """The parts in a row; those that are the same are counted."""
    rows = [(part, len(list(group))) for part, group in groupby(parts)]
    turns = _("{n} turns, each with {what}")
    return _(" and ").join(part if n == 1 else turns.format(n=n, what=part) for part, n in rows)


def _first_difference(names: tuple[str, ...], runs: list[_Run], count: int) -> Difference | None:
    """What is asked and answered comes first; other parameters and other words at the end count if there is nothing else."""
    for find in (_difference_at, _parameters_at):
        for index in range(count):
            sentence = find(names, runs, index)
            if sentence is not None:
                return Difference(index + 1, _("request {n}: {what}").format(n=index + 1, what=sentence))
    endings = [ending_words(run.trace) for run in runs]
    return None if alike(endings) else Difference(None, _("the end: {what}").format(what=_each(names, endings)))


def _difference_at(names: tuple[str, ...], runs: list[_Run], index: int) -> str | None:
    """How the traces differ in the messages or the reply of a request; None if they don't."""
    there = [index < len(run.exchanges) for run in runs]
    if not all(there):
        return _each(
            names, [run.sends(index) if here else _("has ended") for run, here in zip(runs, there, strict=True)]
        )
    if not alike([run.messages[index] for run in runs]) and not alike([normal(run.messages[index]) for run in runs]):
        return _each(names, _sent_differently(runs, index))
    replies = [reply_words(run.exchanges[index]) for run in runs]
    if alike(replies):
        return None
    cause = _parameters(runs, index) or [""] * len(runs)
    words = [_("{sends} and gets {reply}") if sends else _("gets {reply}") for sends in cause]
    return _each(
        names,
        [each.format(sends=sends, reply=reply) for each, sends, reply in zip(words, cause, replies, strict=True)],
    )


def _parameters_at(names: tuple[str, ...], runs: list[_Run], index: int) -> str | None:
    different = _parameters([run for run in runs if index < len(run.exchanges)], index)
    return None if different is None else _each(names, different)


def _parameters(runs: list[_Run], index: int) -> list[str] | None:
    """What each run sends for the first parameter that is not the same in all; None if all are."""
    params = [run.params(index) for run in runs]
    for name in {name: None for each in params for name in each}:
        values = [each.get(name, "-") for each in params]
        if not alike(values):
            return [_("sends {name} {value}").format(name=name, value=cut(value, 40)) for value in values]
    return None


def _sent_differently(runs: list[_Run], index: int) -> list[str]:
    """What each run sends, without what all of them send first."""
    added = [run.added(index) or [] for run in runs]
    common = next(
        (n for n, parts in enumerate(zip(*added, strict=False)) if not alike(list(parts))), min(map(len, added))
    )
    sends = [run.sends(index, common) for run in runs]
    if not alike(sends):
        return sends
    found = place_and_values([run.messages[index] for run in runs])  # the same in kind, not in content
    if found is None:
        return sends
    place, values = found
    there, not_there = _("sends {place} {value}"), _("sends no {place}")
    return [(not_there if value is None else there).format(place=place, value=value) for value in values]


def _each(names: tuple[str, ...], what: list[str]) -> str:
    return ", ".join(_("{name} {does}").format(name=name, does=does) for name, does in zip(names, what, strict=True))
