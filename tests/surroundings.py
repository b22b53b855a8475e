"""What tests run in: no network, no key, no settings and no files of the person who runs them."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

TESTS = Path(__file__).resolve().parent
CLOSED_NETWORK = TESTS / "closed_network"
FOR_TESTS = ("COURSE_CHROMIUM", "COURSE_SCREENSHOTS")
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
    private = ("ANTHROPIC_", "COURSE_", "CLAUDE")
    kept = {name: value for name, value in env.items() if name in FOR_TESTS or not name.startswith(private)}
    kept |= {name: str(folder / name.lower()) for name in FOLDERS}
    kept |= {"COURSE_MODE": "offline", "PYTHONUTF8": "1"}
    kept.setdefault("CLOSED_NETWORK_LOG", str(folder / "attempts.txt"))
    if str(CLOSED_NETWORK) not in env.get("PYTHONPATH", ""):
        kept["PYTHONPATH"] = os.pathsep.join([str(CLOSED_NETWORK), *filter(None, [env.get("PYTHONPATH")])])
    return kept


def network_is_closed() -> bool:
    """Whether this very process was started with the network closed."""
    module = sys.modules.get("sitecustomize")
    return getattr(module, "__file__", None) == str(CLOSED_NETWORK / "sitecustomize.py")
