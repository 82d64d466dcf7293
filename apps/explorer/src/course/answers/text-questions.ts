/** Exercises that ask for a number, a list or a word, with named mistakes. */
import { right, wrong } from "../exercise.ts";
import type { TextExercise, Verdict } from "../exercise.ts";
import { readNumbers, readWords, sameNumbers } from "./read-list.ts";
import { readNumber, sameNumber } from "./read-number.ts";
import type { Units } from "./read-number.ts";

/** What all questions have; `V` is what an answer is read as. */
interface Question<V> {
  /** The right answer, computed by the packages. */
  readonly truth: () => V;
  /** Why it is right: shown with a right answer. */
  readonly why: string;
  /** What to think of, for an answer that is neither right nor a named mistake. */
  readonly hint: string;
  /** Named mistakes: the answer, and the reason. */
  readonly mistakes: Readonly<Record<string, { readonly is: V; readonly why: string; readonly answers?: readonly string[] }>>;
  readonly rightAnswers: readonly string[];
  readonly wrongAnswers?: readonly string[];
}

/** Returns an exercise over a way to read an answer and to compare two. */
function questionOf<V>(
  question: Question<V>,
  read: (answer: string) => V | null,
  same: (a: V, b: V) => boolean,
  textOf: (value: V) => string,
  what: string,
): TextExercise {
  const { truth, why, hint, mistakes, rightAnswers, wrongAnswers = [] } = question;
  const check = (answer: string): Verdict => {
    if (answer.trim() === "") return wrong(`Write ${what}.`);
    const value = read(answer);
    if (value === null) return wrong(`${JSON.stringify(answer.trim().slice(0, 40))} is not ${what}.`);
    if (same(value, truth())) return right(why);
    const found = Object.entries(mistakes).find(([, { is }]) => same(value, is));
    return found === undefined ? wrong(hint) : wrong(found[1].why, found[0]);
  };
  const named = Object.entries(mistakes).map(([name, { is, answers }]) => ({ name, answers: answers ?? [textOf(is)] }));
  return { kind: "text", check, rightAnswers, mistakes: named, wrongAnswers: ["", "?!", ...wrongAnswers] };
}

/** Returns an exercise that asks for one number. Separators, units, fractions and small formulas are read. */
export const numberQuestion = (question: Question<number> & { readonly units?: Units }): TextExercise =>
  questionOf(
    question,
    (answer) => {
      const read = readNumber(answer, question.units);
      if (read === null) return null;
      // A number that was rounded to its unit counts as the one that it may be.
      const meant = [question.truth(), ...Object.values(question.mistakes).map(({ is }) => is)];
      return meant.find((each) => sameNumber(read.value, each, read.slack)) ?? read.value;
    },
    sameNumber,
    String,
    "a number; a formula or a fraction will do",
  );

/** Returns an exercise that asks for a list of numbers. */
export const listQuestion = (question: Question<readonly number[]>): TextExercise =>
  questionOf<readonly number[]>(question, readNumbers, sameNumbers, (list) => list.join(", "), "a list of numbers, such as 2, 3");

/** Returns an exercise that asks for words, in an order unless they are a set. `spelled` brings a word to its usual spelling. */
export const wordsQuestion = (
  question: Question<string> & { readonly what: string; readonly isSet?: boolean; readonly spelled?: (word: string) => string },
): TextExercise =>
  questionOf(
    question,
    (answer) => {
      const words = readWords(answer.replace(kNoise, " ")).map((word) => (question.spelled ?? lowerCase)(word));
      const ordered = question.isSet === true ? [...new Set(words)].sort() : words;
      return words.length === 0 ? null : ordered.join(" ");
    },
    sameText,
    (text) => text,
    question.what,
  );

/** Words around an answer that say nothing. */
const kNoise = /\b(?:the|only|just|nodes?|first)\b/gi;

/** Returns an exercise that asks for letters in an order, with anything between them. */
export const lettersQuestion = (question: Question<string>): TextExercise =>
  questionOf(
    question,
    (answer) => lowerCase(answer).replace(/[^a-z]/g, "") || null,
    sameText,
    (text) => text,
    "letters in an order",
  );

const lowerCase = (text: string): string => text.toLowerCase();
const sameText = (a: string, b: string): boolean => a === b;
