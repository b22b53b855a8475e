"""How long a learner waits: `import course`, and from `python3 run.py lab` to the first notebook on the screen.

    .venv/bin/python -m pytest tests/benchmarks/test_start.py

The second needs a .venv that run.py has made, and Chromium.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from pytest_benchmark.fixture import BenchmarkFixture

from course.doctor import find_chromium

ROOT = Path(__file__).resolve().parents[2]


def test_import_course(benchmark: BenchmarkFixture) -> None:
    """A whole Python process. Take off the time of the empty one below."""
    benchmark(subprocess.run, [sys.executable, "-c", "import course"], check=True)


def test_empty_python(benchmark: BenchmarkFixture) -> None:
    benchmark(subprocess.run, [sys.executable, "-c", ""], check=True)


def open_lab(browser: Browser) -> None:
    command = [sys.executable, "run.py", "lab", "--no-browser", "--IdentityProvider.token=benchmark"]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, encoding="utf-8")
    try:
        assert process.stderr is not None
        address = next(filter(None, (re.search(r"http://127\S*(?=\?token=)", line) for line in process.stderr)))
        with browser.new_page() as page:
            page.goto(f"{address.group()}?token=benchmark")
            page.locator(".jp-Notebook .jp-MarkdownOutput h1").first.wait_for(timeout=60_000)
    finally:
        process.terminate()
        process.communicate()


def test_lab_to_the_first_notebook(benchmark: BenchmarkFixture) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"])
        benchmark.pedantic(open_lab, args=(browser,), rounds=3)
        browser.close()
