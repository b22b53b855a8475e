"""What `record` is given: a function, in whatever wrapping."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from course.errors import RecordError
from course.words import _

__all__ = ["check_target", "function_of"]


def check_target(loop: object) -> None:
    """Raise RecordError for what is not a function."""
    if inspect.iscoroutine(loop):
        loop.close()
    if inspect.isawaitable(loop) or inspect.isgenerator(loop) or inspect.isasyncgen(loop) or not callable(loop):
        raise RecordError(
            _(
                "record() takes the function itself, not its result: write record(loop, client), not record(loop(client))."
            )
            + " "
            + _("It got {what}.").format(what="None" if loop is None else type(loop).__name__)
        )


def function_of(loop: Any) -> Any:
    """The function behind a partial, a method, a decorator or a callable object."""
    while isinstance(loop, functools.partial):
        loop = loop.func
    loop = inspect.unwrap(loop)
    if inspect.ismethod(loop):
        return loop.__func__
    if inspect.isfunction(loop) or isinstance(loop, type):
        return loop
    return getattr(type(loop).__call__, "__func__", type(loop).__call__)
