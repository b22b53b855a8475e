// The stepper: draws position `index` of one Trace. It needs no kernel.
import { codePane } from "./code.js";
import { conversationPane } from "./conversation.js";
import { element, fill } from "./dom.js";
import { History } from "./history.js";
import { messagesPane } from "./messages.js";
import { player } from "./player.js";
import { granularityChoice } from "./toolbar.js";
import { wirePane } from "./wire.js";

export function drawStepper({ model, el }) {
  const { lanes: [lane], words, stop_reasons: stopReasons } = JSON.parse(model.get("data"));
  const history = new History(lane);
  const panes = [codePane(lane, words), conversationPane(history, words, stopReasons), messagesPane(history, words),
    wirePane(history, words)];

  // In lines, `index` counts the lines that ran; in actions, the steps of the trace.
  const isLines = () => model.get("lines");
  const end = () => (isLines() ? history.lines.length : history.steps.length) - 1;
  const at = (position) => (isLines() ? history.atLine(position) : history.atStep(position));
  const positionOf = (number) => (isLines() ? history.lastLine[number] : number);
  const jump = (what) => () => {
    const to = history.next(what, at(walk.here()));
    return to === null ? null : positionOf(to);
  };

  function draw(position) {
    const place = at(position);
    for (const pane of panes) pane.draw(place);
    const title = place.whole ? history.titles[place.number]
      : fill(words.line, { line: place.step.path[place.part].line });
    return fill(words.position, { n: position + 1, total: end() + 1, title });
  }

  // The range grows before the position and shrinks after it, so that the slider never holds a value outside its range.
  function chooseLines(lines) {
    if (lines === isLines()) return;
    const { number } = at(walk.here());
    model.set("lines", lines);
    const wanted = { max: end(), index: positionOf(number) };
    for (const name of lines ? ["max", "index"] : ["index", "max"]) model.set(name, wanted[name]);
    model.save_changes();
  }

  const granularity = granularityChoice(words, isLines(), chooseLines);
  let walk = { here: () => model.get("index") };
  walk = player(model, el, {
    words,
    label: words.stepper,
    notes: history.fault ? [element("p", { class: "course-explain" }, history.fault)] : [],
    body: element("div", { class: "course-panes" }, panes.map((pane) => pane.node)),
    end,
    jumps: { request: jump("request"), change: jump("change"), error: jump("error") },
    settings: [granularity.node],
    draw,
    settle: () => panes.forEach((pane) => pane.settle()),
  });
  const onLines = () => {
    granularity.press(isLines());
    walk.redraw();
  };
  model.on("change:lines", onLines);
  return () => {
    model.off("change:lines", onLines);
    walk.close();
  };
}
