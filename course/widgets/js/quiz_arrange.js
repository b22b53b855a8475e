// Put pieces in order: from a pool into a list, each step a button.
import { element, fill } from "./dom.js";
import { turn } from "./quiz_messages.js";
import { content, reason, references } from "./quiz_text.js";

// A form, as quiz_choose.js says. The answer is a list of places in the pool.
export function arrangeForm({ name, question, words, draft, changed, run }) {
  const { pieces } = question;
  const array = question.base !== null; // the pieces make turns of `messages`, of which so many stand there already
  let order = [...(draft ?? question.start)];
  const pool = element("ul", { class: "quiz-pool", "aria-labelledby": `${name}-pool` });
  const list = element("ol", { class: "quiz-list", "aria-labelledby": `${name}-list` });
  const pooled = element("div", { class: "quiz-column" },
    element("div", { class: "quiz-heading", id: `${name}-pool` }, words.pool), pool);
  const listed = element("div", { class: "quiz-column" },
    element("div", { class: "quiz-heading", id: `${name}-list` }, words[array ? "your_array" : "your_order"]), list);
  const node = element("div", { class: "quiz-arrange", role: "group", "aria-label": question.task, "aria-describedby": `${name}-stem` },
    element("p", { class: "quiz-task" }, question.task), pooled, listed);
  const said = element("div", { class: "quiz-spoken", "aria-live": "polite" });
  node.append(said);
  draw();

  // After a change the focus stays with the piece, or with what took its place.
  function change(next, sentence, piece, focus) {
    order = next;
    draw();
    changed();
    said.textContent = fill(words[sentence], { piece: pieces[piece].name, n: order.indexOf(piece) + 1, total: order.length });
    focus()?.focus();
  }
  const button = (piece, action) => node.querySelector(`[data-piece="${piece}"][data-action="${action}"]`);

  function add(piece) {
    const rest = pieces.map((_each, at) => at).filter((at) => !order.includes(at) && at !== piece);
    const next = rest.find((at) => at > piece) ?? rest.at(-1);
    change([...order, piece], "added", piece, () => (next === undefined ? button(piece, "up") : button(next, "add")));
  }
  function remove(piece) {
    const at = order.indexOf(piece);
    const next = order[at + 1] ?? order[at - 1];
    change(order.filter((each) => each !== piece), "taken_out", piece,
      () => (next === undefined ? button(piece, "add") : button(next, "remove")));
  }
  function move(piece, by) {
    const at = order.indexOf(piece);
    if (at + by < 0 || at + by >= order.length) return;
    const next = order.filter((each) => each !== piece);
    next.splice(at + by, 0, piece);
    change(next, "moved", piece, () => button(piece, by < 0 ? "up" : "down"));
  }

  function draw() {
    const left = pieces.flatMap((_piece, at) => (order.includes(at) ? [] : [at]));
    pool.replaceChildren(...left.map((at) => element("li", {}, piece(at),
      tool(at, "add", words.add, () => add(at)))));
    list.replaceChildren(...entries(order, (at, place) => element("span", { class: "quiz-tools" },
      tool(at, "up", "↑", () => move(at, -1), place === 0),
      tool(at, "down", "↓", () => move(at, 1), place === order.length - 1),
      tool(at, "remove", "✕", () => remove(at)))));
    if (left.length === 0) pool.append(element("li", { class: "quiz-nothing" }, words.all_used));
    if (order.length === 0) list.append(element("li", { class: "quiz-nothing" }, words.none_used));
  }

  // In an array, neighbours of one role are one turn: its place and role stand above the first of them.
  function entries(places, more, wrong = () => false) {
    let number = question.base - 1;
    return places.map((at, place) => {
      const { role } = pieces[at];
      const begins = role !== undefined && role !== pieces[places[place - 1]]?.role;
      if (begins) number += 1;
      const head = begins ? element("div", { class: "quiz-turn" }, turn({ place: number, role }))
        : null;
      const name = [begins || role === undefined ? "quiz-begins" : "", wrong(place) ? "quiz-wrong" : ""].join(" ").trim();
      return element("li", { class: name }, head, piece(at, true), more(at, place));
    });
  }

  function piece(at, listed) {
    const { role, ...rest } = pieces[at];
    return element("div", { class: "quiz-piece" },
      role && !listed ? element("div", { class: "quiz-turn" }, turn({ place: null, role })) : null, content(rest, words));
  }

  function tool(at, action, label, onclick, off = false) {
    const spoken = fill(words[`${action}_piece`], { piece: pieces[at].name });
    return element("button", { type: "button", "data-piece": at, "data-action": action, "aria-label": spoken, title: spoken,
      "aria-disabled": String(off), onclick }, label);
  }

  const value = () => order;
  const missing = () => (order.length ? null : words.arrange_first);

  // The reader's order, the right one beside it, and below what there is to say about single pieces.
  function show(grade) {
    const yours = entries(grade.answer, (at) => note(grade.pieces[at].needed ? null : words.not_needed), (place) => !grade.stands[place]);
    const right = entries(grade.right, (at) => note(grade.answer.includes(at) ? null : words.missing));
    list.replaceChildren(...yours);
    pooled.remove();
    if (grade.correct) listed.classList.add("quiz-right");
    if (!grade.correct) {
      node.append(element("div", { class: "quiz-column quiz-right" },
        element("div", { class: "quiz-heading" }, words[array ? "right_array" : "right_order"]), element("ol", { class: "quiz-list" }, right)));
    }
    const told = pieces.map((_piece, at) => at).filter((at) => grade.pieces[at].needed && grade.pieces[at].why);
    const unneeded = pieces.map((_piece, at) => at).filter((at) => !grade.pieces[at].needed);
    node.append(element("div", { class: "quiz-after" }, whys(grade, told),
      unneeded.length ? element("div", { class: "quiz-heading" }, words.unneeded) : null, whys(grade, unneeded),
      references(grade.refs, words), grade.runs.map((label, at) => run(at, label))));
  }

  function whys(grade, places) {
    if (places.length === 0) return null;
    return element("ul", { class: "quiz-whys" }, places.map((at) => element("li", {}, piece(at), reason(grade.pieces[at], words))));
  }

  function note(text) {
    return text ? element("span", { class: "quiz-mark" }, text) : null;
  }
  return { node, value, missing, show };
}
