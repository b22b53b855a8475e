"""What every test with a browser shares: one JupyterLab and one Chromium for the whole run, a page for each test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab import ROOT, Lab, LabPage, lab_page_in, running_lab
from playwright.sync_api import Browser, sync_playwright

from course.doctor import find_chromium

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium. Where there is none, the tests are reported as not run; in CI that is a failure."""
    chromium = find_chromium()
    if chromium is None:
        reason = "not run: Chromium was not found. Install it, or name it in COURSE_CHROMIUM."
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """JupyterLab over a copy of the course's notebooks. It asks for `browser` first: without one it need not start."""
    with running_lab(tmp_path_factory.mktemp("lab")) as lab:
        shutil.copytree(ROOT / "notebooks", lab.folder, dirs_exist_ok=True)
        yield lab


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pictures go: the folder that COURSE_SCREENSHOTS names, or a temporary one."""
    folder = Path(os.environ.get("COURSE_SCREENSHOTS") or tmp_path_factory.mktemp("screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def lab_page(browser: Browser, lab: Lab, screenshots: Path) -> Iterator[LabPage]:
    """A page 1280 pixels wide. No test may leave an error in its console, nor ask for anything that is not on this machine."""
    with lab_page_in(browser, lab, screenshots) as page:
        yield page
        page.check()
