// The texts of a bank. They may be a stranger's: they are drawn as text nodes only.
import { element } from "./dom.js";
import { lines } from "./quiz_lines.js";
import { messageList } from "./quiz_messages.js";

// The two bits of Markdown that a bank may use: paragraphs, and `code`.
export function prose(text) {
  return text.split(/\n\s*\n/).map((part) => element("p", {}, inline(part.trim())));
}

export function inline(text) {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 ? element("code", {}, part) : part));
}

// The inside of an option or a piece, and what stands beside the question: one of text, code, json and messages.
export function content(part, words) {
  if (part.messages !== undefined) return messageList(part.messages, words);
  if (part.code !== undefined) return lines(part.numbered ? "code" : "plain", part.code);
  if (part.json !== undefined) return lines("json", part.json);
  const source = part.source === undefined ? null : [" ", element("code", {}, part.source)];
  return element("span", { class: "quiz-text" }, inline(part.text), source);
}

export function extra(part, words) {
  return element("figure", {}, element("figcaption", {}, part.title), content(part, words));
}

// Why something is right or wrong, and what a reader believes who takes it for right.
export function reason({ why, belief }, words) {
  return [...(why ? prose(why) : []),
    belief ? element("p", { class: "quiz-belief" }, element("b", {}, words.belief), " ", ...inline(belief)) : null];
}

export function references(urls, words) {
  return urls.map((href) =>
    element("p", {}, element("a", { href, target: "_blank", rel: "noopener noreferrer" }, words.read_more)));
}

// Put these into an element in place of what it holds; a list of nodes, a node, or null for nothing.
export function fillIn(node, ...parts) {
  node.replaceChildren(...parts.flat().filter((part) => part !== null && part !== undefined));
}
