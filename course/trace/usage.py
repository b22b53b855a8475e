"""Tokens and messages per request: how a long run grows, as a table and as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from course.trace.events import Trace
from course.words import _

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Usage", "plot", "usage", "usage_table"]


@dataclass(frozen=True)
class Usage:
    """One request: how many messages it held, and the tokens that went in and came out. None if it failed."""

    request: int
    messages: int
    input_tokens: int | None
    output_tokens: int | None


def usage(trace: Trace) -> tuple[Usage, ...]:
    """The usage of every request, in order. A retry of the SDK is a row of its own."""
    lengths = _lengths(trace)
    rows = []
    for exchange in trace.exchanges:
        counted = exchange.reply.get("usage") if isinstance(exchange.reply, dict) else None
        tokens = counted if isinstance(counted, dict) else {}
        came_in, went_out = tokens.get("input_tokens"), tokens.get("output_tokens")
        rows.append(Usage(exchange.number, lengths[exchange.messages], came_in, went_out))
    return tuple(rows)


def _lengths(trace: Trace) -> list[int]:
    """How many messages each version holds. A parent stands before its versions."""
    lengths: list[int] = []
    for version in trace.versions:
        lengths.append(version.keep + len(version.add) + version.keep_end)
    return lengths


def usage_table(trace: Trace) -> str:
    """The usage as text, one request a line."""
    heads = (_("request"), _("messages"), _("input tokens"), _("output tokens"))
    rows = [(row.request, row.messages, row.input_tokens, row.output_tokens) for row in usage(trace)]
    texts = [heads, *(tuple("-" if cell is None else f"{cell:,}" for cell in row) for row in rows)]
    widths = [max(len(text[column]) for text in texts) for column in range(len(heads))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(text, widths, strict=True)) for text in texts)


def plot(trace: Trace) -> Figure | str:
    """A picture of the usage (a matplotlib Figure, which a notebook shows); the table where there is no matplotlib."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator
    except ImportError:  # JupyterLite has none
        return usage_table(trace)
    rows = usage(trace)
    numbers = range(1, len(rows) + 1)
    figure = Figure(figsize=(8, 3.2), layout="constrained")
    tokens = figure.add_subplot()
    tokens.plot(numbers, [row.input_tokens or 0 for row in rows], color="tab:blue", label=_("input tokens"))
    tokens.plot(
        numbers, [row.output_tokens or 0 for row in rows], color="tab:green", linestyle="--", label=_("output tokens")
    )
    messages = tokens.twinx()
    messages.plot(numbers, [row.messages for row in rows], color="tab:orange", linestyle=":", label=_("messages"))
    tokens.set_xlabel(_("request"))
    tokens.set_ylabel(_("tokens"))
    messages.set_ylabel(_("messages"))
    for axis in (tokens.xaxis, tokens.yaxis, messages.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    figure.legend(loc="outside upper center", ncols=3, frameon=False)
    return figure
