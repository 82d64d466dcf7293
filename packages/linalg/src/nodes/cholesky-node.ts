/** cholesky-node: the Cholesky factor of Hermitian positive definite matrices, as a node (LAPACK's potrf, TensorFlow's Cholesky). */
import { kernelOfPart } from "@onebuffer/eigen/internal";
import type { CustomRecord, CustomType, CustomWriter, GradientValue } from "@onebuffer/expression/internal";
import { chosen, makeCustomCall, sizesOf } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import type { CholeskyAttributes } from "../batch/cholesky-attributes.ts";
import { indefiniteError, lostElement } from "../batch/cholesky-attributes.ts";
import { linalgPart } from "../batch/loaded-kernels.ts";
import { factorCholesky } from "../reference/cholesky-reference.ts";
import { numbersOf } from "../reference/numbers.ts";
import { adjointOf, bandOf, multiplied, offsets } from "./matrix-nodes.ts";
import { matrixDTypes, matrixSizes } from "../batch/matrix-sizes.ts";
import { listOf, triangularNode } from "./triangular-node.ts";

const choleskyRecord: CustomRecord<CholeskyAttributes> = {
  name: "cholesky",
  dtypes: matrixDTypes,
  tensorflow: "linalg.cholesky",
  numpy: "linalg.cholesky",
  infer: ([matrix]) => ({ dtype: matrix!.dtype, dimensions: sizesOf(matrix!) }),
  flops({ dimensions }) {
    const { count, rows } = matrixSizes(dimensions);
    return Math.round((count * rows ** 3) / 3);
  },
  evaluate(call, [read], write) {
    const { dtype, dimensions, attributes } = call;
    const { count, rows: n } = matrixSizes(dimensions);
    const numbers = numbersOf(dtype);
    for (let m = 0; m < count; m++) {
      const a = listOf(read!, m, n * n);
      const bad = factorCholesky(numbers, a, n);
      if (bad >= 0 && attributes.check) throw indefiniteError(call, m, bad);
      a.forEach((value, i) => write(m * n * n + i, bad < 0 ? value : numbers.of(lostElement(i, n))));
    }
  },
  kernel: (call) => kernelOfPart(linalgPart, (kernels) => kernels.cholesky(call)),
  gradient: ({ node, g }) => [choleskyGradient(node, g)],
  stableHLO: ({ dtype, dimensions }, inputs, b) => {
    const factor = b.operation("stablehlo.cholesky", inputs, "lower = true", [{ dtype, dimensions }])[0]!;
    return lowerTriangle(factor, { dtype, dimensions }, b);
  },
};

/** Writes zeros above the diagonals of matrices: XLA leaves anything there. */
function lowerTriangle<V>(x: V, { dtype, dimensions }: CustomType, b: CustomWriter<V>): V {
  const places = (axis: number): V =>
    b.operation("stablehlo.iota", [], `iota_dimension = ${axis} : i64`, [{ dtype: "int32", dimensions }])[0]!;
  const [rows, columns] = [places(dimensions.length - 2), places(dimensions.length - 1)];
  const compared = (direction: string, y: V): V =>
    b.operation("stablehlo.compare", [rows, y], `comparison_direction = #stablehlo<comparison_direction ${direction}>`, [
      { dtype: "bool", dimensions },
    ])[0]!;
  const zeros = b.operation("stablehlo.convert", [compared("NE", rows)], "", [{ dtype, dimensions }])[0]!;
  return b.operation("stablehlo.select", [compared("GE", columns), x, zeros], "", [{ dtype, dimensions }])[0]!;
}

/** L^-H P(L^H dL) L^-1 as a Hermitian matrix, where P keeps the lower triangle and halves the diagonal. */
function choleskyGradient(factor: GradientValue, g: GradientValue): GradientValue {
  const n = sizesOf(factor).at(-1)!;
  const products = multiplied(factor, bandOf(g, -Infinity, 0), true);
  const halved = chosen(offsets(n, n).equal(0), products.mul(0.5), bandOf(products, -Infinity, -1));
  const lower = { lower: true, adjoint: true, isUnit: false };
  const left = triangularNode(factor, halved, lower);
  const both = adjointOf(triangularNode(factor, adjointOf(left), lower));
  return both.add(adjointOf(both)).mul(0.5);
}

/** Returns the node of the lower triangular L of A = L L^H. Only the lower triangles of the matrices are read. */
export function choleskyNode(matrix: ExpressionTree, attributes: CholeskyAttributes): ExpressionTree & GradientValue {
  return makeCustomCall(choleskyRecord, [matrix], attributes) as ExpressionTree as GradientValue;
}
