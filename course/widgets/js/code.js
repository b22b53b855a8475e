// The learner's code, with the running line lit and the lines marked that ran since the step before.
import { element, reveal } from "./dom.js";
import { pane } from "./pane.js";

export function codePane(lane, words) {
  const { node, body } = pane("code", words.code);
  const rows = lane.code.map((code) => {
    const lines = code.lines.map((spans, at) => spans && line(code.first_line + at, spans)); // null: folded
    body.append(element("div", { class: "course-function" }, lines));
    return { lines, first: code.first_line };
  });
  if (rows.length === 0) body.append(element("p", { class: "course-empty" }, words.no_code));
  const rowOf = (place) => rows[place.function]?.lines[place.line - rows[place.function].first];
  let ran = new Set();
  let running = null;

  function draw({ step, part }) {
    const path = step.path?.length ? step.path.slice(0, part + 1) : [step.place];
    const rows = path.filter(Boolean).map(rowOf).filter(Boolean);
    for (const row of ran) row.classList.remove("course-ran");
    ran = new Set(rows);
    for (const row of ran) row.classList.add("course-ran");
    running?.classList.remove("course-running");
    running?.removeAttribute("aria-current");
    running = rows.at(-1) ?? null;
    running?.classList.add("course-running");
    running?.setAttribute("aria-current", "step");
  }
  return { node, draw, settle: () => reveal(body, running) };
}

// A long line goes on below, a little to the right of its first word: a learner must see all of the line that runs. It
// may break after a sign, not only after a space. The indent is room, not text, or the line could break after it.
function line(number, spans) {
  const indent = spans.map(([, text]) => text).join("").search(/\S|$/);
  const parts = spans.map(([kind, text], at) => {
    const pieces = (at === 0 ? text.slice(indent) : text).split(/(?<=[([{.,=])(?!=)/).flatMap((piece) =>
      (/[([{.,=]$/.test(piece) ? [piece, element("wbr")] : [piece]));
    return kind ? element("span", { class: `course-${kind}` }, pieces) : pieces;
  });
  return element("div", { class: "course-line" }, element("span", { class: "course-number" }, String(number)),
    element("code", { style: `--course-indent: ${indent}ch` }, parts.flat()));
}
