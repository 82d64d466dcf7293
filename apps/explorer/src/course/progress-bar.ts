/** How many exercises of a page are done, above the first of them, and a way to begin anew. */
import { forgetAnswers, keptAnswer } from "./kept-answers.ts";

/** Returns the line, and a function that draws it again. `onForget` is called once the answers are forgotten. */
export function progressBar(names: readonly string[], onForget: () => void): { readonly element: HTMLElement; readonly draw: () => void } {
  const element = document.createElement("p");
  element.className = "course-progress";
  const text = document.createElement("span");
  const bar = document.createElement("progress");
  const again = document.createElement("button");
  bar.max = names.length;
  bar.setAttribute("aria-label", "Exercises done in this chapter");
  again.type = "button";
  again.className = "button button-quiet";
  again.textContent = "Begin anew";
  const draw = (): void => {
    const done = names.filter((name) => keptAnswer(name)?.right === true).length;
    text.textContent = `${done} of ${names.length} exercises done`;
    bar.value = done;
    again.hidden = names.every((name) => keptAnswer(name) === null);
  };
  again.addEventListener("click", () => {
    forgetAnswers(names);
    onForget();
    draw();
  });
  element.append(bar, text, again);
  draw();
  return { element, draw };
}
