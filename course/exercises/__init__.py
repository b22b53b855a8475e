"""The exercises of the notebooks: their texts (one YAML file for each notebook) and their checks (one module each)."""

from course.exercises.exercise import Exercise, Verdict, exercises, find

__all__ = ["Exercise", "Verdict", "exercises", "find"]
