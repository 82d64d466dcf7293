/**
 * Decides whether a case passed, by the rules of the vectors.
 *
 * - An `error` must be met by a failure. The code must be the same; `CHECK`, where TensorFlow takes the process down, is met
 *   by any StatusError. Every number in `contains` must stand in our message, the words need not.
 * - Where both `error` and `expect` stand, `expect` is about what the failed call leaves behind, and both must be met.
 * - A case of a TensorFlow defect, whose answer changes values, passes when ours keeps them: `keeps_values` of the answer.
 * - A case beyond 2^53 - 1 passes when the call throws INVALID_ARGUMENT or OUT_OF_RANGE, or answers false or null where
 *   the operation answers so; otherwise it must match as any other.
 */
import { isStatusError } from "@onebuffer/base";
import { mismatch } from "./compare.ts";
import type { State } from "./compare.ts";
import { isBeyondLimits } from "./limits.ts";
import type { ExpectedError, VectorCase } from "./vector.ts";

/** What a call did: returned a value, or threw. */
export type Outcome = { readonly value: unknown } | { readonly thrown: unknown };

/** Every number of a text, signs included: `"start = -1, length = 3"` gives -1 and 3, `"2-dim"` gives 2. */
export function numbersIn(text: string): string[] {
  return text.match(/(?<![\w.)\]])-?\d+(?:\.\d+)?|\d+(?:\.\d+)?/g) ?? [];
}

/** Describes a thrown value for the failure line. */
export function showThrown(thrown: unknown): string {
  if (isStatusError(thrown)) return `${thrown.code} "${thrown.message}"`;
  if (typeof thrown === "object" && thrown !== null && "message" in thrown)
    return `${String((thrown as { name?: unknown }).name)} "${String(thrown.message)}"`;
  return `a thrown ${String(thrown)}`;
}

function showError(error: ExpectedError): string {
  return error.contains === "" ? error.code : `${error.code} "${error.contains}"`;
}

/** Judges a thrown value against the failure a case asks for. */
function judgeThrown(thrown: unknown, error: ExpectedError): string | null {
  const wrong = `got ${showThrown(thrown)} want ${showError(error)}`;
  if (!isStatusError(thrown)) return wrong;
  if (error.code !== "CHECK" && thrown.code !== error.code) return wrong;
  const said = new Set(numbersIn(thrown.message));
  const missing = numbersIn(error.contains).filter((number) => !said.has(number));
  return missing.length === 0 ? null : `${wrong} (its message lacks ${missing.join(", ")})`;
}

/** Judges a failure, and what it leaves behind if the case says something about that. */
function judgeFailure(thrown: unknown, error: ExpectedError, vector: VectorCase, left: State): string | null {
  const wrong = judgeThrown(thrown, error);
  if (wrong !== null || vector.expect === undefined || vector.expect === null) return wrong;
  const other = mismatch(left, vector.expect);
  return other === null ? null : `after the failure: ${other}`;
}

/** Whether the outcome is a refusal of sizes that are too large. */
function isRefusal(outcome: Outcome, answer: string | undefined): boolean {
  if ("thrown" in outcome) return isStatusError(outcome.thrown, "INVALID_ARGUMENT") || isStatusError(outcome.thrown, "OUT_OF_RANGE");
  const { value } = outcome;
  if (value === false || value === null) return true;
  if (answer === undefined || typeof value !== "object") return false;
  const entry = (value as Readonly<Record<string, unknown>>)[answer];
  const said = typeof entry === "function" ? (entry as () => unknown)() : entry;
  return said === false || said === null;
}

/** Reads the answer's keys; what a getter throws counts as thrown by the call. */
function judgeValue(value: unknown, vector: VectorCase): string | null {
  if (vector.error !== undefined) return `got a result want ${showError(vector.error)}`;
  if (vector.tfDefect === true) return mismatch(value, { keeps_values: true });
  return mismatch(value, vector.expect ?? null);
}

/**
 * Null when the case passed, otherwise the words for its failure line.
 *
 * `answer` names the key under which the operation says yes or no (`found`, `ok`, …), if its answer is an object; `left`
 * is what a failed call leaves behind.
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
