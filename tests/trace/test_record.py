"""More than 40 loops as learners write them, each with the exact list of its actions."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import loops
import pytest
import small_model
from actions import actions

from course.errors import RecordError
from course.trace import Fuse, Trace, record, record_async

FUSE = Fuse(requests=3, seconds=120)  # time is no part of these tests

BEGIN = ["start", "rebuild 0 user"]
FIRST = ["ask 1 tool_use", "append 1 assistant", "tool list_files", "append 2 user"]
SECOND = ["ask 2 tool_use", "append 3 assistant", "tool read_file", "append 4 user"]
LAST = ["ask 3 end_turn", "end returned"]
RIGHT = [*BEGIN, *FIRST, *SECOND, *LAST]
BOTH_TURNS_AT_ONCE = [
    "ask 1 tool_use",
    "tool list_files",
    "extend 1 assistant,user",
    "ask 2 tool_use",
    "tool read_file",
    "extend 3 assistant,user",
    *LAST,
]

KEEPING_MESSAGES: dict[Any, list[str]] = {
    loops.appends: RIGHT,
    loops.begins_empty: ["start", "append 0 user", *BOTH_TURNS_AT_ONCE],
    loops.adds_in_place: RIGHT,
    loops.builds_anew: RIGHT,
    loops.assigns_slices: RIGHT,
    loops.inserts_before: [
        *BEGIN,
        "ask 1 tool_use",
        "tool list_files",
        "append 1 user",
        "insert 1 assistant",
        "ask 2 tool_use",
        "end returned",
    ],
    loops.fills_the_results_later: [
        *BEGIN,
        "ask 1 tool_use",
        "extend 1 assistant,user",
        "tool list_files",
        "edit 2 user -1",
        "ask 2 tool_use",
        "end returned",
    ],
    loops.edits_a_block: [
        *BEGIN,
        *FIRST,
        "edit 1 assistant -1",
        "edit 1 assistant -1",
        "edit 0 user -1",
        "ask 2 tool_use",
        "end returned",
    ],
    loops.forgets_old_turns: [
        "start",
        "rebuild 0 user,assistant",
        "append 2 user",
        "ask 1 tool_use",
        "delete 0 -2",
        "append 1 user",
        "ask 2 tool_use",
        "rebuild 0 user -2",
        "ask 3 tool_use",
        "end returned",
    ],
    loops.sends_the_end_only: [
        *BEGIN,
        "ask 1 tool_use",
        "append 1 user",
        "ask 2 tool_use",
        "append 2 user",
        "end returned",
    ],
    loops.keeps_a_state: RIGHT,
    loops.keeps_a_dict: RIGHT,
    loops.uses_closures: RIGHT,
    loops.uses_a_global: ["start with 1", *RIGHT[2:]],
    loops.makes_it_on_the_spot: [*BEGIN, *BOTH_TURNS_AT_ONCE],
    loops.as_partial: ["start with 1", *RIGHT[2:]],
    loops.as_lambda: RIGHT,
}

STREAMING: dict[Any, list[str]] = {
    loops.streams: RIGHT,
    loops.streams_raw_events: [*BEGIN, "ask 1 tool_use", "end returned"],
    loops.leaves_a_stream: [*BEGIN, "ask 1 None", "end returned"],
}

GENERATORS: dict[Any, list[str]] = {loops.yields: RIGHT, loops.delegates: RIGHT}

RUNNING_TOOLS: dict[Any, list[str]] = {
    loops.chooses_with_if: RIGHT,
    loops.has_lambdas: [
        *BEGIN,
        "ask 1 tool_use",
        "tool list_files",
        "extend 1 assistant,user",
        "ask 2 tool_use",
        "tool read_file",
        "end returned",
    ],
    loops.uses_threads: [*BEGIN, *FIRST, "ask 2 tool_use", "end returned"],
    loops.uses_the_tool_runner: [*BEGIN, *BOTH_TURNS_AT_ONCE],
}

WRONG: dict[Any, list[str]] = {
    loops.appends_nothing: [
        *BEGIN,
        *[
            "ask 1 tool_use",
            "tool list_files",
            "ask 2 tool_use",
            "tool list_files",
            "ask 3 tool_use",
            "tool list_files",
        ],
        "end fuse requests",
    ],
    loops.forgets_the_results: [
        *BEGIN,
        "ask 1 tool_use",
        "append 1 assistant",
        "tool list_files",
        "error 2 400",
        "end raised BadRequestError",
    ],
    loops.forgets_the_assistant_turn: [
        *BEGIN,
        "ask 1 tool_use",
        "tool list_files",
        "append 1 user",
        "error 2 400",
        "end raised BadRequestError",
    ],
    loops.appends_the_response: [
        *BEGIN,
        "ask 1 tool_use",
        "append 1 assistant",
        "error 2 400",
        "end raised BadRequestError",
    ],
    loops.assigns_append: [*BEGIN, "ask 1 tool_use", "append 1 assistant", "end raised AttributeError"],
    loops.sends_text: ["start", "error 1 400", "end raised BadRequestError"],
    loops.has_a_tuple: [*BEGIN, "ask 1 tool_use", "end raised AttributeError"],
    loops.never_asks: ["start", "append 0 user", "end returned"],
    loops.dies_of_a_tool: [
        *BEGIN,
        "ask 1 tool_use",
        "append 1 assistant",
        "tool list_files fails",
        "end raised PermissionError",
    ],
    loops.stops_at_text: [*BEGIN, "ask 1 tool_use", "end returned"],
    loops.swallows_exceptions: [
        "start",
        "rebuild 0 user,user",
        "error 1 400",
        "error 2 400",
        "error 3 400",
        "end fuse requests",
    ],
    loops.swallows_everything: [*BEGIN, "ask 1 tool_use", "ask 2 tool_use", "ask 3 tool_use", "end fuse requests"],
    loops.is_interrupted: [*BEGIN, "ask 1 tool_use", "end interrupted"],
}

SYNC = {**KEEPING_MESSAGES, **STREAMING, **GENERATORS, **RUNNING_TOOLS, **WRONG}

GATHERED = [
    *BEGIN,
    "ask 1 tool_use",
    "tool list_files",
    "tool read_file",
    "append 1 assistant",
    "append 2 user",
    "ask 2 end_turn",
    "end returned",
]

ASYNC: dict[Any, list[str]] = {
    loops.awaits: RIGHT,
    loops.gathers: GATHERED,
    loops.streams_async: [*BEGIN, "ask 1 tool_use", "append 1 assistant", "end returned"],
    loops.yields_async: [*BEGIN, "ask 1 tool_use", "append 1 assistant", "end returned"],
}


def name_of(loop: Any) -> str:
    return getattr(loop, "__name__", "as_partial")


def async_client(loop: Any) -> Any:
    return small_model.async_client(
        small_model.by(small_model.both_at_once) if loop is loops.gathers else small_model.answer
    )


@pytest.mark.parametrize(("loop", "expected"), SYNC.items(), ids=map(name_of, SYNC))
def test_actions(loop: Any, expected: list[str]) -> None:
    assert actions(record(loop, small_model.client(), fuse=FUSE)) == expected


@pytest.mark.parametrize(("loop", "expected"), ASYNC.items(), ids=map(name_of, ASYNC))
def test_actions_of_async_loops(loop: Any, expected: list[str]) -> None:
    assert actions(record(loop, async_client(loop), fuse=FUSE)) == expected


@pytest.mark.parametrize("loop", [loops.awaits, loops.gathers, loops.streams_async], ids=name_of)
def test_actions_in_an_event_loop_that_runs_already(loop: Any) -> None:
    async def cell() -> tuple[Trace, Trace]:
        """As a notebook does it: in a thread of its own, or awaited."""
        return record(loop, async_client(loop), fuse=FUSE), await record_async(loop, async_client(loop), fuse=FUSE)

    in_thread, awaited = asyncio.run(cell())
    assert actions(in_thread) == actions(awaited) == ASYNC[loop]


def test_a_loop_in_a_class() -> None:
    trace = record(loops.Agent(small_model.client()).run, loops.TASK)
    assert actions(trace) == [
        "start with 0",
        "append 0 user",
        *FIRST,
        *[*SECOND[:2], "tool read_file fails", SECOND[3]],
        "ask 3 end_turn",
        "append 5 assistant",
        "end returned",
    ]
    assert [function.name.rpartition(".")[2] for function in trace.code] == [
        "run",
        "step",
        "answer",
        "do_list_files",
        "list_files",
        "result",
        "do_read_file",
        "read_file",
    ]


def test_a_list_from_outside_is_there_at_the_start() -> None:
    messages = [{"role": "user", "content": loops.TASK}]
    trace = record(loops.given_from_outside, small_model.client(), messages)
    assert actions(trace) == ["start with 1", *RIGHT[2:]]
    assert len(messages) == 5, "the loop's own list grows as it does without a recording"


def test_a_loop_of_the_course_is_followed_when_it_is_recorded() -> None:
    from course.loop import run_loop
    from course.tools import tool

    def list_files(path: str) -> str:
        """List files."""
        return "a.py"

    def read_file(path: str) -> str:
        """Read a file."""
        raise OSError("closed")

    messages = [{"role": "user", "content": loops.TASK}]
    tools = [tool(list_files), tool(read_file)]
    trace = record(run_loop, small_model.client(), messages, tools, model=loops.MODEL)
    assert actions(trace) == [
        *["start with 1", "ask 1 tool_use", "append 1 assistant", "tool list_files", "append 2 user"],
        *["ask 2 tool_use", "append 3 assistant", "tool read_file fails", "append 4 user"],
        *["ask 3 end_turn", "append 5 assistant", "end returned"],
    ]
    assert trace.name == "run_loop"


CELL = """messages = [{"role": "user", "content": "Hi"}]

def mine(client):
    client.messages.create(**ASK, messages=messages)
"""


def test_a_cell_of_a_notebook() -> None:
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    shell.user_ns.update(client=small_model.client(), record=record, ASK=loops.ASK)
    shell.run_cell(CELL)
    shell.run_cell("trace = record(mine, client)")
    trace = shell.user_ns["trace"]
    assert actions(trace) == ["start with 1", "ask 1 tool_use", "end returned"]
    assert (trace.code[0].source, trace.code[0].first_line) == (CELL[CELL.index("def") :], 3)
    assert [step.place.line for step in trace.steps] == [3, 4, 4]


def test_the_value_of_a_generator_is_what_it_returns() -> None:
    assert record(loops.yields, small_model.client()).ending.value == "'done'"


def test_the_name_is_the_function_s_unless_it_is_given() -> None:
    assert record(loops.never_asks, None).name == "never_asks"
    assert record(loops.never_asks, None, name="the silent one").name == "the silent one"


NOT_A_FUNCTION = (
    "record() takes the function itself, not its result: write record(loop, client), not record(loop(client))."
)


@pytest.mark.parametrize(
    ("value", "what"),
    [(None, "None"), ("text", "str"), (loops.yields(None), "generator")],
    ids=["None", "str", "generator"],
)
def test_what_is_no_function_is_refused(value: Any, what: str) -> None:
    with pytest.raises(RecordError) as caught:
        record(value)
    assert str(caught.value) == f"{NOT_A_FUNCTION} It got {what}."


def test_a_coroutine_is_refused_and_closed() -> None:
    coroutine = loops.awaits(None)
    with pytest.raises(RecordError) as caught:
        record(coroutine)
    assert str(caught.value) == f"{NOT_A_FUNCTION} It got coroutine."
    assert coroutine.cr_frame is None


def test_wrong_arguments_end_the_run_before_it_begins() -> None:
    trace = record(loops.appends)
    assert actions(trace) == ["start", "end raised TypeError"]
    assert trace.ending.error == {
        "type": "TypeError",
        "message": "appends() missing 1 required positional argument: 'client'",
    }


def test_nothing_is_left_behind() -> None:
    import httpx2

    before = httpx2.Client.send, httpx2.AsyncClient.send, sys.gettrace()
    record(loops.appends, small_model.client())
    record(loops.swallows_everything, small_model.client(), fuse=FUSE)
    assert (httpx2.Client.send, httpx2.AsyncClient.send, sys.gettrace()) == before
