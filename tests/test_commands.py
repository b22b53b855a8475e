"""The list of commands that run.py knows, against the commands that there are."""

import pytest
import typer

from course.cli import app
from course.commands import commands, helped, helped_test, unknown

RUN_PY = {"lab", "test"}


def test_it_lists_the_commands_of_the_package_and_those_of_run_py():
    assert set(commands()) - RUN_PY == set(typer.main.get_command(app).commands)


def test_each_command_says_the_same_in_its_own_help():
    for name, command in typer.main.get_command(app).commands.items():
        assert command.help == commands()[name]


def test_the_help_has_a_line_for_each_command():
    for name, sentence in commands().items():
        (line,) = [line for line in helped().splitlines() if line.startswith(f"  python3 run.py {name} ")]
        assert line.endswith(sentence)


@pytest.mark.parametrize(
    ("name", "meant"), [("bananas", ""), ("Lab", " Did you mean lab?"), ("dril", " Did you mean drill?")]
)
def test_a_command_that_is_not_there(name, meant):
    listed = ", ".join(commands())
    assert unknown(name) == f"There is no command '{name}'.{meant} The commands are: {listed}."


def test_the_help_of_test_says_what_each_part_checks():
    assert (
        helped_test()
        == """\
Run every check of the course, or some: python3 run.py test unit notebooks.

  style      How the code is written (ruff).
  types      The types in the code (mypy).
  unit       The tests of the code.
  verify     The questions: their proofs are run.
  notebooks  Each cell of each notebook gives the output that is saved in it.
  exercises  Each exercise, unsolved and solved.
  browser    The notebooks in JupyterLab; this needs Chromium.

Without a name, all parts run. The first run installs what the tests need."""
    )
