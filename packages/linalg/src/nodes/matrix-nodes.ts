/** matrix-nodes: nodes that gradients and composed functions make of matrices: products, adjoints, triangles. */
import { constant } from "@onebuffer/expression";
import type { ExpressionTree } from "@onebuffer/expression";
import { isComplexDType, made, matMulFields, places, shuffleFields, sizesOf } from "@onebuffer/expression/internal";
import { chosen, conjugate, filled } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";

/** Returns the product of two batches of matrices, of which each may be taken as its conjugate transpose. */
export function multiplied(a: GradientValue, b: GradientValue, adjointA: boolean = false, adjointB: boolean = false): GradientValue {
  const [left, right] = [adjointA ? conjugate(a) : a, adjointB ? conjugate(b) : b];
  return made(matMulFields(left, right, { transposeA: adjointA, transposeB: adjointB }));
}

/** Returns the transpose of matrices. */
export function transposed(a: ExpressionTree): GradientValue {
  const rank = sizesOf(a).length;
  const order = Array.from({ length: rank }, (_, d) => (d < rank - 2 ? d : 2 * rank - 3 - d));
  return made(shuffleFields(a, order));
}

/** Returns the conjugate transpose of matrices. */
export function adjointOf(a: ExpressionTree): GradientValue {
  const moved = transposed(a);
  return isComplexDType(a.dtype) ? moved.conj() : moved;
}

/** Returns, for matrices of rows x columns, the column less the row of each element, as int32 of these two sizes. */
export function offsets(rows: number, columns: number): GradientValue {
  return places([rows, columns], 1).sub(places([rows, columns], 0));
}

/** Returns matrices of which the elements on the diagonals `low` to `high` are kept and the others are 0; 1 is the one above the main one. */
export function bandOf(a: GradientValue, low: number, high: number): GradientValue {
  const [rows, columns] = sizesOf(a).slice(-2) as [number, number];
  const offset = offsets(rows, columns);
  const isLow = low === -Infinity ? null : offset.greaterEqual(Math.max(low, -rows));
  const isHigh = high === Infinity ? null : offset.lessEqual(Math.min(high, columns));
  if (isLow === null && isHigh === null) return a;
  const isKept = isLow === null ? isHigh! : isHigh === null ? isLow : isLow.logicalAnd(isHigh);
  return chosen(isKept, a, zeroOf(a.dtype));
}

/** Returns 0 of any dtype, as a scalar. */
export function zeroOf(dtype: GradientValue["dtype"]): GradientValue {
  return dtype === "bool" ? (constant("bool", false) as unknown as GradientValue) : filled(dtype, 0, []);
}

/** Returns a batch of identity matrices. */
export function identity(dtype: GradientValue["dtype"], n: number): GradientValue {
  return offsets(n, n).equal(0).cast(dtype);
}
