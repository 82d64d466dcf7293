/**
 * The contract of an exercise: a question in a chapter of the course, checked in the page against the real packages.
 *
 * An answer is a text, the state of the panel above the question, or a program. A wrong answer that is predictable is a **named mistake**:
 * its verdict says what was confused. Each exercise has at least two, and right answers in at least three spellings: the tests give them all.
 */
import type { PanelState, Params } from "../panel.ts";

/** The verdict on an answer, and the reason in one or two sentences. */
export interface Verdict {
  readonly right: boolean;
  readonly why: string;
  /** The name of the mistake; "" for another wrong answer and for a right one. */
  readonly mistake: string;
}

/** A predictable wrong answer. */
export interface Mistake<A> {
  readonly name: string;
  /** Answers that have it, for the tests. */
  readonly answers: readonly A[];
}

interface AnyExercise<A> {
  /** Answers for the tests, and for the teachers' key. */
  readonly rightAnswers: readonly A[];
  readonly mistakes: readonly Mistake<A>[];
  /** Other wrong answers for the tests. */
  readonly wrongAnswers: readonly A[];
}

/** An exercise whose answer is typed. */
export interface TextExercise extends AnyExercise<string> {
  readonly kind: "text";
  /** Judges an answer. It may throw what the packages throw: the page shows the error as the reason. */
  check(answer: string): Verdict;
}

/** An exercise whose answer is the state of the panel above it. */
export interface PanelExercise extends AnyExercise<Params> {
  readonly kind: "panel";
  readonly panel: string;
  check(state: PanelState): Verdict;
}

/** An exercise whose answer is a program in JavaScript. It runs in a worker of its own. */
export interface CodeExercise extends AnyExercise<string> {
  readonly kind: "code";
  /** What the editor begins with. */
  readonly template: string;
  /** The names that the program must declare: functions or classes. */
  readonly names: readonly string[];
  /**
   * Runs in the worker, with what the program declared under these names, and returns plain data. Its source is sent there, so it uses
   * nothing from outside.
   */
  readonly trial: (declared: Readonly<Record<string, unknown>>) => unknown;
  /** Judges what `trial` returned. */
  check(result: unknown): Verdict;
}

export type Exercise = TextExercise | PanelExercise | CodeExercise;

/** Returns the verdict on a right answer. */
export const right = (why: string): Verdict => ({ right: true, why, mistake: "" });

/** Returns the verdict on a wrong answer; `mistake` is its name if it has one. */
export const wrong = (why: string, mistake = ""): Verdict => ({ right: false, why, mistake });
