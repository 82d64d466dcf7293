/**
 * evaluate-early: assignments of a bundled page whose kernels have not been loaded yet, by the plain evaluator.
 *
 * A program that does not await anything never lets the kernels arrive. It computes the right results, many times as slowly, so the console
 * says what to do.
 */
import type { Assignment } from "@onebuffer/evaluator/internal";
import { evaluateInto } from "@onebuffer/evaluator/internal";
import { fallBack } from "@onebuffer/kernels/internal";

declare const console: { warn(message: string): void };
declare const performance: { now(): number };

/** After so many milliseconds in such assignments the console has a warning. */
const kWarnAfter = 200;

let spent = 0;

/** Computes a checked assignment. Throws what evaluateInto throws. */
export function evaluateEarly({ places, tree }: Assignment): void {
  fallBack("the kernels have not been loaded yet");
  const begin = performance.now();
  evaluateInto(places, tree);
  const before = spent;
  spent += performance.now() - begin;
  if (before <= kWarnAfter && spent > kWarnAfter) {
    console.warn(
      `onebuffer: ${Math.round(spent)} ms of assignments without kernels, which have not been loaded yet: ` +
        "`await ready()` before computing, and they take a fraction of the time",
    );
  }
}
