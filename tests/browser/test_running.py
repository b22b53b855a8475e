"""Stop while a loop is recorded: a bar at the edge of the window, because the kernel hears no widget while a loop runs."""

from __future__ import annotations

import json

import pytest
from lab import RUN_MILLISECONDS, Lab, LabPage, write_notebook
from playwright.sync_api import Browser, Locator, expect
from walking import Stepper, serious_faults

from course.widgets.running import RunningBar, _words

FIRST = """\
import asyncio
import time
from course import async_client, client
from course.lesson import MODEL, Fuse, record, step
from course.trace import record_async"""
LOOP = """\
def endless(client):
    while True:
        messages = [{"role": "user", "content": "Count the Python files."}]
        client.messages.create(model=MODEL, max_tokens=100, messages=messages)
        time.sleep(0.3)
"""
ASYNC_LOOP = (
    LOOP.replace("def", "async def")
    .replace("client.messages", "await client.messages")
    .replace("time", "await asyncio")
)
FUSE = "Fuse(requests=10_000, seconds=100)"


def start(lab: Lab, lab_page: LabPage, name: str, *cells: str) -> None:
    """Begin to run a notebook with these cells, and wait until its recording is shown."""
    write_notebook(lab, name, FIRST, *cells)
    lab_page.open_notebook(name)
    lab_page.hide_side_bar()
    lab_page.start_all()
    expect(bar_of(lab_page)).to_contain_text("Recording endless: request", timeout=RUN_MILLISECONDS)


def bar_of(lab_page: LabPage) -> Locator:
    return lab_page.page.get_by_role("region", name="A recording goes on")


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("asleep", (LOOP.replace("0.3", "60"), f"trace = record(endless, client(), fuse={FUSE})")),
        ("plain", (LOOP, f"trace = record(endless, client(), fuse={FUSE})")),
        ("async", (ASYNC_LOOP, f"trace = record(endless, async_client(), fuse={FUSE})")),
        ("awaited", (ASYNC_LOOP, f"trace = await record_async(endless, async_client(), fuse={FUSE})")),
    ],
)
def test_stop_ends_the_loop_and_its_trace_can_be_walked(lab: Lab, lab_page: LabPage, name: str, cells: tuple[str, ...]):
    start(lab, lab_page, f"stop_{name}.ipynb", *cells, "step(trace)")
    bar_of(lab_page).get_by_role("button", name="Stop").click()
    lab_page.wait_for_all()
    expect(bar_of(lab_page)).to_have_count(0)
    stepper = Stepper(lab_page, 0)
    stepper.is_at("1 of ")
    stepper.press("Last step (End)")
    stepper.is_at("the loop is interrupted")
    expect(stepper.pane("conversation")).to_contain_text("The loop was interrupted.")


def test_nothing_of_it_is_saved(lab: Lab, lab_page: LabPage):
    start(
        lab,
        lab_page,
        "saved.ipynb",
        LOOP,
        f"trace = record(endless, client(), fuse={FUSE})",
        "print(trace.ending.kind)",
    )
    bar_of(lab_page).get_by_role("button", name="Stop").click()
    lab_page.wait_for_all()
    lab_page.save()
    saved = json.loads((lab.folder / "saved.ipynb").read_text(encoding="utf-8"))
    assert saved["metadata"]["widgets"]["application/vnd.jupyter.widget-state+json"]["state"] == {}
    *before, last = [cell["outputs"] for cell in saved["cells"]]
    assert before == [[], [], []]
    assert [output["text"] for output in last] == [["interrupted\n"]]


def test_the_bar_goes_when_the_kernel_is_ended(lab: Lab, lab_page: LabPage):
    start(lab, lab_page, "ended.ipynb", LOOP, f"record(endless, client(), fuse={FUSE})")
    lab_page.shut_down_kernel()
    expect(bar_of(lab_page)).to_have_count(0)


def test_axe_finds_no_serious_fault(lab: Lab, lab_page: LabPage):
    start(lab, lab_page, "axe.ipynb", LOOP, f"record(endless, client(), fuse={FUSE})")
    faults = {}
    for theme in ("Light", "Dark"):
        lab_page.use_theme(f"JupyterLab {theme}")
        faults[theme] = serious_faults(lab_page, ".course-running-bar")
        lab_page.screenshot(f"running-{theme.lower()}")
    bar_of(lab_page).get_by_role("button", name="Stop").click()
    lab_page.wait_for_all()
    assert faults == {"Light": [], "Dark": []}


# The view, in a page that is no JupyterLab. `interrupt`: what its kernel can do, if anything.
ALONE = """async ([source, words, interrupt]) => {
  const { default: view } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const state = { words, said: "Recording my_loop: request 3." };
  const manager = interrupt ? { kernel: { interrupt: async () => { throw new Error(interrupt); } } } : {};
  window.end = view.initialize({ model: { get: (name) => state[name], on() {}, widget_manager: manager } });
}"""


@pytest.mark.parametrize("interrupt", [None, "not allowed"])
def test_where_the_page_cannot_interrupt_the_notebook_s_own_button_is_named(browser: Browser, interrupt: str | None):
    page = browser.new_page()
    page.evaluate(ALONE, [RunningBar._esm, json.dumps(_words()), interrupt])
    bar = page.get_by_role("region", name="A recording goes on")
    if interrupt:
        bar.get_by_role("button", name="Stop").click()
    expect(bar).to_have_text("Recording my_loop: request 3.To stop it, use the Stop button of the notebook.")
    page.evaluate("window.end()")
    expect(bar).to_have_count(0)
    page.close()
