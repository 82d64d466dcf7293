/**
 * lowering-product: a matrix product expressed as a reduction (the simple form of Eigen's TensorContraction), for products of few rows or
 * columns; others are computed in blocks (compiler/contraction).
 *
 *     a[m, k, 1] * b[1, k, n], summed over k
 *
 *     columns   adds up rows of b, scaled by elements of a               reads b as it is in memory
 *     rows      multiplies rows of a with rows of b transposed           both along k; no intermediate result is stored
 *
 * The second way is faster if there are many rows. b is first stored transposed then.
 */
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { attributesOf, partDType } from "@onebuffer/expression/internal";
import { kShortRow } from "@onebuffer/kernels/internal";
import { plainNode, treeNode } from "./plain-nodes.ts";

/** A factor: the tree that is read, whether it is first stored in memory of its own, and whether it is then read transposed. */
export interface Factor {
  readonly tree: ExpressionTree;
  readonly isStaged: boolean;
  readonly isTransposed: boolean;
}

/** A matrix product, ready to be lowered. */
export interface MatrixProduct {
  readonly dtype: DType;
  /** [batch …, m, k, n] */
  readonly dims: readonly number[];
  readonly left: Factor;
  readonly right: Factor;
}

/** b is transposed only for at least so many rows of a. */
export const kManyRows = 8;

/** Returns how a product is computed; `transpose` makes the transpose of a matrix. */
export function matrixProduct(root: ExpressionTree, transpose: (matrix: ExpressionTree) => ExpressionTree): MatrixProduct {
  const { transposeA, transposeB } = attributesOf(root, "matMul");
  const [a, b] = root.inputs as readonly [ExpressionTree, ExpressionTree];
  const [rows, columns] = root.dimensions.slice(-2) as [number, number];
  const inner = a.dimensions.at(transposeA ? -2 : -1) as number;
  const alongRows = transposeB || (rows >= kManyRows && inner >= kShortRow);
  return {
    dtype: root.dtype,
    dims: [...root.dimensions.slice(0, -2), rows, inner, columns],
    left: factor(a, transposeA, alongRows && transposeA, transpose),
    right: factor(b, transposeB, alongRows && !transposeB && columns > 1, transpose),
  };
}

/** Returns a factor: read directly, or first stored transposed. */
function factor(
  matrix: ExpressionTree,
  isTransposedOperand: boolean,
  isTransposedFirst: boolean,
  transpose: (matrix: ExpressionTree) => ExpressionTree,
): Factor {
  if (!isTransposedFirst) return { tree: matrix, isStaged: false, isTransposed: isTransposedOperand };
  return { tree: transpose(matrix), isStaged: true, isTransposed: !isTransposedOperand };
}

/**
 * Returns the parts of a product of complex matrices as trees of real products. The parts of a factor are each one node, so that they are
 * stored once.
 */
export function productParts(root: ExpressionTree): { readonly re: ExpressionTree; readonly im: ExpressionTree } {
  const { op, attributes, dimensions } = root;
  const dtype = partDType(root.dtype);
  const parts = new Map(root.inputs.map((input) => [input, [plainNode("real", dtype, input), plainNode("imag", dtype, input)] as const]));
  const [[a, b], [c, d]] = root.inputs.map((input) => parts.get(input)!) as unknown as readonly [Pair, Pair];
  const times = (...inputs: Pair): ExpressionTree => treeNode(op, inputs, dimensions, attributes, dtype);
  return { re: plainNode("sub", dtype, times(a, c), times(b, d)), im: plainNode("add", dtype, times(a, d), times(b, c)) };
}

type Pair = readonly [ExpressionTree, ExpressionTree];

/** Returns a matrix with its last two dimensions exchanged. */
export function transposedMatrix(matrix: ExpressionTree): ExpressionTree {
  const order = matrix.dimensions.map((_, d) => d);
  const permutation = [...order.slice(0, -2), order.length - 1, order.length - 2];
  const dimensions = permutation.map((d) => matrix.dimensions[d] as number);
  return treeNode("shuffle", [matrix], dimensions, { permutation });
}
