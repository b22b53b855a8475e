"""What is wrong with code before it is run. Such code is no answer yet: it uses up no question."""

from __future__ import annotations

import ast
import warnings

from course.quiz.items import CodeItem
from course.words import _

__all__ = ["code_fault"]


def code_fault(item: CodeItem, source: str) -> str | None:
    """Why this source can't be an answer to the item, and what to do; None if it can. It is read, and never run."""
    source = source.expandtabs(4)  # as it is run later
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python would print about "\d" in a string
            tree = ast.parse(source)
            compile(source, "<answer>", "exec")  # finds more than parsing: a `return` outside of functions
    except SyntaxError as error:
        what = _("Line {n} of your code can't be read: {why}. Correct it and check again.")
        return what.format(n=error.lineno or 1, why=error.msg)
    except (ValueError, RecursionError, MemoryError) as error:
        return _("Your code can't be read: {why}. Correct it and check again.").format(why=error)
    functions = [each.name for each in tree.body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]
    if item.function not in functions:
        what = _("Your code has no function {name}. Write one that begins with `def {name}(`, and check again.")
        return what.format(name=item.function)
    return None
