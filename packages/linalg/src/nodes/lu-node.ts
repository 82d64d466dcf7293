/**
 * lu-node: the LU factorization with partial pivoting, P A = L U, of square matrices as one node (LAPACK's getrf, TensorFlow's Lu).
 *
 *     [..., n, n]  ->  [..., n n + n + 1]     L without its ones and U in one square, the order of the rows, the sign of that permutation
 *
 * The packed result is computed once, however many solutions, determinants and parts are read of it.
 */
import { kernelOfPart } from "@onebuffer/eigen/internal";
import type { CustomCall, CustomRecord, CustomValue } from "@onebuffer/expression/internal";
import { makeCustomCall, sizesOf } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { linalgPart } from "../batch/loaded-kernels.ts";
import type { LuAttributes } from "../batch/lu-attributes.ts";
import { singularError } from "../batch/lu-attributes.ts";
import { factorsOf } from "./lu-factors.ts";
import { luGradient } from "./lu-gradient.ts";
import { factorLu } from "../reference/lu-reference.ts";
import { numbersOf } from "../reference/numbers.ts";
import { matrixDTypes, matrixSizes } from "../batch/matrix-sizes.ts";

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
  kernel: (call) => kernelOfPart(linalgPart, (kernels) => kernels.lu(call)),
  gradient: ({ node, inputs: [matrix], g }) => [luGradient(factorsOf(node, sizesOf(matrix!)), g)],
  stableHLO: "XLA has no LU factorization with pivots on processors",
};

/** Returns the node of the factorization of square matrices. */
export function luNode(matrix: ExpressionTree, attributes: LuAttributes): ExpressionTree {
  return makeCustomCall(luRecord, [matrix], attributes);
}
