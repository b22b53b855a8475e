"""The stepper in a real JupyterLab: what a learner presses, and what the page then shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
import traces
from lab import Lab, LabPage, lab_page_in, write_notebook
from playwright.sync_api import Browser, expect
from walking import FIRST, Stepper, serious_faults

SHOWN = ("right", "without_results", "edited", "hostile", "searched", "long")
CELLS = [FIRST, *(f"step(traces.{name}())" for name in SHOWN[:-1]), "step(traces.actions(1000))"]
RIGHT_STEPS = len(traces.right().steps)


@pytest.fixture(scope="module")
def drawn(browser: Browser, lab: Lab, screenshots: Path) -> Iterator[LabPage]:
    """A notebook that shows all steppers of this file, run once."""
    write_notebook(lab, "steppers.ipynb", *CELLS)
    with lab_page_in(browser, lab, screenshots) as page:
        page.open_notebook("steppers.ipynb")
        page.hide_side_bar()
        page.run_all()
        expect(page.page.get_by_role("status").filter(has_text="1 of")).to_have_count(len(SHOWN))
        page.check()
        yield page


@pytest.fixture
def show(drawn: LabPage) -> Iterator[object]:
    """A stepper of the notebook by its name, at its first step."""

    def find(name: str) -> Stepper:
        stepper = Stepper(drawn, SHOWN.index(name))
        stepper.press("Actions")
        stepper.key("Home")
        stepper.is_at("1 of ")
        return stepper

    yield find
    drawn.check()


def test_step_goes_to_the_end_and_messages_can_be_read(show):
    stepper = show("right")
    stepper.press("Step", RIGHT_STEPS - 1)
    stepper.is_at(f"{RIGHT_STEPS} of {RIGHT_STEPS}: ")
    trace = traces.right()
    assert stepper.messages() == trace.messages_at(trace.steps[-1].messages)


def test_step_at_the_end_stays_there_and_keeps_the_focus(show):
    stepper = show("right")
    step = stepper.root.get_by_role("button", name="Step", exact=True)
    stepper.press("Step", RIGHT_STEPS - 1)
    expect(step).to_have_attribute("aria-disabled", "true")
    expect(step).to_be_focused()
    stepper.lab_page.page.keyboard.press("Enter")
    stepper.is_at(f"{RIGHT_STEPS} of {RIGHT_STEPS}: ")
    expect(step).to_be_focused()


def test_back_takes_away_what_the_step_brought(show):
    stepper = show("right")
    stepper.press("Step", 4)
    expect(stepper.pane("messages").locator(".course-message")).to_have_count(3)
    stepper.press("Back", 2)
    stepper.is_at(f"3 of {RIGHT_STEPS}: ")
    expect(stepper.pane("messages").locator(".course-message")).to_have_count(2)
    expect(stepper.pane("conversation").locator(".course-card")).to_have_count(2)


def test_keys_step_and_jump(show):
    stepper = show("right")
    stepper.key("ArrowRight", "ArrowRight", "ArrowLeft")
    stepper.is_at(f"2 of {RIGHT_STEPS}: ")
    stepper.key("End")
    stepper.is_at(f"{RIGHT_STEPS} of {RIGHT_STEPS}: ")
    stepper.key("Home")
    stepper.is_at(f"1 of {RIGHT_STEPS}: ")


def test_keys_leave_the_cells_of_the_notebook_alone(show):
    stepper = show("right")
    active = "window.jupyterapp.shell.currentWidget.content.activeCellIndex"
    before = stepper.lab_page.page.evaluate(active)
    stepper.key("ArrowRight", "ArrowLeft", "Home", "End", " ", " ")
    assert stepper.lab_page.page.evaluate(active) == before


def test_plain_letters_are_no_commands_of_jupyterlab(show):
    """In its command mode "d d" deletes the cell, "x" cuts it, "a" and "b" add one."""
    stepper = show("right")
    page = stepper.lab_page.page
    cells = "window.jupyterapp.shell.currentWidget.content.widgets.length"
    before = page.evaluate(cells)
    stepper.key("d", "d", "x", "a", "b")
    step = stepper.root.get_by_role("button", name="Step", exact=True)
    step.focus()
    for letter in "ddxab":
        page.keyboard.press(letter)
    stepper.key("ArrowRight")  # answered after all of them
    stepper.is_at(f"2 of {RIGHT_STEPS}: ")
    assert page.evaluate(cells) == before


def test_shortcuts_of_jupyterlab_still_work_inside_the_view(show):
    stepper = show("right")
    page = stepper.lab_page.page
    page.evaluate("window.jupyterapp.shell.currentWidget.context.model.dirty = true")
    stepper.key("Control+s")
    page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")


def test_slider_moves_the_view(show):
    stepper = show("right")
    slider = stepper.root.locator(".course-scrubber .slider-container")
    box = slider.bounding_box()
    slider.click(position={"x": box["width"] - 2, "y": box["height"] / 2})
    stepper.is_at(f"{RIGHT_STEPS} of {RIGHT_STEPS}: ")


def test_view_moves_the_slider(show):
    stepper = show("right")
    stepper.press("Step", 2)
    expect(stepper.root.locator(".noUi-handle")).to_have_attribute("aria-valuenow", "2.0")


def test_play_runs_to_the_end(show):
    stepper = show("right")
    stepper.root.get_by_label("Speed").select_option("very fast")
    stepper.root.locator(".course-scrubber .jupyter-button").first.click()
    stepper.is_at(f"{RIGHT_STEPS} of {RIGHT_STEPS}: ")


def test_space_plays_and_a_step_pauses(show):
    stepper = show("long")
    stepper.root.get_by_label("Speed").select_option("very fast")
    stepper.key(" ")
    stepper.is_at("3 of 1000: ")
    stepper.press("Back")
    stopped = stepper.status.inner_text()
    stepper.lab_page.page.wait_for_timeout(500)  # five steps of "very fast": time to see that none is made
    assert stepper.status.inner_text() == stopped


def test_jumps_lead_to_the_next_request_change_and_error(show):
    stepper = show("edited")
    stepper.press("request")
    stepper.is_at("2 of 10: ")
    stepper.press("change")
    stepper.is_at("5 of 10: ")
    stepper.press("error")
    stepper.is_at("6 of 10: ")
    stepper.press("Last step (End)")
    expect(stepper.root.get_by_role("button", name="error", exact=True)).to_have_attribute("aria-disabled", "true")


def test_running_line_is_lit(show):
    stepper = show("right")
    stepper.press("Step")
    running = stepper.pane("code").locator("[aria-current=step]")
    expect(running).to_have_count(1)
    expect(running).to_contain_text("reply = client.messages.create")
    expect(stepper.pane("code").locator(".course-ran")).to_have_count(2)


def test_lines_are_steps_of_their_own(show):
    stepper = show("right")
    stepper.press("Step", 2)
    stepper.press("Lines")
    lines = sum(max(1, len(step.path)) for step in traces.right().steps)
    stepper.is_at(f"4 of {lines}: ")
    stepper.press("Step")
    stepper.is_at(f"5 of {lines}: line 6")
    expect(stepper.pane("messages").locator(".course-message")).to_have_count(2)
    expect(stepper.pane("conversation").locator(".course-card")).to_have_count(2)
    stepper.press("Actions")
    stepper.is_at(f"4 of {RIGHT_STEPS}: ")


def test_what_is_new_changed_and_gone_is_marked_in_words(show):
    stepper = show("edited")
    marks = stepper.pane("messages").locator("summary .course-mark")
    stepper.press("Step", 4)
    expect(marks).to_have_text(["new"])
    stepper.press("Step", 3)
    stepper.is_at("8 of 10: ")
    expect(marks).to_have_text(["changed"])
    expect(stepper.pane("messages").locator(".course-leaf .course-mark")).to_have_text(["changed"])
    stepper.press("Step")
    expect(stepper.pane("messages").locator(".course-gone")).to_have_text("1 removed here")


def test_stop_reason_says_what_it_means(show):
    stepper = show("right")
    stepper.press("Step")
    badge = stepper.root.get_by_role("button", name="tool_use", exact=True)
    tip = stepper.root.locator(".course-tip")
    expect(tip).to_be_hidden()
    badge.hover()
    expect(tip).to_contain_text("The model asks for one or more of your tools.")
    stepper.lab_page.screenshot("stepper-tip", stepper.root)
    expect(badge).to_have_accessible_description(
        "The model asks for one or more of your tools. Append the assistant turn, run every tool_use block, append one user "
        "turn with one tool_result per id, and ask again."
    )


def test_card_says_what_never_went_into_messages(show):
    stepper = show("without_results")
    stepper.press("Last step (End)")
    cards = stepper.pane("conversation")
    expect(cards.locator(".course-card-assistant .course-kept")).to_have_text("in messages")
    expect(cards.locator(".course-card-tool .course-kept")).to_have_text("not in messages")
    expect(cards.locator(".course-card-error").first).to_contain_text("400 invalid_request_error")


def test_a_tool_that_the_api_runs_is_a_card_in_the_turn(show):
    stepper = show("searched")
    stepper.press("Last step (End)")
    first, second = stepper.pane("conversation").locator(".course-card-assistant").all()
    cards = first.locator(".course-card")
    expect(cards).to_have_count(2)
    expect(cards.nth(0)).to_contain_text('web_search(query="tides")Tide tables\n  https://example.com/tides')
    expect(cards.nth(1)).to_contain_text('run by the API itselfweb_search(query="berths")')
    cards = second.locator(".course-card")
    expect(cards).to_have_count(2)
    expect(cards.nth(0)).to_contain_text("Tide tables")
    expect(cards.nth(1)).to_contain_text("Tool: error")
    expect(cards.nth(1)).to_contain_text("too_many_requests")
    expect(stepper.pane("conversation")).not_to_contain_text("encrypted_content")
    stepper.lab_page.screenshot("stepper-searched", stepper.root)


def test_wire_shows_request_response_and_tokens(show):
    stepper = show("right")
    wire = stepper.pane("wire")
    expect(wire).to_contain_text("No request yet.")
    stepper.press("Step")
    expect(wire).to_contain_text("POST /v1/messages")
    expect(wire).to_contain_text("stop_reason")
    expect(wire).to_contain_text("500 of 200,000 tokens of the context window; 500 in all requests so far")
    wire.locator("summary").first.click()
    expect(wire).to_contain_text('"list_files"')


def test_trace_can_hold_html_and_the_page_shows_it_as_text(show):
    stepper = show("hostile")
    stepper.press("Step", 5)
    stepper.root.locator("details").evaluate_all("nodes => nodes.forEach(node => { node.open = true; })")
    stepper.press("JSON")
    stepper.press("Tree")
    assert stepper.root.locator("img, script").count() == 0
    assert stepper.lab_page.page.evaluate("window.hacked === undefined")
    expect(stepper.pane("conversation")).to_contain_text('<img src="x" onerror=')


def test_long_trace_draws_a_window_and_the_rest_on_demand(show):
    stepper = show("long")
    stepper.press("Last step (End)")
    messages = stepper.pane("messages").locator(".course-message")
    expect(messages).to_have_count(12)
    stepper.root.get_by_role("button", name="488 earlier messages, show").click()
    expect(messages).to_have_count(62)
    expect(stepper.pane("conversation").locator(".course-card")).to_have_count(12)


def test_steps_go_on_when_the_kernel_is_gone(browser, lab, screenshots):
    write_notebook(lab, "dead.ipynb", FIRST, "step(traces.right())")
    with lab_page_in(browser, lab, screenshots) as page:
        page.open_notebook("dead.ipynb")
        page.run_all()
        stepper = Stepper(page, 0)
        stepper.is_at("1 of 12: ")
        page.shut_down_kernel()
        stepper.press("Step", 3)
        stepper.is_at("4 of 12: ")
        stepper.key("End")
        stepper.is_at("12 of 12: ")
        page.check(allowed="Could not send widget sync message")  # ipywidgets itself says so, for each step


def test_text_form_is_there_before_the_notebook_is_run(lab, lab_page):
    write_notebook(lab, "unrun.ipynb", FIRST, "step(traces.right())")
    path = lab.folder / "unrun.ipynb"
    notebook = nbformat.read(path, as_version=4)
    view = {"model_id": "0" * 32, "version_major": 2, "version_minor": 0}
    data = {"text/plain": str(traces.right()), "application/vnd.jupyter.widget-view+json": view}
    notebook.cells[1].outputs = [nbformat.v4.new_output("execute_result", data, execution_count=2)]
    nbformat.write(notebook, path)
    lab_page.open_notebook("unrun.ipynb")
    expect(lab_page.page.locator(".jp-OutputArea").last).to_contain_text(str(traces.right()).splitlines()[0])


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("name", ["right", "without_results", "edited"])
def test_axe_finds_no_serious_fault(show, theme, name):
    stepper = show(name)
    stepper.lab_page.use_theme(f"JupyterLab {theme}")
    stepper.press("Step", 4)

    stepper.root.evaluate("node => { node.id = 'under-test'; }")
    faults = serious_faults(stepper.lab_page, "#under-test .course-player")
    stepper.root.evaluate("node => { node.removeAttribute('id'); }")
    stepper.lab_page.screenshot(f"stepper-{name}-{theme.lower()}", stepper.root)
    stepper.lab_page.use_theme("JupyterLab Light")
    assert faults == []


def test_everything_fits_one_screen_at_1200_pixels(show):
    stepper = show("right")
    stepper.lab_page.page.set_viewport_size({"width": 1200, "height": 800})
    stepper.press("Step", 5)
    box = stepper.root.bounding_box()
    stepper.lab_page.screenshot("stepper-1200", stepper.root)
    stepper.lab_page.page.set_viewport_size({"width": 1280, "height": 800})
    assert box["height"] <= 640
    assert box["width"] <= 1200


def test_running_line_stays_in_sight_when_the_window_narrows(show):
    stepper = show("right")
    page = stepper.lab_page.page
    stepper.press("Step", 4)
    page.set_viewport_size({"width": 400, "height": 900})
    running = stepper.pane("code").locator("[aria-current=step]")
    body = stepper.pane("code").locator(".course-body")
    page.wait_for_function(
        """([body, running]) => {
          const [pane, line] = [body.getBoundingClientRect(), running.getBoundingClientRect()];
          return body.scrollTop > 0 && pane.top <= line.top && line.bottom <= pane.bottom;
        }""",
        arg=[body.element_handle(), running.element_handle()],
    )
    page.set_viewport_size({"width": 1280, "height": 800})


def test_panes_stack_at_400_pixels(show):
    stepper = show("right")
    page = stepper.lab_page.page
    page.set_viewport_size({"width": 400, "height": 900})
    stepper.press("Step", 4)
    boxes = [stepper.pane(name).bounding_box() for name in ("code", "conversation", "messages", "wire")]
    overflow = stepper.view.evaluate("node => node.scrollWidth - node.clientWidth")
    stepper.lab_page.screenshot("stepper-400", stepper.root)
    page.set_viewport_size({"width": 1280, "height": 800})
    assert len({box["x"] for box in boxes}) == 1
    assert overflow <= 0
