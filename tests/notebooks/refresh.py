"""Run every notebook from top to bottom, and save it with its outputs. Use it after a change to a notebook or to what it shows:

    .venv/bin/python tests/notebooks/refresh.py            (Windows: .venv\\Scripts\\python)
    .venv/bin/python tests/notebooks/refresh.py 01_raw_loop

Widgets are saved in their text form only. Their state would be stale at once, and a viewer without it shows an error.
"""

from __future__ import annotations

import os
import sys
import tempfile

import nbformat
from nbclient import NotebookClient

from course.lessons import NOTEBOOKS, navigation

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def run(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The notebook with fresh outputs. Raises nbclient's CellExecutionError if a cell fails."""
    os.environ["COURSE_MODE"] = "offline"
    NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        resources={"metadata": {"path": str(NOTEBOOKS)}},
        record_timing=False,
        store_widget_state=False,
    ).execute()
    return notebook


def clean(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Leave out what belongs to one run or one machine."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    for cell in notebook.cells:
        if "outputs" in cell:
            cell.outputs = joined(cell.outputs)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)
            if "name" in output and output["name"] == "stderr":
                raise SystemExit(f"{cell.id}: a cell wrote to stderr: {output['text'][:500]}")
    return notebook


def joined(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """What a cell printed as one output: in how many pieces it arrives differs from run to run."""
    whole: list[nbformat.NotebookNode] = []
    for output in outputs:
        if whole and output.output_type == "stream" == whole[-1].output_type and output.name == whole[-1].name:
            whole[-1].text += output.text
        else:
            whole.append(output)
    return whole


def with_links(notebook: nbformat.NotebookNode, name: str) -> nbformat.NotebookNode:
    """Write the links to the notebooks before and after into the last cell, above what else it says."""
    last = notebook.cells[-1]
    rest = last.source.split("\n\n", 1)[1] if last.source.startswith("---\n") else last.source
    last.source = f"---\n{navigation(name)}\n\n{rest}"
    return notebook


def main(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as progress:
        os.environ["COURSE_PROGRESS_FOLDER"] = progress  # as a new learner sees it, not as the one who runs this does
        refresh(names)


def refresh(names: list[str]) -> None:
    """Run and save these notebooks, or all."""
    files = [NOTEBOOKS / f"{name}.ipynb" for name in names] or sorted(NOTEBOOKS.glob("*.ipynb"))
    for file in files:
        notebook = nbformat.read(file, as_version=4)
        text = nbformat.writes(with_links(clean(run(notebook)), file.stem))
        file.write_text(text.rstrip("\n") + "\n", encoding="utf-8", newline="\n")
        print(f"{file.name}: {len(notebook.cells)} cells")


if __name__ == "__main__":
    main(sys.argv[1:])
