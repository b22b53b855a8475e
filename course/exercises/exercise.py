"""What an exercise is, and what a check answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from course import strict_yaml
from course.errors import LessonError
from course.words import _

if TYPE_CHECKING:
    from course.trace import Trace

__all__ = ["Exercise", "Verdict", "exercises", "find", "no_answer_yet"]

FOLDER = Path(__file__).parent


class Exercise(BaseModel):
    """The texts of one exercise. `answer` is the name that the learner gives to the function or value that is checked."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^\d\d\.\d$")
    kind: Literal["write", "repair", "predict"]
    answer: str
    hints: tuple[str, str, str]
    solution: str

    @property
    def check(self) -> Callable[[Any], Verdict]:
        """The function that judges an answer: `exercise_2` of `course.exercises.notebook_01` for the id 01.2."""
        notebook, number = self.id.split(".")
        check: Callable[[Any], Verdict] = getattr(
            import_module(f"course.exercises.notebook_{notebook}"), f"exercise_{number}"
        )
        return check


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    exercises: tuple[Exercise, ...]


@dataclass(frozen=True)
class Verdict:
    """What a check found. happened: what the answer did. matters: why that is right or wrong. trace: the run, if one was
    made, for the stepper."""

    passed: bool
    happened: str
    matters: str = ""
    trace: Trace | None = None


def no_answer_yet(names: Iterable[object], remedy: str) -> Verdict:
    """What is said when some of several answers are still as the notebook gave them."""
    listed = ", ".join(map(str, names))
    return Verdict(False, _("There is no answer yet for: {names}.").format(names=listed), remedy)


@cache
def exercises() -> dict[str, Exercise]:
    """All exercises by id. Raises YamlError if a file has faults."""
    found = {}
    for file in sorted(FOLDER.glob("*.yaml")):
        document = strict_yaml.read(file)
        for exercise in strict_yaml.validate(document, _File).exercises:
            found[exercise.id] = exercise
    return found


def find(id: str) -> Exercise:
    """The exercise with this id ("01.1"). Raises LessonError if there is none."""
    known = exercises()
    if str(id) in known:
        return known[str(id)]
    near = _near(str(id))
    if len(near) == 1:
        remedy = _('Did you mean "{id}"?').format(id=near[0])
    elif near:
        remedy = _("This notebook has {ids}.").format(ids=", ".join(near))
    else:
        ids = list(known)
        remedy = _('An id is written like "{first}". The last one is "{last}".').format(first=ids[0], last=ids[-1])
    raise LessonError(_("There is no exercise {id!r}.").format(id=id) + " " + remedy)


def _near(id: str) -> list[str]:
    """The id that was meant ("1.1" or "01_1" for 01.1), or all those of the notebook that was meant; else none."""
    match = re.fullmatch(r"\s*(\d+)(?:\D+(\d+))?\s*", id)
    if match is None:
        return []
    notebook, number = int(match[1]), int(match[2] or 0)
    meant = f"{notebook:02}.{number}"
    of_notebook = [each for each in exercises() if each.startswith(f"{notebook:02}.")]
    return [meant] if meant in of_notebook else of_notebook
