"""From a click on Step to the changed page, in JupyterLab: short and long traces, beside a button that asks the kernel.

    python -m pytest tests/benchmarks/test_click_latency.py -s

The goals are issue 4's, from the click to the DOM changed: the 95th percentile within one frame (16 ms), and a long trace at
most 1.5 times a short one. The view does not lay out the page itself in that time; the browser does so for the next frame, all of
JupyterLab's page at once. That is forced here right after the change, and printed apart: "laid out", from the click too.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence

from lab import Lab, LabPage, write_notebook
from playwright.sync_api import ElementHandle, expect
from walking import FIRST, Stepper

FRAME = 16.0  # milliseconds
RATIO = 1.5
SHORT, LONG = 10, 1000
ROUNDS = 25
WARM_UP = 2  # rounds that are not counted: the browser compiles the code

SHOW = f"""from IPython.display import display
display(step(traces.actions({SHORT})), step(traces.actions({LONG})))"""
BUTTON = """from ipywidgets import Button, HTML
answer, button = HTML("0"), Button(description="ask the kernel")
button.on_click(lambda _: setattr(answer, "value", str(int(answer.value) + 1)))
display(button, answer)"""

# Clicks each button in turn, and waits each time until the watched element has changed. Gives milliseconds from each click: until
# the DOM had changed (an observer is told when the page's own code has come to its end), and until the page was laid out.
CLICK = """async ({buttons, watched}) => {
  const times = [];
  for (const button of buttons) {
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));  // between two frames, as a person's click
    times.push(await new Promise(done => {
      let start;
      new MutationObserver((_changes, observer) => {
        observer.disconnect();
        const changed = performance.now() - start;
        document.body.offsetHeight;  // asking for it lays out the page
        done([changed, performance.now() - start]);
      }).observe(watched, {childList: true, characterData: true, subtree: true});
      start = performance.now();
      button.click();
    }));
  }
  return times;
}"""


Times = list[tuple[float, float]]


def clicks(page: LabPage, buttons: Sequence[ElementHandle], watched: ElementHandle) -> Times:
    return page.page.evaluate(CLICK, {"buttons": buttons, "watched": watched})


def walk(page: LabPage, number: int, key: str) -> Callable[[], Times]:
    """What clicks 7 steps away from one end of a trace and back again."""
    stepper = Stepper(page, number)
    stepper.key(key)
    names = ("Step", "Back") if key == "Home" else ("Back", "Step")
    away, home = (stepper.root.get_by_role("button", name=name, exact=True).element_handle() for name in names)
    return lambda: clicks(page, [away] * 7 + [home] * 7, stepper.status.element_handle())


def shown(times: Sequence[float]) -> str:
    return f"median {statistics.median(times):6.2f} ms, 95th {percentile_95(times):6.2f} ms"


def percentile_95(times: Sequence[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def test_a_step_takes_less_than_a_frame_in_a_long_trace_too(lab: Lab, lab_page: LabPage):
    write_notebook(lab, "latency.ipynb", FIRST, SHOW, BUTTON)
    lab_page.open_notebook("latency.ipynb")
    lab_page.hide_side_bar()
    lab_page.run_all()
    ask = lab_page.page.get_by_role("button", name="ask the kernel")
    answer = lab_page.page.locator(".widget-html-content")
    expect(answer).to_have_text("0")
    walks = {
        f"{SHORT} actions": walk(lab_page, 0, "Home"),
        f"{LONG} actions, at the end": walk(lab_page, 1, "End"),
        "Python callback": lambda: clicks(lab_page, [ask.element_handle()] * 4, answer.element_handle()),
    }
    measured: dict[str, Times] = {name: [] for name in walks}
    for number in range(ROUNDS + WARM_UP):  # in turn, so that what else the machine does weighs on all alike
        for name, walked in walks.items():
            measured[name] += walked() if number >= WARM_UP else walked()[:0]
    changed = {name: [first for first, _second in times] for name, times in measured.items()}
    print()
    for name, times in measured.items():
        print(f"{name:24} {shown(changed[name])}; laid out: {shown([second for _first, second in times])}")
    short, long, kernel = changed.values()
    ratios = [of(long) / of(short) for of in (statistics.median, percentile_95)]
    print(f"long to short: medians {ratios[0]:.2f}, 95ths {ratios[1]:.2f}")
    assert percentile_95(short) < FRAME
    assert percentile_95(long) < FRAME
    assert max(ratios) <= RATIO
    assert statistics.median(kernel) > statistics.median(long)
