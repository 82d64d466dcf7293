/** triangular-batch: the kernel of solutions of a batch of triangular systems. */
import type { CustomCall, CustomKernel } from "@onebuffer/expression/internal";
import { isComplexDType } from "@onebuffer/expression/internal";
import { withScratch } from "@onebuffer/kernels/internal";
import { loadMatrix } from "../decompose/packed-matrices.ts";
import { complexKernel } from "../kernels/complex-kernel.ts";
import { solveComplexTriangle } from "../kernels/complex-triangle.ts";
import { denseKernels } from "../kernels/dense-kernels.ts";
import { kernelDType } from "../dense/lane-words.ts";
import { triangleSolver } from "../kernels/triangle-kernel.ts";
import type { Triangle } from "../reference/triangle-reference.ts";
import { matrixSizes } from "./matrix-sizes.ts";

/** Returns the kernel for complex numbers. */
function complexSolutions(call: CustomCall<Triangle>): CustomKernel | null {
  const { count, rows: n, columns } = matrixSizes(call.dimensions);
  return complexKernel(call, count, (by, m, [matrix, right]) => {
    const t = loadMatrix(by, { numbers: matrix!, first: 2 * m * n * n, rows: n, columns: n, isComplex: true }, false, 1);
    const x = loadMatrix(by, { numbers: right!, first: 2 * m * n * columns, rows: n, columns, isComplex: true }, false, 1);
    solveComplexTriangle(by, n, t, columns, x, call.attributes);
    return [{ matrix: x, rows: n, columns }];
  });
}

/** Returns the kernel; null if the engine refuses it. */
export function triangularKernel(call: CustomCall<Triangle>): CustomKernel | null {
  if (isComplexDType(call.dtype)) return complexSolutions(call);
  const dtype = kernelDType(call.dtype);
  const kernels = dtype === null ? null : denseKernels(dtype);
  const { count, rows: n, columns } = matrixSizes(call.dimensions);
  const size = kernels?.words.size ?? 0;
  const sizes = { n, columns, rowT: n * size, rowB: columns * size };
  const solve = kernels === null ? null : triangleSolver(dtype!, kernels, sizes, call.attributes);
  if (solve === null) return null;
  const [matrixBytes, rightBytes] = [n * n * size, n * columns * size];
  return (target, [matrix, right]) => {
    kernels!["copy"]!(right!, 0, target, 0, 1, count * rightBytes);
    for (let m = 0; m < count; m++) withScratch(() => solve(matrix! + m * matrixBytes, target + m * rightBytes));
    return true;
  };
}
