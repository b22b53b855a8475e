"""The agent loop, learned by running it.

`import course` is light: a name below is imported when it is first used, so neither `anthropic` nor `ipywidgets` is loaded
before a lesson needs it. Notebooks import what they use from `course.lesson`.
"""

from importlib import import_module

__version__ = "0.1.0"

_HOME = {
    "client": "course.clients",
    "async_client": "course.clients",
    "record": "course.trace",
    "compare": "course.trace",
    "Trace": "course.trace",
    "run_loop": "course.loop",
    "tool": "course.tools",
    "Workspace": "course.workspace",
    "step": "course.widgets",
    "side_by_side": "course.widgets",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'course' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
