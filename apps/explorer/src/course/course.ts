/**
 * The course's pages: puts a panel into each element with `data-panel`, and a form below each question with `data-exercise`.
 *
 *     <div data-panel="slices" data-params="shape=6,6"></div>
 *     <section data-exercise="rows-two-to-five"><p>Write the slice …</p></section>
 *
 * An exercise of a panel checks the panel that is above it. The answers are checked here, by the packages themselves.
 */
import { mountPanel } from "../mount-panel.tsx";
import type { MountedPanel } from "../mount-panel.tsx";
import { errorText } from "../panel.ts";
import type { Params } from "../panel.ts";
import type { Exercise, Verdict } from "./exercise.ts";
import { panelExercises } from "./panel-exercises.ts";
import { textExercises } from "./text-exercises.ts";
import "./course.css";

/** All exercises by name. */
export const exercises: Readonly<Record<string, Exercise>> = { ...textExercises, ...panelExercises };

declare global {
  interface Window {
    /** The course of this page: for tests, and for a visitor's console. */
    onebufferCourse?: { readonly exercises: typeof exercises; readonly panels: readonly MountedPanel[] };
  }
}

/** Mounts the panels of the page, in order, and then the exercises. */
async function start(): Promise<void> {
  const panels = new Map<Element, MountedPanel>();
  for (const element of document.querySelectorAll<HTMLElement>("[data-panel]")) {
    const params: Params = Object.fromEntries(new URLSearchParams(element.dataset["params"] ?? ""));
    panels.set(element, await mountPanel(element.dataset["panel"] ?? "", element, { params, heading: 3 }));
  }
  for (const section of document.querySelectorAll<HTMLElement>("[data-exercise]")) {
    const exercise = exercises[section.dataset["exercise"] ?? ""];
    if (exercise === undefined) throw new RangeError(`there is no exercise ${section.dataset["exercise"]}`);
    const above = [...panels].filter(([element]) => (element.compareDocumentPosition(section) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0);
    addForm(section, exercise, above.findLast(([, { name }]) => exercise.kind === "panel" && name === exercise.panel)?.[1] ?? null);
  }
  window.onebufferCourse = { exercises, panels: [...panels.values()] };
  document.documentElement.dataset["course"] = "ready";
}

/** Judges an answer; an error of the packages is a wrong answer with its message. */
export function judge(exercise: Exercise, answer: string, panel: MountedPanel | null): Verdict {
  try {
    if (exercise.kind === "text") return exercise.check(answer);
    if (panel === null) throw new RangeError(`the panel ${exercise.panel} is missing`);
    return exercise.check(panel.state());
  } catch (error) {
    return { right: false, why: errorText(error) };
  }
}

function addForm(section: HTMLElement, exercise: Exercise, panel: MountedPanel | null): void {
  const form = document.createElement("form");
  const input = document.createElement("input");
  const button = document.createElement("button");
  const output = document.createElement("output");
  const id = `answer-${section.dataset["exercise"]}`;
  button.textContent = exercise.kind === "text" ? "Check the answer" : "Check the panel above";
  button.className = "button";
  output.setAttribute("role", "status");
  if (exercise.kind === "text") {
    const label = document.createElement("label");
    label.textContent = "Your answer";
    label.htmlFor = id;
    Object.assign(input, { id, autocomplete: "off", spellcheck: false });
    form.append(label, input);
  }
  form.append(button, output);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { right, why } = judge(exercise, input.value, panel);
    output.textContent = `${right ? "Right." : "Not yet."} ${why}`;
    output.dataset["right"] = String(right);
  });
  section.append(form);
}

await start();
