/** triangular-node: solutions of systems with a triangular matrix, as a node (LAPACK's trtrs, TensorFlow's MatrixTriangularSolve). */
import { kernelOfPart } from "@onebuffer/eigen/internal";
import type { CustomRecord, CustomValue, GradientValue } from "@onebuffer/expression/internal";
import { makeCustomCall, sizesOf } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { linalgPart } from "../batch/loaded-kernels.ts";
import { numbersOf } from "../reference/numbers.ts";
import { solveTriangle } from "../reference/triangle-reference.ts";
import type { Triangle } from "../reference/triangle-reference.ts";
import { bandOf, multiplied } from "./matrix-nodes.ts";
import { matrixDTypes, matrixSizes } from "../batch/matrix-sizes.ts";

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
  kernel: (call) => kernelOfPart(linalgPart, (kernels) => kernels.triangularSolve(call)),
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
