"""A process of its own for code that may not come to an end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from course.proofs.worker import Died, Worker
from course.quiz.bank import load_bank
from course.quiz.items import CodeItem

RIGHT = Path(__file__).parent / "banks" / "right.yaml"


@pytest.fixture
def worker() -> Iterator[Worker]:
    with Worker() as started:
        yield started


def code(source: str) -> dict:
    item = load_bank(RIGHT).item("write-the-whole-loop")
    assert isinstance(item, CodeItem)
    data = item.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return {"do": "code", "item": data, "source": source}


def outcomes(answer: dict) -> list[str]:
    return [each["ran"][0] for each in answer["results"]]


@pytest.mark.parametrize("id", ["ticket-before-the-answer", "turns-from-blocks", "loops-and-their-ends"])
def test_it_proves_an_item(worker: Worker, id: str) -> None:
    data = load_bank(RIGHT).item(id).model_dump(mode="json", by_alias=True, exclude_unset=True)
    assert worker.ask({"do": "prove", "item": data}, seconds=60) == {"faults": []}


def test_it_runs_code_and_what_that_prints_is_no_answer(worker: Worker) -> None:
    printing = "import sys\n\n\ndef loop(client, messages):\n    sys.stdout.write('{}\\n')\n    return ask(messages)\n"
    assert outcomes(worker.ask(code(printing), seconds=60)) == ["stopped_early", "declined"]


def test_code_that_waits_for_ever_is_ended_and_the_next_question_gets_a_new_process(worker: Worker) -> None:
    waiting = "import time\n\n\ndef loop(client, messages):\n    time.sleep(600)\n"
    worker.ask(code("def loop(client, messages):\n    return 1\n"), seconds=60)
    with pytest.raises(Died) as caught:
        worker.ask(code(waiting), seconds=0.5)
    assert caught.value.late
    good = "def loop(client, messages):\n    return run_loop(client, messages, tools, model=MODEL)\n"
    assert outcomes(worker.ask(code(good), seconds=60)) == ["answered", "declined"]


def test_code_that_ends_its_process_is_told_apart(worker: Worker) -> None:
    ending = "import os\n\n\ndef loop(client, messages):\n    os._exit(3)\n"
    with pytest.raises(Died) as caught:
        worker.ask(code(ending), seconds=60)
    assert not caught.value.late


def test_its_folder_is_its_own_and_goes_with_it(worker: Worker) -> None:
    worker.ask(code("def loop(client, messages):\n    return 1\n"), seconds=60)
    folder = Path(worker.folder)
    assert folder.is_dir()
    worker.close()
    assert not folder.exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_code_that_takes_all_the_memory_gets_a_memory_error(worker: Worker) -> None:
    greedy = "def loop(client, messages):\n    return len(bytearray(10**11))\n"
    assert outcomes(worker.ask(code(greedy), seconds=60)) == ["raised", "raised"]
