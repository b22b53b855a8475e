"""What runs in a Worker's process: `python -m course.proofs.work` answers a JSON line for each JSON line that it is asked."""

from __future__ import annotations

import gc
import json
import os
import sys
from typing import TYPE_CHECKING, Any

from course.proofs import memory

if TYPE_CHECKING:
    from course.quiz.items import Item

__all__ = ["answer", "main"]

Json = dict[str, Any]


def answer(question: Json) -> Json:
    """The answer to one question."""
    from course.quiz.items import ITEM

    item = ITEM.validate_json(json.dumps(question["item"]), strict=True)
    return _prove(item) if question["do"] == "prove" else _run(item, question["source"])


def _prove(item: Item) -> Json:
    from course.proofs.agent import NotInstalled
    from course.proofs.proving import prove

    try:
        return {"faults": prove(item)}
    except NotInstalled:
        return {"not_run": "claude-agent-sdk"}


def _run(item: Item, source: str) -> Json:
    from course.proofs.answers import compared_answer
    from course.quiz.items import CodeItem

    assert isinstance(item, CodeItem), "only answers to such items are code"
    return {
        "results": [
            {
                "passed": each.passed,
                "ran": [each.gives.value, each.says, each.missed, each.like],
                "trace": None if each.trace is None else each.trace.to_json(),
            }
            for each in compared_answer(item, source)
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
    gc.freeze()  # what is loaded stays; looking through it for garbage would take a fifth of the time
    answers.write("{}\n")
    answers.flush()
    for line in questions:
        answers.write(json.dumps(answer(json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
    sys.exit(0)
