/**
 * lu-node: the LU factorization with partial pivoting, P A = L U, of square matrices as one node (LAPACK's getrf, TensorFlow's Lu).
 *
 *     [..., n, n]  ->  [..., n n + n + 1]     L without its ones and U in one square, the order of the rows, the sign of that permutation
 *
 * The packed result is computed once, however many solutions, determinants and parts are read of it.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { takeScratch, withScratch } from "@onebuffer/compiler/internal";
import type { CustomCall, CustomKernel, CustomRecord, CustomValue } from "@onebuffer/expression/internal";
import { isComplexDType, makeCustomCall, sizesOf } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import type { Part } from "../decompose/packed-matrices.ts";
import { loadMatrix } from "../decompose/packed-matrices.ts";
import { factorComplexLu } from "../kernels/complex-lu.ts";
import { complexKernel } from "../kernels/complex-kernel.ts";
import { denseKernels } from "../kernels/dense-kernels.ts";
import { elementsAt, kernelDType } from "../kernels/lane-words.ts";
import { luFactorizer, orderOf } from "../kernels/lu-kernel.ts";
import { smallKernels } from "../kernels/small-kernels.ts";
import { factorsOf } from "./lu-factors.ts";
import { luGradient } from "./lu-gradient.ts";
import { factorLu } from "../reference/lu-reference.ts";
import { numbersOf } from "../reference/numbers.ts";
import { matrixDTypes, matrixSizes } from "./matrix-sizes.ts";
import { shownMatrix } from "./shown-matrix.ts";

/** What happens for a pivot that is 0 or NaN: an error, NaN in the whole result of the matrix, or factors with that pivot. */
export type SingularRule = "error" | "nan" | "keep";

/** The attributes: the function that is named in messages, and the rule for singular matrices. */
export interface LuAttributes {
  readonly call: string;
  readonly singular: SingularRule;
}

/** Returns the error for a matrix that cannot be inverted. */
export function singularError(
  { attributes: { call }, inputs }: CustomCall<LuAttributes>,
  matrix: number,
  pivot: number,
  value: number,
): Error {
  const { batch } = matrixSizes(inputs[0]!.dimensions);
  const where = batch.length === 0 ? "" : `${shownMatrix(batch, matrix)}, `;
  return new InvalidArgumentError(`${call}: Input matrix is not invertible. (${where}pivot ${pivot} is ${value})`);
}

function evaluate(
  call: CustomCall<LuAttributes>,
  read: (index: number) => CustomValue,
  write: (index: number, value: CustomValue) => void,
): void {
  const { dtype, inputs, attributes } = call;
  const { count, rows: n } = matrixSizes(inputs[0]!.dimensions);
  const numbers = numbersOf(dtype);
  const cells = n * n + n + 1;
  for (let m = 0; m < count; m++) {
    const a = Array.from({ length: n * n }, (_, i) => read(m * n * n + i));
    const { order, sign, bad } = factorLu(numbers, a, n);
    if (bad >= 0 && attributes.singular === "error") throw singularError(call, m, bad, numbers.real(a[bad * n + bad]!));
    const isLost = bad >= 0 && attributes.singular === "nan";
    a.forEach((value, i) => write(m * cells + i, isLost ? numbers.of(NaN) : value));
    order.forEach((row, i) => write(m * cells + n * n + i, numbers.of(row)));
    write(m * cells + n * n + n, numbers.of(sign));
  }
}

/** Returns the kernel for complex numbers. */
function complexFactors(call: CustomCall<LuAttributes>): CustomKernel | null {
  const { singular } = call.attributes;
  const { count, rows: n } = matrixSizes(call.inputs[0]!.dimensions);
  return complexKernel(call, count, (by, m, [numbers]) => {
    const a = loadMatrix(by, { numbers: numbers!, first: 2 * m * n * n, rows: n, columns: n, isComplex: true }, false, 1);
    const { order, sign, bad } = factorComplexLu(by, n, a, singular === "keep");
    if (bad >= 0 && singular === "error") throw singularError(call, m, bad, by.memory[a.at + bad * (a.ld + 1)]!);
    const isLost = bad >= 0 && singular === "nan";
    const factors: Part = isLost ? { values: new Float64Array(n * n).fill(NaN) } : { matrix: a, rows: n, columns: n };
    return [factors, { values: Float64Array.of(...order, sign) }];
  });
}

/** Returns the kernel. */
function kernel(call: CustomCall<LuAttributes>): CustomKernel | null {
  if (isComplexDType(call.dtype)) return complexFactors(call);
  const { inputs, attributes } = call;
  const dtype = kernelDType(call.dtype);
  const kernels = dtype === null ? null : denseKernels(dtype);
  const { count, rows: n } = matrixSizes(inputs[0]!.dimensions);
  const factor = kernels === null ? null : luFactorizer(dtype!, kernels, n);
  if (factor === null) return null;
  const { size } = kernels!.words;
  const [matrixBytes, cells] = [n * n * size, n * n + n + 1];
  const keep = attributes.singular === "keep";
  const small = smallKernels(dtype!, n, count);
  return (target, [from]) => {
    for (let m = 0; m < count; m++) {
      // Groups of small matrices at once; a group with a singular one, and what is no whole group, one by one.
      const groups = small === null || m % small.lanes !== 0 ? 0 : Math.floor((count - m) / small.lanes);
      if (groups > 0) m += small!.lanes * small!.lu(from! + m * matrixBytes, target + m * cells * size, groups);
      if (m >= count) break;
      const at = target + m * cells * size;
      withScratch(() => {
        const pivots = takeScratch(4 * n);
        if (n > 0) kernels!["copy"]!(from! + m * matrixBytes, 0, at, 0, 1, matrixBytes);
        const bad = n === 0 ? -1 : factor(at, pivots, keep);
        const packed = elementsAt(dtype!, at, cells);
        if (bad >= 0 && attributes.singular === "error") throw singularError(call, m, bad, packed[bad * n + bad]!);
        if (bad >= 0 && attributes.singular === "nan") packed.fill(NaN, 0, n * n);
        const { order, sign } = orderOf(pivots, bad >= 0 && !keep ? 0 : n);
        for (let i = 0; i < n; i++) packed[n * n + i] = order[i] ?? i;
        packed[n * n + n] = sign;
      });
    }
    return true;
  };
}

/** The record of the factorization. */
export const luRecord: CustomRecord<LuAttributes> = {
  name: "lu",
  dtypes: matrixDTypes,
  tensorflow: "linalg.lu",
  numpy: "scipy.linalg.lu_factor",
  infer([matrix]) {
    const { batch, rows } = matrixSizes(sizesOf(matrix!));
    return { dtype: matrix!.dtype, dimensions: [...batch, rows * rows + rows + 1] };
  },
  flops({ inputs: [matrix] }) {
    const { count, rows } = matrixSizes(matrix!.dimensions);
    return Math.round((count * 2 * rows ** 3) / 3);
  },
  evaluate: (call, [read], write) => evaluate(call, read!, write),
  kernel,
  gradient: ({ node, inputs: [matrix], g }) => [luGradient(factorsOf(node, sizesOf(matrix!)), g)],
  stableHLO: "XLA has no LU factorization with pivots on processors",
};

/** Returns the node of the factorization of square matrices. */
export function luNode(matrix: ExpressionTree, attributes: LuAttributes): ExpressionTree {
  return makeCustomCall(luRecord, [matrix], attributes);
}
