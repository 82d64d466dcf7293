/** lu-solve-batch: the kernel of solutions of a batch of systems by packed LU factorizations. */
import type { CustomCall, CustomKernel } from "@onebuffer/expression/internal";
import { isComplexDType } from "@onebuffer/expression/internal";
import { takeScratch, withScratch } from "@onebuffer/kernels/internal";
import { loadMatrix } from "../decompose/packed-matrices.ts";
import type { Matrix } from "../dense/matrix.ts";
import { copyRow, partOf, takeMatrix } from "../dense/matrix.ts";
import { complexKernel } from "../kernels/complex-kernel.ts";
import { solveComplexTriangle } from "../kernels/complex-triangle.ts";
import { denseKernels } from "../kernels/dense-kernels.ts";
import type { DenseKernels } from "../kernels/dense-kernels.ts";
import { elementsAt, kernelDType } from "../dense/lane-words.ts";
import { smallKernels } from "../kernels/small-kernels.ts";
import { triangleSolver } from "../kernels/triangle-kernel.ts";
import type { LuSolveAttributes } from "./lu-attributes.ts";
import { matrixSizes } from "./matrix-sizes.ts";

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

/** Returns the kernel; null if the engine refuses it. */
export function luSolveKernel(call: CustomCall<LuSolveAttributes>): CustomKernel | null {
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
