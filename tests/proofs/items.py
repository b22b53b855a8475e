"""An item of a test, from YAML text."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from course.quiz.bank import load_bank


def item(folder: Path, text: str) -> Any:
    """The item that this text describes; id, objective and stem are filled in."""
    head = "title: A test\nitems:\n  - id: the-item\n    objective: messages/pairing\n    stem: What comes of it?\n"
    file = folder / "bank.yaml"
    file.write_text(head + textwrap.indent(textwrap.dedent(text), "    "), encoding="utf-8")
    return load_bank(file).items[0]
