"""Lines: where each step was done, what ran before it, and whose code is shown."""

from __future__ import annotations

import inspect
import pprint
import sys
import threading
from typing import Any

import loops
import pytest
import small_model

from course.trace import Trace, record
from course.trace.fuse import swallowing_lines
from course.trace.recording import LONGEST_PATH
from course.trace.sources import COURSE, LEARNERS, OTHER, Sources


def line_of(function: Any, text: str) -> int:
    """The number of the only line of a function that holds this text."""
    lines, first = inspect.getsourcelines(function)
    (found,) = [first + number for number, line in enumerate(lines) if text in line]
    return found


def where(trace: Trace) -> list[tuple[str, int]]:
    """For each step the function and the line that did it."""
    return [(trace.code[step.place.function].name, step.place.line) for step in trace.steps if step.place is not None]


def test_each_step_is_done_by_its_line() -> None:
    trace = record(loops.appends, small_model.client())
    name = "appends"
    first = inspect.getsourcelines(loops.appends)[1]
    turn, results = line_of(loops.appends, '"role": "assistant"'), line_of(loops.appends, "results(response)})")
    ask = line_of(loops.appends, "client.messages.create")
    tool = line_of(loops.results, "TOOLS[block.name]")
    round_ = [(name, ask), (name, turn), ("results", tool), (name, results)]
    task = line_of(loops.appends, "messages: list[Any] =")
    end = line_of(loops.appends, "return response")
    assert where(trace) == [(name, first), (name, task), *round_, *round_, (name, ask), (name, end)]


def test_a_change_in_a_function_that_was_called_is_done_there() -> None:
    trace = record(loops.uses_closures, small_model.client())
    append = line_of(loops.uses_closures, "messages.append")
    changes = [step.place.line for step in trace.steps if step.kind == "change" and step.place is not None]
    assert changes[1:] == [append] * 4
    assert [function.name for function in trace.code] == [
        "uses_closures",
        "results",
        "list_files",
        "result",
        "read_file",
    ]


def test_a_path_holds_every_line_since_the_step_before() -> None:
    trace = record(loops.never_asks, None)
    first = inspect.getsourcelines(loops.never_asks)[1]
    paths = [[place.line for place in step.path] for step in trace.steps]
    assert paths == [[], [first + 1, first + 2], [first + 3]]


def test_a_path_ends_with_the_line_of_the_step() -> None:
    trace = record(loops.Agent(small_model.client()).run, loops.TASK)
    assert all(step.path[-1] == step.place for step in trace.steps[1:])


def test_the_line_of_an_exception_is_where_it_was_raised() -> None:
    trace = record(loops.dies_of_a_tool, small_model.client())
    assert where(trace)[-1] == ("broken_list_files", line_of(loops.broken_list_files, "raise"))


def test_of_a_long_path_the_end_is_kept() -> None:
    def counts(client: Any) -> None:
        for _number in range(LONGEST_PATH):
            str(client)

    trace = record(counts, None)
    assert len(trace.steps[-1].path) == LONGEST_PATH


def test_the_source_of_a_function_is_kept_once() -> None:
    trace = record(loops.appends, small_model.client())
    lines, first = inspect.getsourcelines(loops.appends)
    assert (trace.code[0].source, trace.code[0].first_line, trace.code[0].file) == ("".join(lines), first, "loops.py")
    assert len({function.name for function in trace.code}) == len(trace.code)


def test_whose_code_it_is() -> None:
    import httpx2

    from course import loop, offline, tools

    owner = Sources().owner
    assert owner(__file__) == LEARNERS
    assert owner(loop.__file__) == LEARNERS
    assert owner(tools.__file__) == COURSE
    assert owner(offline.__file__) == OTHER  # the other side of the wire
    assert (
        owner(inspect.__file__)
        == owner(httpx2.__file__)
        == owner("<string>")
        == owner("<frozen importlib._bootstrap>")
        == OTHER
    )


def test_a_tracer_that_was_there_is_put_back() -> None:
    """As coverage or a debugger sets it."""
    seen: list[str] = []

    def tracer(frame: Any, event: str, arg: Any) -> Any:
        seen.append(frame.f_code.co_name)
        return None

    before = sys.gettrace(), threading.gettrace()
    sys.settrace(tracer)
    threading.settrace(tracer)
    try:
        record(loops.never_asks, None)
        after = sys.gettrace(), threading.gettrace()
        inspect.unwrap(record)
    finally:
        sys.settrace(before[0])
        threading.settrace(before[1])
    assert after == (tracer, tracer)
    assert {"record", "unwrap"} < set(seen)
    assert "never_asks" not in seen, "it sleeps while the loop is recorded"


def test_a_tracer_is_put_back_after_an_exception_too() -> None:
    def tracer(frame: Any, event: str, arg: Any) -> Any:
        return None

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        record(loops.appends)  # an argument is missing
        after = sys.gettrace()
    finally:
        sys.settrace(before)
    assert after is tracer


def test_what_a_thread_does_after_the_recording_is_not_followed() -> None:
    go, done = threading.Event(), threading.Event()

    def late() -> None:
        go.wait()
        loops.list_files(".")
        done.set()

    def starts_a_thread(client: Any) -> None:
        client.messages.create(**loops.ASK, messages=[{"role": "user", "content": "Hi"}])
        threading.Thread(target=late, daemon=True).start()

    trace = record(starts_a_thread, small_model.client())
    steps = len(trace.steps)
    go.set()
    assert done.wait(30)
    assert len(trace.steps) == steps


SWALLOWS = """
try:
    a
except ValueError:
    b
try:
    c
    d
except:
    e
try:
    f
except BaseException:
    g
"""


def test_lines_where_raising_is_in_vain(tmp_path: Any) -> None:
    file = tmp_path / "cell.py"
    file.write_text(SWALLOWS, encoding="utf-8")
    assert swallowing_lines(str(file)) == {6, 7, 8, 11, 12}


@pytest.mark.parametrize("source", ["%matplotlib inline\n", ""])
def test_a_source_that_is_no_python_swallows_nothing(tmp_path: Any, source: str) -> None:
    file = tmp_path / "cell.py"
    file.write_text(source, encoding="utf-8")
    assert swallowing_lines(str(file)) == frozenset()


def test_a_function_of_a_library_that_reads_the_input_is_no_tool() -> None:
    def reads_it(client: Any) -> None:
        response = client.messages.create(**loops.ASK, messages=[{"role": "user", "content": loops.TASK}])
        pprint.pformat(response.content[-1].input)

    assert "tool" not in [step.kind for step in record(reads_it, small_model.client()).steps]
