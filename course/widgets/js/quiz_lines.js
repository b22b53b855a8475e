// Lines of code or of JSON. A long line of JSON goes on below, a little to the right of its start.
import { element } from "./dom.js";

export function lines(kind, text) {
  const block = element("pre", { class: `quiz-${kind}` });
  for (const line of text.split("\n")) {
    const indent = line.search(/\S|$/) + 2;
    block.append(element("span", { class: "quiz-line", style: `--indent: ${indent}ch` }, `${line}\n`));
  }
  return block;
}
