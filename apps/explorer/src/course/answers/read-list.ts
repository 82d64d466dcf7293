/** Lists as people write them: `2, 3`, `[2,3]`, `(2, 3)`, `2 x 3`, `2 by 3`, `{0,1}`, `2; 3`. */
import { readNumber, sameNumber } from "./read-number.ts";

/** Returns the words of a list, without brackets and signs between them. */
export function readWords(text: string): string[] {
  return text
    .split("=")
    .at(-1)!
    .trim()
    .replace(/[[\](){}"'`]/g, " ")
    .replace(/\s+(?:and|by|then|->|→|<)\s+/gi, " ")
    .replace(/(?<=\d)\s*[x×]\s*(?=\d)/g, " ")
    .split(/[\s,;:&]+/)
    .filter((word) => word !== "");
}

/** Reads a list of numbers. Returns null if a word of it is none. */
export function readNumbers(text: string): number[] | null {
  const numbers = readWords(text).map((word) => readNumber(word)?.value ?? null);
  return numbers.every((value) => value !== null) ? numbers : null;
}

/** Returns true if two lists have the same numbers, but for rounding. */
export const sameNumbers = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, i) => sameNumber(value, b[i]!));
