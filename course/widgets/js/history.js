// A Trace (course/trace/events.py) made ready to be walked: what the panes ask for at a step costs the same at any step.
// The JSON leaves out what has its default value.

export const UNCHANGED = { at: 0, edited: 0, count: 0, gone: 0 };

export class History {
  constructor({ trace, titles, fault, kept }) {
    this.trace = trace;
    this.titles = titles;
    this.fault = fault;
    this.kept = kept;
    this.steps = trace.steps;
    this.measure();
    this.collectCards();
    this.findNext();
    // Every line that ran, each [step, part of its path], and for each step the last of them.
    this.lines = this.steps.flatMap((step, number) => Array.from({ length: partsOf(step) }, (_none, part) => [number, part]));
    this.lastLine = [];
    this.lines.forEach(([number], position) => { this.lastLine[number] = position; });
  }

  // Where a position is. `whole`: the action of the step has been done; before, only some of its lines have run.
  atStep(number) {
    const step = this.steps[number];
    return { number, step, part: partsOf(step) - 1, whole: true };
  }

  atLine(position) {
    const [number, part] = this.lines[position];
    return { ...this.atStep(number), part, whole: part === partsOf(this.steps[number]) - 1 };
  }

  // The length of each version, and for each step the request that is on the wire and the tokens used so far.
  measure() {
    const lengths = this.lengths = [];
    for (const { parent, keep, add, keep_end: keepEnd } of this.trace.versions) {
      lengths.push(parent === null ? add.length : keep + add.length + (keepEnd ?? 0));
    }
    this.lastRequest = [];
    this.tokensSoFar = [];
    this.lastChange = []; // of each step, the one before or at it that changed `messages`
    let last = null;
    let tokens = 0;
    let changed = 0;
    this.steps.forEach((step, number) => {
      if (this.version(number) !== this.version(number - 1)) changed = number;
      this.lastChange.push(changed);
      if (step.exchange) {
        last = number;
        tokens += tokensOf(step.exchange);
      }
      this.lastRequest.push(last);
      this.tokensSoFar.push(tokens);
    });
  }

  // The state of `messages` after a step; null while there is none.
  version(number) {
    return this.steps[number]?.messages ?? null;
  }

  // The place in the pool of message `at` of a version: walks back to the version that added it.
  poolIndex(version, at) {
    for (;;) {
      const { parent, keep, add, keep_end: keepEnd } = this.trace.versions[version];
      if (parent === null) return add[at];
      if (at >= keep) {
        if (at < keep + add.length) return add[at - keep];
        at += this.lengths[parent] - (keepEnd ?? 0) - keep - add.length;
      }
      version = parent;
    }
  }

  messageAt(version, at) {
    return version === null ? undefined : this.trace.pool[this.poolIndex(version, at)];
  }

  // Does what this card shows stand in `messages` at step `number`? null where nothing is known about it.
  isKept(card, number) {
    const spans = ["ask", "tool"].includes(card.kind) ? this.kept[card.step] : undefined;
    return spans ? spans.some(([from, to]) => from <= number && number < to) : null;
  }

  // What a step did to `messages`: changed [at, at + edited), new [at + edited, at + count), and how many are gone.
  marks(number) {
    const { kind, change } = this.steps[number];
    if (kind !== "change" || !change) return UNCHANGED;
    const edited = Math.min(change.removed ?? 0, change.count);
    return { at: change.at, edited, count: change.count, gone: (change.removed ?? 0) - edited };
  }

  // Was message `at` touched by the last change? The first version of `messages` is one change.
  isRecent(number, at) {
    const changed = this.lastChange[number];
    const { at: first, count } = this.version(changed - 1) === null ? { at: 0, count: Infinity } : this.marks(changed);
    return first <= at && at < first + count;
  }

  // The cards of the conversation, each {step, kind, ...}; `cardsUpTo[n]` is how many there are at step n.
  collectCards() {
    this.cards = [];
    this.cardsUpTo = [];
    const answered = new Set(); // ids of tool calls whose result has a card
    let unnamed = 0; // runs of tools without an id: their results have a card too
    this.steps.forEach((step, number) => {
      if (["ask", "error", "tool", "end"].includes(step.kind)) this.cards.push({ step: number, kind: step.kind });
      if (step.kind === "tool") {
        if (step.tool.tool_use_id) answered.add(step.tool.tool_use_id);
        else unnamed += 1;
      }
      for (const block of this.userBlocks(number)) {
        if (block.type === "tool_result") {
          if (answered.has(block.tool_use_id)) continue;
          answered.add(block.tool_use_id);
          if (unnamed > 0) { unnamed -= 1; continue; }
        }
        this.cards.push({ step: number, kind: "user", block });
      }
      this.cardsUpTo.push(this.cards.length);
    });
  }

  // The blocks that the code itself put into user messages at this step.
  userBlocks(number) {
    const version = this.version(number);
    const before = number > 0 ? this.version(number - 1) : null;
    if (version === null || version === before) return [];
    const { at, count } = before === null ? { at: 0, count: this.lengths[version] } : this.marks(number);
    const blocks = [];
    for (let place = at; place < at + count; place += 1) {
      const message = this.trace.pool[this.poolIndex(version, place)];
      if (message?.role !== "user") continue;
      const old = before !== null && place < this.lengths[before]
        ? blocksOf(this.trace.pool[this.poolIndex(before, place)]).map((block) => JSON.stringify(block)) : [];
      blocks.push(...blocksOf(message).filter((block) => !old.includes(JSON.stringify(block))));
    }
    return blocks;
  }

  isFault(number) {
    const { kind, tool, ending } = this.steps[number];
    return kind === "error" || Boolean(tool?.error) || (kind === "end" && ending.kind !== "returned");
  }

  // For each step the next one after it that is a request, a change or an error; null if there is none.
  next(what, { number, whole }) {
    return whole || number === 0 ? this.nextOf[what][number] : this.nextOf[what][number - 1];
  }

  findNext() {
    this.nextOf = { request: [], change: [], error: [] };
    const next = { request: null, change: null, error: null };
    for (let number = this.steps.length - 1; number >= 0; number -= 1) {
      for (const what of Object.keys(next)) this.nextOf[what][number] = next[what];
      if (this.steps[number].exchange) next.request = number;
      if (this.steps[number].kind === "change") next.change = number;
      if (this.isFault(number)) next.error = number;
    }
  }
}

function partsOf(step) {
  return Math.max(1, (step.path ?? []).length);
}

export function blocksOf(message) {
  const content = message?.content;
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

// The tokens of the context window that a request and its reply filled.
export function tokensOf(exchange) {
  const usage = exchange.reply?.usage ?? {};
  return (usage.input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0)
    + (usage.cache_read_input_tokens ?? 0) + (usage.output_tokens ?? 0);
}
