// Making and keeping elements. Data reaches the page as text nodes only, never as HTML.

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

const drawn = new WeakMap(); // the nodes that stand in a parent, by key

// Makes the parent show these items, each {key, make, patch}, in order. A node whose key stays is kept; `patch(node)`, where there is
// one, brings up to date what may change in it. Making nodes anew is what costs most in a step.
export function show(parent, items) {
  const before = drawn.get(parent) ?? new Map();
  const now = new Map();
  for (const { key, make, patch } of items) {
    const node = before.get(key) ?? make();
    patch?.(node);
    now.set(key, node);
  }
  for (const [key, node] of before) if (!now.has(key)) node.remove();
  let place = parent.firstChild;
  for (const node of now.values()) {
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
  }
  drawn.set(parent, now);
}

// Scrolls inside a pane until the node can be seen. `scrollIntoView` would move the whole notebook. Asking where a node lies
// makes the browser lay out the page, so this comes once all panes are drawn.
export function reveal(pane, node) {
  if (!node) return;
  const top = node.offsetTop;
  const bottom = top + node.offsetHeight;
  if (top < pane.scrollTop || node.offsetHeight > pane.clientHeight) pane.scrollTop = top - 8;
  else if (bottom > pane.scrollTop + pane.clientHeight) pane.scrollTop = bottom - pane.clientHeight + 8;
}

// "{n} of {total}" with its places filled in.
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (_whole, name) => String(values[name]));
}

export const DRAWN = 12; // items of a list that are drawn at once: around what changed, so that a long run costs no more
export const MORE = 50; // drawn in addition for each press of the button that stands for the others

// The item of `show` that stands for those that are not drawn.
export function others(side, template, count, press) {
  return {
    key: side,
    make: () => element("button", { type: "button", class: "course-more", onclick: press }),
    patch: (button) => { button.textContent = fill(template, { count }); },
  };
}

const LONGEST = 1500; // characters of one text that are drawn at once

// A text, cut where it is very long, with a button that shows the rest.
export function longText(tag, attributes, text, words) {
  const node = element(tag, attributes, text.slice(0, LONGEST));
  if (text.length > LONGEST) {
    const more = element("button", { type: "button", class: "course-more" },
      fill(words.more_characters, { count: text.length - LONGEST }));
    more.addEventListener("click", () => { node.textContent = text; });
    node.append(more);
  }
  return node;
}
