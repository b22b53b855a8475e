// A JSON value as a tree that opens and closes, with marks where it differs from the value it replaced.
import { element, longText } from "./dom.js";

export const NOTHING = Symbol("there is nothing to compare with");

export function mark(kind, words) {
  return kind ? element("span", { class: `course-mark course-${kind}` }, words[kind]) : null;
}

// What stands inside a list or an object, or the value itself: a tree without its root.
export function jsonBody(value, before, words) {
  const tree = jsonTree(null, value, before, words);
  return tree.matches("details") ? [...tree.children].slice(1) : [tree];
}

function jsonTree(key, value, before, words) {
  const isNode = value !== null && typeof value === "object";
  const isNew = before === undefined;
  if (!isNode) {
    const changed = before !== NOTHING && !isNew && before !== value;
    return element("div", { class: "course-leaf" }, label(key), leaf(value, words),
      mark(isNew ? "new" : changed ? "changed" : null, words));
  }
  const list = Array.isArray(value);
  const entries = Object.entries(value);
  const inside = (name) => (before === NOTHING || isNew ? NOTHING : before?.[name]);
  return element("details", { class: "course-node", open: true },
    element("summary", {}, label(key), element("span", { class: "course-quiet" }, summary(value, list, entries.length)),
      mark(isNew ? "new" : null, words)),
    entries.map(([name, child]) => jsonTree(list ? null : name, child, inside(name), words)));
}

function label(key) {
  return key === null ? null : element("span", { class: "course-key" }, `${key}: `);
}

function leaf(value, words) {
  if (typeof value === "string") return longText("span", { class: "course-string" }, JSON.stringify(value), words);
  return element("span", { class: "course-literal" }, String(value));
}

function summary(value, list, size) {
  if (list) return `[${size}]`;
  return typeof value.type === "string" ? `{ ${value.type} }` : `{${size}}`;
}
