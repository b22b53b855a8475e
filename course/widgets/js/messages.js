// The array `messages`, as a tree or as raw JSON. Only a window around what changed is drawn, so a long run costs no more.
import { DRAWN, element, fill, longText, MORE, others, reveal, show } from "./dom.js";
import { blocksOf, UNCHANGED } from "./history.js";
import { jsonBody, mark, NOTHING } from "./json.js";
import { choice, pane } from "./pane.js";

export function messagesPane(history, words) {
  const counter = element("span", { class: "course-count" });
  let form = "tree";
  const forms = choice(words.form, [["tree", words.tree], ["json", words.json]], form, (value) => {
    form = value;
    redraw();
  });
  const { node, body } = pane("messages", "messages", counter, forms.node);
  const opened = new Map(); // by place in the pool: what the reader opened or closed
  let now = null;
  let extra = { before: 0, after: 0 };

  function draw(at) {
    now = at;
    extra = { before: 0, after: 0 };
    redraw();
  }

  function redraw() {
    const number = now.whole ? now.number : now.number - 1;
    const version = history.version(number);
    const total = version === null ? 0 : history.lengths[version];
    const marks = now.whole ? history.marks(number) : UNCHANGED;
    counter.textContent = version === null ? words.no_messages : String(total);
    const touched = marks.count > 0 || marks.gone > 0;
    const middle = Math.max(0, Math.min((touched ? marks.at : total) - 2, total - DRAWN));
    const start = Math.max(0, middle - extra.before);
    const end = Math.min(total, middle + DRAWN + extra.after);
    const items = [];
    if (start > 0) items.push(rest("before", words.earlier_messages, start));
    for (let place = start; place < end; place += 1) {
      if (marks.gone > 0 && place === marks.at + marks.count) items.push(gone(marks.gone));
      items.push(item(version, place, marks));
    }
    if (marks.gone > 0 && marks.at + marks.count >= end) items.push(gone(marks.gone));
    if (end < total) items.push(rest("after", words.later_messages, total - end));
    show(body, items);
  }

  function rest(side, template, count) {
    return others(side, template, count, () => {
      extra[side] += MORE;
      redraw();
    });
  }

  function gone(count) {
    return {
      key: `gone ${count} ${now.number}`,
      make: () => element("div", { class: "course-gone course-marked" }, fill(words.removed, { count })),
    };
  }

  function item(version, place, marks) {
    const pooled = history.poolIndex(version, place);
    const message = history.trace.pool[pooled];
    const kind = place < marks.at || place >= marks.at + marks.count ? null
      : place < marks.at + marks.edited ? "changed" : "new";
    const before = kind === "changed" ? history.messageAt(history.version(now.number - 1), place) : NOTHING;
    const open = opened.get(pooled) ?? history.isRecent(now.number, place); // what changed last, until the next change
    return {
      // what was changed has marks deep inside, for this step alone
      key: `${form} ${place} ${pooled} ${kind === "changed" ? now.number : ""}`,
      make: () => (form === "tree" ? treeItem(place, pooled, message, before) : jsonItem(message)),
      patch: (made) => {
        setMark(made, kind);
        if (form !== "tree") return;
        made.open = open;
        if (open) fillIn(made, message, before);
      },
    };
  }

  function treeItem(place, pooled, message, before) {
    const summary = element("summary", {}, element("span", { class: "course-index" }, String(place)),
      element("span", { class: `course-role course-role-${message?.role}` }, String(message?.role ?? "?")),
      element("span", { class: "course-slot" }), element("span", { class: "course-preview" }, preview(message)));
    const details = element("details", { class: "course-message" }, summary, element("div", { class: "course-tree" }));
    details.addEventListener("toggle", () => { if (details.open) fillIn(details, message, before); });
    summary.addEventListener("click", () => opened.set(pooled, !details.open));
    return details;
  }

  // A tree is made when it is opened first.
  function fillIn({ lastElementChild: tree }, message, before) {
    if (!tree.firstChild) tree.append(...jsonBody(message, before, words));
  }

  function jsonItem(message) {
    return element("div", { class: "course-raw" }, element("span", { class: "course-slot" }),
      longText("pre", {}, `${JSON.stringify(message, null, 2)},`, words));
  }

  // Writes "new" or "changed" into the place for it.
  function setMark(node, kind) {
    if (node.classList.contains("course-marked") === (kind !== null)) return;
    node.classList.toggle("course-marked", kind !== null);
    node.querySelector(".course-slot").replaceChildren(...[mark(kind, words)].filter(Boolean));
  }
  return { node, draw, settle: () => reveal(body, body.querySelector(".course-marked")) };
}

// What a message says, in one line.
function preview(message) {
  return blocksOf(message).map((block) => {
    if (block?.type === "text") return block.text;
    if (["tool_use", "server_tool_use"].includes(block?.type)) return `${block.name}(${JSON.stringify(block.input)})`;
    if (block?.type === "tool_result") return `tool_result ${textOf(block.content)}`;
    return block?.type ?? JSON.stringify(block);
  }).join(" · ").slice(0, 200);
}

function textOf(content) {
  return blocksOf({ content }).map((block) => block?.text ?? block?.type ?? "").join(" ");
}
