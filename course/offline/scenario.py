"""A scenario: a task that the offline model knows, as data. One small YAML file each, in `scenarios/`.

A script is a list of steps. A step says something and asks for tools, or searches the web. When all steps are done comes the
answer. What the model says next follows from the request alone: `script.py` finds the first step that is not done yet.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from course import strict_yaml
from course.errors import CourseError, ScenarioError
from course.offline.scenario_faults import find_faults
from course.words import _

__all__ = [
    "Call",
    "Page",
    "Refusal",
    "Scenario",
    "Search",
    "Step",
    "load_scenario",
    "meaning",
    "names",
    "pick",
    "read_scenario",
]

FOLDER = Path(__file__).parent / "scenarios"


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Call(_Data):
    """A tool to ask for. `for_each`: an expression that gives a list; one call for each `item` of it."""

    tool: str
    input: dict[str, Any] = {}
    for_each: str | None = None


class Page(_Data):
    """A page that a web search finds."""

    title: str
    url: str
    text: str


class Search(_Data):
    """A web search, and what it finds."""

    query: str
    finds: list[Page]


class Step(_Data):
    """One turn of the model: what it says, and what it asks for.

    when: an expression; the step is left out while it is false. forever: it is never done, whatever comes back.
    if_error: the steps that follow if one of its calls failed. Without it the model gives up and says so; an empty list
    means that it goes on.
    """

    say: str = ""
    calls: list[Call] = []
    searches: list[Search] = []
    when: str | None = None
    forever: bool = False
    if_error: list[Step] | None = None


class Refusal(_Data):
    """What is refused (key words, as in `knows`), and what `stop_details` says. `say`: the part of an answer before it."""

    knows: list[list[str]]
    category: Literal["cyber", "bio", "frontier_llm", "reasoning_extraction", "general_harms"] | None = None
    explanation: str | None = None
    say: str = ""


class Scenario(_Data):
    """A task.

    prompt: the task as a lesson words it. knows: other wordings: the task is meant by a text that holds every word of one
    of these lists; "a|b" means one of both, and a word may have an ending ("file" also stands for "files").
    workspace: the folder in `course/workspaces` whose files the tools see. tools: what the model needs to be offered.
    think: what it thinks first, if the request asks for thinking. context_window: in tokens, in place of the model's own.
    searches_per_request: after so many web searches in one request the turn pauses.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$", description="Use small letters, digits and _.")
    prompt: str
    knows: list[list[str]]
    answer: str
    workspace: str | None = None
    tools: list[str] = []
    script: list[Step] = []
    think: str = ""
    context_window: int | None = Field(default=None, ge=1)
    searches_per_request: int = Field(default=10, ge=1)
    refuses: Refusal | None = None

    def __hash__(self) -> int:
        """By its name, so that what a text means to some scenarios can be remembered."""
        return hash(self.name)

    def fits(self, text: str) -> int:
        """How well a text means this task: the number of key words found, 0 if it doesn't."""
        return _best(self._wordings, text)

    def is_refused(self, text: str) -> bool:
        """True if the text asks for what this scenario refuses."""
        return self.refuses is not None and _best(self._refused_wordings, text) > 0

    @cached_property
    def _wordings(self) -> list[list[_Word]]:
        return _compile(self.knows)

    @cached_property
    def _refused_wordings(self) -> list[list[_Word]]:
        return _compile(self.refuses.knows if self.refuses else [])


@dataclass(frozen=True)
class _Word:
    """A key word, or "a|b" for one of both, alone or with an ending. Letters of scripts without spaces may stand beside it."""

    choice: tuple[str, ...]
    pattern: re.Pattern[str]

    def stands_in(self, text: str, lowered: str) -> bool:
        """`lowered`: the same text in small letters. Looking for the letters first makes a text of megabytes cheap."""
        return any(word in lowered for word in self.choice) and self.pattern.search(text) is not None


def _word(words: str) -> _Word:
    choice = "|".join(map(re.escape, words.split("|")))
    pattern = re.compile(rf"(?<![a-z0-9_])(?:{choice})(?:e?s|e?d|ing)?(?![a-z0-9_])", re.IGNORECASE)
    return _Word(tuple(words.lower().split("|")), pattern)


def _compile(wordings: list[list[str]]) -> list[list[_Word]]:
    return [[_word(words) for words in wording] for wording in wordings]


def _best(wordings: list[list[_Word]], text: str) -> int:
    """The most key words of a wording that the text holds in full."""
    lowered = text.lower()
    return max(
        (len(wording) for wording in wordings if all(word.stands_in(text, lowered) for word in wording)), default=0
    )


def names() -> list[str]:
    """The names of all scenarios of the course, sorted."""
    return sorted(file.stem for file in FOLDER.glob("*.yaml"))


@lru_cache(maxsize=64)
def load_scenario(name: str) -> Scenario:
    """A scenario of the course, by its name. Raises CourseError if there is none, ScenarioError if its file has faults."""
    known = names()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = _("Did you mean {near}?").format(near=near[0]) + " " if near else ""
        listed = _("The scenarios are: {names}.").format(names=", ".join(known))
        raise CourseError(_("There is no scenario {name!r}.").format(name=name) + f" {hint}{listed}")
    return read_scenario(FOLDER / f"{name}.yaml")


def read_scenario(path: Path | str) -> Scenario:
    """The scenario in a file. Raises ScenarioError with all its faults."""
    path = Path(path)
    document = strict_yaml.read(path, error=ScenarioError)
    scenario = strict_yaml.validate(document, Scenario, error=ScenarioError)
    faults = find_faults(scenario, path.stem, document)
    if faults:
        raise ScenarioError(faults)
    return scenario


@lru_cache(maxsize=64)
def meaning(scenarios: tuple[Scenario, ...], text: str) -> tuple[Scenario | None, Scenario | None]:
    """The scenario that a text means, and the one that refuses it; None where there is none. Remembered for the last texts,
    since each request of a conversation brings the same prompts again."""
    fits = [scenario.fits(text) for scenario in scenarios]
    best = max(fits, default=0)
    meant = scenarios[fits.index(best)] if best else None
    return meant, next((scenario for scenario in scenarios if scenario.is_refused(text)), None)


def pick(scenarios: Iterable[Scenario], text: str) -> Scenario | None:
    """The scenario that a text means; None if no one knows it."""
    return meaning(tuple(scenarios), text)[0]
