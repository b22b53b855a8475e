"""What holds for every notebook file, without running it."""

import re

import nbformat
import pytest

from course.lessons import NOTEBOOKS as FOLDER
from course.lessons import lessons, navigation
from course.quiz.bank import named_bank

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
LONGEST_CELL = 25  # lines; what is longer belongs in the package
LONGEST_LINE = 107  # characters that JupyterLab shows beside its file browser, in a window 1280 pixels wide

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path):
    return nbformat.read(path, as_version=4)


def code_cells(path):
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def prose(path):
    return "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")


def lesson(path):
    return next(each for each in lessons() if each.name == path.stem)


def test_every_notebook_is_in_the_list_of_lessons():
    assert [each.path for each in lessons()] == NOTEBOOKS
    assert NOTEBOOKS[0].stem == "00_start_here"


@each_notebook
def test_it_is_valid_and_its_cells_have_names_for_ids(path):
    nbformat.validate(read(path))
    ids = [cell.id for cell in read(path).cells]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z][a-z0-9-]+", each) for each in ids)


@each_notebook
def test_any_kernel_named_python3_runs_it(path):
    assert read(path).metadata.kernelspec.name == "python3"


@each_notebook
def test_it_was_run_from_top_to_bottom_before_it_was_committed(path):
    counts = [cell.execution_count for cell in code_cells(path)]
    assert counts == list(range(1, len(counts) + 1))


@each_notebook
def test_it_holds_no_widget_state(path):
    assert "widgets" not in read(path).metadata
    assert "application/vnd.jupyter.widget" not in path.read_text(encoding="utf-8")


@each_notebook
def test_its_cells_are_short(path):
    assert max(len(cell.source.splitlines()) for cell in code_cells(path)) <= LONGEST_CELL


@each_notebook
def test_its_lines_of_code_are_seen_without_scrolling_sideways(path):
    long = [
        (cell.id, line) for cell in code_cells(path) for line in cell.source.splitlines() if len(line) > LONGEST_LINE
    ]
    assert long == []


@each_notebook
def test_it_names_no_model(path):
    assert not re.search(r"claude-[a-z]+-\d", path.read_text(encoding="utf-8"))


@each_notebook
def test_its_links_to_other_notebooks_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#]+\.ipynb)[^)]*\)", prose(path)):
        assert (path.parent / target).is_file(), target


@each_notebook
def test_its_title_is_the_one_in_the_list(path):
    assert read(path).cells[0].source.splitlines()[0] == f"# {path.stem[:2]} · {lesson(path).title}"


@each_notebook
def test_it_ends_with_the_links_to_the_notebooks_before_and_after(path):
    assert read(path).cells[-1].source.startswith(f"---\n{navigation(path.stem)}\n\n")


@each_notebook
def test_it_says_what_one_can_do_afterwards_and_how_long_it_takes(path):
    first = read(path).cells[0].source
    assert "After this notebook you can" in first
    assert f"This takes about {lesson(path).minutes} minutes." in first


@each_notebook
def test_the_minutes_are_true(path):
    """150 words a minute; half a minute for each code cell, three minutes for each exercise with all its cells, one for each
    question of the quiz."""
    cells = [cell for cell in code_cells(path) if not cell.id.startswith("ex-")]
    exercises = sum(cell.id.endswith("-answer") for cell in code_cells(path))
    needed = len(prose(path).split()) / 150 + len(cells) / 2 + 3 * exercises + len(named_bank(path.stem).items)
    assert abs(lesson(path).minutes - needed) <= 5, needed
