"""Joins the JavaScript modules of a view into the one module that a widget may send to the page.

Each file in js/ is a real ES module, so that it can be read, checked and tested by itself. anywidget takes a single module;
here the modules follow one another, those that are imported first, without their `import` lines and `export` words.
There is no build step and nothing to install. Names at the top of the files must therefore differ, which a test checks.
"""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["css", "javascript"]

HERE = Path(__file__).parent
IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=async function|function|const|let|class)", re.MULTILINE)


def javascript(name: str) -> str:
    """The source of js/`name` and of all that it imports, as one ES module."""
    return "\n".join(EXPORT.sub("", IMPORT.sub("", _read(each))) for each in _in_order(name, []))


def css(*names: str) -> str:
    """These style sheets, one after the other."""
    return "\n".join((HERE / name).read_text(encoding="utf-8") for name in names)


def _in_order(name: str, done: list[str]) -> list[str]:
    for needed in IMPORT.findall(_read(name)):
        if needed not in done:
            _in_order(needed, done)
    done.append(name)
    return done


def _read(name: str) -> str:
    return (HERE / "js" / name).read_text(encoding="utf-8")
