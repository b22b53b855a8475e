"""The stepper on a page, by what a person sees and presses."""

from __future__ import annotations

import json
from pathlib import Path

import traces
from axe_playwright_python.sync_playwright import Axe
from lab import LabPage
from playwright.sync_api import Locator, expect

# The first cell of a notebook that shows the traces made by hand.
FIRST = f"import sys\nsys.path.append({str(Path(traces.__file__).parent)!r})\nimport traces\nfrom course.widgets import step"


class Stepper:
    """The stepper, or the traces side by side, of this number on the page."""

    def __init__(self, lab_page: LabPage, number: int) -> None:
        self.lab_page = lab_page
        self.root = lab_page.page.locator(".course-stepper").nth(number)
        self.status = self.root.get_by_role("status")
        self.view = self.root.locator(".course-player")

    def press(self, name: str, times: int = 1) -> None:
        button = self.root.get_by_role("button", name=name, exact=True)
        for _time in range(times):
            button.click()

    def key(self, *names: str) -> None:
        self.view.focus()
        for name in names:
            self.lab_page.page.keyboard.press(name)

    def is_at(self, words: str) -> None:
        expect(self.status).to_contain_text(words)

    def pane(self, name: str) -> Locator:
        return self.root.locator(f".course-{name}")

    def messages(self) -> list[object]:
        """`messages` as it stands on the page, in its raw form."""
        self.press("JSON")
        texts = self.pane("messages").locator("pre").all_inner_texts()
        self.press("Tree")
        return [json.loads(text.strip().removesuffix(",")) for text in texts]


def serious_faults(lab_page: LabPage, context: str) -> list[tuple[str, list[object]]]:
    """What axe reports as serious or critical inside the element that `context` selects: the rule, and where."""
    found = Axe().run(lab_page.page, context=context).response
    assert found["passes"], f"axe found nothing to check in {context}"
    serious = [fault for fault in found["violations"] if fault["impact"] in ("serious", "critical")]
    return [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in serious]
