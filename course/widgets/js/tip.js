// The tip of an element that has a description (`aria-describedby`): shown while it is pointed at or has the focus.
import { element } from "./dom.js";

// It hangs on the view, not on the card, whose pane would cut it off.
export function tips(root) {
  const tip = element("div", { class: "course-tip", "aria-hidden": "true", hidden: true });
  root.append(tip);
  const described = (event) => event.target.closest?.("[aria-describedby]");

  function show(event) {
    const node = described(event);
    if (!node) return;
    tip.textContent = root.querySelector(`#${node.getAttribute("aria-describedby")}`).textContent;
    tip.hidden = false;
    const frame = root.getBoundingClientRect();
    const box = node.getBoundingClientRect();
    const above = box.top - frame.top - tip.offsetHeight - 4;
    tip.style.top = `${above >= 0 ? above : box.bottom - frame.top + 4}px`;
    tip.style.left = `${Math.max(0, Math.min(box.left - frame.left, frame.width - tip.offsetWidth))}px`;
  }
  function hide() {
    tip.hidden = true;
  }
  for (const name of ["mouseover", "focusin"]) root.addEventListener(name, show);
  for (const name of ["mouseout", "focusout", "scroll"]) root.addEventListener(name, hide, true);
  return hide;
}
