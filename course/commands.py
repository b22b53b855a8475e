"""The commands of `python3 run.py`, each in one sentence.

Standard library only: run.py must know them before anything is installed.
"""

from __future__ import annotations

import difflib

from course.words import _

__all__ = ["commands", "helped", "helped_test", "test_parts", "unknown", "unknown_part"]


def commands() -> dict[str, str]:
    """Each command and what it does. run.py does the first two itself; the others are those of course/cli.py."""
    return {
        "lab": _("Open the first notebook in JupyterLab; flags go on to it (--no-browser, --port 9000)."),
        "test": _("Run every check of the course, or some: python3 run.py test unit notebooks."),
        "doctor": _("Say what is wrong with the set-up of this machine, and the remedy."),
        "drill": _("Answer questions in the terminal."),
        "verify": _("Check the questions: run their proofs, and try to guess them."),
        "schema": _("Print the JSON Schema of a bank of questions, for editors that check YAML."),
        "serve": _("Serve the offline Messages API on this machine. Its first line is its URL."),
    }


def helped() -> str:
    """What `--help` and `--list` show."""
    width = max(map(len, commands()))
    lines = [f"  python3 run.py {name:{width}}  {sentence}" for name, sentence in commands().items()]
    return "\n".join(
        [
            _("The agent loop, learned by running it."),
            "",
            *lines,
            "",
            _("python3 run.py NAME --help shows the options of a command."),
            _("The first run installs what the course needs into the folder .venv beside run.py, and nowhere else."),
        ]
    )


def test_parts() -> dict[str, str]:
    """The parts of `test`, in the order in which they run, and what each checks. They are those of tests/checks.py."""
    return {
        "style": _("How the code is written (ruff)."),
        "types": _("The types in the code (mypy)."),
        "unit": _("The tests of the code."),
        "verify": _("The questions: their proofs are run."),
        "notebooks": _("Each cell of each notebook gives the output that is saved in it."),
        "exercises": _("Each exercise, unsolved and solved."),
        "browser": _("The notebooks in JupyterLab; this needs Chromium."),
    }


def helped_test() -> str:
    """What `test --help` shows."""
    width = max(map(len, test_parts()))
    return "\n".join(
        [
            commands()["test"],
            "",
            *(f"  {name:{width}}  {sentence}" for name, sentence in test_parts().items()),
            "",
            _("Without a name, all parts run. The first run installs what the tests need."),
        ]
    )


def unknown_part(name: str) -> str:
    """What is said to a part of `test` that is not there."""
    there = _("There is no part {name!r}.").format(name=name)
    return f"{there} " + _("The parts are: {names}.").format(names=", ".join(test_parts()))


def unknown(name: str) -> str:
    """What is said to a command that is not there."""
    near = difflib.get_close_matches(name.lstrip("-").lower(), commands(), n=1)
    meant = [_("Did you mean {near}?").format(near=near[0])] if near else []
    there = _("There is no command {name!r}.").format(name=name)
    listed = _("The commands are: {names}.").format(names=", ".join(commands()))
    return " ".join([there, *meant, listed])
