"""`import course` is light, and each of its names is there when it is asked for."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import course

HEAVY = {"anthropic", "ipywidgets", "anywidget", "pydantic", "yaml", "IPython", "httpx2", "asyncio"}


def loaded_after(statement: str) -> set[str]:
    """The top names of all modules that a new Python holds after this statement."""
    code = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    return {name.partition(".")[0] for name in json.loads(done.stdout)}


def test_import_course_brings_in_nothing_heavy() -> None:
    assert loaded_after("import course") & HEAVY == set()


def test_the_check_sees_a_heavy_import() -> None:
    assert "anthropic" in loaded_after("import course, anthropic")


def test_the_settings_are_light() -> None:
    assert loaded_after("from course.settings import load_settings; load_settings({})") & HEAVY == set()


def test_all_names_are_there() -> None:
    missing = [name for name in course.__all__ if not hasattr(course, name)]
    assert missing == []


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"^module 'course' has no attribute 'nothing'$"):
        course.nothing  # noqa: B018
