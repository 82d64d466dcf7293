/**
 * Decides if a case passed.
 *
 * - A case with `error` passes if the call throws a StatusError with the same code. `CHECK`, where TensorFlow aborts the process, matches
 *   any StatusError. Every number in `contains` must be in our message; the words may differ.
 * - If a case has `error` and `expect`, `expect` describes the state after the failed call, and both must match.
 * - A case marked `tf_defect`, in which TensorFlow changes values, passes if our call keeps them: `keeps_values` of the answer is true.
 * - A case with sizes above 2^53 - 1 (limits.ts) also passes if the call throws INVALID_ARGUMENT or OUT_OF_RANGE, or answers false or
 *   null.
 */
import { isStatusError } from "@onebuffer/base";
import { mismatch } from "./compare.ts";
import type { State } from "./compare.ts";
import { isBeyondLimits } from "./limits.ts";
import type { ExpectedError, VectorCase } from "./vector.ts";

/** The outcome of a call: a returned value, or a thrown one. */
export type Outcome = { readonly value: unknown } | { readonly thrown: unknown };

/** Returns all numbers in a text, with their signs: `"start = -1, length = 3"` gives -1 and 3, `"2-dim"` gives 2. */
export function numbersIn(text: string): string[] {
  return text.match(/(?<![\w.)\]])-?\d+(?:\.\d+)?|\d+(?:\.\d+)?/g) ?? [];
}

/** Returns the text of a thrown value for the failure line. */
export function showThrown(thrown: unknown): string {
  if (isStatusError(thrown)) return `${thrown.code} "${thrown.message}"`;
  if (typeof thrown === "object" && thrown !== null && "message" in thrown)
    return `${String((thrown as { name?: unknown }).name)} "${String(thrown.message)}"`;
  return `a thrown ${String(thrown)}`;
}

function showError(error: ExpectedError): string {
  return error.contains === "" ? error.code : `${error.code} "${error.contains}"`;
}

/** Compares a thrown value with the expected error. Returns null if it matches. */
function judgeThrown(thrown: unknown, error: ExpectedError): string | null {
  const wrong = `got ${showThrown(thrown)} want ${showError(error)}`;
  if (!isStatusError(thrown)) return wrong;
  if (error.code !== "CHECK" && thrown.code !== error.code) return wrong;
  const present = new Set(numbersIn(thrown.message));
  const missing = numbersIn(error.contains).filter((number) => !present.has(number));
  return missing.length === 0 ? null : `${wrong} (its message lacks ${missing.join(", ")})`;
}

/** Compares a thrown value with the expected error, and the state after it with `expect` if the case has one. */
function judgeFailure(thrown: unknown, error: ExpectedError, vector: VectorCase, left: State): string | null {
  const wrong = judgeThrown(thrown, error);
  if (wrong !== null || vector.expect === undefined || vector.expect === null) return wrong;
  const other = mismatch(left, vector.expect);
  return other === null ? null : `after the failure: ${other}`;
}

/** Returns true if the outcome is one with which onebuffer may refuse sizes that are too large. */
function isRefusal(outcome: Outcome, answer: string | undefined): boolean {
  if ("thrown" in outcome) return isStatusError(outcome.thrown, "INVALID_ARGUMENT") || isStatusError(outcome.thrown, "OUT_OF_RANGE");
  const { value } = outcome;
  if (value === false || value === null) return true;
  if (answer === undefined || typeof value !== "object") return false;
  const entry = (value as Readonly<Record<string, unknown>>)[answer];
  const answered = typeof entry === "function" ? (entry as () => unknown)() : entry;
  return answered === false || answered === null;
}

/** Compares the returned value with the expected one. Reading its keys may call getters, which may throw. */
function judgeValue(value: unknown, vector: VectorCase): string | null {
  if (vector.error !== undefined) return `got a result want ${showError(vector.error)}`;
  if (vector.tfDefect === true) return mismatch(value, { keeps_values: true });
  return mismatch(value, vector.expect ?? null);
}

/**
 * Returns null if the case passed, otherwise the text for its failure line.
 *
 * `answer` is the key of the yes-or-no result (`found`, `ok`, …) if the operation returns an object. `left` is the state after a failed
 * call. An error that a getter of the result throws counts as thrown by the call.
 */
export function judge(vector: VectorCase, outcome: Outcome, answer: string | undefined, left: State = {}): string | null {
  let verdict: string | null;
  let refused: boolean;
  try {
    refused = isRefusal(outcome, answer);
    if ("value" in outcome) verdict = judgeValue(outcome.value, vector);
    else if (vector.error !== undefined) verdict = judgeFailure(outcome.thrown, vector.error, vector, left);
    else verdict = `got ${showThrown(outcome.thrown)} want ${JSON.stringify(vector.expect)}`;
  } catch (thrown) {
    refused = isRefusal({ thrown }, answer);
    verdict = `got ${showThrown(thrown)} want ${JSON.stringify(vector.expect)}`;
  }
  return verdict !== null && refused && isBeyondLimits(vector) ? null : verdict;
}
