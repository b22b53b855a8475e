"""Whether an answer is the function that an exercise asks for, before it is run."""

from __future__ import annotations

import inspect
from typing import Any

from course.exercises.exercise import Verdict
from course.words import _

__all__ = ["no_such_function"]


def no_such_function(answer: Any, signature: str) -> Verdict | None:
    """What is wrong with an answer that is not the plain function `my_loop(client, messages)`; None if it can be run.

    Its parameters may have other names.
    """
    name, wanted = signature.rstrip(")").split("(")
    happened = _no_plain_function(answer, name) or _cannot_be_called(answer, name, wanted.split(", "))
    if happened is None:
        return None
    return Verdict(False, happened, _("Write it with def {signature}.").format(signature=signature))


def _no_plain_function(answer: Any, name: str) -> str | None:
    if not callable(answer):
        return _("{name} is not a function.").format(name=name)
    if inspect.iscoroutinefunction(answer) or inspect.isasyncgenfunction(answer):
        return _("{name} is an async function. This exercise wants a plain one.").format(name=name)
    if inspect.isgeneratorfunction(answer):
        words = _("{name} is a generator, since there is a yield in it. This exercise wants a plain function.")
        return words.format(name=name)
    return None


def _cannot_be_called(answer: Any, name: str, wanted: list[str]) -> str | None:
    """The fault of its parameters, in Python's words. The checks give some arguments by position, and some by name."""
    try:
        parameters = inspect.signature(answer)
    except (TypeError, ValueError):  # a function of C may not tell
        return None
    faults = []
    for by_position in range(len(wanted), -1, -1):
        try:
            parameters.bind(*wanted[:by_position], **dict.fromkeys(wanted[by_position:]))
            return None
        except TypeError as error:
            faults.append(str(error))
    words = _("{name} does not take what this exercise gives it, which is {wanted}: {fault}.")
    return words.format(name=name, wanted=", ".join(wanted), fault=faults[0])
