/** small-kernels: the functions for batches of small matrices, one module for each dtype and size, compiled when it is first needed. */
import { arrayKernel, textFunction } from "@onebuffer/kernels/internal";
import { laneWords } from "../dense/lane-words.ts";
import type { KernelDType } from "../dense/lane-words.ts";
import { smallCholeskyLocals, smallCholeskyParams, smallCholeskyText } from "./small-text.ts";
import { smallLuLocals, smallLuParams, smallLuText, smallSolveLocals, smallSolveParams, smallSolveText } from "./small-text.ts";

/** The most rows of a small matrix. */
const kSmall = 8;

/** The functions for batches of matrices of one size. */
export interface SmallKernels {
  /** The matrices of a group. */
  readonly lanes: number;
  /** Factors groups, and returns how many, up to the first one with a pivot that is 0 or NaN. */
  readonly lu: (from: number, to: number, groups: number) => number;
  /** Writes Cholesky factors of groups, and returns how many, up to the first one with a pivot that is not positive. */
  readonly cholesky: (from: number, to: number, groups: number) => number;
  /** Solves systems by packed factorizations. */
  readonly solve: (packed: number, right: number, to: number, columns: number, groups: number) => number;
}

/** Returns the functions for `count` matrices of n rows; null if they are too large or too few, or the engine refuses the functions. */
export function smallKernels(dtype: KernelDType, n: number, count: number): SmallKernels | null {
  const words = laneWords(dtype);
  if (n === 0 || n > kSmall || count < words.lanes) return null;
  const functions = arrayKernel(`linalg ${dtype} ${n} x ${n}`, (module) => {
    textFunction(module, "lu", smallLuParams, smallLuLocals(n), smallLuText(words, n));
    textFunction(module, "cholesky", smallCholeskyParams, smallCholeskyLocals(n), smallCholeskyText(words, n));
    textFunction(module, "solve", smallSolveParams, smallSolveLocals(words, n), smallSolveText(words, n));
  });
  if (functions === null) return null;
  return { lanes: words.lanes, lu: functions["lu"]!, cholesky: functions["cholesky"]!, solve: functions["solve"]! };
}
