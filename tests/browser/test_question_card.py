"""The question card in a real JupyterLab: answered by mouse and by keyboard, read from the page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from lab import Lab, LabPage, lab_page_in, write_notebook
from learner import new_learner
from playwright.sync_api import Browser, Locator, expect
from secrets_of import secrets_of

from course.quiz.bank import load_bank
from course.quiz.session import start

FILE = Path(__file__).parent / "three_questions.yaml"
BANK = load_bank(FILE)
SESSION = start(BANK)  # the same order as in the notebook: the seed is the same
TOTAL = len(BANK.items)
CARDS = 10
SHOW = "from course.lesson import quiz\nfrom course.quiz import load_bank\nquiz(load_bank('three_questions.yaml'))"
SHOW_HOSTILE = "quiz(load_bank('hostile.yaml'))"
HACK = "<img src=x onerror='window.hacked=1'><script>window.hacked=2</script>[x](javascript:window.hacked=3)"
HOSTILE = f"""\
title: "{HACK}"
items:
  - id: hostile
    kind: one
    objective: messages/memory
    stem: "{HACK}"
    code: "{HACK}"
    messages: [{{role: user, content: "{HACK}"}}]
    options:
      - {{text: "{HACK}", correct: true, why: "{HACK}"}}
      - {{text: "other", why: "{HACK}", misconception: model-remembers}}
"""
DEAD_KERNEL = "Python does not answer: the kernel is busy or has stopped. If it stays like this, run this cell again."
SAVE = "async () => { await window.jupyterapp.commands.execute('docmanager:save'); }"


def on_page(text: str) -> str:
    """A bank's text as the page shows it."""
    return " ".join(text.replace("`", "").split())


def right_position(number: int) -> int:
    item = SESSION.item(number)
    return next(position for position, option in enumerate(SESSION.order(number)) if item.options[option].correct)


def expect_every_why(card: Locator, number: int) -> None:
    item, order = SESSION.item(number), SESSION.order(number)
    expect(card.locator(".quiz-why")).to_have_count(len(order))
    for position, option in enumerate(order):
        expect(card.locator(".quiz-why").nth(position)).to_contain_text(on_page(item.options[option].why))


def violations(card: Locator, drawn: LabPage) -> list[tuple[str, list[object]]]:
    """What axe finds: contrast, names, roles."""
    card.evaluate("card => { card.id = 'under-test'; }")
    found = Axe().run(drawn.page, context="#under-test").response["violations"]
    card.evaluate("card => { card.removeAttribute('id'); }")
    return [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found]


@pytest.fixture(scope="module")
def drawn(browser: Browser, lab: Lab, screenshots: Path) -> Iterator[LabPage]:
    """A notebook with a card for each test and one for a hostile bank, run once."""
    (lab.folder / "hostile.yaml").write_text(HOSTILE, encoding="utf-8")
    shutil.copy(FILE, lab.folder)
    write_notebook(lab, "cards.ipynb", new_learner("cards"), *[SHOW] * CARDS, SHOW_HOSTILE)
    with lab_page_in(browser, lab, screenshots) as page:
        page.open_notebook("cards.ipynb")
        page.run_all()
        expect(page.page.locator(".course-question")).to_have_count(CARDS + 1)
        yield page
        page.check()


@pytest.fixture(scope="module")
def fresh() -> Iterator[int]:
    """The numbers of the cards that no test has used."""
    return iter(range(CARDS))


@pytest.fixture
def card(drawn: LabPage, fresh: Iterator[int]) -> Locator:
    """A card that shows its first question."""
    return drawn.page.locator(".course-question").nth(next(fresh))


def test_no_key_is_in_the_page_before_an_answer(drawn):
    page = drawn.page.content()  # this is the first test of the file: nothing is answered
    assert on_page(BANK.items[0].stem.split("\n")[0]) in page
    assert [piece for piece in secrets_of(BANK.items) if piece in page] == []


def test_no_key_is_in_the_saved_notebook_even_after_an_answer(card, drawn, lab):
    card.get_by_role("radio").nth(0).check()
    card.get_by_role("button", name="Check").click()
    expect_every_why(card, 0)
    drawn.page.evaluate(SAVE)
    saved = (lab.folder / "cards.ipynb").read_text(encoding="utf-8")
    assert "widget-state" in saved, "the widgets were saved with the notebook"
    assert BANK.items[1].stem.split(".")[0] in saved
    assert [piece for piece in secrets_of(BANK.items) if piece in saved] == []


def test_a_right_answer_with_the_mouse(card):
    card.get_by_role("radio").nth(right_position(0)).check()
    card.get_by_role("button", name="Check").click()
    expect(card.get_by_role("status")).to_contain_text("Right.")
    expect_every_why(card, 0)
    expect(card.locator(".quiz-right .quiz-mark")).to_have_text("your answer: right")
    expect(card.locator(".quiz-score")).to_have_text("Right: 1 of 1")
    expect(card.get_by_role("radio").nth(0)).to_be_disabled()


def test_a_wrong_answer_names_the_right_one(card):
    right = right_position(0)
    card.get_by_role("radio").nth((right + 1) % 3).check()
    card.get_by_role("button", name="Check").click()
    answer = SESSION.item(0).options[SESSION.order(0)[right]].shown
    expect(card.get_by_role("status")).to_contain_text(f"Not right. The right answer: {answer}")
    expect(card.locator(".quiz-wrong.quiz-chosen .quiz-mark")).to_have_text("your answer: wrong")
    expect(card.locator(".quiz-score")).to_have_text("Right: 0 of 1")


def test_the_keyboard_alone(card, drawn):
    keyboard = drawn.page.keyboard
    card.get_by_role("radio").nth(0).focus()
    for _ in range(right_position(0)):
        keyboard.press("ArrowDown")
    keyboard.press("Space")
    keyboard.press("Enter")
    expect(card.get_by_role("status")).to_contain_text("Right.")
    expect(card.get_by_role("button", name="Check")).to_be_focused()
    keyboard.press("Tab")
    expect(card.get_by_role("button", name="Next")).to_be_focused()
    keyboard.press("Enter")
    expect(card.get_by_role("heading")).to_have_text(f"Question 2 of {TOTAL}")
    expect(card.get_by_role("heading")).to_be_focused()


def test_letters_typed_in_the_card_do_not_change_the_notebook(card, drawn):
    card.get_by_role("radio").nth(0).focus()
    for key in ("x", "b", "a", "m", "d", "d"):  # in JupyterLab's command mode: cut, insert, to Markdown, delete
        drawn.page.keyboard.press(key)
    assert drawn.page.evaluate("window.jupyterapp.shell.currentWidget.content.widgets.length") == CARDS + 2
    expect(card).to_be_visible()


def test_check_without_a_choice(card):
    card.get_by_role("button", name="Check").click()
    expect(card.get_by_role("status")).to_have_text("Choose an answer first.")


def test_a_hostile_bank_is_harmless_text(drawn):
    card = drawn.page.locator(".course-question").nth(CARDS)
    expect(card.locator(".quiz-stem")).to_have_text(HACK)
    card.get_by_role("radio").nth(0).check()
    card.get_by_role("button", name="Check").click()
    expect(card.locator(".quiz-why").first).to_have_text(HACK)
    assert card.locator("img, script, a").count() == 0
    assert drawn.page.evaluate("window.hacked") is None


def test_what_a_screen_reader_finds(card):
    group = card.get_by_role("group", name="Choose one answer.")
    expect(group).to_have_accessible_description(on_page(BANK.items[0].stem))
    item = SESSION.item(0)
    for position, option in enumerate(SESSION.order(0)):
        expect(group.get_by_role("radio").nth(position)).to_have_accessible_name(on_page(item.options[option].shown))
    expect(card.get_by_role("figure", name="response")).to_contain_text('"stop_reason": "tool_use"')


def test_to_the_end_and_from_the_start_again(card):
    for number in range(TOTAL):
        if number % 2 == 0:
            card.get_by_role("radio").nth(right_position(number)).check()
            card.get_by_role("button", name="Check").click()
            expect(card.get_by_role("status")).to_contain_text("Right.")
        card.get_by_role("button", name="See the score" if number == TOTAL - 1 else "Next").click()
    right = (TOTAL + 1) // 2
    expect(card.get_by_role("status")).to_have_text(f"{right} of {TOTAL} right")
    marks = ["right" if number % 2 == 0 else "not answered" for number in range(TOTAL)]
    expect(card.locator(".quiz-summary .quiz-mark")).to_have_text(marks)

    card.locator(".quiz-summary").get_by_role("button").nth(2).click()
    expect(card.get_by_role("heading")).to_have_text(f"Question 3 of {TOTAL}")
    expect_every_why(card, 2)

    for _ in range(TOTAL - 3):
        card.get_by_role("button", name="Next").click()
    card.get_by_role("button", name="See the score").click()
    card.get_by_role("button", name="Start again").click()
    expect(card.get_by_role("heading")).to_have_text(f"Question 1 of {TOTAL}")
    expect(card.locator(".quiz-score")).to_have_text("")
    expect(card.locator(".quiz-why:visible")).to_have_count(0)


def test_a_dead_kernel_is_said(lab, lab_page):
    shutil.copy(FILE, lab.folder)
    write_notebook(lab, "dead.ipynb", new_learner("dead"), SHOW)
    lab_page.open_notebook("dead.ipynb")
    lab_page.run_all()
    card = lab_page.page.locator(".course-question")
    expect(card.get_by_role("heading")).to_have_text(f"Question 1 of {TOTAL}")
    lab_page.shut_down_kernel()
    card.get_by_role("radio").nth(0).check()
    card.get_by_role("button", name="Check").click()
    expect(card.get_by_role("status")).to_have_text(DEAD_KERNEL)
    card.get_by_role("button", name="Next").click()
    expect(card.get_by_role("heading")).to_have_text(f"Question 2 of {TOTAL}")
    card.get_by_role("button", name="Overview").click()
    card.get_by_role("button", name="Start again").click()
    expect(card.locator(".quiz-status")).to_have_text(DEAD_KERNEL)
    lab_page.check(allowed="Could not send widget sync message")  # ipywidgets says it in the console


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_it_can_be_read_in_both_themes_and_in_400_pixels(card, drawn, theme):
    drawn.use_theme(theme)
    assert violations(card, drawn) == []
    card.get_by_role("radio").nth(0).check()
    card.get_by_role("button", name="Check").click()
    expect_every_why(card, 0)
    name = theme.removeprefix("JupyterLab ").lower()
    drawn.screenshot(f"question-{name}", card)
    assert violations(card, drawn) == []
    card.evaluate("card => { card.parentElement.style.width = '400px'; }")
    assert card.evaluate("card => card.scrollWidth <= card.clientWidth")
    drawn.screenshot(f"question-{name}-narrow", card)
