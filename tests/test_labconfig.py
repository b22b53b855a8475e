"""JupyterLab as `run.py lab` starts it: a real server, asked over loopback."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ipykernel.ipkernel import IPythonKernel
from traitlets.config import PyFileConfigLoader

from course.bootstrap import _lab_config_path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "course" / "labconfig"


def wait_until_it_listens(address: str, process: subprocess.Popen[str]) -> None:
    """JupyterLab writes its address a moment before it listens there."""
    where = urllib.parse.urlsplit(address)
    while process.poll() is None:
        try:
            return socket.create_connection((where.hostname, where.port), timeout=60).close()
        except ConnectionRefusedError:
            time.sleep(0.02)
    raise AssertionError("JupyterLab ended")


@pytest.fixture(scope="module")
def log() -> list[str]:
    """What the server says while it starts, line by line."""
    return []


@pytest.fixture(scope="module")
def server(log: list[str]) -> Iterator[str]:
    """The address on which a running JupyterLab opens. Its log ends with it; the token stands there as dots."""
    process = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", "--port=0", "--IdentityProvider.token=test"],
        env={**os.environ, "JUPYTER_CONFIG_PATH": _lab_config_path()},
        stderr=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
    assert process.stderr is not None
    try:
        found = None
        while found is None:
            line = process.stderr.readline()
            assert line, "JupyterLab ended:\n" + "".join(log)
            log.append(line)
            found = re.search(r"http://127\.0\.0\.1:\d+/\S*(?=\?token=)", line)
        wait_until_it_listens(found.group(), process)
        yield found.group()
    finally:
        process.terminate()
        process.communicate()


def ask(server: str, path: str) -> Any:
    address = urllib.parse.urljoin(server, path)
    request = urllib.request.Request(address, headers={"Authorization": "token test"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def test_it_opens_on_the_first_notebook(server: str) -> None:
    assert re.sub(r":\d+", "", server) == "http://127.0.0.1/lab/tree/00_start_here.ipynb"


def test_it_starts_without_a_warning_about_a_hook(server: str, log: list[str]) -> None:
    assert log
    assert [line for line in log if "hook" in line] == []


def test_a_notebook_is_saved_without_widgets_that_no_output_shows() -> None:
    settings = PyFileConfigLoader("jupyter_lab_config.py", path=str(FOLDER)).load_config()
    state = {"state": {"old": {"model_name": "SliderModel"}}}
    content = {"metadata": {"widgets": {"application/vnd.jupyter.widget-state+json": state}}, "cells": []}
    manager = settings.ServerApp.contents_manager_class()
    manager.run_pre_save_hooks(model={"type": "notebook", "content": content}, path="any.ipynb")
    assert state == {"state": {}}


def test_its_root_is_the_folder_of_the_notebooks(server: str) -> None:
    names = {entry["name"] for entry in ask(server, "/api/contents")["content"]}
    assert {path.name for path in (ROOT / "notebooks").glob("*.ipynb")} <= names


def test_a_notebook_comes_with_what_its_kernel_will_write_into_it(server: str) -> None:
    notebook = ask(server, "/api/contents/00_start_here.ipynb")["content"]
    assert notebook["metadata"]["language_info"] == IPythonKernel.language_info


def test_it_does_not_ask_about_news(server: str) -> None:
    settings = ask(server, "/lab/api/settings/@jupyterlab/apputils-extension:notification")
    defaults = settings["schema"]["properties"]
    assert (defaults["fetchNews"]["default"], defaults["checkForUpdates"]["default"]) == ("false", False)


def test_it_saves_widgets_with_a_notebook(server: str) -> None:
    settings = ask(server, "/lab/api/settings/@jupyter-widgets/jupyterlab-manager:plugin")
    assert settings["schema"]["properties"]["saveState"]["default"] is True


def test_a_kernel_answers_without_nagles_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    from jupyter_server.services.kernels.websocket import KernelWebsocketHandler

    happened: list[object] = []

    class Handler:
        def set_nodelay(self, value: bool) -> None:
            happened.append(value)

    async def open_(self: Handler, kernel_id: str) -> None:
        happened.append(kernel_id)

    monkeypatch.setattr(KernelWebsocketHandler, "open", open_)
    PyFileConfigLoader("jupyter_lab_config.py", path=str(FOLDER)).load_config()
    asyncio.run(KernelWebsocketHandler.open(Handler(), "kernel-1"))
    assert happened == [True, "kernel-1"]
