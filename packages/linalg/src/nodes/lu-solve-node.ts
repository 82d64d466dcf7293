/**
 * lu-solve-node: solutions of systems by a packed LU factorization, as a node (LAPACK's getrs). The matrix itself is an operand as well: the
 * gradient goes to it and not through the factorization, and takes one more solution with the same factors.
 */
import { takeScratch, withScratch } from "@onebuffer/compiler/internal";
import type { CustomCall, CustomKernel, CustomRecord, GradientValue } from "@onebuffer/expression/internal";
import { isComplexDType, makeCustomCall, sizesOf } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { loadMatrix } from "../decompose/packed-matrices.ts";
import type { Matrix } from "../dense/matrix.ts";
import { copyRow, partOf, takeMatrix } from "../dense/matrix.ts";
import { complexKernel } from "../kernels/complex-kernel.ts";
import { solveComplexTriangle } from "../kernels/complex-triangle.ts";
import { denseKernels } from "../kernels/dense-kernels.ts";
import type { DenseKernels } from "../kernels/dense-kernels.ts";
import { elementsAt, kernelDType } from "../kernels/lane-words.ts";
import { smallKernels } from "../kernels/small-kernels.ts";
import { triangleSolver } from "../kernels/triangle-kernel.ts";
import { solveByLu } from "../reference/lu-reference.ts";
import { numbersOf } from "../reference/numbers.ts";
import { multiplied } from "./matrix-nodes.ts";
import { matrixDTypes, matrixSizes } from "./matrix-sizes.ts";
import { listOf } from "./triangular-node.ts";

/** The attributes: the function that is named in messages, and whether A^H x = b is solved. */
export interface LuSolveAttributes {
  readonly adjoint: boolean;
}

/** Returns the kernel for complex numbers. */
function complexSolutions(call: CustomCall<LuSolveAttributes>): CustomKernel | null {
  const { adjoint } = call.attributes;
  const { count, rows: n, columns } = matrixSizes(call.dimensions);
  const cells = n * n + n + 1;
  return complexKernel(call, count, (by, m, [packed, right]) => {
    const first = 2 * m * cells;
    const lu = loadMatrix(by, { numbers: packed!, first, rows: n, columns: n, isComplex: true }, false, 1);
    const given = loadMatrix(by, { numbers: right!, first: 2 * m * n * columns, rows: n, columns, isComplex: true }, false, 1);
    const order = Array.from({ length: n }, (_, i) => packed![first + 2 * (n * n + i)]!);
    const x = takeMatrix(by, n, columns, true);
    const move = (from: Matrix, i: number, to: Matrix, k: number): void => copyRow(by, columns, partOf(from, i, 0), partOf(to, k, 0));
    if (!adjoint) order.forEach((row, i) => move(given, row, x, i));
    const solved = adjoint ? given : x;
    const [unit, other] = [true, false].map((isUnit) => ({ lower: isUnit, adjoint, isUnit }));
    for (const which of adjoint ? [other, unit] : [unit, other]) solveComplexTriangle(by, n, lu, columns, solved, which!);
    if (adjoint) order.forEach((row, i) => move(given, i, x, row));
    return [{ matrix: x, rows: n, columns }];
  });
}

/** Returns the kernel. */
function kernel(call: CustomCall<LuSolveAttributes>): CustomKernel | null {
  if (isComplexDType(call.dtype)) return complexSolutions(call);
  const { dtype: own, dimensions, attributes } = call;
  const { adjoint } = attributes;
  const dtype = kernelDType(own);
  const kernels = dtype === null ? null : denseKernels(dtype);
  if (kernels === null) return null;
  const { count, rows: n, columns } = matrixSizes(dimensions);
  const { size } = kernels.words;
  const rightRow = columns * size;
  const sizes = { n, columns, rowT: n * size, rowB: rightRow };
  const unit = triangleSolver(dtype!, kernels, sizes, { lower: true, adjoint, isUnit: true });
  const other = triangleSolver(dtype!, kernels, sizes, { lower: false, adjoint, isUnit: false });
  if (unit === null || other === null) return null;
  const cellBytes = (n * n + n + 1) * size;
  const small = adjoint ? null : smallKernels(dtype!, n, count);
  const groups = small === null ? 0 : Math.floor(count / small.lanes);
  return (target, [packed, right]) => {
    if (groups > 0) small!.solve(packed!, right!, target, columns, groups);
    for (let m = groups * (small?.lanes ?? 0); m < count; m++) {
      const [lu, from, to] = [packed! + m * cellBytes, right! + m * n * rightRow, target + m * n * rightRow];
      const order = elementsAt(dtype!, lu + n * n * size, n);
      withScratch(() => {
        if (!adjoint) copyRows(kernels, order, { from, to, row: rightRow, isBack: false });
        const x = adjoint ? takeScratch(n * rightRow) : to;
        if (adjoint) kernels["copy"]!(from, 0, x, 0, 1, n * rightRow);
        for (const solve of adjoint ? [other, unit] : [unit, other]) solve(lu, x);
        if (adjoint) copyRows(kernels, order, { from: x, to, row: rightRow, isBack: true });
      });
    }
    return true;
  };
}

/** Copies row order[i] to row i, or row i to row order[i] if `isBack`. Rows of a matrix that was not factored are not moved. */
function copyRows(
  kernels: DenseKernels,
  order: Float32Array | Float64Array,
  { from, to, row, isBack }: { readonly from: number; readonly to: number; readonly row: number; readonly isBack: boolean },
): void {
  for (let i = 0; i < order.length; i++) {
    const other = order[i]! * row;
    kernels["copy"]!(from + (isBack ? i * row : other), 0, to + (isBack ? other : i * row), 0, 1, row);
  }
}

/** The record. Operands: the packed factorization, b of [..., n, k], and the matrix of [..., n, n], all of one batch. */
const luSolveRecord: CustomRecord<LuSolveAttributes> = {
  name: "luSolve",
  dtypes: matrixDTypes,
  tensorflow: "linalg.solve",
  numpy: "scipy.linalg.lu_solve",
  infer: ([, right]) => ({ dtype: right!.dtype, dimensions: sizesOf(right!) }),
  flops({ dimensions }) {
    const { count, rows, columns } = matrixSizes(dimensions);
    return 2 * count * rows * rows * columns;
  },
  evaluate({ dtype, dimensions, attributes: { adjoint } }, [readPacked, readRight], write) {
    const { count, rows: n, columns } = matrixSizes(dimensions);
    const numbers = numbersOf(dtype);
    for (let m = 0; m < count; m++) {
      const packed = listOf(readPacked!, m, n * n + n + 1);
      const order = packed.slice(n * n, n * n + n).map((row) => numbers.real(row));
      const x = solveByLu(numbers, packed, order, listOf(readRight!, m, n * columns), adjoint);
      x.forEach((value, i) => write(m * n * columns + i, value));
    }
  },
  kernel,
  gradient({ node, inputs: [packed, , matrix], g, attributes: { adjoint }, needs }) {
    const ofRight = luSolveNode(packed!, g, matrix!, { adjoint: !adjoint });
    if (!needs[2]) return [null, ofRight, null];
    return [null, ofRight, (adjoint ? multiplied(node, ofRight, false, true) : multiplied(ofRight, node, false, true)).neg()];
  },
  stableHLO: "XLA has no LU factorization with pivots on processors",
};

/** Returns the node of solutions x of A x = b, or of A^H x = b, by the packed factorization of A. All operands have the same batch. */
export function luSolveNode(
  packed: ExpressionTree,
  right: ExpressionTree,
  matrix: ExpressionTree,
  attributes: LuSolveAttributes,
): GradientValue {
  return makeCustomCall(luSolveRecord, [packed, right, matrix], attributes) as ExpressionTree as GradientValue;
}
