"""The notebooks in their order, and the links from one to the next. A notebook that is not there yet is passed over."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from course import strict_yaml
from course.settings import ROOT
from course.words import _

__all__ = ["NOTEBOOKS", "Lesson", "lessons", "navigation"]

NOTEBOOKS = ROOT / "notebooks"
FILE = Path(__file__).with_name("lessons.yaml")


class Lesson(BaseModel):
    """One notebook. minutes: how long it takes. about: its content in a few words."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^\d\d_[a-z_]+$")
    title: str
    minutes: int
    about: str

    @property
    def path(self) -> Path:
        """Its file."""
        return NOTEBOOKS / f"{self.name}.ipynb"

    @property
    def link(self) -> str:
        """A Markdown link to it from another notebook."""
        return f"[{self.name[:2]} · {self.title}]({self.name}.ipynb)"


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    lessons: tuple[Lesson, ...]


@cache
def lessons() -> tuple[Lesson, ...]:
    """The notebooks that are there, in their order."""
    listed = strict_yaml.validate(strict_yaml.read(FILE), _File).lessons
    return tuple(lesson for lesson in listed if lesson.path.is_file())


def navigation(name: str) -> str:
    """The line of links at the end of the notebook of this name: to the one before and to the one after."""
    names = [lesson.name for lesson in lessons()]
    at = names.index(name)
    links = []
    if at > 0:
        links.append(_("Previous: {link}").format(link=lessons()[at - 1].link))
    if at + 1 < len(names):
        links.append(_("Next: {link}").format(link=lessons()[at + 1].link))
    return " · ".join(links)
