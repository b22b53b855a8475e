"""The tables of a report: the bank by what its items are about, its families, and what a guesser gets right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from course.proofs.proving import how_proved
from course.proofs.verifying import Report
from course.quiz.items import Item
from course.quiz.tables import focus_points
from course.quiz.variants import all_draws, distinct
from course.stop_reasons import table
from course.words import _

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["counts", "families", "print_report", "stop_reasons_of"]

FAMILY = 50  # distinct variants of a family


def counts(report: Report) -> dict[str, dict[str, int]]:
    """How many items there are of each sort: heading -> name -> number. Names that no item has are there with 0."""
    items = report.items
    points = focus_points()
    anti_patterns = [
        f"anti-patterns/{part}" for point in points if point.name == "anti-patterns" for part in point.parts
    ]
    patterns = [item.objective for item in items if item.objective in anti_patterns]
    return {
        _("focus point"): _counted(
            [point.name for point in points], (item.objective.partition("/")[0] for item in items)
        ),
        _("kind"): _counted([], map(kind_of, items)),
        _("scope"): _counted([], (item.scope for item in items)),
        _("difficulty"): _counted([], (item.difficulty for item in items)),
        _("stop reason"): _counted([row.value for row in table()], _all_stop_reasons(report)),
        _("anti-pattern"): _counted(anti_patterns, patterns),
        _("proof"): _counted(["try", "predict", "tasks", "none"], map(how_proved, items)),
    }


def _all_stop_reasons(report: Report) -> Iterator[str]:
    for bank in report.banks:
        for item in bank.items:
            yield from stop_reasons_of(item, bank.templates.get(item.id))


def _counted(known: Iterable[str], names: Iterable[str]) -> dict[str, int]:
    return {**dict.fromkeys(known, 0), **Counter(names)}


def kind_of(item: Item) -> str:
    """The kind, with its mode if it has one."""
    mode = getattr(item, "mode", None)
    return f"{item.kind}/{mode}" if mode else item.kind


def stop_reasons_of(item: Item, template: dict[str, Any] | None) -> set[str]:
    """The stop reasons of an item's responses; of a family those of all its draws."""
    raws = [item.model_dump(mode="json")] if template is None else all_draws(template)
    found = {str(each.get("stop_reason")) for raw in raws for each in _responses(raw)}
    return found & {row.value for row in table()}


def _responses(raw: dict[str, Any]) -> Iterator[dict[str, Any]]:
    lefts = raw.get("left") or ()
    for holder in (raw, *lefts):
        if isinstance(holder, dict) and isinstance(holder.get("response"), dict):
            yield holder["response"]


def families(report: Report) -> dict[str, int]:
    """The items with variants: id -> how many different ones can be drawn, counted up to 200."""
    return {id: distinct(raw) for bank in report.banks for id, raw in bank.templates.items()}


def print_report(report: Report, console: Console) -> None:
    """The tables and the figures, if a bank could be read; then the faults, last, where they are seen."""
    if report.banks:
        console.print(_bank_table(report), _guess_table(report))
        for line in _figures(report):
            console.print(line, highlight=False)
    for fault in report.faults:
        console.print(str(fault), markup=False, highlight=False, soft_wrap=True)
    console.print(_("Faults: {count}.").format(count=len(report.faults)), highlight=False)


def _figures(report: Report) -> list[str]:
    """Worded so that they are right for one as well."""
    many = families(report)
    large = sum(number >= FAMILY for number in many.values())
    proved = sum(how_proved(item) not in ("none", "missing") for item in report.items)
    lines = [
        _("Items: {items}. With a proof: {proved} ({share:.0%}).").format(
            items=len(report.items), proved=proved, share=proved / max(len(report.items), 1)
        ),
        _("Families: {families}. With {least} or more distinct variants: {large}.").format(
            families=len(many), large=large, least=FAMILY
        ),
        _("Proofs run: {runs}, in {seconds:.1f} seconds.").format(
            runs=report.runs - report.not_run, seconds=report.seconds
        ),
    ]
    if report.not_run:
        lines.append(_("Proofs not run: {count}. claude-agent-sdk is missing.").format(count=report.not_run))
    return lines


def _bank_table(report: Report) -> Any:
    from rich.table import Table

    shown = Table(title=_("The bank"), title_justify="left")
    for heading in (_("by"), _("name"), _("items")):
        shown.add_column(heading, justify="right" if heading == _("items") else "left")
    groups = {**counts(report), _("family (distinct variants)"): families(report)}
    for heading, names in groups.items():
        for number, (name, count) in enumerate(names.items()):
            shown.add_row(heading if number == 0 else "", name, str(count), end_section=number == len(names) - 1)
    return shown


def _guess_table(report: Report) -> Any:
    from rich.table import Table

    shown = Table(title=_("What a guesser gets right"), title_justify="left")
    for heading in (_("strategy"), _("right"), _("of"), _("chance"), _("fair from"), _("to"), ""):
        shown.add_column(heading, justify="left" if heading in (_("strategy"), "") else "right")
    for guess in report.guesses:
        row = (f"{guess.right:.1f}", str(guess.items), f"{guess.chance:.1f}", str(guess.low), str(guess.high))
        shown.add_row(guess.strategy, *row, "" if guess.fair else _("not fair"))
    return shown
