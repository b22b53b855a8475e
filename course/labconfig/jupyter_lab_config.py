"""Settings of JupyterLab for the course; the learner's own settings hold as well. `run.py lab` names this folder in
JUPYTER_CONFIG_PATH. A flag on the command line wins over what stands here.

labconfig/default_setting_overrides.json beside it turns off the question about news, which would ask the network, and saves
the state of widgets with a notebook: without it, one that is opened again shows an error in place of each of them.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from jupyter_server.services.kernels.websocket import KernelWebsocketHandler

from course.saved_widgets import keep_what_is_shown

c = get_config()  # type: ignore[name-defined]  # noqa: F821  (the loader of the file puts it here)

c.ServerApp.root_dir = str(Path(__file__).resolve().parents[2] / "notebooks")
c.ServerApp.allow_root = True  # in a container the learner is root
# What a kernel of Python says about its language; JupyterLab writes it into each notebook that it opens.
LANGUAGE_INFO = {
    "name": "python",
    "version": sys.version.split()[0],
    "mimetype": "text/x-python",
    "codemirror_mode": {"name": "ipython", "version": 3},
    "pygments_lexer": "ipython3",
    "nbconvert_exporter": "python",
    "file_extension": ".py",
}


class Notebooks(AsyncLargeFileManager):
    """Hands out a notebook with this in it already. Otherwise it counts as changed as soon as it is opened, is saved without
    being asked for, and stands in the way of the next `git pull`."""

    def __init__(self, *arguments: Any, **names: Any) -> None:
        super().__init__(*arguments, **names)
        # Not c.ContentsManager.pre_save_hook: that is set twice, and the server warns of it at each start.
        self.register_pre_save_hook(keep_what_is_shown)  # type: ignore[no-untyped-call]

    async def get(self, path: str, content: bool = True, *arguments: Any, **names: Any) -> dict[str, Any]:
        model: dict[str, Any] = await super().get(path, content, *arguments, **names)  # type: ignore[no-untyped-call]
        if content and model["type"] == "notebook":
            model["content"]["metadata"]["language_info"] = LANGUAGE_INFO
        return model


c.ServerApp.contents_manager_class = Notebooks
c.LabApp.default_url = "/lab/tree/00_start_here.ipynb"

_open: Callable[..., Awaitable[None]] = KernelWebsocketHandler.open


async def _open_without_delay(self: KernelWebsocketHandler, *arguments: Any, **names: Any) -> None:
    """Without this the system holds small packets back (Nagle's algorithm), 40 ms for every answer of the kernel."""
    self.set_nodelay(True)
    await _open(self, *arguments, **names)


KernelWebsocketHandler.open = _open_without_delay  # type: ignore[method-assign]
