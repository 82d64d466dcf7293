/** lu: LU factorizations, and solutions by them. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions } from "@onebuffer/base/internal";
import type { Expression, OperandLike, RankWithout } from "@onebuffer/expression";
import { checkTree, chosen, gatherFields, made, places, repeated, reshaped, shownCall, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { product, sameSizes } from "@onebuffer/storage/internal";
import { factorsOf } from "../nodes/lu-factors.ts";
import { permutedBack } from "../nodes/lu-gradient.ts";
import { luNode } from "../nodes/lu-node.ts";
import { checkSquare } from "../batch/matrix-sizes.ts";
import type { MatrixDType } from "../batch/matrix-sizes.ts";
import { triangularNode } from "../nodes/triangular-node.ts";
import { checkFlags } from "./flags.ts";
import { broadcastBatch, checkSystem } from "./operands.ts";
import type { SolutionRank } from "./operands.ts";

/**
 * The parts of LU factorizations. Assign both together (`assignTogether`), and the matrices are factored once.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(1, 2, 4, 4), [2, 2]);
 * const { lu: factors, p }: Lu<"float64", 2> = lu(a);
 * [evaluate(factors).toArray(), evaluate(p).toArray()]; // => [[[4, 4], [0.25, 1]], [1, 0]]
 */
export interface Lu<D extends MatrixDType, R extends number> {
  /** L below the diagonal, without its ones, and U on and above it. */
  readonly lu: Expression<D, R>;
  /** For each row of L U its row in the matrix. */
  readonly p: Expression<"int32", RankWithout<R, 1>>;
}

/**
 * Returns the LU factorization with partial pivoting of each matrix of [..., n, n] (`tf.linalg.lu`, `scipy.linalg.lu_factor`): row i of L U is
 * row p[i] of the matrix.
 *
 * Throws INVALID_ARGUMENT for matrices that are not square. Computing throws INVALID_ARGUMENT for a matrix that is not invertible. Copies
 * nothing before it is computed.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(1, 2, 4, 4), [2, 2]);
 * const { lu: factors, p } = lu(a);
 * evaluate(luSolve(factors, p, tensorMap("float64", Float64Array.of(3, 8), [2]))).toArray(); // => [1, 1]
 * lu(a.reshape([4, 1])); // throws INVALID_ARGUMENT
 */
export function lu<D extends MatrixDType, R extends number>(
  matrix: OperandLike<D, R>,
  options: { readonly check?: boolean } = {},
): Lu<D, R> {
  checkOptions("lu", options, ["check"]);
  const { check } = checkFlags("lu", options, { check: true });
  const a = checkTree("lu", matrix);
  checkSquare("lu", a);
  const { lu: factors, order } = factorsOf(luNode(a, { call: "lu", singular: check ? "error" : "nan" }), sizesOf(a));
  return { lu: factors as never, p: order as never };
}

/**
 * Returns the solution x of A x = b, or of A^H x = b with `adjoint`, by the results of `lu` (`tf.linalg.lu_solve`, `scipy.linalg.lu_solve`). b
 * is [..., n, k] or vectors, as for `solve`.
 *
 * Throws INVALID_ARGUMENT for operands that do not fit. Computing throws INVALID_ARGUMENT if p has no places of rows. Copies nothing before it is
 * computed.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(2, 0, 0, 4), [2, 2]);
 * const { lu: factors, p } = lu(a);
 * evaluate(luSolve(factors, p, tensorMap("float64", Float64Array.of(2, 4), [2]))).toArray(); // => [1, 1]
 * luSolve(factors, p, a.reshape([4])); // throws INVALID_ARGUMENT
 */
export function luSolve<D extends MatrixDType, A extends number, B extends number>(
  factors: OperandLike<D, A>,
  p: OperandLike<"int32", number>,
  rhs: OperandLike<NoInfer<D>, B>,
  options: { readonly adjoint?: boolean } = {},
): Expression<D, SolutionRank<A, B>> {
  checkOptions("luSolve", options, ["adjoint"]);
  const { adjoint } = checkFlags("luSolve", options, { adjoint: false });
  const { matrix, right, shaped } = checkSystem("luSolve", factors, rhs);
  const given = checkTree("luSolve", p);
  const sizes = sizesOf(matrix).slice(0, -1);
  const isFitting = sizesOf(given).at(-1) === sizes.at(-1) && sameSizes(broadcastBatch(sizesOf(given), sizes) ?? [], sizes);
  if (given.dtype !== "int32" || !isFitting) {
    throw new InvalidArgumentError(`${shownCall("luSolve", [matrix, given])}: p is int32 [${sizes.join(", ")}]`);
  }
  const order = repeated(given, sizes);
  const unit = { lower: true, adjoint, isUnit: true };
  const other = { lower: false, adjoint, isUnit: false };
  if (adjoint)
    return shaped(permutedBack(triangularNode(matrix, triangularNode(matrix, right, other), unit), checkedOrder(order))) as never;
  return shaped(triangularNode(matrix, triangularNode(matrix, permuted(right, order), unit), other)) as never;
}

/**
 * Returns the places of rows order[i] of each matrix among the rows of all. What is no row of a matrix is none of another one either: its place
 * is outside, and to gather it throws INVALID_ARGUMENT.
 */
function placesOf(order: GradientValue): GradientValue {
  const n = sizesOf(order).at(-1)!;
  const count = product(sizesOf(order).slice(0, -1));
  const own = reshaped(order, [count, n]);
  const outside = chosen(own.less(0), own, own.add(count * n));
  const isRow = own.greaterEqual(0).logicalAnd(own.less(n));
  return reshaped(chosen(isRow, own.add(places([count, n], 0).mul(n)), outside), [count * n]);
}

/** Returns the order itself. Computing it throws INVALID_ARGUMENT for what is no row. */
function checkedOrder(order: GradientValue): GradientValue {
  const sizes = sizesOf(order);
  const n = sizes.at(-1)!;
  const rows = reshaped(places([product(sizes.slice(0, -1)), n], 1), [product(sizes)]);
  return reshaped(made(gatherFields(rows, placesOf(order), 0)), sizes);
}

/** Returns matrices of which row i is row order[i] of `rows`. */
function permuted(rows: GradientValue, order: GradientValue): GradientValue {
  const sizes = sizesOf(rows);
  const [n, columns] = sizes.slice(-2) as [number, number];
  const count = product(sizes.slice(0, -2));
  return reshaped(made(gatherFields(reshaped(rows, [count * n, columns]), placesOf(order), 0)), sizes);
}
