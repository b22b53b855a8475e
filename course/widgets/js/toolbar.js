// The buttons that move through a trace, drawn in the view itself.
import { element } from "./dom.js";
import { choice } from "./pane.js";

// Lines on a grid of 16, drawn by the page: a font could show these signs as coloured pictures.
const ICONS = {
  first: "M4 3v10M13 3L6 8l7 5z",
  back: "M12 3L5 8l7 5z",
  forward: "M4 3l7 5-7 5z",
  last: "M12 3v10M3 3l7 5-7 5z",
};

function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

// `moves` says for each button where it leads: a position, or null for nowhere. `go(name)` makes the move.
export function toolbar({ words, moves, jumps, go, settings }) {
  const buttons = [];
  function button(name, attributes, ...inside) {
    const node = element("button", { type: "button", ...attributes, onclick: () => go(name) }, ...inside);
    buttons.push([name, node]);
    return node;
  }
  const steps = element("div", { class: "course-steps", role: "group", "aria-label": words.steps },
    button("first", { "aria-label": words.first, title: words.first }, icon("first")),
    button("back", { title: words.back_key }, icon("back"), words.back),
    button("step", { class: "course-primary", title: words.step_key }, words.step, icon("forward")),
    button("last", { "aria-label": words.last, title: words.last }, icon("last")));
  const status = element("div", { class: "course-status-line", role: "status", "aria-live": "polite" });
  const jump = element("div", { class: "course-jumps", role: "group", "aria-label": words.jump },
    element("span", { class: "course-label" }, words.jump), jumps.map((name) => button(name, {}, words[`next_${name}`])));
  const node = element("div", { class: "course-toolbar" }, steps, status,
    element("div", { class: "course-settings" }, jump, settings));

  // A button that leads nowhere keeps the focus: `disabled` would throw a keyboard user out of the toolbar.
  function draw(sentence) {
    if (status.textContent !== sentence) status.textContent = sentence;
    for (const [name, each] of buttons) each.setAttribute("aria-disabled", String(moves[name]() === null));
  }
  return { node, draw };
}

export function speedMenu(words, model) {
  const select = element("select", { "aria-label": words.speed },
    words.speeds.map(([interval, label]) => element("option", { value: interval }, label)));
  const draw = () => { select.value = String(model.get("interval")); };
  select.addEventListener("change", () => {
    model.set("interval", Number(select.value));
    model.save_changes();
  });
  draw();
  return { node: element("label", { class: "course-speed" }, element("span", { class: "course-label" }, words.speed), select),
    draw };
}

export function granularityChoice(words, isLines, choose) {
  return choice(words.granularity, [[false, words.actions], [true, words.lines]], isLines, choose);
}
