/** The contract of an exercise: a question in a chapter of the course, checked in the page against the real packages. */
import type { PanelState, Params } from "../panel.ts";

/** The verdict on an answer, and the reason in one sentence. */
export interface Verdict {
  readonly right: boolean;
  readonly why: string;
}

/** An exercise whose answer is typed. */
export interface TextExercise {
  readonly kind: "text";
  /** Judges an answer. It may throw what the packages throw: the page shows the error as the reason. */
  check(answer: string): Verdict;
  /** Answers for the tests. */
  readonly rightAnswers: readonly string[];
  readonly wrongAnswers: readonly string[];
}

/** An exercise whose answer is the state of the panel above it. */
export interface PanelExercise {
  readonly kind: "panel";
  readonly panel: string;
  check(state: PanelState): Verdict;
  /** Parameters of the panel for the tests. */
  readonly rightAnswers: readonly Params[];
  readonly wrongAnswers: readonly Params[];
}

export type Exercise = TextExercise | PanelExercise;

/** Returns a verdict: `right` as it is, and the sentence for it. */
export const verdict = (right: boolean, whenRight: string, whenWrong: string): Verdict => ({ right, why: right ? whenRight : whenWrong });

/** Returns the numbers of an answer such as `2, 3` or `[2,3]`, null if it has anything else. */
export function numbersOf(answer: string): number[] | null {
  const words = answer
    .replace(/[[\](){}]/g, " ")
    .split(/[\s,]+/)
    .filter((word) => word !== "");
  const numbers = words.map(Number);
  return numbers.every((value) => Number.isFinite(value)) ? numbers : null;
}

/** Returns true if two lists have the same elements. */
export const sameList = (a: readonly unknown[] | null, b: readonly unknown[]): boolean =>
  a !== null && a.length === b.length && a.every((value, i) => value === b[i]);
