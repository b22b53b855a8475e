"""Benchmarks may drive JupyterLab in Chromium, as the tests in tests/browser do."""

from __future__ import annotations

import browser_fixtures
import pytest


def pytest_configure(config: pytest.Config) -> None:
    """One set of fixtures, and so one browser, for this folder and for tests/browser."""
    if not config.pluginmanager.is_registered(browser_fixtures):
        config.pluginmanager.register(browser_fixtures)
