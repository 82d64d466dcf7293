/** operands: the operands of the functions, checked and brought to one batch, and the ranks of solutions. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { BroadcastRank, ExpressionTree, RankWithout } from "@onebuffer/expression";
import { checkTree, repeated, reshaped, shownCall, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { sameSizes } from "@onebuffer/storage/internal";
import { checkMatrix, checkSquare } from "../batch/matrix-sizes.ts";

/** The operands of a system A x = b: both of one batch, and b and x as matrices. */
export interface System {
  readonly matrix: GradientValue;
  readonly right: GradientValue;
  /** Returns x as vectors, without its last axis, if b was vectors; otherwise x as it is. The result has the rank `SolutionRank`. */
  readonly shaped: (x: GradientValue) => GradientValue;
}

/**
 * The rank of the solution x of A x = b, where `A` is the rank of the matrices and `B` that of b. A b of rank 1, or of one dimension less than
 * the matrices, is vectors, and so is x: its rank is one less than that of the matrices. Otherwise both are matrices, and x has the larger
 * of both ranks. The rank is `number` if either is unknown.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(1, 0, 0, 1, 2, 0, 0, 2), [2, 2, 2]);
 * const rank: SolutionRank<3, 1> = 2;
 * solve(a, tensorMap("float64", Float64Array.of(2, 4), [2])).rank === rank; // => true
 */
export type SolutionRank<A extends number, B extends number> = number extends A
  ? number
  : number extends B
    ? number
    : A extends number // For each member of a union.
      ? B extends 1 | RankWithout<A, 1>
        ? RankWithout<A, 1>
        : BroadcastRank<A, B>
      : never;

/**
 * Checks the operands of a system with matrices [..., m, n], square ones unless `checkLeft` allows others, and right-hand sides [..., m, k], or
 * vectors [..., m]: b of rank 1, or of one dimension less than the matrices. Axes before the matrices are broadcast. Throws INVALID_ARGUMENT for
 * operands that do not fit.
 */
export function checkSystem(call: string, a: unknown, b: unknown, checkLeft: typeof checkSquare = checkSquare): System {
  const matrix = checkTree(call, a) as GradientValue;
  const given = checkTree(call, b) as GradientValue;
  checkLeft(call, matrix);
  const fail = (reason: string): never => {
    throw new InvalidArgumentError(`${shownCall(call, [matrix, given])}: ${reason}`);
  };
  checkSameDType(call, matrix, given);
  const [sizes, rightSizes] = [sizesOf(matrix), sizesOf(given)];
  const isVectors = rightSizes.length === 1 || rightSizes.length === sizes.length - 1;
  if (!isVectors) checkMatrix(call, given);
  const right = isVectors ? reshaped(given, [...rightSizes, 1]) : given;
  const [rows, columns] = sizesOf(right).slice(-2) as [number, number];
  const [m, n] = sizes.slice(-2) as [number, number];
  if (rows !== m) fail(`Input matrix and rhs are incompatible: ${m} and ${rows} rows`);
  const batch = broadcastBatch(sizes.slice(0, -2), sizesOf(right).slice(0, -2)) ?? fail("the batches are incompatible");
  return {
    matrix: repeated(matrix, [...batch, m, n]),
    right: repeated(right, [...batch, m, columns]),
    shaped: (x) => (isVectors ? reshaped(x, [...batch, n]) : x),
  };
}

/** Throws INVALID_ARGUMENT for operands of different dtypes. */
export function checkSameDType(call: string, a: ExpressionTree, b: ExpressionTree): void {
  if (a.dtype === b.dtype) return;
  throw new InvalidArgumentError(`${shownCall(call, [a, b])}: the operands have different dtypes: cast("${a.dtype}") one of them`);
}

/** Returns the sizes to which two batches are broadcast; null if they are incompatible. */
export function broadcastBatch(a: readonly number[], b: readonly number[]): readonly number[] | null {
  if (sameSizes(a, b)) return a;
  const rank = Math.max(a.length, b.length);
  const sizes: number[] = [];
  for (let d = 0; d < rank; d++) {
    const [left, right] = [a[d - rank + a.length] ?? 1, b[d - rank + b.length] ?? 1];
    if (left !== right && left !== 1 && right !== 1) return null;
    sizes.push(left === 1 ? right : left);
  }
  return sizes;
}
