"""Every exercise in a real kernel: as shipped it says something useful, and with its solution filled in it passes."""

from pathlib import Path

import nbformat
import pytest
from refresh import run

from course.exercises import exercises

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
ALL = sorted({id.split(".")[0] for id in exercises()})


def notebook(number):
    (path,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    return nbformat.read(path, as_version=4)


def fill_in(cells, exercise):
    """Put the solution into the cell where the learner writes the answer."""
    number = exercise.id.split(".")[1]
    cells[f"ex-{number}-answer"].source = exercise.solution


def checked(cells, exercise):
    """What the check of an exercise answered."""
    number = exercise.id.split(".")[1]
    (output,) = cells[f"ex-{number}-check"].outputs
    return output["data"]["text/plain"]


def of_notebook(number):
    return [exercise for id, exercise in exercises().items() if id.startswith(number)]


@pytest.mark.parametrize("number", ALL)
def test_unsolved_every_check_says_what_is_missing(number):
    shipped = notebook(number)
    cells = {cell.id: cell for cell in shipped.cells}
    for exercise in of_notebook(number):
        lines = checked(cells, exercise).splitlines()
        assert lines[0] in (f"{exercise.id}: not yet", f"{exercise.id}: not answered yet")
        assert len(lines[1]) > 20


@pytest.mark.parametrize("number", ALL)
def test_solved_by_its_solution_every_check_passes(number):
    solved = notebook(number)
    cells = {cell.id: cell for cell in solved.cells}
    for exercise in of_notebook(number):
        fill_in(cells, exercise)
    run(solved)
    for exercise in of_notebook(number):
        assert checked(cells, exercise).splitlines()[0] == f"{exercise.id}: solved"
