// Write a function. Tab is not kept: it moves the focus on, as everywhere else on the page.
import { element } from "./dom.js";
import { lines } from "./quiz_lines.js";
import { fillIn, reason, references } from "./quiz_text.js";

// A form, as quiz_choose.js says. The answer is the text.
export function writeForm({ name, question, words, draft, changed, run }) {
  const source = draft ?? question.start;
  const area = element("textarea", { id: `${name}-code`, class: "quiz-editor", rows: source.split("\n").length + 4,
    spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-describedby": `${name}-stem ${name}-tab`,
    oninput: changed, onbeforeinput: indent }, source);
  const after = element("div", { class: "quiz-after" });
  const node = element("div", { class: "quiz-write" },
    element("label", { for: area.id }, question.task), area,
    element("p", { class: "quiz-hint", id: `${name}-tab` }, question.unchecked ?? words.tab_moves_on), after);

  // A new line begins where the line before began, and four columns on after a colon. `insertText` can be undone.
  function indent(event) {
    if (event.inputType !== "insertLineBreak") return;
    event.preventDefault();
    const line = area.value.slice(0, area.selectionStart).split("\n").at(-1);
    const deeper = line.trimEnd().endsWith(":") ? "    " : "";
    document.execCommand("insertText", false, `\n${line.match(/^ */)[0]}${deeper}`);
  }

  const value = () => area.value;
  const missing = () => (area.value.trim() && area.value !== question.start ? null : words.write_first);

  function show(grade) {
    area.value = grade.answer;
    area.readOnly = true;
    const tasks = grade.tasks.map(({ correct, text }) => element("li", { class: correct ? "quiz-right" : "quiz-wrong" },
      element("span", { class: "quiz-mark" }, correct ? words.mark_right : words.mark_wrong), " ", text));
    fillIn(after, element("ul", { class: "quiz-tasks" }, tasks), reason(grade, words),
      element("figure", {}, element("figcaption", {}, words.solution), lines("code", grade.solution)),
      references(grade.refs, words), grade.runs.map((label, at) => run(at, label)));
  }
  return { node, value, missing, show };
}
