"""The parts of the stepper that Python works out: alignment, presence, colours of the code, the one module for the page."""

from __future__ import annotations

import re

import pytest
import traces
from hypothesis import given
from hypothesis import strategies as st

from course.trace.events import Trace
from course.widgets.alignment import align
from course.widgets.bundle import HERE, javascript
from course.widgets.highlight import spans
from course.widgets.presence import kept
from course.widgets.view_words import view_words

MODULES = sorted((HERE / "js").glob("*.js"))
TOP_LEVEL = re.compile(r"^(?:export )?(?:async function|function|const|let|class) (\w+)", re.MULTILINE)


def numbers(moments):
    return [steps for _request, steps in moments]


def test_traces_stand_in_step_by_request():
    moments = align((traces.right(), traces.without_results()))
    assert moments == [
        (0, (0, 0)),
        (1, (1, 1)),
        (1, (2, 2)),
        (1, (3, 3)),
        (1, (4, 3)),
        (2, (5, 4)),
        (2, (6, 5)),
        (2, (7, 5)),
        (2, (8, 5)),
        (3, (9, 5)),
        (3, (10, 5)),
        (3, (11, 5)),
    ]


def test_a_retry_belongs_to_its_request():
    assert [request for request, _steps in align((traces.edited(), traces.edited()))] == [0, *[1] * 9]


def test_every_step_of_every_trace_has_its_moment():
    three = (traces.right(), traces.runaway(), traces.edited())
    moments = numbers(align(three))
    for lane, trace in enumerate(three):
        assert sorted({steps[lane] for steps in moments}) == list(range(len(trace.steps)))


def brute_force(trace: Trace, number: int, ids: set[str], kind: str) -> bool:
    """Does a block with one of these ids stand in `messages` at this step?"""
    key = "id" if kind == "tool_use" else "tool_use_id"
    blocks = [block for message in trace.messages_at(trace.steps[number].messages) for block in message["content"]]
    return any(isinstance(block, dict) and block.get(key) in ids for block in blocks)


@pytest.mark.parametrize("make", [traces.right, traces.without_results, traces.runaway, traces.edited])
def test_kept_says_when_a_turn_or_a_result_stands_in_messages(make):
    trace = make()
    for card, known in kept(trace).items():
        step = trace.steps[card]
        if step.tool:
            ids, kind = {step.tool.tool_use_id}, "tool_result"
        else:
            ids, kind = {b["id"] for b in step.exchange.reply["content"] if b["type"] == "tool_use"}, "tool_use"
        if not ids:  # told by its text
            continue
        for number in range(len(trace.steps)):
            assert any(start <= number < stop for start, stop in known) == brute_force(trace, number, ids, kind)


def test_an_answer_without_calls_is_known_by_its_text():
    assert kept(traces.right())[9] == [(10, 12)]


def test_a_run_without_its_call_is_left_out():
    run = traces.Recording("no id")
    run.start("task", 1)
    run.add("tool", 2, tool=traces.ToolRun("list_files", {}, "a"))
    run.end(traces.Ending("returned"), 3)
    assert kept(run.trace()) == {}


def test_source_is_painted():
    assert spans('def f():\n    return "a"  # why') == [
        [("kw", "def"), ("", " f():")],
        [("", "    "), ("kw", "return"), ("", " "), ("str", '"a"'), ("", "  "), ("comment", "# why")],
    ]


def test_a_text_over_several_lines_is_painted_on_each():
    assert spans('x = """a\nb"""') == [[("", "x = "), ("str", '"""a')], [("str", 'b"""')]]


@given(st.text(alphabet="ab1\"'#:()[]{}=.,\\\n\t f", max_size=60))
def test_painting_never_loses_a_character(source):
    assert ["".join(text for _kind, text in line) for line in spans(source)] == source.splitlines()


@pytest.mark.parametrize("name", ["stepper.js", "side_by_side.js"])
def test_one_module_without_imports_and_with_one_export(name):
    source = javascript(name)
    assert not re.search(r"^import\b", source, re.MULTILINE)
    assert re.findall(r"^export .*", source, re.MULTILINE) == ["export default { render };"]


@pytest.mark.parametrize("name", ["stepper.js", "side_by_side.js"])
def test_names_at_the_top_of_the_modules_differ(name):
    found = TOP_LEVEL.findall(javascript(name))
    assert sorted(found) == sorted(set(found))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_data_never_becomes_html(path):
    source = path.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", source)


@pytest.mark.parametrize("name", ["stepper.js", "side_by_side.js"])
def test_a_view_asks_only_for_words_that_it_is_given(name):
    asked = set(re.findall(r"\bwords\.(\w+)", javascript(name)))
    assert asked - set(view_words()) == set()
