"""A card of each kind in a real JupyterLab: answered by the keyboard alone, read by axe, run, and back after a restart."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from lab import IS_READY, Lab, LabPage, lab_page_in, write_notebook
from learner import new_learner
from playwright.sync_api import Browser, Keyboard, Locator, expect
from quiz.examples import EVERY_KIND
from secrets_of import secrets_of

from course.quiz.session import Session, start
from course.quiz.tables import misconceptions

FILE = Path(__file__).parents[1] / "quiz" / "banks" / "every_kind.yaml"
SEED = 3
KINDS = [
    "one-of-four",
    "two-of-three",
    "paused-search",
    "pick-the-next",
    "build-the-next",
    "repair-the-array",
    "wrong-line",
    "lines-in-order",
    "reasons-and-actions",
    "write-the-loop",
]
OPEN = "limit-of-three"  # its card is never checked
CARDS = [*KINDS, OPEN]
# Each card is a bank of one question, in the folder that stands for quizzes/, so that it may be run.
HELPERS = """\
from dataclasses import replace
from pathlib import Path
import course.quiz.store as store
from course.lesson import quiz
from course.quiz import load_bank
store.QUIZZES = Path.cwd()
bank = load_bank("every_kind.yaml")
def card(id):
    return quiz(replace(bank, name=id, title=id, items=(bank.item(id),)), seed=3)"""
SAVE = "async () => { await window.jupyterapp.commands.execute('docmanager:save'); }"
RESTART = "async () => { await window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart(); }"
FAULTS = "() => [...document.querySelectorAll('.course-question')].filter(card => card.scrollWidth > card.clientWidth).length"


def session_of(id: str) -> Session:
    """The session of a card, as its kernel has it."""
    return start(replace(EVERY_KIND, name=id, items=(EVERY_KIND.item(id),)), seed=SEED)


def place_of(id: str, index: int) -> int:
    """Where an option, a piece or a right side stands on the page."""
    return session_of(id).order(0).index(index)


@pytest.fixture(scope="module")
def drawn(browser: Browser, lab: Lab, screenshots: Path) -> Iterator[LabPage]:
    """A notebook with a card of each kind, run once."""
    shutil.copy(FILE, lab.folder)
    write_notebook(lab, "kinds.ipynb", new_learner("kinds"), HELPERS, *(f"card({id!r})" for id in CARDS))
    with lab_page_in(browser, lab, screenshots) as page:
        page.open_notebook("kinds.ipynb")
        page.hide_side_bar()
        page.run_all()
        expect(page.page.locator(".course-question")).to_have_count(len(CARDS))
        yield page
        page.check()


@pytest.fixture
def keyboard(drawn: LabPage) -> Keyboard:
    return drawn.page.keyboard


def card_of(drawn: LabPage, id: str) -> Locator:
    return drawn.page.locator(".course-question").nth(CARDS.index(id))


def violations(drawn: LabPage) -> list[tuple[str, list[object]]]:
    """What axe finds in all cards, and in the stepper below one: contrast, names, roles."""
    found = Axe().run(drawn.page, context={"include": [[".course-question"], [".quiz-trace"]]}).response["violations"]
    return [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found]


def can_be_read(drawn: LabPage) -> None:
    """In both themes, and where the cards are 400 pixels wide."""
    for theme in ("Dark", "Light"):
        drawn.use_theme(f"JupyterLab {theme}")
        assert violations(drawn) == []
    drawn.page.add_style_tag(content=".course-question { max-width: 400px !important; }")
    assert drawn.page.evaluate(FAULTS) == 0
    drawn.page.evaluate("() => document.querySelector('head > style:last-of-type').remove()")


def tab_to(card: Locator, keyboard: Keyboard, target: Locator, most: int = 12) -> None:
    """Press Tab until the target has the focus."""
    for _ in range(most):
        if target.evaluate("node => node === document.activeElement"):
            return
        keyboard.press("Tab")
    expect(target).to_be_focused()


def check(card: Locator, keyboard: Keyboard, verdict: str) -> None:
    """Press Check by the keyboard, and read the verdict."""
    button = card.get_by_role("button", name="Check")
    tab_to(card, keyboard, button)
    keyboard.press("Enter")
    expect(card.get_by_role("status")).to_contain_text(verdict)
    expect(button).to_be_focused()


def test_no_key_is_in_the_page_nor_in_the_saved_notebook_before_an_answer(drawn, lab):
    drawn.page.evaluate(SAVE)
    saved = (lab.folder / "kinds.ipynb").read_text(encoding="utf-8")
    assert "widget-state" in saved, "the widgets were saved with the notebook"
    items = [session_of(id).item(0) for id in KINDS]
    for text in (drawn.page.content(), saved):
        assert "What is appended?" in text
        assert [secret for secret in secrets_of(items) if secret in text] == []


def test_cards_of_all_kinds_can_be_read_before_the_answer(drawn):
    can_be_read(drawn)


def test_one_by_the_keyboard(drawn, keyboard):
    card = card_of(drawn, "one-of-four")
    card.get_by_role("radio").first.focus()
    keyboard.press("Space")
    for _ in range(place_of("one-of-four", 0)):
        keyboard.press("ArrowDown")
    check(card, keyboard, "Right.")


def test_many_by_the_keyboard(drawn, keyboard):
    card = card_of(drawn, "two-of-three")
    expect(card.get_by_role("group", name="Choose 2 answers.")).to_be_visible()
    boxes = card.get_by_role("checkbox")
    boxes.first.focus()
    tab_to(card, keyboard, boxes.nth(place_of("two-of-three", 0)))
    keyboard.press("Space")
    check(card, keyboard, "Choose 2 answers first, no more and no fewer.")
    boxes.first.focus()
    tab_to(card, keyboard, boxes.nth(place_of("two-of-three", 1)))
    keyboard.press("Space")
    check(card, keyboard, "Right.")
    expect(card.locator(".quiz-right .quiz-mark")).to_have_text(["your answer: right"] * 2)


def test_action_by_the_keyboard(drawn, keyboard):
    id = "paused-search"
    card, options = card_of(drawn, id), session_of(id).item(0).options
    right = next(at for at, option in enumerate(options) if option.correct)
    card.get_by_role("radio").first.focus()
    keyboard.press("Space")
    for _ in range(place_of(id, right)):
        keyboard.press("ArrowDown")
    check(card, keyboard, "Right.")


def test_a_wrong_next_array_by_the_keyboard_and_what_it_does(drawn, keyboard):
    id = "pick-the-next"
    card = card_of(drawn, id)
    place = place_of(id, 1)
    card.get_by_role("radio").first.focus()
    keyboard.press("Space")
    for _ in range(place):
        keyboard.press("ArrowDown")
    expect(card.get_by_role("radio").nth(place)).to_be_checked()
    check(card, keyboard, f"Not right. The right answer: {'ABC'[place_of(id, 0)]}")
    chosen = card.locator(".quiz-chosen")
    expect(chosen.locator(".course-message .course-mark")).to_have_text("new")
    expect(chosen.locator(".quiz-belief")).to_contain_text(misconceptions()["results-are-enough"])

    chosen.get_by_role("button", name=f"Run it: {'ABC'[place]}").focus()
    keyboard.press("Enter")
    trace = card.locator("xpath=following-sibling::*[1]")
    expect(trace.get_by_role("heading")).to_be_focused(timeout=60_000)
    expect(trace.locator(".course-explain")).to_contain_text("400")
    tab_to(card, keyboard, trace.get_by_role("button", name="Step", exact=True))
    keyboard.press("Enter")
    expect(trace.locator(".course-status-line")).to_contain_text("2 of ")
    drawn.screenshot("question-run", card.locator("xpath=.."))


def press_in(card: Locator, keyboard: Keyboard, name: str) -> None:
    card.get_by_role("button", name=name).focus()
    keyboard.press("Enter")


def test_an_array_is_built_by_the_keyboard(drawn, keyboard):
    card = card_of(drawn, "build-the-next")
    pool, built = card.locator(".quiz-pool > li"), card.locator(".quiz-list > li")
    for name in ("assistant tool_use list_files toolu_01", "assistant tool_use list_files toolu_02"):
        press_in(card, keyboard, f"Add: {name}")
    expect(pool).to_have_count(3)
    assert card.evaluate("card => card.contains(document.activeElement)"), "the focus stays in the card"
    press_in(card, keyboard, "Add: user tool_result toolu_02")
    press_in(card, keyboard, "Add: user text Go on.")
    press_in(card, keyboard, "Add: user tool_result toolu_01")
    expect(card.locator(".quiz-spoken").first).to_have_text("Added as 5 of 5: user tool_result toolu_01")
    press_in(card, keyboard, "Move up: user tool_result toolu_01")
    expect(card.get_by_role("button", name="Move up: user tool_result toolu_01")).to_be_focused()
    keyboard.press("Enter")
    press_in(card, keyboard, "Take out: user text Go on.")
    expect(card.locator(".quiz-spoken").first).to_have_text("Taken out: user text Go on.")
    expect(built.locator(".course-role")).to_have_text(["assistant", "user"])
    check(card, keyboard, "Right.")


def test_an_array_is_repaired_by_the_keyboard(drawn, keyboard):
    card = card_of(drawn, "repair-the-array")
    expect(card.locator(".quiz-list > li")).to_have_count(2)
    press_in(card, keyboard, "Take out: user text Go on.")
    press_in(card, keyboard, "Add: assistant tool_use list_files toolu_01")
    check(card, keyboard, "Not right.")
    expect(card.locator(".quiz-column.quiz-right .course-role")).to_have_text(["assistant", "user"])


def test_a_line_is_chosen_by_the_keyboard(drawn, keyboard):
    card = card_of(drawn, "wrong-line")
    card.get_by_role("radio", name="line 3").focus()
    keyboard.press("Space")
    keyboard.press("ArrowDown")
    expect(card.get_by_role("radio", name="line 4")).to_be_checked()
    check(card, keyboard, "Right.")
    expect(card.locator(".quiz-right .quiz-plain")).to_have_text('if reply.stop_reason == "end_turn":')


def test_lines_are_put_in_order_by_the_keyboard(drawn, keyboard):
    card = card_of(drawn, "lines-in-order")
    for name in ("def loop", "reply = ask", "return reply"):
        press_in(card, keyboard, f"Add: {name}")
    check(card, keyboard, "Right.")
    expect(card.locator(".quiz-whys")).to_contain_text("Then nothing is left.")


def test_partners_are_chosen_by_the_keyboard(drawn, keyboard):
    card = card_of(drawn, "reasons-and-actions")
    for left, right in ((0, 1), (1, 2)):
        card.get_by_role("combobox", name=f"Partner of entry {left + 1}").focus()
        keyboard.press("ABC"[place_of("reasons-and-actions", right)])
    check(card, keyboard, "Not right. 1 of 2 parts is right. The exam would count this as wrong.")
    expect(card.locator(".quiz-wrong .quiz-mark")).to_have_text(
        f"wrong, it is {'ABC'[place_of('reasons-and-actions', 0)]}"
    )


def test_code_is_written_by_the_keyboard_and_run(drawn, keyboard):
    card = card_of(drawn, "write-the-loop")
    editor = card.get_by_role("textbox", name="Write the function loop. It is run when you have finished.")
    editor.focus()
    keyboard.press("Control+a")
    keyboard.type("x = 1")
    card.get_by_role("button", name="Check").press("Enter")
    told = "Your code has no function loop. Write one that begins with def loop(, and check again."
    expect(card.get_by_role("status")).to_have_text(told)
    editor.focus()
    keyboard.press("Control+a")
    keyboard.type("def loop(client, messages):\nreturn run_loop(client, messages, tools, model=MODEL)")
    assert editor.input_value().splitlines()[1].startswith("    return"), "a new line is indented after a colon"
    keyboard.press("Shift+Enter")  # in JupyterLab it would run the cell, and the text would be gone
    keyboard.press("Tab")
    expect(card.get_by_role("button", name="Previous")).to_be_focused()
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(card.get_by_role("status")).to_contain_text("Right.", timeout=60_000)
    expect(card.locator(".quiz-tasks .quiz-mark")).to_have_text(["right", "right"])


def test_cards_of_all_kinds_can_be_read_after_the_answer(drawn):
    can_be_read(drawn)


def choose_and_leave(drawn: LabPage, lab: Lab) -> None:
    """Choose an option of the card that is still open, and wait until that is kept."""
    card_of(drawn, OPEN).get_by_role("radio").nth(1).check()
    kept = lab.folder / "progress-kinds" / f"quiz-{OPEN}.json"
    end = time.monotonic() + 20
    while not kept.exists() and time.monotonic() < end:
        drawn.page.wait_for_timeout(20)


def test_after_a_restart_of_the_kernel_every_answer_is_back(drawn, lab):
    """Each bank has one question, and if it is answered, the card shows the score."""
    choose_and_leave(drawn, lab)
    drawn.page.evaluate(RESTART)
    drawn.page.wait_for_function(IS_READY, arg="kinds.ipynb")
    drawn.run_all()
    expect(drawn.page.locator(".course-question")).to_have_count(len(CARDS))
    expect(card_of(drawn, OPEN).get_by_role("radio").nth(1)).to_be_checked()
    right = [0 if id in ("pick-the-next", "repair-the-array", "reasons-and-actions") else 1 for id in KINDS]
    expect(drawn.page.locator(".quiz-result")).to_have_text([f"{count} of 1 right" for count in right])
    card = card_of(drawn, "build-the-next")
    card.locator(".quiz-summary").get_by_role("button").click()
    expect(card.locator(".quiz-list .course-role")).to_have_text(["assistant", "user"])
    expect(card.get_by_role("status")).to_contain_text("Right.")
