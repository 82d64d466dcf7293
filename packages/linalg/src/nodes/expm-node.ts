/** expm-node: exponentials of matrices, as a node (TensorFlow's MatrixExponential, SciPy's expm). */
import type { ExpressionTree } from "@onebuffer/expression";
import { makeCustomCall, sizesOf } from "@onebuffer/expression/internal";
import type { CustomRecord, GradientValue } from "@onebuffer/expression/internal";
import { exponential } from "../reference/expm-reference.ts";
import { numbersOf } from "../reference/numbers.ts";
import { functionGradient } from "./function-gradient.ts";
import { matrixDTypes, matrixSizes } from "../batch/matrix-sizes.ts";
import { listOf } from "./triangular-node.ts";

const expmRecord: CustomRecord = {
  name: "expm",
  dtypes: matrixDTypes,
  tensorflow: "linalg.expm",
  numpy: "scipy.linalg.expm",
  infer: ([matrix]) => ({ dtype: matrix!.dtype, dimensions: sizesOf(matrix!) }),
  flops({ dimensions }) {
    const { count, rows } = matrixSizes(dimensions);
    return Math.round((count * rows ** 3 * 44) / 3);
  },
  evaluate({ dtype, dimensions }, [read], write) {
    const { count, rows: n } = matrixSizes(dimensions);
    for (let m = 0; m < count; m++)
      exponential(numbersOf(dtype), listOf(read!, m, n * n), n).forEach((value, i) => write(m * n * n + i, value));
  },
  kernel: () => null,
  gradient: ({ inputs: [matrix], g }) => [functionGradient(expmNode, matrix!, g)],
  stableHLO: "XLA has no operation for it",
};

/** Returns the node of the exponentials of square matrices. */
export function expmNode(matrix: ExpressionTree): GradientValue {
  return makeCustomCall(expmRecord, [matrix], {}) as ExpressionTree as GradientValue;
}
