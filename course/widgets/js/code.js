// The learner's code, with the running line lit and the lines marked that ran since the step before.
import { element, reveal } from "./dom.js";
import { pane } from "./pane.js";

export function codePane(lane, words) {
  const { node, body } = pane("code", words.code);
  const rows = lane.code.map((code) => {
    const lines = code.lines.map((spans, at) => line(code.first_line + at, spans));
    body.append(element("div", { class: "course-function" }, lines));
    return { lines, first: code.first_line };
  });
  if (rows.length === 0) body.append(element("p", { class: "course-empty" }, words.no_code));
  const rowOf = (place) => rows[place.function]?.lines[place.line - rows[place.function].first];
  let marked = [];

  function draw({ step, part }) {
    for (const row of marked) {
      row.classList.remove("course-ran", "course-running");
      row.removeAttribute("aria-current");
    }
    const path = step.path?.length ? step.path.slice(0, part + 1) : [step.place];
    marked = path.filter(Boolean).map(rowOf).filter(Boolean);
    for (const row of marked) row.classList.add("course-ran");
    const running = marked.at(-1);
    running?.classList.add("course-running");
    running?.setAttribute("aria-current", "step");
    reveal(body, running);
  }
  return { node, draw };
}

// A long line goes on below, under its own first word: a learner must see all of the line that runs.
function line(number, spans) {
  const indent = spans.map(([, text]) => text).join("").search(/\S|$/);
  return element("div", { class: "course-line" }, element("span", { class: "course-number" }, String(number)),
    element("code", { style: `--course-indent: ${indent + 2}ch` },
      spans.map(([kind, text]) => (kind ? element("span", { class: `course-${kind}` }, text) : text))));
}
