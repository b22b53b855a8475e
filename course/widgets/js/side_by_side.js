// Two or more traces in step: position `index` is a moment, which holds one step of each trace.
import { codePane } from "./code.js";
import { conversationPane } from "./conversation.js";
import { element, fill } from "./dom.js";
import { History } from "./history.js";
import { messagesPane } from "./messages.js";
import { player } from "./player.js";

function render({ model, el }) {
  const { lanes, names, words, stop_reasons: stopReasons, moments, requests, first_difference: difference, sentences }
    = JSON.parse(model.get("data"));
  const columns = lanes.map((lane, number) => column(lane, names[number], words, stopReasons));
  const end = () => moments.length - 1;
  const next = (wanted) => () => {
    for (let moment = walk.here() + 1; moment <= end(); moment += 1) if (wanted(moment)) return moment;
    return null;
  };

  function draw(position) {
    columns.forEach((each, number) => each.draw(moments[position][number], moments[position - 1]?.[number]));
    const title = requests[position] === 0 ? words.before_requests : fill(words.request, { number: requests[position] });
    return fill(words.position, { n: position + 1, total: end() + 1, title });
  }

  let walk = { here: () => model.get("index") };
  walk = player(model, el, {
    words,
    label: words.side_by_side,
    notes: [element("ul", { class: "course-sentences" }, sentences.map((sentence) => element("li", {}, sentence)))],
    body: element("div", { class: "course-lanes" }, columns.map((each) => each.node)),
    end,
    jumps: {
      request: next((moment) => requests[moment] > requests[moment - 1]),
      difference: () => (difference === null || walk.here() === difference ? null : difference),
    },
    settings: [],
    draw,
    settle: () => columns.forEach((each) => each.settle()),
  });
  return walk.close;
}

function column(lane, name, words, stopReasons) {
  const history = new History(lane);
  const where = element("span", { class: "course-where" });
  const panes = [codePane(lane, words), conversationPane(history, words, stopReasons), messagesPane(history, words)];
  const node = element("section", { class: "course-lane", "aria-label": name },
    element("div", { class: "course-lane-head" }, element("b", {}, name), where), panes.map((pane) => pane.node));

  // A lane whose group of steps is shorter than the other's waits.
  function draw(step, before) {
    const at = history.atStep(step);
    for (const pane of panes) pane.draw(at);
    const waits = step === before;
    node.classList.toggle("course-waits", waits);
    where.textContent = fill(words.position, { n: step + 1, total: history.steps.length, title: history.titles[step] })
      + (waits ? words.waits : "");
  }
  return { node, draw, settle: () => panes.forEach((pane) => pane.settle()) };
}

export default { render };
