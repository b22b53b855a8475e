"""Every test in this folder drives JupyterLab in Chromium."""

from __future__ import annotations

from pathlib import Path

import browser_fixtures
import pytest


def pytest_configure(config: pytest.Config) -> None:
    """One set of fixtures, and so one browser, for this folder and for the benchmarks."""
    if not config.pluginmanager.is_registered(browser_fixtures):
        config.pluginmanager.register(browser_fixtures)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them, so that `-m "not browser"` leaves them out."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
