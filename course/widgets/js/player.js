// What every view that is walked has: a position, the toolbar, the keyboard.
import { element } from "./dom.js";
import { keyboard } from "./keys.js";
import { tips } from "./tip.js";
import { speedMenu, toolbar } from "./toolbar.js";

// end(): the last position. jumps: {name: () => the position it leads to, or null}. draw(position): draws the rest of the
// view, and returns the sentence that says where it is. settle(): scrolls to what was drawn; to ask where it lies makes the browser
// lay out the page, so it waits for the frame that shows the step. Returns `redraw`, and `close` for the end of the view.
export function player(model, el, { words, label, notes, body, end, jumps, settings, draw, settle }) {
  const here = () => Math.min(model.get("index"), end());
  const moves = {
    first: () => (here() > 0 ? 0 : null),
    back: () => (here() > 0 ? here() - 1 : null),
    step: () => (here() < end() ? here() + 1 : null),
    last: () => (here() < end() ? end() : null),
    ...jumps,
  };

  function go(name) {
    const to = moves[name]();
    if (to === null) return;
    model.set("playing", false);
    model.set("index", to);
    model.save_changes();
  }
  function play() {
    model.set("playing", !model.get("playing"));
    model.save_changes();
  }

  const speed = speedMenu(words, model);
  const bar = toolbar({ words, moves, jumps: Object.keys(jumps), go, settings: [...settings, speed.node] });
  const root = element("div", { class: "course-view course-player", tabindex: 0, role: "group", "aria-label": label },
    notes, bar.node, body);
  const closeKeys = keyboard(root, {
    ArrowRight: () => go("step"), ArrowLeft: () => go("back"), Home: () => go("first"), End: () => go("last"), " ": play,
    Escape: tips(root),
  });
  let frame = null;
  const redraw = () => {
    bar.draw(draw(here()));
    frame ??= requestAnimationFrame(() => {
      frame = null;
      settle();
    });
  };
  let width = 0;
  const sizes = new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width !== width) settle(); // lines break elsewhere now
    width = contentRect.width;
  });
  model.on("change:index", redraw);
  model.on("change:interval", speed.draw);
  el.append(root);
  redraw();
  sizes.observe(root);

  function close() {
    closeKeys();
    cancelAnimationFrame(frame);
    sizes.disconnect();
    model.off("change:index", redraw);
    model.off("change:interval", speed.draw);
  }
  return { here, redraw, close };
}
