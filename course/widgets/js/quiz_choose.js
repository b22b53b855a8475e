// Choose one of several options (radio buttons), or a number of them (checkboxes).
import { element, fill } from "./dom.js";
import { lines } from "./quiz_lines.js";
import { content, fillIn, inline, reason, references } from "./quiz_text.js";

// A form of a question. `value` gives the answer as it stands, as plain JSON; `missing` says what must be done before it can be
// checked, or null; `show` draws the grade. It is given `draft`, a value to begin from; `changed`, to be called after each
// change; and `run`, which makes the button that runs something.
export function chooseForm({ name, question, words, draft, changed, run }) {
  const { many, options } = question;
  const rows = options.map(row);
  const node = element("fieldset", { "aria-describedby": `${name}-stem` }, element("legend", {}, question.task),
    rows.map((each) => each.node));

  // What is longer than a line of text stands below its letter: a label must not hold buttons or boxes.
  function row(option, position) {
    const isText = option.text !== undefined;
    const checked = many ? draft?.includes(position) : draft === position;
    const body = isText ? null : element("div", { class: "quiz-body", id: `${name}-${position}` }, content(option, words));
    const input = element("input", { type: many ? "checkbox" : "radio", name, value: position, checked, onchange: changed,
      "aria-describedby": body?.id });
    const mark = element("span", { class: "quiz-mark" });
    const why = element("div", { class: "quiz-why", hidden: true });
    const label = element("label", {}, input,
      isText ? content(option, words) : element("span", { class: "quiz-text" }, letter(position)), mark);
    body?.addEventListener("click", () => { if (!String(getSelection())) input.click(); });
    return { node: element("div", { class: "quiz-option" }, label, body, why), input, mark, why };
  }

  function value() {
    const chosen = rows.flatMap(({ input }, position) => (input.checked ? [position] : []));
    return many ? chosen : chosen[0] ?? null;
  }
  function missing() {
    if (many) return value().length === many ? null : fill(words.choose_first, { count: many });
    return value() === null ? words.nothing : null;
  }

  function show(grade) {
    rows.forEach(({ node, input, mark, why }, position) => {
      const { correct, chosen, run: at, fix } = grade.options[position];
      input.disabled = true;
      input.checked = chosen;
      node.classList.add(correct ? "quiz-right" : "quiz-wrong");
      node.classList.toggle("quiz-chosen", chosen);
      const word = correct ? words.mark_right : words.mark_wrong;
      mark.textContent = chosen ? `${words.yours}: ${word}` : word;
      fillIn(why, reason(grade.options[position], words),
        correct && fix ? [element("p", {}, words.fix), lines("plain", fix)] : null,
        correct ? references(grade.refs, words) : null, at === null ? null : run(at, words.run_it, options[position].text ?? letter(position)));
      why.hidden = false;
    });
    node.append(element("div", { class: "quiz-after" }, grade.runs.map((label, at) => run(at, label))));
  }

  // The right answer, for the sentence that tells the verdict.
  function rightAnswer(grade) {
    if (many) return null;
    const right = grade.options.findIndex((option) => option.correct);
    return inline(fill(words.answer_is, { answer: options[right].text ?? letter(right) }));
  }
  return { node, value, missing, show, rightAnswer };
}

export function letter(position) {
  return String.fromCharCode(65 + position);
}
