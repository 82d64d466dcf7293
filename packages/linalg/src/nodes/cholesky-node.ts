/** cholesky-node: the Cholesky factor of Hermitian positive definite matrices, as a node (LAPACK's potrf, TensorFlow's Cholesky). */
import { InvalidArgumentError } from "@onebuffer/base";
import { takeScratch, withScratch } from "@onebuffer/compiler/internal";
import type { CustomCall, CustomKernel, CustomRecord, CustomType, CustomWriter, GradientValue } from "@onebuffer/expression/internal";
import { chosen, isComplexDType, makeCustomCall, sizesOf } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { choleskyFactorizer } from "../kernels/cholesky-kernel.ts";
import { loadMatrix } from "../decompose/packed-matrices.ts";
import { factorComplexCholesky } from "../kernels/complex-cholesky.ts";
import { complexKernel } from "../kernels/complex-kernel.ts";
import { denseKernels } from "../kernels/dense-kernels.ts";
import { elementsAt, kernelDType } from "../kernels/lane-words.ts";
import { factorCholesky } from "../reference/cholesky-reference.ts";
import { smallKernels } from "../kernels/small-kernels.ts";
import { distantRow } from "../kernels/triangle-kernel.ts";
import { numbersOf } from "../reference/numbers.ts";
import { adjointOf, bandOf, multiplied, offsets } from "./matrix-nodes.ts";
import { matrixDTypes, matrixSizes } from "./matrix-sizes.ts";
import { shownMatrix } from "./shown-matrix.ts";
import { listOf, triangularNode } from "./triangular-node.ts";

/** The attributes: whether a matrix that is not positive definite is an error; otherwise its lower triangle becomes NaN. */
export interface CholeskyAttributes {
  readonly check: boolean;
}

/** Returns the error for a matrix that is not positive definite. */
function indefiniteError({ inputs }: CustomCall<CholeskyAttributes>, matrix: number, pivot: number): Error {
  const { batch } = matrixSizes(inputs[0]!.dimensions);
  const where = batch.length === 0 ? "" : `${shownMatrix(batch, matrix)}, `;
  return new InvalidArgumentError(
    `cholesky: the matrix is not positive definite (${where}pivot ${pivot} is not positive); { check: false } gives NaN instead`,
  );
}

/** An element of the factor of a matrix that has none: NaN below and on the diagonal, 0 above. */
const lostElement = (index: number, n: number): number => (index % n > Math.floor(index / n) ? 0 : NaN);

/** Returns the kernel for complex numbers. */
function complexFactors(call: CustomCall<CholeskyAttributes>): CustomKernel | null {
  const { count, rows: n } = matrixSizes(call.dimensions);
  return complexKernel(call, count, (by, m, [numbers]) => {
    const a = loadMatrix(by, { numbers: numbers!, first: 2 * m * n * n, rows: n, columns: n, isComplex: true }, false, 1);
    const bad = factorComplexCholesky(by, n, a);
    if (bad >= 0 && call.attributes.check) throw indefiniteError(call, m, bad);
    return [bad < 0 ? { matrix: a, rows: n, columns: n } : { values: Float64Array.from({ length: n * n }, (_, i) => lostElement(i, n)) }];
  });
}

/** Returns the kernel. The factors are made in scratch memory, so that an error leaves the target as it was. */
function kernel(call: CustomCall<CholeskyAttributes>): CustomKernel | null {
  if (isComplexDType(call.dtype)) return complexFactors(call);
  const dtype = kernelDType(call.dtype);
  const kernels = dtype === null ? null : denseKernels(dtype);
  const { count, rows: n } = matrixSizes(call.dimensions);
  const factor = kernels === null ? null : choleskyFactorizer(dtype!, kernels, n);
  if (factor === null) return null;
  const { size } = kernels!.words;
  const [matrixBytes, rowBytes, madeRow] = [n * n * size, n * size, distantRow(n, size)];
  const small = smallKernels(dtype!, n, count);
  return (target, [from]) => {
    const made = takeScratch(count * n * madeRow);
    for (let m = 0; m < count; m++) {
      // Groups of small matrices at once; a group with one that has no factor, and what is no whole group, one by one.
      const groups = small === null || m % small.lanes !== 0 ? 0 : Math.floor((count - m) / small.lanes);
      if (groups > 0) m += small!.lanes * small!.cholesky(from! + m * matrixBytes, made + m * n * madeRow, groups);
      if (m >= count) break;
      const at = made + m * n * madeRow;
      kernels!["copy"]!(from! + m * matrixBytes, rowBytes, at, madeRow, n, rowBytes);
      const bad = withScratch(() => factor(at));
      if (bad >= 0 && call.attributes.check) throw indefiniteError(call, m, bad);
      if (bad < 0) continue;
      elementsAt(dtype!, at, (n * madeRow) / size).fill(NaN);
      kernels!["clear"]!(at, n, madeRow);
    }
    kernels!["copy"]!(made, madeRow, target, rowBytes, count * n, rowBytes);
    return true;
  };
}

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
  kernel,
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
