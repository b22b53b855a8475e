// The question card: draws the questions and collects the answers. Python grades, and no key is here before it comes as a
// message. Text from a bank is drawn as text nodes only.

import { element, fill } from "./dom.js";

const PATIENCE = 4000; // ms without an answer from the kernel before the card says so
let cards = 0; // each card's radio buttons need a name of their own

// The two bits of Markdown that a bank may use: paragraphs, and `code`.
function prose(text) {
  return text.split(/\n\s*\n/).map((part) => element("p", {}, inline(part.trim())));
}

function inline(text) {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 ? element("code", {}, part) : part));
}

function listing({ kind, title, text }) {
  const block = element("pre", { class: `quiz-${kind}`, tabindex: 0, role: "region", "aria-label": title });
  for (const line of text.split("\n")) {
    const indent = line.search(/\S|$/) + 2; // where a long line of JSON goes on after a break
    block.append(element("span", { class: "quiz-line", style: `--indent: ${indent}ch` }, `${line}\n`));
  }
  return element("figure", {}, element("figcaption", {}, title), block);
}

// In its command mode JupyterLab takes plain keys for itself: arrows move between cells, X cuts one. While the focus is in
// the card they belong to the card. The window is asked first; Shift+Enter, Ctrl+S and the like go on to JupyterLab.
function keepPlainKeys(root) {
  const window = root.ownerDocument.defaultView;
  function onKey(event) {
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey;
    if (plain && event.key !== "Tab" && root.contains(event.target)) event.stopImmediatePropagation();
  }
  window.addEventListener("keydown", onKey, true);
  return () => window.removeEventListener("keydown", onKey, true);
}

class QuestionCard {
  constructor(model, host) {
    this.model = model;
    this.name = `course-question-${++cards}`;
    this.grades = new Map(); // number -> grade; only of what was answered
    this.chosen = new Map(); // number -> position; of what is not answered yet
    this.root = element("section", { class: "course-view course-question", "aria-label": model.get("title") });
    host.append(this.root);
    this.letKeysGo = keepPlainKeys(this.root);
    this.handlers = {
      "change:questions": () => this.draw(),
      "change:index": () => this.draw(),
      "change:score": () => this.drawScore(),
      "msg:custom": (message) => this.receive(message),
    };
    for (const [event, handler] of Object.entries(this.handlers)) model.on(event, handler);
    this.draw();
    this.send({ do: "look" });
  }

  close() {
    clearTimeout(this.timer);
    this.letKeysGo();
    for (const [event, handler] of Object.entries(this.handlers)) this.model.off(event, handler);
  }

  get questions() {
    return this.model.get("questions");
  }

  get index() {
    return this.model.get("index");
  }

  word(name, values = {}) {
    return fill(this.model.get("words")[name], values);
  }

  go(index) {
    this.model.set("index", index);
    this.model.save_changes();
    this.place.focus();
  }

  // Returns false if the kernel was shut down. If it is busy or starting, the message waits for it.
  send(message) {
    try {
      this.model.send(message);
      return true;
    } catch {
      return false;
    }
  }

  receive({ grades, reset }) {
    if (reset) {
      this.grades.clear();
      this.chosen.clear();
      this.draw();
      this.place.focus();
    }
    for (const [number, grade] of Object.entries(grades)) this.grades.set(Number(number), grade);
    if (this.index >= this.questions.length) this.draw();
    else if (this.index in grades) this.drawGrade();
  }

  draw() {
    clearTimeout(this.timer);
    const total = this.questions.length;
    const atEnd = this.index >= total;
    const place = this.word("place", { number: this.index + 1, total });
    this.place = element("h3", { class: "quiz-place", tabindex: -1 }, atEnd ? this.word("result") : place);
    this.score = element("span", { class: "quiz-score" });
    const title = element("span", {}, this.model.get("title"));
    const head = element("header", {}, title, this.score);
    this.root.replaceChildren(head, this.place, ...(atEnd ? this.end() : this.question()));
    this.drawScore();
    if (!atEnd && this.grades.has(this.index)) this.drawGrade();
  }

  drawScore() {
    const score = this.model.get("score");
    this.score.textContent = score.answered ? this.word("score", score) : "";
  }

  question() {
    const { stem, extras, options } = this.questions[this.index];
    const stemId = `${this.name}-stem`;
    this.options = options.map((text, position) => this.option(text, position));
    this.choices = element("fieldset", { "aria-describedby": stemId },
      element("legend", {}, this.word("choose")), this.options.map((option) => option.row));
    this.status = element("div", { class: "quiz-status", role: "status" });
    const onsubmit = (event) => {
      event.preventDefault();
      this.check();
    };
    const form = element("form", { onsubmit }, this.choices, this.status, this.buttons());
    return [element("div", { class: "quiz-stem", id: stemId }, prose(stem)), ...extras.map(listing), form];
  }

  option(text, position) {
    const onchange = () => {
      this.chosen.set(this.index, position);
      this.say();
    };
    const checked = this.chosen.get(this.index) === position;
    const input = element("input", { type: "radio", name: this.name, value: position, checked, onchange });
    const mark = element("span", { class: "quiz-mark" });
    const why = element("div", { class: "quiz-why", hidden: true });
    const label = element("label", {}, input, element("span", { class: "quiz-text" }, inline(text)), mark);
    return { row: element("div", { class: "quiz-option" }, label, why), input, mark, why };
  }

  buttons() {
    const first = this.index === 0;
    const last = this.index === this.questions.length - 1;
    const back = () => first || this.go(this.index - 1);
    this.checkButton = element("button", { type: "submit", class: "quiz-check course-primary" }, this.word("check"));
    this.nextButton = element("button", { type: "button", class: "quiz-next", onclick: () => this.go(this.index + 1) },
      this.word(last ? "finish" : "next"));
    return element("div", { class: "quiz-buttons" },
      element("button", { type: "button", class: "quiz-previous", "aria-disabled": String(first), onclick: back },
        this.word("previous")),
      this.checkButton, this.nextButton);
  }

  check() {
    if (this.grades.has(this.index) || this.checkButton.ariaDisabled === "true") return;
    const choice = this.chosen.get(this.index);
    if (choice === undefined) {
      this.say(this.word("nothing"));
      return;
    }
    if (!this.send({ do: "answer", number: this.index, choice })) {
      this.say(this.word("lost"));
      return;
    }
    this.say(this.word("waiting"));
    this.checkButton.ariaDisabled = "true";
    this.timer = setTimeout(() => {
      this.say(this.word("lost"));
      this.checkButton.ariaDisabled = "false";
    }, PATIENCE);
  }

  say(...content) {
    this.status.className = "quiz-status";
    this.status.replaceChildren(...content);
  }

  drawGrade() {
    clearTimeout(this.timer);
    const grade = this.grades.get(this.index);
    // A disabled radio button loses the focus: keep it in the card, one Tab away from "Next".
    if (this.choices.contains(document.activeElement)) this.checkButton.focus();
    this.checkButton.ariaDisabled = "true";
    this.nextButton.classList.add("course-primary");
    this.options.forEach((option, position) => this.drawVerdict(option, grade, position));
    const answer = this.questions[this.index].options[grade.options.findIndex((option) => option.correct)];
    const verdict = element("strong", {}, this.word(grade.correct ? "right" : "not_right"));
    const rest = grade.correct ? [] : [" ", ...inline(this.word("answer_is", { answer }))];
    // The reason for the chosen option stands beside it; a screen reader hears it here, with the verdict.
    const spoken = element("span", { class: "quiz-spoken" }, ` ${grade.options[grade.choice].why}`);
    this.say(verdict, ...rest, spoken);
    this.status.classList.add(grade.correct ? "quiz-right" : "quiz-wrong");
  }

  drawVerdict({ row, input, mark, why }, grade, position) {
    const { correct, why: reason } = grade.options[position];
    input.disabled = true;
    input.checked = position === grade.choice;
    row.classList.add(correct ? "quiz-right" : "quiz-wrong");
    row.classList.toggle("quiz-chosen", input.checked);
    const word = this.word(correct ? "mark_right" : "mark_wrong");
    mark.textContent = input.checked ? `${this.word("yours")}: ${word}` : word;
    why.replaceChildren(...prose(reason), ...(correct ? this.references(grade.refs) : []));
    why.hidden = false;
  }

  references(urls) {
    return urls.map((href) => element("p", {},
      element("a", { href, target: "_blank", rel: "noopener noreferrer" }, this.word("read_more"))));
  }

  end() {
    const rows = this.questions.map(({ stem }, number) => {
      const grade = this.grades.get(number);
      const mark = grade === undefined ? "open" : grade.correct ? "mark_right" : "mark_wrong";
      return element("li", { class: mark.replace("mark_", "quiz-") },
        element("button", { type: "button", class: "quiz-link", onclick: () => this.go(number) }, inline(stem)),
        element("span", { class: "quiz-mark" }, this.word(mark)));
    });
    const again = () => this.send({ do: "again" });
    return [
      element("p", { class: "quiz-result", role: "status" }, this.word("end", this.model.get("score"))),
      element("ol", { class: "quiz-summary" }, rows),
      element("div", { class: "quiz-buttons" },
        element("button", { type: "button", class: "quiz-again", onclick: again }, this.word("again"))),
    ];
  }
}

function render({ model, el }) {
  const card = new QuestionCard(model, el);
  return () => card.close();
}

export default { render };
