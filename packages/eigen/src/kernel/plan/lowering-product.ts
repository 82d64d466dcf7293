/**
 * lowering-product: a matrix product expressed as a reduction (the simple form of Eigen's TensorContraction).
 *
 *     a[m, k, 1] * b[1, k, n], summed over k
 *
 *     columns   adds up rows of b, scaled by elements of a               reads b as it is in memory
 *     rows      multiplies rows of a with rows of b transposed           both along k; no intermediate result is stored
 *
 * The second way is faster where the sum uses wider lanes, provided that b is first stored transposed. That pays for long rows if there
 * are many of them.
 */
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import { stageDType } from "./kernel-support.ts";
import { leafPlaces } from "./leaf-places.ts";
import { kShortRow } from "./loop-nest.ts";

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

/**
 * b is transposed only for at least so many rows of a, of at least so many elements. A map a that is not adjacent along its rows is copied
 * only for at least so many columns of b.
 */
const kManyRows = 8;
const kLongRow = 64;

/** What `matrixProduct` needs from the lowering. */
export interface ProductWork {
  /** Makes the transpose of a matrix. */
  readonly transpose: (matrix: ExpressionTree) => ExpressionTree;
  /** Returns true if nothing but this product uses a node. */
  readonly isOwn: (node: ExpressionTree) => boolean;
}

/** Returns how a product is computed. */
export function matrixProduct(root: ExpressionTree, { transpose, isOwn }: ProductWork): MatrixProduct {
  const options = attributesOf(root, "matMul");
  const { matrix: a, isTransposed: transposeA } = withoutTranspose(root.inputs[0]!, options.transposeA, isOwn);
  const { matrix: b, isTransposed: transposeB } = withoutTranspose(root.inputs[1]!, options.transposeB, isOwn);
  const [rows, columns] = root.dimensions.slice(-2) as [number, number];
  const inner = a.dimensions.at(transposeA ? -2 : -1) as number;
  const isWidened = stageDType(root.dtype) === "float32" && inner >= kLongRow;
  const isBroad = transposeB && inner < kShortRow && rows >= kManyRows && columns >= kShortRow;
  const alongRows = (transposeB && !isBroad) || (rows >= kManyRows && inner >= kShortRow && (isWidened || columns < kShortRow));
  return {
    dtype: root.dtype,
    dims: [...root.dimensions.slice(0, -2), rows, inner, columns],
    left:
      alongRows && !transposeA && columns >= kManyRows && runsAcross(a)
        ? { tree: a, isStaged: true, isTransposed: false }
        : factor(a, transposeA, alongRows && transposeA, transpose),
    right: factor(b, transposeB, isBroad || (alongRows && !transposeB && columns > 1), transpose),
  };
}

/** Replaces a transpose of a matrix by the option: x.transpose().matMul(y) is computed as x.matMul(y, { transposeA: true }). */
function withoutTranspose(
  operand: ExpressionTree,
  option: boolean,
  isOwn: (node: ExpressionTree) => boolean,
): { readonly matrix: ExpressionTree; readonly isTransposed: boolean } {
  let matrix = operand;
  let isTransposed = option;
  while (matrix.op === "shuffle" && exchangesLastTwo(matrix) && isOwn(matrix)) {
    matrix = matrix.inputs[0]!;
    isTransposed = !isTransposed;
  }
  return { matrix, isTransposed };
}

/** Returns true if a shuffle exchanges the last two dimensions and no others. */
function exchangesLastTwo(node: ExpressionTree): boolean {
  const { permutation } = attributesOf(node, "shuffle");
  const rank = permutation.length;
  return rank >= 2 && permutation.every((from, d) => from === (d < rank - 2 ? d : 2 * rank - 3 - d));
}

/** Returns true if a matrix is a map whose rows are not adjacent elements, such as the transposed view of a StridedMap. */
function runsAcross(matrix: ExpressionTree): boolean {
  return matrix.op === "map" && leafPlaces(matrix).strides.at(-1) !== 1;
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

/** Returns a matrix with its last two dimensions exchanged. */
export function transposedMatrix(matrix: ExpressionTree): ExpressionTree {
  const { dtype, depth } = matrix;
  const order = matrix.dimensions.map((_, d) => d);
  const permutation = [...order.slice(0, -2), order.length - 1, order.length - 2];
  const dimensions = permutation.map((d) => matrix.dimensions[d] as number);
  return { op: "shuffle", inputs: [matrix], attributes: { permutation }, dtype, dimensions, depth: depth + 1 };
}
