"""The stepper without a browser: its state, its text, and what the view is told."""

from __future__ import annotations

import json

import pytest
import traces
from anthropic import beta_tool
from ipywidgets.embed import dependency_state

from course.clients import client
from course.errors import RecordError
from course.loop import run_loop
from course.settings import MODEL
from course.tools import tool
from course.trace import record, titles
from course.widgets import Stepper, side_by_side, step
from course.workspace import Workspace

WIDGET = "application/vnd.jupyter.widget-view+json"


def test_text_form_is_the_trace():
    stepper = step(traces.right())
    bundle = stepper._repr_mimebundle_()
    assert bundle["text/plain"] == str(traces.right())
    assert bundle[WIDGET]["model_id"] == stepper.model_id
    assert repr(stepper) == str(traces.right())


def test_text_form_of_two_is_their_comparison():
    sides = side_by_side(traces.right(), traces.without_results())
    assert sides._repr_mimebundle_()["text/plain"] == str(sides.comparison)
    assert repr(sides) == str(sides.comparison)


def test_it_starts_at_the_first_step_and_ends_at_the_last():
    stepper = Stepper(traces.right())
    assert (stepper.index, stepper.view.max) == (0, 11)
    stepper.index = 5
    assert stepper.view.index == 5


def joined(widget):
    """What is joined to the widget's view in the browser: in the state that a saved page holds."""
    saved = dependency_state([widget])
    links = [model["state"] for model in saved.values() if model["model_name"] == "LinkModel"]
    models = {f"IPY_MODEL_{number}": model["model_name"] for number, model in saved.items()}
    assert {models[link["source"][0]] for link in links} == {"AnyModel"}
    return {(link["source"][1], models[link["target"][0]], link["target"][1]) for link in links}


@pytest.mark.parametrize("make", [step, lambda trace: side_by_side(trace, traces.runaway())])
def test_controls_are_joined_to_the_view_in_the_browser(make):
    widget = make(traces.right())
    assert joined(widget) == {
        ("index", "PlayModel", "value"),
        ("index", "IntSliderModel", "value"),
        ("max", "PlayModel", "max"),
        ("max", "IntSliderModel", "max"),
        ("playing", "PlayModel", "playing"),
        ("interval", "PlayModel", "interval"),
    }


def test_view_is_told_each_title_and_fault():
    told = json.loads(Stepper(traces.without_results()).view.data)["lanes"][0]
    assert told["titles"] == list(titles(traces.without_results()))
    assert told["fault"].startswith("Line 4: request 2 failed: 400 invalid_request_error.")


def test_view_is_told_what_each_stop_reason_means():
    told = json.loads(Stepper(traces.right()).view.data)["stop_reasons"]
    assert told["end_turn"] == "The model has finished its answer. Stop: the answer is complete. Return it."
    assert told[""] == "There is no stop_reason: the reply did not come to its end."
    assert told["?"] == "This course does not know this stop_reason. A loop should stop here and say so."


def test_data_for_the_view_grows_with_the_trace_and_no_faster():
    small, large = (len(Stepper(traces.actions(count)).view.data) for count in (400, 4000))
    assert large / small < 11


def my_loop():
    """Never run here."""


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (my_loop, "step() shows a trace, and my_loop is a function: write step(record(my_loop))."),
        (None, "step() shows a trace, what record(loop) returns, and this is of type NoneType."),
        ([1], "step() shows a trace, what record(loop) returns, and this is of type list."),
    ],
)
def test_what_is_not_a_trace_gets_one_sentence(given, sentence):
    with pytest.raises(RecordError) as caught:
        step(given)
    assert str(caught.value) == sentence


def test_one_trace_is_not_enough_to_compare():
    with pytest.raises(RecordError) as caught:
        side_by_side(traces.right())
    assert str(caught.value) == (
        "side_by_side() needs two traces or more: side_by_side(record(right), record(broken))."
    )


TASK = {"role": "user", "content": "Which files are in this directory? Then read package.json."}
WORKSPACE = Workspace()


def list_files(path: str = ".") -> str:
    """List the files of the project."""
    return "\n".join(WORKSPACE.list_files(path))


def read_file(path: str) -> str:
    """Read one file of the project."""
    return WORKSPACE.read_file(path)


def raw_loop(client):
    run_loop(client, [TASK], [tool(list_files), tool(read_file)], model=MODEL)


def tool_runner(client):
    tools = [beta_tool(list_files), beta_tool(read_file)]
    client.beta.messages.tool_runner(model=MODEL, max_tokens=1024, messages=[TASK], tools=tools).until_done()


def test_the_raw_loop_stands_beside_the_tool_runner():
    sides = side_by_side(*(record(loop, client("list_then_read")) for loop in (raw_loop, tool_runner)))
    sentences = json.loads(sides.view.data)["sentences"]
    assert sentences == [
        "No difference.",
        "raw_loop: ended by end_turn after 3 requests",
        "tool_runner: ended by end_turn after 3 requests",
    ]
