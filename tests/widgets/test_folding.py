import inspect

import pytest

from course.loop import run_loop
from course.widgets.folding import shown_lines
from course.widgets.highlight import spans

DOCSTRING = ["def f(x):", '    """One.', "", "    Two.", '    """', "    return x"]
PARAMETERS = ["def f(", "    a,", "    b,", "    c,", "):", "    return a"]


def texts(source):
    return [None if line is None else "".join(text for _kind, text in line) for line in shown_lines(source)]


def test_a_long_docstring_is_folded():
    assert texts("\n".join(DOCSTRING)) == ["def f(x): …", None, None, None, None, "    return x"]


def test_a_long_list_of_parameters_is_folded():
    assert texts("\n".join(PARAMETERS)) == ["def f( …", None, None, None, None, "    return a"]


@pytest.mark.parametrize("head", ["async def f(x):", "@g\ndef f(x):", "    def f(self, x):"])
def test_functions_of_every_kind(head):
    indent = "    " * head.startswith(" ")
    shown = texts("\n".join([head, *(indent + line for line in DOCSTRING[1:])]))
    assert shown.count(None) == 4
    assert shown[-1] == f"{indent}    return x"
    assert shown[head.count("\n")] == f"{head.splitlines()[-1]} …"


@pytest.mark.parametrize(
    "source",
    [
        'def f(x):\n    """One.\n\n    Two."""\n    return x',
        "def f(x):\n    y = 1\n    return x",
        'def f(x):\n    y = """\n\n\n\n"""\n    return x',
        'def f(x):\n    """One.\n\n    Two.\n    """',
        "lambda x: (\n1,\n2,\n3)",
        "def f(:\n\n\n\n",
        "",
    ],
)
def test_everything_else_is_shown_whole(source):
    assert shown_lines(source) == spans(source)


def test_the_courses_own_loop_begins_with_the_lines_that_run():
    first, second, *_ = [line for line in texts(inspect.getsource(run_loop)) if line is not None]
    assert (first, second) == ("def run_loop( …", '    request = {"model": model, "tools": definitions_of(tools)}')
