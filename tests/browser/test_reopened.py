"""A notebook that was run and saved, and is opened again when its kernel is gone: as on the next day."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from lab import Lab, LabPage, lab_page_in, write_notebook
from playwright.sync_api import Browser, expect
from secrets_of import secrets_of
from walking import FIRST, Stepper

from course.quiz.bank import named_bank

NAME = "reopened.ipynb"
QUIZ = "01_raw_loop"
SAVE = """() => { window.saved = false;
  window.jupyterapp.commands.execute('docmanager:save').then(() => { window.saved = true; }); }"""


@pytest.fixture(scope="module")
def reopened(browser: Browser, lab: Lab, screenshots) -> Iterator[LabPage]:
    """The notebook after all cells ran twice, and a new kernel came."""
    cells = ("step(traces.right())", f"from course.lesson import quiz\nquiz({QUIZ!r})")
    write_notebook(lab, NAME, FIRST, *cells)
    with lab_page_in(browser, lab, screenshots) as page:
        page.open_notebook(NAME)
        page.run_all()
        page.run_all()
        expect(page.page.locator(".course-question")).to_be_visible()
        page.page.evaluate(SAVE)
        page.page.wait_for_function("window.saved")
        page.shut_down_kernel()
        page.open_notebook(NAME)
        yield page
        page.check()


def test_its_stepper_can_be_walked_before_a_cell_is_run(reopened):
    stepper = Stepper(reopened, 0)
    stepper.is_at("1 of ")
    stepper.press("Step", times=2)
    stepper.is_at("3 of ")


def test_its_quiz_is_there(reopened):
    expect(reopened.page.locator(".course-question")).to_contain_text(named_bank(QUIZ).title)


def test_its_quiz_says_what_to_do_to_go_on(reopened):
    told = "Run this cell to go on. Python does not answer yet: it was started anew, or it is busy."
    expect(reopened.page.locator(".course-question .quiz-status")).to_have_text(told)


def test_no_widget_is_missing(reopened):
    expect(reopened.page.locator(".jp-OutputArea-output")).to_have_count(2)
    expect(reopened.page.get_by_text("Error displaying widget")).to_have_count(0)


def test_the_saved_file_holds_the_questions_and_no_reason_for_an_answer(reopened, lab):
    text = (lab.folder / NAME).read_text(encoding="utf-8")
    for item in named_bank(QUIZ).items:
        assert json.dumps(item.stem.strip()[:40])[1:-1] in text
    assert [secret for secret in secrets_of(named_bank(QUIZ).items) if secret in text] == []


def test_the_saved_file_holds_each_widget_once(reopened, lab):
    metadata = json.loads((lab.folder / NAME).read_text(encoding="utf-8"))["metadata"]
    (saved,) = metadata["widgets"].values()
    assert [model["model_name"] for model in saved["state"].values()].count("AnyModel") == 2
