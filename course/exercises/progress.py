"""What a learner did with each exercise, kept from one kernel to the next."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from course.progress import Record

__all__ = ["Done", "ExerciseProgress"]


class Done(BaseModel):
    """Of one exercise: how many hints were shown, whether its solution was, and whether the check passed."""

    model_config = ConfigDict(frozen=True)

    hints: int = 0
    helped: bool = False
    solved: bool = False


class _Exercises(BaseModel):
    model_config = ConfigDict(frozen=True)

    exercises: dict[str, Done] = {}


class ExerciseProgress:
    """The file `exercises.json`. `notes` are sentences about what went wrong with it, for the reader of the next answer."""

    def __init__(self) -> None:
        self._record = Record("exercises", _Exercises)
        self._notes: list[str] = []

    def notes(self) -> list[str]:
        """The sentences since the last call."""
        notes, self._notes = self._notes, []
        return notes

    def of(self, id: str) -> Done:
        """What is kept of this exercise."""
        return self._record.read(self._notes.append).exercises.get(id, Done())

    def hint_shown(self, id: str, number: int) -> None:
        """The hint of this number, counted from 1, was shown."""
        self._keep(id, hints=number)

    def solution_shown(self, id: str) -> None:
        """From now on it counts as solved with help."""
        self._keep(id, helped=True)

    def check_passed(self, id: str) -> None:
        """The learner's answer is right."""
        self._keep(id, solved=True)

    def _keep(self, id: str, **done: int | bool) -> None:
        def change(content: _Exercises) -> _Exercises:
            of_one = content.exercises.get(id, Done()).model_copy(update=done)
            return _Exercises(exercises={**content.exercises, id: of_one})

        self._record.change(change, self._notes.append)
