"""The commands of the course: `python3 run.py COMMAND`, which is `python -m course COMMAND`. Each only calls its function."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from course.commands import commands
from course.errors import CourseError
from course.words import _

if TYPE_CHECKING:
    from course.quiz.grading import Ran
    from course.quiz.items import CodeItem

__all__ = ["app", "main"]

# add_completion: the command is not installed on the PATH, so a shell could not complete it.
app = typer.Typer(help=_("The agent loop, learned by running it."), add_completion=False, no_args_is_help=True)


def main() -> None:
    """Runs the command that the command line names. A fault that the course reports is one message, and exit code 1."""
    try:
        app(prog_name="python3 run.py")
    except CourseError as error:
        typer.echo(str(error), err=True)
        sys.exit(1)


@app.command(help=commands()["doctor"])
def doctor() -> None:
    from course.doctor import main as examine

    raise typer.Exit(examine())


@app.command(help=commands()["serve"])
def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help=_("0: any free port."))] = 0,
    scenario: Annotated[str | None, typer.Option(help=_("Answer by this scenario only."))] = None,
    lenient: Annotated[
        bool, typer.Option("--lenient", help=_("Don't check how tool_use and tool_result pair."))
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help=_("A line for each request."))] = False,
) -> None:
    from course.offline.server import serve as serve_until_stopped

    serve_until_stopped(port, scenario, lenient, verbose)


@app.command(help=commands()["drill"])
def drill(
    quiz: Annotated[str | None, typer.Argument(help=_("A file in quizzes/, without .yaml; else all."))] = None,
    objective: Annotated[
        str | None, typer.Option(help=_("Only this focus point or part of one: fuses, stop-reason/pause."))
    ] = None,
    count: Annotated[int | None, typer.Option(min=1, help=_("At most so many questions."))] = None,
    seed: Annotated[int | None, typer.Option(help=_("The same number gives the same questions."))] = None,
) -> None:
    from course.quiz.bank import named_bank, whole_bank
    from course.quiz.selection import select
    from course.quiz.session import start
    from course.quiz.terminal import ask_in_terminal

    bank = whole_bank() if quiz is None else named_bank(quiz)
    seed = random.randrange(1_000_000) if seed is None else seed
    if quiz is not None:
        typer.echo(bank.title)
    items = select(bank, objective=objective, count=count, seed=seed)
    ask_in_terminal(start(bank, seed=seed, items=items), run=_run_code)


def _run_code(item: CodeItem, source: str) -> Sequence[Ran]:
    """Runs what was written in answer to a question. What runs it is imported only then: it takes a second."""
    from course.proofs import run_code

    return run_code(item, source)


@app.command(help=commands()["schema"])
def schema() -> None:
    import json

    from course.quiz.schema import bank_schema

    typer.echo(json.dumps(bank_schema(), indent=2))


@app.command(help=commands()["verify"])
def verify(
    paths: Annotated[list[Path] | None, typer.Argument(help=_("Files or folders; else quizzes/."))] = None,
    draws: Annotated[int, typer.Option(min=1, help=_("How often an item with variants is drawn and proved."))] = 3,
    without_agent_sdk: Annotated[
        bool, typer.Option("--without-agent-sdk", help=_("Proofs that need claude-agent-sdk may be left out."))
    ] = False,
    json_file: Annotated[
        Path | None, typer.Option("--json", help=_("Write the figures and the faults to this file."))
    ] = None,
) -> None:
    import json

    from rich.console import Console

    from course.proofs.tables import print_report
    from course.proofs.verifying import verify as verified

    console = Console(highlight=False)
    said = _("This runs the code that stands in the questions, in processes of its own.")
    report = verified(
        paths or (), draws=draws, without_agent_sdk=without_agent_sdk, before_running=lambda: console.print(said)
    )
    print_report(report, console)
    if json_file is not None:
        json_file.write_text(json.dumps(report.to_data(), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    raise typer.Exit(1 if report.faults else 0)
