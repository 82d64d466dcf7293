/** triangular-node: solutions of systems with a triangular matrix, as a node (LAPACK's trtrs, TensorFlow's MatrixTriangularSolve). */
import { withScratch } from "@onebuffer/compiler/internal";
import type { CustomCall, CustomKernel, CustomRecord, CustomValue, GradientValue } from "@onebuffer/expression/internal";
import { isComplexDType, makeCustomCall, sizesOf } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { loadMatrix } from "../decompose/packed-matrices.ts";
import { complexKernel } from "../kernels/complex-kernel.ts";
import { solveComplexTriangle } from "../kernels/complex-triangle.ts";
import { denseKernels } from "../kernels/dense-kernels.ts";
import { kernelDType } from "../kernels/lane-words.ts";
import { triangleSolver } from "../kernels/triangle-kernel.ts";
import { numbersOf } from "../reference/numbers.ts";
import { solveTriangle } from "../reference/triangle-reference.ts";
import type { Triangle } from "../reference/triangle-reference.ts";
import { bandOf, multiplied } from "./matrix-nodes.ts";
import { matrixDTypes, matrixSizes } from "./matrix-sizes.ts";

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

/** Returns the kernel. */
function kernel(call: CustomCall<Triangle>): CustomKernel | null {
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

/** The record. Operands: [..., n, n] and [..., n, k] of one batch. A 0 on the diagonal gives infinities and NaN, as in TensorFlow. */
const triangularRecord: CustomRecord<Triangle> = {
  name: "triangularSolve",
  dtypes: matrixDTypes,
  tensorflow: "linalg.triangular_solve",
  numpy: "scipy.linalg.solve_triangular",
  infer: ([, right]) => ({ dtype: right!.dtype, dimensions: sizesOf(right!) }),
  flops({ dimensions }) {
    const { count, rows, columns } = matrixSizes(dimensions);
    return count * rows * rows * columns;
  },
  evaluate({ dtype, dimensions, attributes }, [readMatrix, readRight], write) {
    const { count, rows: n, columns } = matrixSizes(dimensions);
    const numbers = numbersOf(dtype);
    for (let m = 0; m < count; m++) {
      const x = listOf(readRight!, m, n * columns);
      solveTriangle(numbers, listOf(readMatrix!, m, n * n), x, n, attributes);
      x.forEach((value, i) => write(m * n * columns + i, value));
    }
  },
  kernel,
  gradient({ node, inputs: [matrix], g, attributes }) {
    const ofRight = triangularNode(matrix!, g, { ...attributes, adjoint: !attributes.adjoint });
    const product = attributes.adjoint ? multiplied(node, ofRight, false, true) : multiplied(ofRight, node, false, true);
    const diagonal = attributes.isUnit ? 1 : 0;
    const triangle = attributes.lower ? bandOf(product, -Infinity, -diagonal) : bandOf(product, diagonal, Infinity);
    return [triangle.neg(), ofRight];
  },
  stableHLO: ({ dtype, dimensions, attributes: { lower, adjoint, isUnit } }, inputs, b) => {
    const transposes = adjoint ? (dtype.startsWith("complex") ? "ADJOINT" : "TRANSPOSE") : "NO_TRANSPOSE";
    const attributes = `left_side = true, lower = ${lower}, unit_diagonal = ${isUnit}, transpose_a = #stablehlo<transpose ${transposes}>`;
    return b.operation("stablehlo.triangular_solve", inputs, attributes, [{ dtype, dimensions }])[0]!;
  },
};

/** Returns matrix `m` of a batch of matrices with so many elements each. */
export function listOf(read: (index: number) => CustomValue, m: number, elements: number): CustomValue[] {
  return Array.from({ length: elements }, (_, i) => read(m * elements + i));
}

/** Returns the node of solutions x of T x = b, where T is a triangle of each matrix. Both operands have the same batch. */
export function triangularNode(matrix: ExpressionTree, right: ExpressionTree, triangle: Triangle): GradientValue {
  return makeCustomCall(triangularRecord, [matrix, right], triangle) as ExpressionTree as GradientValue;
}
