/**
 * The course's pages: puts a panel into each element with `data-panel`, and a form below each question with `data-exercise`.
 *
 *     <div data-panel="slices" data-params="shape=6,6"></div>
 *     <section data-exercise="rows-two-to-five"><p>Write the slice …</p></section>
 *
 * An exercise of a panel checks the panel that is above it. The answers are checked here, by the packages themselves, and kept in this browser.
 */
import { mountPanel } from "../mount-panel.tsx";
import type { MountedPanel } from "../mount-panel.tsx";
import type { Params } from "../panel.ts";
import { exercises } from "./exercises/all.ts";
import type { Exercise, Verdict } from "./exercise.ts";
import { ExerciseForm } from "./exercise-form.ts";
import { progressBar } from "./progress-bar.ts";
import "./course.css";

/** The course of a page: for tests, and for a visitor's console. */
interface CoursePage {
  readonly exercises: Readonly<Record<string, Exercise>>;
  readonly panels: readonly MountedPanel[];
  /** Gives an answer to an exercise of this page: a text, or the parameters of its panel. */
  answer(name: string, given: string | Params): Promise<Verdict>;
}

declare global {
  interface Window {
    onebufferCourse?: CoursePage;
  }
}

/** Mounts the panels of the page, in order, and then the exercises. */
async function start(): Promise<void> {
  const panels = new Map<Element, MountedPanel>();
  for (const element of document.querySelectorAll<HTMLElement>("[data-panel]")) {
    const params: Params = Object.fromEntries(new URLSearchParams(element.dataset["params"] ?? ""));
    panels.set(element, await mountPanel(element.dataset["panel"] ?? "", element, { params, heading: 3 }));
  }
  const forms = formsOf(document.querySelectorAll<HTMLElement>("[data-exercise]"), panels);
  window.onebufferCourse = {
    exercises,
    panels: [...panels.values()],
    answer: async (name, given) => {
      const form = forms.get(name);
      if (form === undefined) throw new RangeError(`this page has no exercise ${name}`);
      return await form.answer(given);
    },
  };
  document.documentElement.dataset["course"] = "ready";
}

/** Adds the form of each exercise, and the line that counts them. */
function formsOf(sections: Iterable<HTMLElement>, panels: ReadonlyMap<Element, MountedPanel>): ReadonlyMap<string, ExerciseForm> {
  const all = [...sections];
  const names = all.map((section) => section.dataset["exercise"] ?? "");
  const forms = new Map<string, ExerciseForm>();
  if (all.length === 0) return forms;
  const { element, draw } = progressBar(names, () => forms.forEach((form) => form.showKept()));
  all[0]!.before(element);
  for (const [i, section] of all.entries()) {
    const name = names[i]!;
    const exercise = exercises[name];
    if (exercise === undefined) throw new RangeError(`there is no exercise ${name}`);
    forms.set(name, new ExerciseForm(name, section, exercise, panelFor(exercise, section, panels), draw));
  }
  return forms;
}

/** Returns the last panel above a section that its exercise looks at; null for none. */
function panelFor(exercise: Exercise, section: HTMLElement, panels: ReadonlyMap<Element, MountedPanel>): MountedPanel | null {
  if (exercise.kind !== "panel") return null;
  const above = [...panels].filter(
    ([element, { name }]) => name === exercise.panel && (element.compareDocumentPosition(section) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  );
  return above.at(-1)?.[1] ?? null;
}

await start();
