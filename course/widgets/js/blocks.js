// The content blocks of a message, as a person reads them.
import { element, longText } from "./dom.js";
import { blocksOf } from "./history.js";

export function frame(kind, who, what, ...inside) {
  return element("article", { class: `course-card course-card-${kind}` },
    element("div", { class: "course-who" }, who, element("span", { class: "course-quiet" }, what)), ...inside);
}

export function callNode(name, input) {
  return element("p", { class: "course-call" }, element("b", {}, name),
    `(${Object.entries(input ?? {}).map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(", ")})`);
}

// All blocks of a turn. A tool that the API itself ran is one card: the call, and what it found if that stands in the same turn.
export function blockNodes(blocks, words) {
  const found = new Map(blocks.filter(isServerResult).map((block) => [block.tool_use_id, block]));
  const called = new Set(blocks.filter(isServerCall).map((block) => block.id));
  return blocks.filter((block) => !isServerResult(block) || !called.has(block.tool_use_id)).map((block) => {
    if (isServerCall(block)) return serverCard(block, found.get(block.id), words);
    return isServerResult(block) ? serverCard(null, block, words) : blockNode(block, words);
  });
}

export function blockNode(block, words) {
  if (block?.type === "text") return longText("p", { class: "course-text" }, block.text ?? "", words);
  if (block?.type === "thinking") return longText("p", { class: "course-text course-quiet" }, block.thinking ?? "", words);
  if (block?.type === "tool_use") return callNode(block.name, block.input);
  if (block?.type === "tool_result") {
    const parts = blocksOf(block).map((part) => part?.text ?? JSON.stringify(part));
    return longText("pre", {}, parts.join("\n"), words);
  }
  return longText("pre", {}, JSON.stringify(block, null, 1), words);
}

function isServerCall(block) {
  return block?.type === "server_tool_use";
}

function isServerResult(block) {
  return block?.type?.endsWith?.("_tool_result") === true;
}

function serverCard(call, result, words) {
  const failed = result?.content?.error_code;
  return frame(failed ? "error" : "tool", failed ? words.tool_failed : words.tool, words.server_tool,
    call ? callNode(call.name, call.input) : null, result ? longText("pre", {}, findings(result.content), words) : null);
}

// The pages that a search found, an error, or what else a server tool gives as its JSON.
function findings(content) {
  if (content?.error_code) return content.error_code;
  const isPage = (page) => page?.type === "web_search_result";
  if (!Array.isArray(content) || !content.every(isPage)) return JSON.stringify(content, null, 1) ?? "null";
  return content.map(({ title, url }) => `${title}\n  ${url}`).join("\n");
}
