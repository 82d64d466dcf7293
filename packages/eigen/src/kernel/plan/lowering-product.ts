/**
 * lowering-product: a product of matrices as the reduction that it is (Eigen's TensorContraction, in its simple form).
 *
 *     a[m, k, 1] * b[1, k, n], summed over k
 *
 *     columns   rows of b, scaled by elements of a, are added up        b as it lies
 *     rows      rows of a times rows of b turned round                  both along k, nothing is stored in between
 *
 * The second way is faster where sums are made in wider lanes, once b has been turned round: for long rows and many of them.
 */
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import { stageDType } from "./kernel-support.ts";
import { kShortRow } from "./loop-nest.ts";

/** A factor: what is read, whether it is brought into memory of its own first, and whether it is then looked at turned round. */
export interface Factor {
  readonly tree: ExpressionTree;
  readonly isStaged: boolean;
  readonly isTurned: boolean;
}

/** A product of matrices, ready to be lowered. */
export interface MatrixProduct {
  readonly dtype: DType;
  /** [batch …, m, k, n] */
  readonly dims: readonly number[];
  readonly left: Factor;
  readonly right: Factor;
}

/** Rows from which on turning b round pays, and how long they have to be. */
const kManyRows = 8;
const kLongRow = 64;

/** How a product is computed; `turn` makes a matrix turned round. */
export function matrixProduct(root: ExpressionTree, turn: (matrix: ExpressionTree) => ExpressionTree): MatrixProduct {
  const { transposeA, transposeB } = attributesOf(root, "matMul");
  const [a, b] = root.inputs as readonly [ExpressionTree, ExpressionTree];
  const [rows, columns] = root.dimensions.slice(-2) as [number, number];
  const inner = a.dimensions.at(transposeA ? -2 : -1) as number;
  const isWidened = stageDType(root.dtype) === "float32" && inner >= kLongRow;
  const alongRows = transposeB || (rows >= kManyRows && inner >= kShortRow && (isWidened || columns < kShortRow));
  return {
    dtype: root.dtype,
    dims: [...root.dimensions.slice(0, -2), rows, inner, columns],
    left: factor(a, transposeA, alongRows && transposeA, turn),
    right: factor(b, transposeB, alongRows && !transposeB && columns > 1, turn),
  };
}

/** A factor as it lies, or turned round first. */
function factor(
  matrix: ExpressionTree,
  isTransposed: boolean,
  isTurnedFirst: boolean,
  turn: (matrix: ExpressionTree) => ExpressionTree,
): Factor {
  if (!isTurnedFirst) return { tree: matrix, isStaged: false, isTurned: isTransposed };
  return { tree: turn(matrix), isStaged: true, isTurned: !isTransposed };
}

/** A matrix with its last two dimensions exchanged. */
export function turned(matrix: ExpressionTree): ExpressionTree {
  const { dtype, depth } = matrix;
  const order = matrix.dimensions.map((_, d) => d);
  const permutation = [...order.slice(0, -2), order.length - 1, order.length - 2];
  const dimensions = permutation.map((d) => matrix.dimensions[d] as number);
  return { op: "shuffle", inputs: [matrix], attributes: { permutation }, dtype, dimensions, depth: depth + 1 };
}
