// One pane of the picture: a heading, and a body that scrolls by itself and can be reached with the keyboard.
import { element } from "./dom.js";

export function pane(name, title, ...extras) {
  const body = element("div", { class: "course-body", tabindex: 0, role: "region", "aria-label": title });
  const head = element("div", { class: "course-head" }, element("span", { class: "course-title" }, title), ...extras);
  return { node: element("section", { class: `course-pane course-${name}` }, head, body), body };
}

// A row of buttons of which one is pressed: [[value, label], ...].
export function choice(label, options, chosen, choose) {
  const buttons = options.map(([value, text]) =>
    element("button", { type: "button", "aria-pressed": String(value === chosen), onclick: () => pick(value) }, text));
  function pick(value) {
    press(value);
    choose(value);
  }
  function press(value) {
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(options[at][0] === value)));
  }
  return { node: element("span", { class: "course-choice", role: "group", "aria-label": label }, buttons), press };
}
