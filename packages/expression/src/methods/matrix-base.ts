/**
 * MatrixBase: the methods for diagonals, triangles and outer products (tf.linalg.diag, diag_part and band_part, NumPy's tril, triu and
 * outer). expression.ts documents them.
 *
 * All of them are composed: the triangles and `diag` choose by the indices of row and column, `diagPart` is a slice with a step, and
 * `outer` is a product of a column and a row. So kernels compute them without code of their own.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { SliceRange } from "@onebuffer/storage";
import { shownCall, shownOperand } from "../inference/broadcast-dims.ts";
import { checkSameDType, checkTree, selectFields } from "../inference/elementwise-inference.ts";
import { reshapeFields, sliceFields } from "../inference/movement-inference.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import { zeroOf } from "./movement-base.ts";
import { ProductBase } from "./product-base.ts";

/** The largest int32. */
const kMaxInt32 = 2 ** 31 - 1;

/** The methods for diagonals, triangles and outer products. */
export abstract class MatrixBase extends ProductBase {
  /** Matrices with the last dimension on a diagonal. */
  diag(k: number = 0): this {
    checkDims("diag", this, 1);
    checkDiagonal("diag", this, k);
    const sizes = sizesOf(this);
    const size = sizes.at(-1) as number;
    const { rows, columns } = this.rowsAndColumns(size, size);
    const column = this.node(reshapeFields(this, [...sizes, 1]));
    const square = this.node(selectFields(rows.equal(columns), column, this.operand("diag", zeroOf(this))));
    if (k === 0) return square;
    const [above, left] = [Math.max(-k, 0), Math.max(k, 0)];
    return square.pad([...sizes.slice(1).map((): [number, number] => [0, 0]), [above, left], [left, above]]);
  }

  /** A diagonal of the last two dimensions: in row-major order its elements are `columns + 1` apart. */
  diagPart(k: number = 0): this {
    const [height, width] = checkDims("diagPart", this, 2);
    checkDiagonal("diagPart", this, k);
    if (k !== 0 && !(k > -height && k < width)) {
      throw new InvalidArgumentError(`diagPart(${shownOperand(this)}): diagonal ${k} is not in (-${height}, ${width})`);
    }
    const length = Math.max(0, k > 0 ? Math.min(height, width - k) : Math.min(height + k, width));
    const first = k > 0 ? k : -k * width;
    const stop = length === 0 ? first : first + (length - 1) * (width + 1) + 1;
    const outer = sizesOf(this).slice(0, -2);
    const flat = this.node(reshapeFields(this, [...outer, height * width]));
    return this.node(sliceFields(flat, [...outer.map((): SliceRange => null), [first, stop, width + 1]]));
  }

  /** The elements on and below a diagonal; the others become 0. */
  tril(k: number = 0): this {
    return this.triangle("tril", k, (columns, limits) => columns.greater(limits));
  }

  /** The elements on and above a diagonal; the others become 0. */
  triu(k: number = 0): this {
    return this.triangle("triu", k, (columns, limits) => columns.less(limits));
  }

  /** The products of all pairs of elements of two vectors. */
  outer(other: ExpressionTree): this {
    const right = checkTree("outer", other);
    const operands = [this, right];
    if (operands.some((operand) => sizesOf(operand).length !== 1)) {
      throw new InvalidArgumentError(`${shownCall("outer", operands)}: the operands have one dimension each, reshape([-1]) them`);
    }
    checkSameDType("outer", operands, 0);
    return this.node(reshapeFields(this, [sizesOf(this)[0] as number, 1])).mul(right);
  }

  /** Returns 0 where `isZero` of the column's index and the index in that row of diagonal `k` is true, elsewhere the operand. */
  private triangle(op: string, k: number, isZero: (columns: this, limits: this) => this): this {
    const [height, width] = checkDims(op, this, 2);
    checkDiagonal(op, this, k);
    const { rows, columns } = this.rowsAndColumns(height, width);
    // Beyond the corners every diagonal selects the same elements. Within them, no sum of an index and k leaves the index dtype.
    const limits = k === 0 ? rows : rows.add(Math.min(Math.max(k, -height), width));
    return this.node(selectFields(isZero(columns, limits), this.operand(op, zeroOf(this)), this));
  }

  /** Returns the indices of the rows, as a column, and of the columns, as a row. They are int32 unless the sizes need int64. */
  private rowsAndColumns(height: number, width: number): Record<"rows" | "columns", this> {
    const dtype = height + width <= kMaxInt32 ? "int32" : "int64";
    const iota = (axis: number, dimensions: readonly number[]) =>
      this.node({ op: "iota", inputs: [], attributes: { axis }, dtype, dimensions });
    return { rows: iota(0, [height, 1]), columns: iota(1, [1, width]) };
  }
}

/** Returns the last two sizes. Throws INVALID_ARGUMENT for fewer than `least` dimensions. */
function checkDims(op: string, operand: ExpressionTree, least: number): readonly [number, number] {
  const dimensions = sizesOf(operand);
  if (dimensions.length < least) {
    throw new InvalidArgumentError(`${op}(${shownOperand(operand)}): input must be at least ${least}-dim`);
  }
  return [dimensions.at(-2) ?? 1, dimensions.at(-1) ?? 1];
}

/** Throws INVALID_ARGUMENT unless `k` is an integer. */
function checkDiagonal(op: string, operand: ExpressionTree, k: unknown): void {
  if (Number.isSafeInteger(k)) return;
  throw new InvalidArgumentError(`${op}(${shownOperand(operand)}): the diagonal is an integer, got ${shownValue(k)}`);
}
