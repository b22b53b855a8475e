// The stepper below the card. Its trace came as a message: no widget holds it, so no saved notebook does.
import { element } from "./dom.js";
import { drawStepper } from "./stepper_view.js";

export function tracePlace(words) {
  const node = element("div", { class: "quiz-trace" });
  let close = () => {};

  function clear() {
    close();
    close = () => {};
    node.replaceChildren();
  }
  function say(sentence) {
    clear();
    node.append(element("p", { class: "course-view quiz-trace-status", role: "status" }, sentence));
  }
  // outcome: a sentence, or nothing. takeFocus: not if the reader went on to something else before the trace came.
  function show(title, outcome, data, takeFocus) {
    clear();
    const heading = element("h4", { class: "course-view quiz-trace-title", tabindex: -1 }, title);
    const frame = element("div", { class: "course-stepper" });
    node.append(heading);
    if (outcome) node.append(element("p", { class: "course-view quiz-trace-status" }, outcome));
    node.append(frame);
    const model = localModel({ data, index: 0, lines: false, playing: false, interval: 1000 });
    const closeControls = scrubber(model, frame, words);
    const closeView = drawStepper({ model, el: frame });
    close = () => {
      closeControls();
      closeView();
    };
    if (takeFocus) heading.focus();
  }
  return { node, clear, say, show };
}

// What the stepper needs of an anywidget model, kept in this page alone.
function localModel(values) {
  const handlers = new Map();
  return {
    get: (name) => values[name],
    set(name, value) {
      if (values[name] === value) return;
      values[name] = value;
      for (const handler of [...(handlers.get(`change:${name}`) ?? [])]) handler();
    },
    on: (event, handler) => handlers.set(event, [...(handlers.get(event) ?? []), handler]),
    off: (event, handler) => handlers.set(event, (handlers.get(event) ?? []).filter((each) => each !== handler)),
    save_changes() {},
  };
}

// Play and a slider, which in the stepper of a cell are ipywidgets.
function scrubber(model, frame, words) {
  const end = () => model.get("max");
  const play = element("button", { type: "button", onclick: () => model.set("playing", !model.get("playing")) });
  const slider = element("input", { type: "range", min: 0, "aria-label": words.position,
    oninput: () => model.set("index", Number(slider.value)) });
  let timer = null;

  function draw() {
    slider.max = String(end());
    slider.value = String(model.get("index"));
    play.textContent = model.get("playing") ? words.pause : words.play;
    clearTimeout(timer);
    if (!model.get("playing")) return;
    timer = setTimeout(() => {
      if (model.get("index") >= end()) model.set("playing", false);
      else model.set("index", model.get("index") + 1);
    }, model.get("interval"));
  }
  for (const name of ["index", "max", "playing", "interval"]) model.on(`change:${name}`, draw);
  model.set("max", JSON.parse(model.get("data")).lanes[0].trace.steps.length - 1);
  frame.append(element("div", { class: "course-view quiz-scrubber" }, play, slider));
  return () => clearTimeout(timer);
}
