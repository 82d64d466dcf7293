/** The text of a step of the story, with its task and the ways on and back. */
import type { JSX } from "preact";
import { addressOf } from "../address.ts";
import { kStoryTitle, steps } from "./steps.ts";

/** Draws step number `step`, counted from 0. */
export function StoryBar({ step, isDone }: { step: number; isDone: boolean }): JSX.Element {
  const { title, text, task } = steps[step]!;
  const to = (place: number): string => addressOf({ panel: steps[place]!.panel, params: {}, step: place });
  return (
    <section class="story" aria-labelledby="story-title">
      <p class="story-name">
        {kStoryTitle} <span>{`${step + 1} of ${steps.length}`}</span>
      </p>
      <progress class="story-progress" max={steps.length} value={step + 1} aria-label="Progress of the story" />
      <h1 id="story-title">{title}</h1>
      <p>{text}</p>
      <p class={`story-task ${isDone ? "is-done" : ""}`} role="status">
        <b>{isDone ? "Done" : "Try it"}</b> {task}
      </p>
      <p class="story-ways">
        {step > 0 && (
          <a class="button" href={to(step - 1)}>
            Back
          </a>
        )}
        {step + 1 < steps.length ? (
          <a class={`button ${isDone ? "button-main" : ""}`} href={to(step + 1)}>
            Next: {steps[step + 1]!.title}
          </a>
        ) : (
          <a class="button" href={addressOf({ panel: "one-buffer", params: {}, step: -1 })}>
            The end: look around
          </a>
        )}
      </p>
    </section>
  );
}
