"""A real JupyterLab, and a notebook in it as a person uses it: in Chromium, through Playwright."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request

ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / "course" / "labconfig"
START_SECONDS = 60
RUN_MILLISECONDS = 120_000
WAIT_MILLISECONDS = 20_000

# News would ask the network; without windowing, cells that are off the screen stay in the page.
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
}

# The tool bar says "idle" before a kernel exists; only the session context knows.
IS_READY = """path => {
  const widget = window.jupyterapp?.shell.currentWidget;
  return Boolean(widget?.context?.path === path && widget.context.isReady && widget.sessionContext?.isReady
    && widget.isVisible && widget.sessionContext.session?.kernel?.status === 'idle');
}"""
# Kept in a variable: a promise that page.evaluate awaits has no time-out.
RUN_ALL = """() => {
  window.ran = null;
  window.jupyterapp.commands.execute('notebook:run-all-cells').then(
    () => { window.ran = 'done'; }, error => { window.ran = String(error); });
}"""

SHUT_DOWN = """() => {
  window.jupyterapp.shell.currentWidget.sessionContext.shutdown().then(() => { window.ended = true; });
}"""
SAVE = """() => {
  window.saved = false;
  window.jupyterapp.shell.currentWidget.context.save().then(() => { window.saved = true; });
}"""
CHANGE_THEME = "name => { window.jupyterapp.commands.execute('apputils:change-theme', {theme: name}); }"


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab: its URL, its token, and the folder whose notebooks it shows."""

    url: str
    token: str
    folder: Path


@contextlib.contextmanager
def running_lab(folder: Path, config: Path = CONFIG) -> Iterator[Lab]:
    """JupyterLab over `folder`/notebooks, with settings of its own, ended afterwards."""
    notebooks = folder / "notebooks"
    notebooks.mkdir(parents=True)
    token, port = secrets.token_hex(16), _free_port()
    log = folder / "jupyterlab.log"
    with log.open("w", encoding="utf-8") as output:
        command, env = _command(notebooks, token, port), _environment(folder, config)
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=output, stderr=subprocess.STDOUT)
        try:
            lab = Lab(f"http://127.0.0.1:{port}", token, notebooks)
            _wait(lab, process, log)
            yield lab
        finally:
            process.terminate()
            process.wait(20)


def _command(notebooks: Path, token: str, port: int) -> list[str]:
    options = {
        "ServerApp.port_retries": 0,
        "IdentityProvider.token": token,
        "ServerApp.root_dir": notebooks,
        "LabApp.expose_app_in_browser": True,
        "LabApp.extension_manager": "readonly",
    }
    start = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    return [*start, *(f"--{name}={value}" for name, value in options.items())]


def _environment(folder: Path, config: Path) -> dict[str, str]:
    own = folder / "config"
    (own / "labconfig").mkdir(parents=True)
    (own / "labconfig" / "default_setting_overrides.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
    return {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(own),
        "JUPYTER_CONFIG_PATH": str(config),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        "IPYTHONDIR": str(folder / "ipython"),
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(lab: Lab, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            urllib.request.urlopen(f"{lab.url}/api?token={lab.token}", timeout=5).close()
            return
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8')}")


@dataclass
class LabPage:
    """One page of the browser with a notebook of `lab` in it."""

    lab: Lab
    page: Page
    screenshots: Path
    faults: list[str] = field(default_factory=list)  # what the console reported as an error
    strangers: list[str] = field(default_factory=list)  # requests that left this machine

    def __post_init__(self) -> None:
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"{message.text} ({message.location.get('url', '')})")

    def _request(self, request: Request) -> None:
        if not re.match(r"(https?://127\.0\.0\.1:|blob:|data:)", request.url):
            self.strangers.append(request.url)

    def check(self, allowed: str | None = None) -> None:
        """Fails if the console reported an error since the last check, or if a request left this machine.
        `allowed`: how errors begin that are expected."""
        faults = [fault for fault in self.faults if allowed is None or not fault.startswith(allowed)]
        found = [*faults, *(f"left this machine: {url}" for url in self.strangers)]
        self.faults.clear()
        self.strangers.clear()
        if found:
            raise AssertionError("\n".join(found))

    def open_notebook(self, path: str) -> None:
        """Open a notebook of the lab's folder, and wait until its kernel can run cells."""
        self.page.goto(f"{self.lab.url}/lab/tree/{path}?reset&token={self.lab.token}")
        self.page.wait_for_function(IS_READY, arg=path, timeout=RUN_MILLISECONDS)

    def run_all(self) -> None:
        """Run all cells and wait for the last one."""
        self.start_all()
        self.wait_for_all()

    def start_all(self) -> None:
        """Begin to run all cells."""
        self.page.evaluate(RUN_ALL)

    def wait_for_all(self) -> None:
        """Wait until the cells that `start_all` began have run."""
        self.page.wait_for_function("window.ran", timeout=RUN_MILLISECONDS)
        result = self.page.evaluate("window.ran")
        assert result == "done", result

    def save(self) -> None:
        """Save the notebook, as Ctrl+S does."""
        self.page.evaluate(SAVE)
        self.page.wait_for_function("window.saved", timeout=RUN_MILLISECONDS)

    def shut_down_kernel(self) -> None:
        """End the notebook's kernel, as the menu does."""
        self.page.evaluate(SHUT_DOWN)
        self.page.wait_for_function("window.ended", timeout=RUN_MILLISECONDS)

    def hide_side_bar(self) -> None:
        """Leave the whole width to the notebook."""
        self.page.evaluate("() => { window.jupyterapp.shell.collapseLeft(); }")

    def use_theme(self, name: str) -> None:
        """Change to "JupyterLab Light" or "JupyterLab Dark"."""
        self.page.evaluate(CHANGE_THEME, name)
        light = str("Dark" not in name).lower()
        self.page.wait_for_function("light => document.body.dataset.jpThemeLight === light", arg=light)

    def screenshot(self, name: str, part: Locator | None = None) -> Path:
        """A picture of the page, or of a part of it, in the folder of the screenshots."""
        path = self.screenshots / f"{name}.png"
        size = self.page.viewport_size
        if part is not None and size is not None:  # the whole part, also what is below the screen
            self.page.set_viewport_size({"width": size["width"], "height": 2000})
        (part or self.page).screenshot(path=path)
        if size is not None:
            self.page.set_viewport_size(size)
        return path


@contextlib.contextmanager
def lab_page_in(browser: Browser, lab: Lab, screenshots: Path) -> Iterator[LabPage]:
    """A page 1280 pixels wide, without the cookies and the storage of other pages."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(WAIT_MILLISECONDS)
    yield LabPage(lab, context.new_page(), screenshots)
    context.close()


def write_notebook(lab: Lab, name: str, *cells: str) -> None:
    """A notebook with these code cells in the lab's folder."""
    empty = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": []}
    nodes = [{**empty, "id": f"cell-{number}", "source": cell} for number, cell in enumerate(cells)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"cells": nodes, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (lab.folder / name).write_text(json.dumps(notebook), encoding="utf-8")
