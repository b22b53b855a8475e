import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from course.exercises.cells import unreadable

GOOD = "def my_loop(client):\n    return 1"
BROKEN = "def my_loop(client):\n    return ("


@pytest.mark.parametrize(
    "cells",
    [
        [],
        ["", GOOD],
        ["", BROKEN, GOOD, 'check("01.1")'],
        ["", GOOD, "step(record(my_loop, ("],
        ["", GOOD, "my_loop(("],
        ["", "import x\n\nasync def my_loop(client):\n    pass\n\nawait my_loop(1)"],
        ["", r"my_loop = '\d'"],
    ],
)
@pytest.mark.filterwarnings("error")
def test_the_last_cell_that_defines_the_name_can_be_read(cells):
    assert unreadable(cells, "my_loop") is None


@pytest.mark.parametrize(
    "broken",
    [
        BROKEN,
        "x = 1\n\ndef my_loop(client:\n    return 1",
        "def my_loop(client)\n    return 1",
        "def my_loop(client):\nreturn 1",
        "async def my_loop(client):\n    return )",
        "my_loop = = 1",
        "my_loop: int = (",
    ],
)
def test_the_last_cell_that_defines_the_name_can_not_be_read(broken):
    assert isinstance(unreadable(["", GOOD, broken, 'check("01.1")'], "my_loop"), SyntaxError)


def test_ipython_keeps_a_cell_that_it_could_not_read():
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    shell.showsyntaxerror = lambda *_, **__: None
    for cell in (GOOD, BROKEN, "1 + 1"):
        shell.run_cell(cell, store_history=True)
    error = unreadable(shell.user_ns["In"], "my_loop")
    assert error is not None
    assert error.lineno == 2
