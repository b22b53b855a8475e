// The card: one question at a time, and the score at the end. Python grades, and no key is here before it comes as a message.
import { element, fill } from "./dom.js";
import { arrangeForm } from "./quiz_arrange.js";
import { chooseForm } from "./quiz_choose.js";
import { keepKeys } from "./quiz_keys.js";
import { matchForm } from "./quiz_match.js";
import { extra, inline, prose } from "./quiz_text.js";
import { tracePlace } from "./quiz_trace.js";
import { writeForm } from "./quiz_write.js";

const PATIENCE = 4000; // ms without an answer from the kernel before the card says so
const RUNNING = 35000; // the same where the kernel runs what was written
const DRAFT = 600; // ms after the last change before what is not checked yet goes to the kernel
const FORMS = { choose: chooseForm, arrange: arrangeForm, match: matchForm, write: writeForm };
let cards = 0; // the names and ids of a card's parts must be its own

export class QuestionCard {
  constructor(model, host) {
    this.model = model;
    this.words = model.get("words");
    this.name = `course-question-${++cards}`;
    this.questions = model.get("questions"); // those of the first attempt; a message brings those of another
    this.index = 0; // the number of questions: the score at the end
    this.grades = new Map(); // number -> grade; only of what was answered
    this.drafts = new Map(); // number -> value; of what is not answered yet
    this.moved = false; // until the reader moves, the card opens where the kernel says
    this.root = element("section", { class: "course-view course-question", "aria-label": model.get("title") });
    this.trace = tracePlace(this.words);
    host.append(this.root, this.trace.node);
    this.letKeysGo = keepKeys(this.root);
    this.onMessage = (message) => this.receive(message);
    model.on("msg:custom", this.onMessage);
    this.draw();
    this.ask({ do: "look", view: this.name }, PATIENCE, () => this.say(this.words.unknown));
  }

  close() {
    clearTimeout(this.timer);
    this.keepDraft();
    this.letKeysGo();
    this.trace.clear();
    this.model.off("msg:custom", this.onMessage);
  }

  go(index) {
    this.keepDraft();
    this.moved = true;
    this.index = index;
    this.draw();
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

  // Send, and do something else if no answer comes; at once if there is no kernel.
  ask(message, patience, otherwise) {
    clearTimeout(this.timer);
    this.timer = setTimeout(otherwise, this.send(message) ? patience : 0);
  }

  // Everything that changes comes in messages, so that a saved notebook holds nothing of it.
  receive({ state, grades = {}, notes = [], refused, trace }) {
    if (state?.view && state.view !== this.name) return; // another view of this card was opened
    if (state) {
      this.questions = state.questions ?? this.model.get("questions");
      this.grades.clear();
      this.drafts = new Map(Object.entries(state.drafts).map(([number, draft]) => [Number(number), draft]));
    }
    for (const [number, grade] of Object.entries(grades)) this.grades.set(Number(number), grade);
    this.notes = notes.length ? notes : this.notes;
    if (state && (!state.view || !this.moved)) this.index = state.at;
    if (state || this.index >= this.questions.length) this.draw();
    else if (this.index in grades) this.drawGrade();
    this.drawNotes();
    if (state && !state.view) this.place.focus();
    if (refused && refused.number === this.index) this.refuse(refused.text);
    if (trace) this.drawTrace(trace);
  }

  draw() {
    clearTimeout(this.timer);
    this.trace.clear();
    const total = this.questions.length;
    const atEnd = this.index >= total;
    const place = fill(this.words.place, { number: this.index + 1, total });
    this.place = element("h3", { class: "quiz-place", tabindex: -1 }, atEnd ? this.words.result : place);
    this.score = element("span", { class: "quiz-score" });
    const overview = atEnd ? null : element("button", { type: "button", class: "quiz-link", onclick: () => this.go(total) },
      this.words.overview);
    this.noteBox = element("div", { class: "quiz-notes", role: "alert" });
    const head = element("header", {}, element("span", { class: "quiz-title" }, this.model.get("title")), this.score, overview);
    this.root.replaceChildren(head, this.place, ...(atEnd ? this.end() : this.question()), this.noteBox);
    this.drawNotes();
    this.drawScore();
    if (!atEnd && this.grades.has(this.index)) this.drawGrade();
  }

  drawNotes() {
    this.noteBox.replaceChildren(...(this.notes ?? []).map((note) => element("p", {}, note)));
  }

  get standing() {
    const right = [...this.grades.values()].filter((grade) => grade.correct).length;
    return { right, answered: this.grades.size, total: this.questions.length };
  }

  drawScore() {
    this.score.textContent = this.grades.size ? fill(this.words.score, this.standing) : "";
  }

  question() {
    const question = this.questions[this.index];
    const name = `${this.name}-${this.index}`;
    this.status = element("div", { class: "quiz-status", role: "status" });
    this.form = FORMS[question.form]({ name, question, words: this.words, draft: this.drafts.get(this.index),
      changed: () => this.changed(), run: (at, label, about) => this.runButton(at, label, about) });
    const onsubmit = (event) => {
      event.preventDefault();
      this.check();
    };
    const form = element("form", { onsubmit }, this.form.node, this.status, this.buttons());
    return [element("div", { class: "quiz-stem", id: `${name}-stem` }, prose(question.stem)),
      ...question.extras.map((part) => extra(part, this.words)), form];
  }

  buttons() {
    const { words, index } = this;
    const first = index === 0;
    const total = this.questions.length;
    const button = (label, attributes) => element("button", { type: "button", ...attributes }, label);
    this.checkButton = button(words.check, { type: "submit", class: "quiz-check course-primary" });
    this.nextButton = button(index === total - 1 ? words.finish : words.next,
      { class: "quiz-next", onclick: () => this.go(index + 1) });
    return element("div", { class: "quiz-buttons" },
      button(words.previous, { class: "quiz-previous", "aria-disabled": String(first),
        onclick: () => first || this.go(index - 1) }),
      this.checkButton, this.nextButton);
  }

  // What was chosen or written and not checked yet is not lost when the page or the kernel goes.
  changed() {
    this.moved = true;
    this.say();
    this.drafts.set(this.index, this.form.value());
    this.draftOf = this.index;
    clearTimeout(this.draftTimer);
    this.draftTimer = setTimeout(() => this.keepDraft(), DRAFT);
  }

  keepDraft() {
    clearTimeout(this.draftTimer);
    if (this.draftOf === undefined || this.grades.has(this.draftOf)) return;
    this.send({ do: "draft", number: this.draftOf, answer: this.drafts.get(this.draftOf) });
    this.draftOf = undefined;
  }

  check() {
    if (this.grades.has(this.index) || this.checkButton.ariaDisabled === "true") return;
    const missing = this.form.missing();
    if (missing !== null) {
      this.say(missing);
      return;
    }
    clearTimeout(this.draftTimer);
    this.draftOf = undefined;
    const runs = this.questions[this.index].form === "write";
    this.say(runs ? this.words.waiting_for_code : this.words.waiting);
    this.checkButton.ariaDisabled = "true";
    this.ask({ do: "answer", number: this.index, answer: this.form.value() }, runs ? RUNNING : PATIENCE,
      () => this.refuse(this.words.lost));
  }

  // The kernel did not take the answer, and says why.
  refuse(text) {
    clearTimeout(this.timer);
    this.checkButton.ariaDisabled = "false";
    this.say(...inline(text));
  }

  say(...content) {
    this.status.className = "quiz-status";
    this.status.replaceChildren(...content);
  }

  drawGrade() {
    clearTimeout(this.timer);
    const grade = this.grades.get(this.index);
    // A control that is disabled or goes away loses the focus: keep it in the card, one Tab away from "Next".
    if (this.form.node.contains(document.activeElement)) this.checkButton.focus();
    this.checkButton.ariaDisabled = "true";
    this.checkButton.classList.remove("course-primary");
    this.nextButton.classList.add("course-primary");
    this.form.show(grade);
    const verdict = element("strong", {}, grade.correct ? this.words.right : this.words.not_right);
    const answer = grade.correct ? null : this.form.rightAnswer?.(grade);
    // The reason for what was chosen stands beside it; a screen reader hears it here, with the verdict.
    const whys = (grade.options ?? []).filter((option) => option.chosen).map((option) => ` ${option.why}`);
    const spoken = element("span", { class: "quiz-spoken" }, whys);
    this.say(verdict, ...(answer ? [" ", ...answer] : []), ...(grade.partial ? [` ${grade.partial}`] : []), spoken);
    this.status.classList.add(grade.correct ? "quiz-right" : "quiz-wrong");
    this.drawScore();
  }

  // The button that asks the kernel for a trace. `about`: which option is run, where there are several.
  runButton(at, label, about) {
    const title = about ? `${label}: ${about}` : label;
    const button = element("button", { type: "button", class: "quiz-run", "aria-label": title }, label);
    button.addEventListener("click", () => {
      this.wanted = { run: at, title, button };
      this.trace.say(this.words.running);
      this.ask({ do: "run", number: this.index, run: at }, RUNNING, () => this.trace.say(this.words.lost));
    });
    return button;
  }

  drawTrace({ number, run, data, fault, outcome }) {
    if (number !== this.index || run !== this.wanted.run) return;
    clearTimeout(this.timer);
    if (fault) this.trace.say(fault);
    else this.trace.show(this.wanted.title, outcome, data, [this.wanted.button, document.body].includes(document.activeElement));
  }

  end() {
    const rows = this.questions.map(({ stem }, number) => {
      const grade = this.grades.get(number);
      const mark = grade === undefined ? "open" : grade.correct ? "mark_right" : "mark_wrong";
      return element("li", { class: mark.replace("mark_", "quiz-") },
        element("button", { type: "button", class: "quiz-link", onclick: () => this.go(number) }, inline(stem)),
        element("span", { class: "quiz-mark" }, this.words[mark]));
    });
    this.status = element("div", { class: "quiz-status", role: "alert" });
    return [
      element("p", { class: "quiz-result", role: "status" }, fill(this.words.end, this.standing)),
      element("ol", { class: "quiz-summary" }, rows),
      element("div", { class: "quiz-buttons" }, element("button", { type: "button", class: "quiz-again",
        onclick: () => this.ask({ do: "again" }, PATIENCE, () => this.say(this.words.lost)) }, this.words.again)),
      this.status,
    ];
  }
}
