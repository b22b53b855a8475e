"""What tests run in: no network, no key, no settings and no files of the person who runs them."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

TESTS = Path(__file__).resolve().parent
CLOSED_NETWORK = TESTS / "closed_network"
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
FOLDERS = (
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_DATA_DIR",
    "JUPYTER_RUNTIME_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
    "IPYTHONDIR",
    "COURSE_PROGRESS_FOLDER",
)


def closed_environment(folder: Path, env: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment for a test run that may write below `folder` only. The processes started in it have no network."""
    kept = {name: value for name, value in env.items() if not name.startswith(("ANTHROPIC_", "COURSE_", "CLAUDE"))}
    kept |= {name: str(folder / name.lower()) for name in FOLDERS}
    kept |= {"COURSE_MODE": "offline", "PYTHONUTF8": "1", "CLOSED_NETWORK_LOG": str(folder / "attempts.txt")}
    python_path = [str(CLOSED_NETWORK), *filter(None, [env.get("PYTHONPATH")])]
    if str(CLOSED_NETWORK) not in env.get("PYTHONPATH", ""):
        kept["PYTHONPATH"] = os.pathsep.join(python_path)
    return kept


def network_is_closed() -> bool:
    """Whether this very process was started with the network closed."""
    module = sys.modules.get("sitecustomize")
    return getattr(module, "__file__", None) == str(CLOSED_NETWORK / "sitecustomize.py")


def chromium() -> str | None:
    """The program that the browser tests drive; COURSE_CHROMIUM names another. None if there is none."""
    named = os.environ.get("COURSE_CHROMIUM")
    candidates = [named] if named else CHROMIUMS
    return next(filter(None, map(shutil.which, candidates)), None)
