// The conversation as a person reads it: one card for each thing that somebody said or did, up to this step.
import { blockNode, blockNodes, callNode, frame } from "./blocks.js";
import { DRAWN, element, fill, longText, MORE, others, reveal, show } from "./dom.js";
import { blocksOf } from "./history.js";
import { pane } from "./pane.js";

export function conversationPane(history, words, stopReasons) {
  const { node, body } = pane("conversation", words.conversation);
  const makers = { ask: askCard, error: errorCard, tool: toolCard, user: userCard, end: endCard };
  let now = null;
  let extra = 0;

  function draw(at) {
    now = at;
    extra = 0;
    redraw();
  }

  function redraw() {
    const number = now.whole ? now.number : now.number - 1;
    const end = number < 0 ? 0 : history.cardsUpTo[number];
    const start = Math.max(0, end - DRAWN - extra);
    const items = [];
    if (start > 0) items.push(earlier(start));
    for (let at = start; at < end; at += 1) {
      const card = history.cards[at];
      items.push({
        key: at,
        make: () => makers[card.kind](history.steps[card.step], card),
        patch: (made) => mark(made, card.step === now.number, history.isKept(card, number)),
      });
    }
    if (end === 0) items.push({ key: "empty", make: () => element("p", { class: "course-empty" }, words.nothing_said) });
    show(body, items);
  }

  function earlier(count) {
    return others("earlier", words.earlier_cards, count, () => {
      extra += MORE;
      redraw();
    });
  }

  // Whether a card is what was just said or done, and whether it stands in `messages` (null: that is not known).
  function mark(card, current, kept) {
    card.classList.toggle("course-now", current);
    if (kept === null) return;
    const said = kept ? words.kept : current ? words.not_yet_kept : words.not_kept;
    let line = card.querySelector(":scope > .course-kept");
    if (!line) card.append(line = element("div", { class: "course-kept" }));
    if (line.textContent === said) return;
    line.textContent = said;
    line.classList.toggle("course-kept-true", kept);
    line.classList.toggle("course-kept-false", !kept);
  }

  function askCard({ exchange }) {
    const reply = exchange.reply ?? {};
    const blocks = blockNodes(blocksOf(reply), words);
    if (blocks.length === 0) blocks.push(element("p", { class: "course-empty" }, words.empty_reply));
    const request = fill(exchange.streamed ? words.request_streamed : words.request, { number: exchange.number });
    return frame("assistant", words.model, request, ...blocks, badge(reply.stop_reason ?? null));
  }

  function badge(value) {
    const fact = stopReasons[value ?? ""] ?? stopReasons["?"];
    const id = newId();
    return element("div", { class: "course-stop" }, element("span", { class: "course-label" }, "stop_reason"),
      element("button", { type: "button", class: "course-badge", "aria-describedby": id }, String(value)),
      element("span", { class: "course-hidden", id }, fact));
  }

  function errorCard({ exchange }) {
    const { error = {}, status } = exchange;
    const attempt = exchange.attempt ? words.retry : words.request;
    const what = fill(attempt, { number: exchange.number, attempt: exchange.attempt });
    return frame("error", words.api_error, what,
      element("p", { class: "course-fault" }, `${status ?? ""} ${error.type ?? ""}`.trim()),
      longText("p", { class: "course-text" }, error.message ?? "", words));
  }

  function toolCard({ tool }) {
    const failed = tool.error !== null && tool.error !== undefined;
    const said = failed ? tool.error : typeof tool.output === "string" ? tool.output : JSON.stringify(tool.output, null, 1);
    return frame(failed ? "error" : "tool", failed ? words.tool_failed : words.tool, "",
      callNode(tool.name, tool.input), longText("pre", {}, said ?? "null", words));
  }

  function userCard(_step, { block }) {
    if (block.type === "tool_result") {
      return frame(block.is_error ? "error" : "tool", words.tool_result, "", blockNode(block, words));
    }
    return frame("user", words.user, "", blockNode(block, words));
  }

  function endCard({ ending }) {
    const sentence = fill(words[`ended_${ending.kind}`], {
      value: ending.value ?? "None", type: ending.error?.type ?? "", limit: ending.limit ?? "", fuse: ending.fuse ?? "",
    });
    return frame(ending.kind === "returned" ? "end" : "error", words.end, "",
      element("p", { class: "course-text" }, sentence),
      ending.error ? longText("p", { class: "course-text" }, ending.error.message ?? "", words) : null);
  }
  return { node, draw, settle: () => reveal(body, body.lastElementChild) };
}

// An id that no other view of the page has.
function newId() {
  return `course-${Math.random().toString(36).slice(2)}`;
}
