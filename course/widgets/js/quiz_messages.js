// An array of messages, drawn like the stepper's: each message a box with its place and its role, and what is new marked.
import { element } from "./dom.js";
import { mark } from "./json.js";
import { lines } from "./quiz_lines.js";

// messages: [{place, role, text, new}]. `text` is the content as JSON; `place` is null where it is not known.
export function messageList(messages, words) {
  if (messages.length === 0) return element("p", { class: "quiz-nothing" }, words.nothing_added);
  return element("div", { class: "quiz-messages" }, messages.map((message) =>
    element("div", { class: `course-message${message.new ? " course-marked" : ""}` },
      element("div", { class: "quiz-turn" }, turn(message), mark(message.new ? "new" : null, words)),
      lines("json", message.text))));
}

export function turn({ place, role }) {
  return [place === null ? null : element("span", { class: "course-index" }, String(place)),
    element("span", { class: `course-role course-role-${role}` }, role)];
}
