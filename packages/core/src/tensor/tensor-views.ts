/**
 * TensorViews: the maps of a tensor's elements and the assignments to them (tensor.h's `vec`, `matrix`, `flat`, `shaped` and relatives).
 *
 * Views are Eigen maps over the root's one typed array (buffer/tensor-views.ts). They share the bytes and hold no reference. All check the
 * dtype if one is given, and throw INVALID_ARGUMENT with TensorFlow's messages.
 */
import type { DType } from "@onebuffer/base";
import { dataTypeOf, dtypeSize, FailedPreconditionError, InvalidArgumentError, isObjectDType } from "@onebuffer/base";
import type { Assignments, Device, StridedMap, TensorDeviceOf, TensorMap } from "@onebuffer/eigen";
import { countOfSizes, innerDims, innerOuterDims, outerDims } from "../buffer/tensor-flatten.ts";
import {
  checkCount,
  checkDType,
  checkRank,
  unalignedViewOfSizes,
  viewOfLength,
  viewOfPair,
  viewOfScalar,
  viewOfSizes,
} from "../buffer/tensor-views.ts";
import { TensorBase } from "./tensor-base.ts";
import { rowCount } from "./tensor-region.ts";
import type { TensorRow } from "./tensor-rows.ts";
import { elementsOf, rowsOf } from "./tensor-rows.ts";

/** A tensor with its views: the parent of TensorContents. */
export abstract class TensorViews<D extends DType = DType> extends TensorBase<D> {
  /**
   * Returns a map of all elements with this tensor's own rank, at any byte offset. Expressions call it where a tensor is given as an
   * operand; `call` is then the operation's name for messages. Throws FAILED_PRECONDITION if not initialized. Copies: never.
   *
   * @example
   * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
   * t.asOperand().at(1, 0); // => 4
   */
  asOperand(call: string = "asOperand"): TensorMap<D, number> {
    const shape = this.heldShape;
    if (shape === null || shape === undefined) throw new FailedPreconditionError(`${call}: the tensor given as an operand was disposed`);
    return unalignedViewOfSizes(shape.dataType, this.heldBuffer, shape.numElements, shape.dimSizes);
  }

  /**
   * Computes an expression into this tensor's elements, or sets all of them to one value, at any byte offset. Throws as `assign` of
   * a map does, and FAILED_PRECONDITION if not initialized. Copies: never.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * t.assign(5);
   * t.toArray(); // => [5, 5]
   */
  assign(source: Parameters<Assignments<D>["assign"]>[0]): void {
    this.target("assign").assign(source);
  }

  /**
   * Adds an expression or one value to the elements. Throws as `assign` does. Copies: never.
   *
   * @example
   * using weights = Tensor.from([1, 2]);
   * using gradient = Tensor.from([8, 4]);
   * weights.addAssign(10); // [11, 12]
   * weights.subAssign(gradient.vec().mul(0.25)); // [9, 11]
   * weights.mulAssign(gradient); // [72, 44]
   * weights.divAssign(4);
   * weights.toArray(); // => [18, 11]
   */
  addAssign(source: Parameters<Assignments<D>["addAssign"]>[0]): void {
    this.target("addAssign").addAssign(source);
  }

  /**
   * Subtracts an expression or one value from the elements. Throws as `assign` does. Copies: never.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * t.subAssign(1);
   * t.toArray(); // => [0, 1]
   */
  subAssign(source: Parameters<Assignments<D>["subAssign"]>[0]): void {
    this.target("subAssign").subAssign(source);
  }

  /**
   * Multiplies the elements by an expression or one value. Throws as `assign` does. Copies: never.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * t.mulAssign(10);
   * t.toArray(); // => [10, 20]
   */
  mulAssign(source: Parameters<Assignments<D>["mulAssign"]>[0]): void {
    this.target("mulAssign").mulAssign(source);
  }

  /**
   * Divides the elements by an expression or one value; integers truncate. Throws as `assign` does. Copies: never.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * t.divAssign(2);
   * t.toArray(); // => [0.5, 1]
   */
  divAssign(source: Parameters<Assignments<D>["divAssign"]>[0]): void {
    this.target("divAssign").divAssign(source);
  }

  /**
   * Returns the assignments of all elements by a device, as a map's `device` does: `await t.device(pool).assign(expression)`. Throws
   * FAILED_PRECONDITION if not initialized. Copies: never.
   *
   * @example
   * using t = Tensor.zeros([2]);
   * await t.device(new DefaultDevice()).assign(5);
   * t.toArray(); // => [5, 5]
   */
  device<V extends Device>(device: V): TensorDeviceOf<D, V> {
    return this.target("device").device(device);
  }

  /** Returns a map of all elements for an assignment, at any byte offset. Throws FAILED_PRECONDITION, naming the call. */
  private target(call: string): TensorMap<D, number> {
    const shape = this.shapeFor(call);
    return unalignedViewOfSizes(shape.dataType, this.heldBuffer, shape.numElements, shape.dimSizes);
  }

  /** Returns the tensor's DataType number for the view `call`. Throws INVALID_ARGUMENT if `dtype` is given and differs. */
  private viewed(call: string, dtype: DType | undefined): number {
    const mine = this.shapeFor(call).dataType;
    if (dtype !== undefined) checkDType(dataTypeOf(dtype), mine);
    return mine;
  }

  /**
   * Returns a view of the one element of a tensor of any rank. Quirk fixed: TensorFlow does not check the dtype here.
   *
   * @example
   * using t = Tensor.from(7);
   * t.scalar().at(); // => 7
   */
  scalar<T extends D = D>(dtype?: T): TensorMap<T, 0> {
    const type = this.viewed("scalar", dtype);
    if (this.numElements !== 1)
      throw new InvalidArgumentError(`Must have a one element tensor, got ${this.numElements} (1 vs. ${this.numElements})`);
    return viewOfScalar(type, this.heldBuffer);
  }

  /**
   * Returns a view of a tensor of rank 1.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * t.vec().at(1); // => 2
   */
  vec<T extends D = D>(dtype?: T): TensorMap<T, 1> {
    const type = this.viewed("vec", dtype);
    const { shape } = this;
    checkRank(1, shape.dims);
    return viewOfLength(type, this.heldBuffer, shape.dimSize(0));
  }

  /**
   * Returns a view of a tensor of rank 2.
   *
   * @example
   * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
   * t.matrix().at(1, 0); // => 4
   */
  matrix<T extends D = D>(dtype?: T): TensorMap<T, 2> {
    const type = this.viewed("matrix", dtype);
    const { shape } = this;
    checkRank(2, shape.dims);
    return viewOfPair(type, this.heldBuffer, shape.dimSize(0), shape.dimSize(1));
  }

  /**
   * Returns a view of a tensor of exactly the given rank.
   *
   * @example
   * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
   * t.tensor(2).at(1, 0); // => 4
   * t.tensor(3); // throws INVALID_ARGUMENT
   */
  tensor<N extends number, T extends D = D>(rank: N, dtype?: T): TensorMap<T, N> {
    const type = this.viewed("tensor", dtype);
    checkRank(rank, this.dims);
    return viewOfSizes(type, this.heldBuffer, this.numElements, this.shape.dimSizes);
  }

  /**
   * Returns a view of all elements as a vector; a scalar gives one element.
   *
   * @example
   * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
   * t.flat().at(3); // => 4
   */
  flat<T extends D = D>(dtype?: T): TensorMap<T, 1> {
    return viewOfLength(this.viewed("flat", dtype), this.heldBuffer, this.numElements);
  }

  /**
   * Returns a view of rank `rank`, with all leading dimensions collapsed into the first.
   *
   * @example
   * using t = Tensor.zeros([2, 3, 4]);
   * t.flatInnerDims().dimensions; // => [6, 4]
   */
  flatInnerDims<N extends number = 2, T extends D = D>(rank: N = 2 as N, dtype?: T): TensorMap<T, N> {
    const type = this.viewed("flatInnerDims", dtype);
    const { shape } = this;
    const count = shape.numElements;
    if (rank === 2 && count > 0) {
      const last = shape.dims > 0 ? shape.dimSize(shape.dims - 1) : 1;
      return viewOfPair(type, this.heldBuffer, count / last, last) as unknown as TensorMap<T, N>;
    }
    return viewOfSizes(type, this.heldBuffer, count, innerDims(shape.dimSizes, rank));
  }

  /**
   * Returns a view of rank `rank`, with all trailing dimensions collapsed into the last.
   *
   * @example
   * using t = Tensor.zeros([2, 3, 4]);
   * t.flatOuterDims().dimensions; // => [2, 12]
   */
  flatOuterDims<N extends number = 2, T extends D = D>(rank: N = 2 as N, dtype?: T): TensorMap<T, N> {
    const type = this.viewed("flatOuterDims", dtype);
    const { shape } = this;
    const count = shape.numElements;
    if (rank === 2 && count > 0) {
      const first = shape.dims > 0 ? shape.dimSize(0) : 1;
      return viewOfPair(type, this.heldBuffer, first, count / first) as unknown as TensorMap<T, N>;
    }
    return viewOfSizes(type, this.heldBuffer, count, outerDims(shape.dimSizes, rank));
  }

  /**
   * Returns a view of rank `rank`: dimensions 0 to `begin` are collapsed into the first, those from `begin + rank - 1` on into the
   * last. A negative `begin` pads with 1 on the left.
   *
   * @example
   * using t = Tensor.zeros([2, 3, 4, 5]);
   * t.flatInnerOuterDims(1, 2).dimensions; // => [6, 20]
   */
  flatInnerOuterDims<N extends number = 3, T extends D = D>(begin: number, rank: N = 3 as N, dtype?: T): TensorMap<T, N> {
    return viewOfSizes(
      this.viewed("flatInnerOuterDims", dtype),
      this.heldBuffer,
      this.numElements,
      innerOuterDims(this.shape.dimSizes, begin, rank),
    );
  }

  /**
   * Returns a view of the elements under other sizes, whose product must be the number of elements.
   *
   * @example
   * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
   * t.shaped([3, 2]).toArray(); // => [[1, 2], [3, 4], [5, 6]]
   */
  shaped<const S extends readonly number[], T extends D = D>(sizes: S, dtype?: T): TensorMap<T, S["length"]> {
    const type = this.viewed("shaped", dtype);
    checkCount(countOfSizes(sizes), this.numElements);
    return viewOfSizes(type, this.heldBuffer, this.numElements, sizes);
  }

  /**
   * Returns the elements as a map with strides, which slices with steps, reverses and transposes without copying. With a text in
   * NumPy's index notation (`"1:3, ::2, -1"`) it returns the part that the text selects. Throws INVALID_ARGUMENT naming the column
   * of an invalid text, OUT_OF_RANGE for an integer index outside. At an odd byte offset use `unalignedShaped(…).strided()`.
   *
   * @example
   * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
   * t.strided("::-1, 0").toArray(); // => [4, 1]
   */
  strided(text?: string): StridedMap<D, number> {
    const shape = this.shapeFor("strided");
    const map = viewOfSizes<D, number>(shape.dataType, this.heldBuffer, shape.numElements, shape.dimSizes);
    return text === undefined ? map.strided() : map.strided(text);
  }

  /**
   * The same as `shaped`, at any byte offset.
   *
   * @example
   * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
   * t.unalignedShaped([3, 2]).at(2, 1); // => 6
   */
  unalignedShaped<const S extends readonly number[], T extends D = D>(sizes: S, dtype?: T): TensorMap<T, S["length"]> {
    const type = this.viewed("unalignedShaped", dtype);
    checkCount(countOfSizes(sizes), this.numElements);
    return unalignedViewOfSizes(type, this.heldBuffer, this.numElements, sizes);
  }

  /**
   * The same as `flat`, at any byte offset.
   *
   * @example
   * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
   * t.unalignedFlat().at(5); // => 6
   */
  unalignedFlat<T extends D = D>(dtype?: T): TensorMap<T, 1> {
    const type = this.viewed("unalignedFlat", dtype);
    const count = this.numElements;
    return unalignedViewOfSizes(type, this.heldBuffer, count, [count]);
  }

  /**
   * Returns a view of the bytes as elements of another dtype under other sizes. The byte counts must agree; an object dtype can
   * only be viewed as itself.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * t.bitCastedShaped("uint32", [2]).at(0); // => 0x3f800000
   */
  bitCastedShaped<T extends DType, const S extends readonly number[]>(dtype: T, sizes: S): TensorMap<T, S["length"]> {
    this.shapeFor("bitCastedShaped");
    return this.bitCasted(dtype, sizes);
  }

  /** Makes every bit-cast view, after checking dtypes and byte counts. */
  private bitCasted<T extends DType, R extends number>(dtype: T, sizes: readonly number[]): TensorMap<T, R> {
    const count = countOfSizes(sizes);
    const mine = this.dtype;
    if (isObjectDType(mine) || isObjectDType(dtype)) {
      checkDType(dataTypeOf(dtype), this.shape.dataType);
      checkCount(count, this.numElements);
    } else checkCount(count * dtypeSize(dtype), this.numElements * dtypeSize(mine), "bytes");
    return viewOfSizes(dataTypeOf(dtype), this.heldBuffer, count, sizes);
  }

  /**
   * Returns a view with the same sizes as elements of another dtype of the same size. Quirk fixed: TensorFlow does not compare the
   * element sizes.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * t.bitCastedTensor("uint32", 1).at(0); // => 0x3f800000
   */
  bitCastedTensor<T extends DType, N extends number>(dtype: T, rank: N): TensorMap<T, N> {
    checkRank(rank, this.shapeFor("bitCastedTensor").dims, false);
    return this.bitCasted(dtype, this.shape.dimSizes);
  }

  /**
   * Returns a view with the last dimension folded into one wider element (four int8 into an int32). If `rank` is the tensor's own,
   * it is the same as `tensor`.
   *
   * @example
   * using t = Tensor.from([[1, 0, 0, 0], [2, 0, 0, 0]], { dtype: "uint8" });
   * t.reinterpretLastDimension("int32", 1).toArray(); // => [1, 2]
   */
  reinterpretLastDimension<T extends DType, N extends number>(dtype: T, rank: N): TensorMap<T, N> {
    const { dims } = this.shapeFor("reinterpretLastDimension");
    if (rank === dims) return (this as unknown as TensorViews).tensor(rank, dtype);
    checkRank(rank, dims - 1, false);
    const sizes = this.shape.dimSizes;
    const last = sizes.pop() ?? 0;
    checkCount(dtypeSize(dtype), last * dtypeSize(this.dtype), "bytes in the last dimension");
    return this.bitCasted(dtype, sizes);
  }

  /**
   * Iterates over dimension 0: yields a map of each row, or the elements if the tensor has rank 1. The maps are views and need no
   * dispose; `subSlice` makes handles. Throws INVALID_ARGUMENT for a scalar. Copies: never. `rows()` and `vec()` are the same with
   * narrower types.
   *
   * @example
   * using t = Tensor.from([[1, 2], [3, 4]]);
   * for (const row of t.rows()) row.assign(row.mul(10));
   * t.toArray(); // => [[10, 20], [30, 40]]
   * using line = Tensor.from([5, 6]);
   * [...line]; // => [5, 6]
   */
  [Symbol.iterator](): Generator<TensorRow<D>, void, undefined> {
    rowCount(this.shapeFor("iteration"), "iteration");
    return this.dims === 1 ? elementsOf<D>(this) : rowsOf<D>(this);
  }

  /**
   * Yields a map of each row of dimension 0, without that dimension. Throws INVALID_ARGUMENT below rank 2 (`vec()` iterates over the
   * elements of rank 1). Copies: never.
   *
   * @example
   * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
   * for (const row of t.rows()) row.assign(row.sub(row.at(0)));
   * t.toArray(); // => [[0, 1, 2], [0, 1, 2]]
   */
  rows(): Generator<TensorMap<D, number>, void, undefined> {
    if (this.shapeFor("rows").dims < 2)
      throw new InvalidArgumentError(`rows of a tensor of rank ${this.dims}: rows are maps of rank 1 or more`);
    return rowsOf<D>(this);
  }
}
