"""Two loops in step in a real JupyterLab."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lab import Lab, LabPage, lab_page_in, write_notebook
from playwright.sync_api import Browser, Locator, expect
from walking import FIRST, serious_faults

SHOW = "from course.widgets import side_by_side\nside_by_side(traces.right(), traces.without_results())"


@pytest.fixture(scope="module")
def drawn(browser: Browser, lab: Lab, screenshots: Path) -> Iterator[LabPage]:
    """A notebook with the right loop beside the one that forgets the results."""
    write_notebook(lab, "side.ipynb", FIRST, SHOW)
    with lab_page_in(browser, lab, screenshots) as page:
        page.open_notebook("side.ipynb")
        page.hide_side_bar()
        page.run_all()
        expect(page.page.get_by_role("status").filter(has_text="1 of")).to_have_count(1)
        page.check()
        yield page


@pytest.fixture
def sides(drawn: LabPage) -> Iterator[Locator]:
    """The widget, at its first moment."""
    root = drawn.page.locator(".course-stepper")
    root.locator(".course-player").focus()
    drawn.page.keyboard.press("Home")
    yield root
    drawn.check()


def test_first_difference_and_endings_are_said(sides):
    sentences = sides.locator(".course-sentences li")
    expect(sentences).to_have_count(3)
    expect(sentences.first).to_contain_text("First difference: request 2: ")
    expect(sentences.nth(1)).to_contain_text("right: ")
    expect(sentences.nth(2)).to_contain_text("results forgotten: ")


def test_one_set_of_controls_moves_both(sides):
    for _time in range(2):
        sides.get_by_role("button", name="Step", exact=True).click()
    expect(sides.get_by_role("status")).to_contain_text("request 1")
    assert [text.split(" of ")[0] for text in sides.locator(".course-where").all_inner_texts()] == ["3", "3"]


def test_jump_to_the_difference_shows_request_2_of_both(sides, drawn):
    sides.get_by_role("button", name="difference", exact=True).click()
    expect(sides.get_by_role("status")).to_contain_text("request 2")
    cards = sides.locator(".course-conversation")
    expect(cards.nth(0).locator(".course-now")).to_contain_text("read_file")
    expect(cards.nth(1).locator(".course-now")).to_contain_text("400 invalid_request_error")
    drawn.screenshot("side-by-side", sides)


def test_the_shorter_one_waits_at_its_end(sides):
    sides.get_by_role("button", name="Last step (End)").click()
    expect(sides.locator(".course-where").nth(0)).to_contain_text("12 of 12")
    expect(sides.locator(".course-where").nth(1)).to_contain_text("6 of 6")
    expect(sides.locator(".course-where").nth(1)).to_contain_text("(waits)")


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_axe_finds_no_serious_fault(sides, drawn, theme):
    drawn.use_theme(f"JupyterLab {theme}")
    sides.get_by_role("button", name="difference", exact=True).click()
    faults = serious_faults(drawn, ".course-player")
    drawn.screenshot(f"side-by-side-{theme.lower()}", sides)
    drawn.use_theme("JupyterLab Light")
    assert faults == []


def test_the_right_border_is_not_cut_off_where_widths_are_fractions_of_a_pixel(sides):
    """Chromium draws such a border on the next whole pixel, which the frame around the lanes would cut off."""
    sides.evaluate("node => { node.style.width = '901.5px'; }")
    lanes = sides.locator(".course-lanes").bounding_box()
    pane = sides.locator(".course-pane").last.bounding_box()
    sides.evaluate("node => { node.style.width = ''; }")
    assert pane["x"] + pane["width"] <= lanes["x"] + lanes["width"] - 1


def test_lanes_stack_at_400_pixels(sides, drawn):
    drawn.page.set_viewport_size({"width": 400, "height": 900})
    boxes = [lane.bounding_box() for lane in sides.locator(".course-lane").all()]
    drawn.page.set_viewport_size({"width": 1280, "height": 800})
    assert boxes[0]["x"] == boxes[1]["x"]
    assert boxes[1]["y"] >= boxes[0]["y"] + boxes[0]["height"]
