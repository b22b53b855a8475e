"""What is left of the widgets' state in a notebook that JupyterLab saves."""

import copy

import pytest

from course.saved_widgets import STATE, VIEW, keep_what_is_shown


def widget(name, *parts):
    return {"model_name": name, "state": {"children": [f"IPY_MODEL_{part}" for part in parts]}}


def cell(*ids):
    outputs = [{"output_type": "display_data", "data": {VIEW: {"model_id": id}, "text/plain": "..."}} for id in ids]
    return {"cell_type": "code", "outputs": [{"output_type": "stream", "text": "x"}, *outputs]}


def saved(state, *cells):
    """What the hook leaves of the state."""
    widgets = {STATE: {"version_major": 2, "version_minor": 0, "state": copy.deepcopy(state)}}
    model = {"type": "notebook", "content": {"metadata": {"widgets": widgets}, "cells": list(cells)}}
    keep_what_is_shown(model=model, path="a.ipynb", contents_manager=None)
    return model["content"]["metadata"]["widgets"][STATE]["state"]


BOX = {"b0": widget("VBoxModel", "b1", "b2"), "b1": widget("AnyModel"), "b2": widget("PlayModel", "b3")}
LAYOUT = {"b3": widget("LayoutModel")}
OTHER = {"c0": widget("VBoxModel", "c1"), "c1": widget("AnyModel")}


def test_a_widget_that_an_output_shows_stays_with_all_its_parts():
    assert saved(BOX | LAYOUT | OTHER, {"cell_type": "markdown"}, cell("b0")) == BOX | LAYOUT


def test_a_widget_that_no_output_shows_any_more_goes():
    assert saved(OTHER, cell()) == {}


def test_a_link_stays_with_both_its_ends():
    link, other = widget("LinkModel", "b1", "b2"), widget("LinkModel", "b1", "c1")
    assert saved(BOX | LAYOUT | OTHER | {"a1": link, "a2": other}, cell("b0")) == BOX | LAYOUT | {"a1": link}


def test_an_output_whose_widget_is_not_there_is_passed_over():
    assert saved(BOX | LAYOUT, cell("b0", "d9")) == BOX | LAYOUT


@pytest.mark.parametrize(
    "model",
    [
        {"type": "file", "content": "text"},
        {"type": "directory"},
        {"type": "notebook", "content": None},
        {"type": "notebook", "content": {"metadata": {}, "cells": []}},
    ],
)
def test_what_holds_no_widgets_stays_as_it_is(model):
    before = copy.deepcopy(model)
    keep_what_is_shown(model=model)
    assert model == before
