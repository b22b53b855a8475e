"""Every test in this folder drives JupyterLab in Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser_fixtures import browser, lab, lab_page, screenshots

__all__ = ["browser", "lab", "lab_page", "screenshots"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them, so that `-m "not browser"` leaves them out."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
