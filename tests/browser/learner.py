"""Cells for the notebooks of tests in which a learner answers questions."""

from __future__ import annotations

__all__ = ["new_learner"]


def new_learner(name: str) -> str:
    """A cell that gives the notebook a progress folder of its own, in which nothing is kept yet."""
    return f"import os\nos.environ['COURSE_PROGRESS_FOLDER'] = os.path.abspath('progress-{name}')"
