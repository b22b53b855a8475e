"""The loop that notebook 04 builds, and `course.loop.run_loop`, are the same code."""

import ast
import inspect
from pathlib import Path

import nbformat

from course.loop import run_loop

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "04_robust_loop.ipynb"
MOST_LINES = 25


def cell(id):
    return next(cell.source for cell in nbformat.read(NOTEBOOK, as_version=4).cells if cell.id == id)


def bare(source):
    """The syntax tree of a function without its docstring and its annotations."""
    (function,) = ast.parse(source).body
    if ast.get_docstring(function) is not None:
        del function.body[0]
    function.returns = None
    for argument in ast.walk(function.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    return ast.dump(function)


def test_the_loop_of_the_notebook_and_that_of_the_package_are_the_same_code():
    assert bare(cell("whole-loop")) == bare(inspect.getsource(run_loop))


def test_another_line_would_be_seen():
    changed = cell("whole-loop").replace('"pause_turn"', '"end_turn"', 1)
    assert bare(changed) != bare(inspect.getsource(run_loop))


def test_the_whole_loop_fits_on_a_screen():
    source = cell("whole-loop")
    assert not ast.get_docstring(ast.parse(source).body[0])
    assert len(source.splitlines()) <= MOST_LINES


def test_the_notebook_takes_nothing_else_of_the_loop_from_the_package():
    taken = {
        name.name
        for node in ast.walk(ast.parse(cell("parts-of-the-loop")))
        if isinstance(node, ast.ImportFrom) and node.module == "course.loop"
        for name in node.names
    }
    assert taken == {"LARGEST_MAX_TOKENS", "NUDGE", "fuse_blew", "unknown_ending"}
