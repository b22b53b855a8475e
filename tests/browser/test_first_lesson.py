"""A learner's first lesson: the notebook as it is shipped, in a real JupyterLab, from the first cell to the quiz."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from lab import Lab, LabPage, lab_page_in
from playwright.sync_api import Browser, Locator, expect

# JupyterLab then writes what the kernel says about itself into the notebook.
KERNEL_HAS_SPOKEN = """() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.info.then(() => {})"""
FINAL_ROLES = ["user", "assistant", "user", "assistant", "user", "assistant"]


@pytest.fixture(scope="module")
def lesson(browser: Browser, lab: Lab, screenshots) -> Iterator[LabPage]:
    """Notebook 01, all of whose cells were run."""
    with lab_page_in(browser, lab, screenshots) as page:
        page.open_notebook("01_raw_loop.ipynb")
        page.hide_side_bar()
        page.run_all()
        yield page
        page.check()


def test_a_notebook_that_is_only_opened_does_not_count_as_changed(lab_page):
    lab_page.open_notebook("00_start_here.ipynb")
    lab_page.page.wait_for_function(
        "window.jupyterapp.shell.currentWidget.context.model.metadata.language_info.version"
    )
    assert lab_page.page.evaluate("window.jupyterapp.shell.currentWidget.context.model.dirty") is False


def stepper(lesson: LabPage) -> Locator:
    return lesson.page.locator(".course-stepper").first


def messages(part: Locator) -> list[dict]:
    """`messages` as the page shows it, in its raw form."""
    part.get_by_role("button", name="JSON", exact=True).click()
    texts = part.locator(".course-messages pre").all_inner_texts()
    return [json.loads(text.strip().removesuffix(",")) for text in texts]


def test_step_to_the_end_and_read_the_last_messages(lesson):
    part = stepper(lesson)
    expect(part.get_by_role("status")).to_contain_text("1 of 12")
    step = part.get_by_role("button", name="Step", exact=True)
    for _press in range(11):
        step.click()
    expect(part.get_by_role("status")).to_contain_text("12 of 12")
    last = messages(part)
    assert [message["role"] for message in last] == FINAL_ROLES
    assert last[-1]["content"][-1]["text"].endswith("package.json describes harbour-board, version 1.4.0.")
    lesson.screenshot("lesson_01_stepper", part)


def test_answer_a_question_of_the_quiz(lesson):
    card = lesson.page.locator(".course-question").first
    card.get_by_role("radio").first.check()
    card.get_by_role("button", name="Check").click()
    expect(card.locator(".quiz-why").first).to_be_visible()
    lesson.screenshot("lesson_01_quiz", card)


def test_the_unsolved_exercise_says_what_is_missing(lesson):
    expect(lesson.page.get_by_text("01.1: not yet")).to_be_visible()
