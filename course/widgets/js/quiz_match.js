// Match: for each entry on the left, its partner from a list.
import { element, fill } from "./dom.js";
import { letter } from "./quiz_choose.js";
import { content, fillIn, inline, reason, references } from "./quiz_text.js";

// A form, as quiz_choose.js says. The answer is a place on the right for each entry on the left, or null.
export function matchForm({ name, question, words, draft, changed, run }) {
  const { left, right } = question;
  const rows = left.map(row);
  const node = element("div", { class: "quiz-match", role: "group", "aria-label": question.task, "aria-describedby": `${name}-stem` },
    element("p", { class: "quiz-task" }, question.task),
    element("ul", { class: "quiz-rights", "aria-label": words.partners }, right.map((text, at) =>
      element("li", {}, element("b", {}, `${letter(at)} `), inline(text)))),
    rows.map((each) => each.node));

  function row(part, at) {
    const body = element("div", { class: "quiz-left", id: `${name}-${at}` }, content(part, words));
    const options = right.map((text, place) =>
      element("option", { value: place, selected: draft?.[at] === place }, `${letter(place)}: ${text.replaceAll("`", "")}`));
    const select = element("select", { "aria-label": fill(words.partner_of, { n: at + 1 }), "aria-describedby": body.id,
      onchange: changed }, element("option", { value: "" }, words.choose_partner), options);
    const mark = element("span", { class: "quiz-mark" });
    const why = element("div", { class: "quiz-why", hidden: true });
    return { node: element("div", { class: "quiz-option" }, body, element("div", { class: "quiz-pair" }, select, mark), why),
      select, mark, why };
  }

  const value = () => rows.map(({ select }) => (select.value === "" ? null : Number(select.value)));
  const missing = () => (value().includes(null) ? words.match_first : null);

  function show(grade) {
    rows.forEach(({ node, select, mark, why }, at) => {
      const { correct, partner, ...rest } = grade.left[at];
      select.disabled = true;
      select.value = String(grade.answer[at] ?? "");
      node.classList.add(correct ? "quiz-right" : "quiz-wrong", "quiz-chosen");
      mark.textContent = correct ? words.mark_right : fill(words.partner_is, { letter: letter(partner) });
      fillIn(why, reason(rest, words));
      why.hidden = false;
    });
    node.append(element("div", { class: "quiz-after" }, references(grade.refs, words),
      grade.runs.map((label, at) => run(at, label))));
  }
  return { node, value, missing, show };
}
