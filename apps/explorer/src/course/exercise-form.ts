/** The form below a question: a field, an editor or only a button, and the verdict. */
import type { MountedPanel } from "../mount-panel.tsx";
import type { Exercise, Verdict } from "./exercise.ts";
import { judge } from "./judge.ts";
import { keepAnswer, keptAnswer } from "./kept-answers.ts";

/** The lines of an editor that are shown at once, at least. */
const kEditorRows = 8;

const kButtons: Readonly<Record<Exercise["kind"], string>> = {
  text: "Check the answer",
  panel: "Check the panel above",
  code: "Run and check",
};

/** A form in the page. */
export class ExerciseForm {
  readonly name: string;
  readonly #exercise: Exercise;
  readonly #panel: MountedPanel | null;
  readonly #onDone: () => void;
  readonly #field: HTMLInputElement | HTMLTextAreaElement | null;
  readonly #button = document.createElement("button");
  readonly #output = document.createElement("output");
  readonly #section: HTMLElement;

  /** Adds the form of an exercise to its section. `panel` is the panel that it looks at; `onDone` is called after each verdict. */
  constructor(name: string, section: HTMLElement, exercise: Exercise, panel: MountedPanel | null, onDone: () => void) {
    this.name = name;
    this.#exercise = exercise;
    this.#panel = panel;
    this.#onDone = onDone;
    this.#section = section;
    const form = document.createElement("form");
    form.className = "exercise-form";
    this.#field = this.#addField(form);
    this.#button.textContent = kButtons[exercise.kind];
    this.#button.className = "button";
    this.#output.setAttribute("role", "status");
    form.append(this.#button, this.#output);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#check();
    });
    section.append(form);
    this.showKept();
  }

  /** Sets the field or the panel to an answer and presses the button. Resolves to the verdict. For tests. */
  async answer(given: string | Readonly<Record<string, string>>): Promise<Verdict> {
    if (typeof given === "string" && this.#field !== null) this.#field.value = given;
    else if (typeof given !== "string") this.#panel?.update(given);
    return await this.#check();
  }

  /** Shows the answer that this browser has kept, or an empty field. */
  showKept(): void {
    const kept = keptAnswer(this.name);
    if (this.#field !== null) this.#field.value = kept?.answer ?? this.#start;
    this.#section.toggleAttribute("data-done", kept?.right === true);
    this.#output.textContent = kept?.right === true ? "Done before." : "";
    delete this.#output.dataset["right"];
  }

  get #start(): string {
    return this.#exercise.kind === "code" ? this.#exercise.template : "";
  }

  #addField(form: HTMLFormElement): HTMLInputElement | HTMLTextAreaElement | null {
    const { kind } = this.#exercise;
    if (kind === "panel") return null;
    const field = document.createElement(kind === "code" ? "textarea" : "input");
    const id = `answer-${this.name}`;
    Object.assign(field, { id, autocomplete: "off", spellcheck: false });
    const label = document.createElement("label");
    label.textContent = kind === "code" ? "Your program, in JavaScript" : "Your answer";
    label.htmlFor = id;
    if (field.tagName === "TEXTAREA") (field as HTMLTextAreaElement).rows = Math.max(kEditorRows, this.#start.split("\n").length + 2);
    form.append(label, field);
    return field;
  }

  async #check(): Promise<Verdict> {
    const answer = this.#field?.value ?? JSON.stringify(this.#panel?.params() ?? {});
    this.#button.disabled = true;
    const verdict = await judge(this.#exercise, answer, this.#panel);
    this.#button.disabled = false;
    this.#output.textContent = `${verdict.right ? "Right." : "Not yet."} ${verdict.why}`;
    this.#output.dataset["right"] = String(verdict.right);
    keepAnswer(this.name, answer, verdict.right);
    this.#section.toggleAttribute("data-done", keptAnswer(this.name)?.right === true);
    this.#onDone();
    return verdict;
  }
}
