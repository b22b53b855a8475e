"""What JupyterLab writes into a notebook of its widgets: only those that stand in an output.

The state of widgets is saved with a notebook (course/labconfig), so that a stepper can be walked when the notebook is opened
again, before any cell is run. But each run of a cell makes new widgets, and JupyterLab would save the old ones too.
"""

from __future__ import annotations

import json
import re
from typing import Any

__all__ = ["keep_what_is_shown"]

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
REFERENCE = re.compile(r"IPY_MODEL_([0-9a-f]+)")


def keep_what_is_shown(model: dict[str, Any], **_: Any) -> None:
    """The hook that the server calls before it saves a file. Leaves out of a notebook what no output refers to."""
    if model.get("type") != "notebook" or not model.get("content"):
        return
    notebook = model["content"]
    saved = notebook["metadata"].get("widgets", {}).get(STATE, {})
    if "state" in saved:
        saved["state"] = _needed(saved["state"], _shown(notebook))


def _shown(notebook: dict[str, Any]) -> set[str]:
    """The ids of the widgets that stand in an output."""
    outputs = (output for cell in notebook["cells"] for output in cell.get("outputs", ()))
    return {output["data"][VIEW]["model_id"] for output in outputs if VIEW in output.get("data", {})}


def _needed(state: dict[str, Any], shown: set[str]) -> dict[str, Any]:
    """These widgets and all that they are made of. A link is part of none: it is needed if both its ends are."""
    parts = {id: set(REFERENCE.findall(json.dumps(widget))) for id, widget in state.items()}
    needed: set[str] = set()
    reached = shown & state.keys()
    while reached:
        needed |= reached
        reached = {part for id in reached for part in parts[id] if part in state} - needed
    links = {id for id, ends in parts.items() if ends and ends <= needed and "Link" in state[id]["model_name"]}
    return {id: widget for id, widget in state.items() if id in needed | links}
