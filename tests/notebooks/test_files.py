"""What holds for every notebook file, without running it."""

import re
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
LONGEST_CELL = 25  # lines; what is longer belongs in the package

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path):
    return nbformat.read(path, as_version=4)


def code_cells(path):
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def prose(path):
    return "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")


def test_the_notebooks_are_there():
    assert [path.stem for path in NOTEBOOKS][:2] == ["00_start_here", "01_raw_loop"]


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
def test_it_names_no_model(path):
    assert not re.search(r"claude-[a-z]+-\d", path.read_text(encoding="utf-8"))


@each_notebook
def test_its_links_to_other_notebooks_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#]+\.ipynb)[^)]*\)", prose(path)):
        assert (path.parent / target).is_file(), target


@each_notebook
def test_it_says_how_long_it_takes_and_what_one_can_do_afterwards(path):
    first = read(path).cells[0].source
    assert re.search(r"about \d+ minutes", first)
    assert "After this notebook you can" in first


@each_notebook
def test_it_has_an_exercise_and_ends_with_a_quiz(path):
    sources = [cell.source for cell in code_cells(path)]
    assert any(re.search(r'^check\("\d\d\.\d"\)', source, re.MULTILINE) for source in sources)
    assert sources[-1] == f'quiz("{path.stem}")'
