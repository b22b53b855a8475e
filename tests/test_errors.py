import inspect

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import course.errors as errors
from course.errors import CourseError, Fault, LessonError, YamlError

TREE = [line for line in (errors.__doc__ or "").splitlines() if line.startswith("    ") and "Error" in line]


def test_the_tree_in_the_docstring_is_the_tree_of_the_classes():
    drawn = [line.strip("│├└─ ").split()[0] for line in TREE]
    classes = [each for _, each in inspect.getmembers(errors, inspect.isclass) if issubclass(each, CourseError)]
    assert sorted(drawn) == sorted(each.__name__ for each in classes)


def test_the_faults_of_a_file_come_in_the_order_of_their_lines():
    error = YamlError([Fault("b.yaml", 9, "Late.", "Mend it."), Fault("b.yaml", 2, "Early.")])
    assert str(error) == "b.yaml:2: Early.\nb.yaml:9: Late. Mend it."


def test_a_notebook_shows_the_message_and_no_traceback():
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    shell.user_ns["error"] = LessonError("There is no such quiz.")
    shown = []
    shell._showtraceback = lambda kind, value, lines: shown.extend(lines)
    shell.run_cell("raise error")
    assert shown == ["LessonError: There is no such quiz."]
