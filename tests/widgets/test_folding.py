import inspect

import pytest

from course.loop import run_loop
from course.widgets.folding import shown_lines
from course.widgets.highlight import spans

LONG = ["def f(x):", '    """One.', "", "    Two.", '    """', "    return x"]


def texts(source):
    return [None if line is None else "".join(text for _kind, text in line) for line in shown_lines(source)]


def test_of_a_long_docstring_the_first_line_is_left():
    assert texts("\n".join(LONG)) == ["def f(x):", '    """One. …', None, None, None, "    return x"]


@pytest.mark.parametrize("head", ["async def f(x):", "@g\ndef f(x):", "    def f(self, x):"])
def test_functions_of_every_kind(head):
    indent = "    " * head.startswith(" ")
    source = "\n".join([head, *(indent + line for line in LONG[1:])])
    assert texts(source).count(None) == 3
    assert texts(source)[-1] == f"{indent}    return x"


@pytest.mark.parametrize(
    "source",
    [
        'def f(x):\n    """One.\n\n    Two."""\n    return x',
        "def f(x):\n    y = 1\n    return x",
        'def f(x):\n    y = """\n\n\n\n"""\n    return x',
        "lambda x: (\n1,\n2,\n3)",
        "def f(:\n\n\n\n",
        "",
    ],
)
def test_everything_else_is_shown_whole(source):
    assert shown_lines(source) == spans(source)


def test_the_first_lines_of_the_courses_own_loop_are_seen_at_once():
    shown = [line for line in texts(inspect.getsource(run_loop)) if line is not None]
    assert shown.index("    definitions = definitions_of(tools)") == 10
