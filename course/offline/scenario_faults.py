"""What can be wrong with a scenario beside its shape: found when it is loaded, not when a learner meets it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from course.errors import Fault
from course.offline.expressions import problem
from course.strict_yaml import Document
from course.words import _

if TYPE_CHECKING:
    from course.offline.scenario import Scenario, Step

__all__ = ["find_faults"]

Path = tuple[str | int, ...]


def find_faults(scenario: Scenario, name: str, document: Document) -> list[Fault]:
    """All faults of a scenario that was read from the file `name`.yaml."""
    faults = []
    if scenario.name != name:
        what = _("The name is {name}, but the file is {file}.yaml.").format(name=scenario.name, file=name)
        faults.append(document.fault(("name",), what, _("Give both the same name.")))
    if not scenario.fits(scenario.prompt) and not scenario.is_refused(scenario.prompt):
        what = _("The key words in knows don't fit the prompt.")
        faults.append(document.fault(("knows",), what, _("Add a list of words that the prompt holds.")))
    for path, step in _steps(scenario.script, ("script",)):
        faults += _faults_of_step(step, path, scenario, document)
    for path, text, expression in _templates(scenario):
        wrong = problem(text, expression=expression)
        if wrong:
            faults.append(document.fault(path, _("This template can't be read: {problem}.").format(problem=wrong)))
    return faults


def _steps(script: list[Step], path: Path) -> Iterator[tuple[Path, Step]]:
    for index, step in enumerate(script):
        yield (*path, index), step
        yield from _steps(step.if_error or [], (*path, index, "if_error"))


def _faults_of_step(step: Step, path: Path, scenario: Scenario, document: Document) -> Iterator[Fault]:
    if bool(step.calls) == bool(step.searches):
        yield document.fault(path, _("A step has either calls or searches."))
    for index, call in enumerate(step.calls):
        if call.tool not in scenario.tools:
            what = _("The tool {tool} is not in tools.").format(tool=call.tool)
            yield document.fault((*path, "calls", index, "tool"), what, _("Add it there."))


def _templates(scenario: Scenario) -> Iterator[tuple[Path, str, bool]]:
    """Every template: where it stands, its text, and whether it is a bare expression."""
    yield ("answer",), scenario.answer, False
    for path, step in _steps(scenario.script, ("script",)):
        yield (*path, "say"), step.say, False
        if step.when is not None:
            yield (*path, "when"), step.when, True
        for index, call in enumerate(step.calls):
            here = (*path, "calls", index)
            if call.for_each is not None:
                yield (*here, "for_each"), call.for_each, True
            for text in _texts(call.input):
                yield (*here, "input"), text, False


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
