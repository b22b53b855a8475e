"""What runs in a Worker's process: `python -m course.proofs.work` answers a JSON line for each JSON line that it is asked."""

from __future__ import annotations

import json
import os
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from course.proofs import memory

if TYPE_CHECKING:
    from course.quiz.bank import Bank

__all__ = ["answer", "main"]

Json = dict[str, Any]


def answer(question: Json) -> Json:
    """The answer to one question."""
    if question["do"] == "prove":
        return _prove(question["file"], question["id"], question["seed"])
    return _run(question["item"], question["source"])


def _prove(file: str, id: str, seed: int) -> Json:
    from course.proofs.agent import NotInstalled
    from course.proofs.proving import prove

    try:
        return {"faults": prove(_bank(file).drawn(id, seed))}
    except NotInstalled:
        return {"not_run": "claude-agent-sdk"}


@lru_cache(maxsize=1)
def _bank(file: str) -> Bank:
    from course.quiz.bank import load_bank

    return load_bank(file)


def _run(item: Json, source: str) -> Json:
    from course.proofs.answers import run_answer
    from course.quiz.items import ITEM, CodeItem

    known = ITEM.validate_python(item)
    assert isinstance(known, CodeItem)
    return {
        "results": [
            {"gives": each.gives.value, "says": each.says, "trace": each.trace.to_json() if each.trace else None}
            for each in run_answer(known, source)
        ]
    }


def _warm_up() -> None:
    """Load what the first run would load, in which it would count as the time of the loop."""
    from course.proofs.runner import tool_runner_loop
    from course.proofs.setting import Setting
    from course.proofs.stage import Stage

    stage = Stage(Setting())
    stage.play(tool_runner_loop({}, stage))


def main() -> None:
    """Answer until the questions end. Standard output is kept for the answers: what code prints goes nowhere."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    memory.limit()
    _warm_up()
    answers.write("{}\n")
    answers.flush()
    for line in questions:
        answers.write(json.dumps(answer(json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
    sys.exit(0)
