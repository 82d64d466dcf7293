/**
 * reductions: what the code of row, column and window kernels asks of a reduction. A reduction that combines elements and gives a result as
 * others do needs only its row here.
 */
import type { ReduceOp } from "../plan/program.ts";

/** The operation on two elements that a reduction repeats. `largerNumber` ignores NaN. */
export type Combine = "add" | "mul" | "maximum" | "minimum" | "largerNumber" | "logicalOr" | "logicalAnd";

/** The facts about a reduction. */
export interface Reduction {
  readonly combines: Combine;
  /** The result: the combined value, that divided by the number of elements, the place of the chosen element, or the number of true bytes. */
  readonly gives: "value" | "mean" | "place" | "count";
}

/** The reductions of kernels. */
export const reductions: Readonly<Record<ReduceOp, Reduction>> = {
  sum: { combines: "add", gives: "value" },
  prod: { combines: "mul", gives: "value" },
  mean: { combines: "add", gives: "mean" },
  count: { combines: "add", gives: "count" },
  max: { combines: "maximum", gives: "value" },
  maxNumber: { combines: "largerNumber", gives: "value" },
  min: { combines: "minimum", gives: "value" },
  any: { combines: "logicalOr", gives: "value" },
  all: { combines: "logicalAnd", gives: "value" },
  argmax: { combines: "maximum", gives: "place" },
  argmin: { combines: "minimum", gives: "place" },
};

const extremes: Readonly<Partial<Record<Combine, boolean>>> = { maximum: true, minimum: false };

/** Returns true for a reduction to the largest element or its place, false for the smallest, and null for other reductions. */
export function isMaximum(op: ReduceOp): boolean | null {
  return extremes[reductions[op].combines] ?? null;
}
