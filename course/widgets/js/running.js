// A recording that goes on: what it does, and Stop. The model alone draws it, at the edge of the window and not below a cell, so
// no notebook ever saves it.
import { element } from "./dom.js";

function initialize({ model }) {
  const words = JSON.parse(model.get("words"));
  const kernel = model.widget_manager?.kernel; // JupyterLab and Notebook have one; other places may not
  const said = element("span", { role: "status" });
  const bar = element("section", { class: "course-view course-running-bar", "aria-label": words.label }, said);
  const stop = element("button", { type: "button", class: "course-primary", onclick: press }, words.stop);

  const draw = () => { said.textContent = model.get("said"); };
  const useTheOther = () => stop.replaceWith(words.use_the_other);

  // While a loop runs the kernel hears no message of a widget. The server can interrupt it, as the notebook's own Stop does.
  async function press() {
    stop.setAttribute("aria-disabled", "true");
    try {
      await kernel.interrupt();
    } catch {
      useTheOther();
    }
  }

  // After a restart or a crash of the kernel nobody says that the recording is over.
  function onStatus(_kernel, status) {
    if (!["busy", "idle"].includes(status)) close();
  }
  function close() {
    bar.remove();
    kernel?.statusChanged?.disconnect(onStatus);
  }

  bar.append(stop);
  if (typeof kernel?.interrupt !== "function") useTheOther();
  kernel?.statusChanged?.connect(onStatus);
  model.on("change:said", draw);
  draw();
  document.body.append(bar);
  return close;
}

export default { initialize };
