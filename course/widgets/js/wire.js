// On the wire: the request of this step, or the last one before it, the response, and how full the context window is.
import { element, fill } from "./dom.js";
import { tokensOf } from "./history.js";
import { jsonBody, NOTHING } from "./json.js";
import { pane } from "./pane.js";

export function wirePane(history, words) {
  const which = element("span", { class: "course-count" });
  const { node, body } = pane("wire", words.wire, which);
  const sent = row("→", words.sent);
  const came = row("←", words.came);
  const meter = element("div", { class: "course-meter", role: "img" }, element("span"));
  const used = element("p", { class: "course-used" });
  body.append(sent.node, came.node);
  node.append(element("div", { class: "course-tokens" }, meter, used));
  let drawn; // the step whose request stands in the pane

  function draw({ number, whole }) {
    const at = whole ? number : number - 1;
    const last = at < 0 ? null : history.lastRequest[at];
    node.classList.toggle("course-live", last === number);
    if (last === drawn) return;
    drawn = last;
    const exchange = last === null ? null : history.steps[last].exchange;
    which.textContent = exchange ? fill(words.request, { number: exchange.number }) : "";
    sent.write(exchange ? request(exchange) : { text: words.no_request });
    came.write(exchange ? response(exchange) : { text: words.no_response });
    tokens(exchange, last === null ? 0 : history.tokensSoFar[last]);
  }

  function request(exchange) {
    const params = history.trace.params[exchange.params] ?? {};
    const count = history.lengths[exchange.messages] ?? 0;
    const tools = (params.tools ?? []).map((tool) => tool.name).join(", ") || words.no_tools;
    const attempt = exchange.attempt ? ` · ${fill(words.retry, exchange)}` : "";
    return {
      text: `POST /v1/messages${attempt}`,
      facts: [["model", params.model], ["max_tokens", params.max_tokens], ["tools", tools], ["messages", count]],
      json: { ...params, messages: fill(words.count_messages, { count }) },
    };
  }

  function response({ status, reply, error }) {
    const usage = reply?.usage ?? {};
    return {
      text: status === null || status === undefined ? words.no_response : String(status),
      bad: !reply,
      facts: reply
        ? [["stop_reason", String(reply.stop_reason)], ["input_tokens", usage.input_tokens ?? 0],
          ["output_tokens", usage.output_tokens ?? 0]]
        : [["type", error?.type ?? ""]],
      json: reply ?? { type: "error", error },
    };
  }

  // A failed request uses no tokens: the bar is then empty, and the words say why.
  function tokens(exchange, soFar) {
    const window = history.trace.context_window;
    const count = exchange ? tokensOf(exchange) : 0;
    meter.firstChild.style.width = count && window ? `max(3px, ${Math.min(100, (count / window) * 100)}%)` : "0";
    const template = exchange && !exchange.reply ? words.tokens_none : window ? words.tokens_of_window : words.tokens_used;
    used.textContent = fill(template, {
      count: count.toLocaleString(), window: window?.toLocaleString(),
      total: soFar.toLocaleString(),
    });
    meter.setAttribute("aria-label", used.textContent);
  }

  // A line that opens to the JSON, and the facts that matter under it.
  function row(arrow, title) {
    const status = element("span", { class: "course-status" });
    const inner = element("div", { class: "course-tree" });
    const json = element("details", { class: "course-json" }, element("summary", {},
      element("span", { "aria-hidden": "true" }, arrow), element("span", { class: "course-label" }, title), status), inner);
    const facts = element("dl");
    let value = null;
    json.addEventListener("toggle", fillIn);
    function fillIn() {
      inner.replaceChildren(...(json.open && value !== null ? jsonBody(value, NOTHING, words) : []));
    }
    function write(what) {
      status.textContent = what.text;
      status.classList.toggle("course-bad", Boolean(what.bad));
      facts.replaceChildren(...(what.facts ?? []).map(([name, said]) =>
        element("div", {}, element("dt", {}, name), element("dd", {}, String(said)))));
      value = what.json ?? null;
      fillIn();
    }
    return { node: element("div", { class: "course-wire-row" }, json, facts), write };
  }
  return { node, draw, settle: () => {} };
}
