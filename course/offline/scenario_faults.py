"""What can be wrong with a scenario beside its shape: found when it is loaded, not when a learner meets it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from course.errors import Fault
from course.offline.expressions import problem
from course.strict_yaml import Document
from course.words import _

if TYPE_CHECKING:
    from course.offline.scenario import Scenario, Step

__all__ = ["find_faults"]

Where = tuple[str | int, ...]
WORKSPACES = Path(__file__).parents[1] / "workspaces"
TOOL_NAME = re.compile("[a-zA-Z0-9_-]{1,128}")


def find_faults(scenario: Scenario, name: str, document: Document) -> list[Fault]:
    """All faults of a scenario that was read from the file `name`.yaml."""
    faults = []
    if scenario.name != name:
        what = _("The name is {name}, but the file is {file}.yaml.").format(name=scenario.name, file=name)
        faults.append(document.fault(("name",), what, _("Give both the same name.")))
    if not scenario.fits(scenario.prompt) and not scenario.is_refused(scenario.prompt):
        what = _("The key words in knows don't fit the prompt.")
        faults.append(document.fault(("knows",), what, _("Add a list of words that the prompt holds.")))
    if not scenario.answer.strip():
        what = _("The answer is empty, so the model would end without a word.")
        faults.append(document.fault(("answer",), what, _("Write what it says at the end.")))
    faults += _faults_of_names(scenario, document)
    for path, step in _steps(scenario.script, ("script",)):
        faults += _faults_of_step(step, path, scenario, document)
    for path, text, expression in _templates(scenario):
        wrong = problem(text, expression=expression, item=path[-1] == "input")
        if wrong:
            faults.append(document.fault(path, _("This template can't be read: {problem}.").format(problem=wrong)))
    return faults


def _faults_of_names(scenario: Scenario, document: Document) -> Iterator[Fault]:
    """The workspace, the tools and the key words: what can be written and never fits."""
    folders = sorted(folder.name for folder in WORKSPACES.iterdir() if folder.is_dir())
    if scenario.workspace is not None and scenario.workspace not in folders:
        what = _("There is no workspace {name!r}.").format(name=scenario.workspace)
        yield document.fault(("workspace",), what, _("The workspaces are: {names}.").format(names=", ".join(folders)))
    for index, tool in enumerate(scenario.tools):
        if TOOL_NAME.fullmatch(tool) is None:
            what = _("No tool can have the name {name!r}.").format(name=tool)
            yield document.fault(("tools", index), what, _("Use letters, digits, _ and -."))
    wordings = [
        (("knows",), scenario.knows),
        (("refuses", "knows"), scenario.refuses.knows if scenario.refuses else []),
    ]
    for path, lists in wordings:
        for at, words in enumerate(lists):
            for index, word in enumerate(words):
                if not all(part.strip() for part in word.split("|")):
                    yield document.fault((*path, at, index), _("A key word is empty: it would fit every text."))
    if scenario.refuses is not None and "{{" in scenario.refuses.say:
        yield document.fault(
            ("refuses", "say"), _("What is said before a refusal is no template."), _("Write plain text.")
        )


def _steps(script: list[Step], path: Where) -> Iterator[tuple[Where, Step]]:
    for index, step in enumerate(script):
        yield (*path, index), step
        yield from _steps(step.if_error or [], (*path, index, "if_error"))


def _faults_of_step(step: Step, path: Where, scenario: Scenario, document: Document) -> Iterator[Fault]:
    if bool(step.calls) == bool(step.searches):
        yield document.fault(path, _("A step has either calls or searches."))
    if step.forever and not step.calls:
        yield document.fault((*path, "forever"), _("Only a step with calls can go on for ever."))
    for index, call in enumerate(step.calls):
        if call.tool not in scenario.tools:
            what = _("The tool {tool} is not in tools.").format(tool=call.tool)
            yield document.fault((*path, "calls", index, "tool"), what, _("Add it there."))


def _templates(scenario: Scenario) -> Iterator[tuple[Where, str, bool]]:
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
