"""Every test, in whatever way pytest was started, runs with the network closed and away from the user's own files."""

from __future__ import annotations

import os
import runpy
import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from surroundings import CLOSED_NETWORK, closed_environment, network_is_closed

_folder = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    """Before any test is imported. With pytest-xdist, once in each worker."""
    folder = Path(tempfile.mkdtemp(prefix="course-tests-"))
    config.stash[_folder] = folder
    env = closed_environment(folder)
    os.environ.clear()
    os.environ.update(env)
    if not network_is_closed():
        runpy.run_path(str(CLOSED_NETWORK / "sitecustomize.py"))


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.stash[_folder], ignore_errors=True)


@pytest.fixture(autouse=True)
def new_kernel() -> None:
    """Each test begins as a kernel does: no change to a file of progress waits for its disk."""
    progress = sys.modules.get("course.progress")
    if progress is not None:
        progress.UNWRITTEN.clear()
