/**
 * TensorBase: the fields of a tensor, its queries and its typed views, that is everything that does not make another tensor
 * (tensorflow/core/framework/tensor.h).
 *
 * The two fields are a sealed shape, which carries the dtype, and a buffer. Views are Eigen maps over the root's one typed array
 * (buffer/tensor-views.ts); they copy nothing and hold no reference. Making tensors, sharing, slicing and printing are in
 * tensor.ts, on the class that users name.
 */

import type { DType } from "@onebuffer/base";
import { dataTypeOf, dtypeOf, dtypeSize, FailedPreconditionError, InvalidArgumentError, isObjectDType } from "@onebuffer/base";
import { checkOptions } from "@onebuffer/base/internal";
import type { Assignments, Device, StridedMap, TensorDeviceOf, TensorMap } from "@onebuffer/eigen";
import type { TensorShape } from "@onebuffer/shape";
import type { AllocatorMemoryType, Pointer } from "@onebuffer/allocator";
import { arrayBufferOf } from "./tensor-array-buffer.ts";
import { asProtoFieldOf, asProtoTensorContentOf } from "../proto/tensor-as-proto.ts";
import type { TensorBuffer } from "../buffer/tensor-buffer.ts";
import { checkTensor, disposedError } from "../element/tensor-check.ts";
import type { TensorDescription } from "../proto/tensor-description.ts";
import { describeTensor } from "../proto/tensor-description.ts";
import type { ArrayElement } from "./tensor-elements.ts";
import { oneElement, totalBytesOf } from "./tensor-elements.ts";
import { countOfSizes, innerDims, innerOuterDims, outerDims } from "../buffer/tensor-flatten.ts";
import type { TensorParts } from "../buffer/shape-and-buffer.ts";
import type { AsProtoOptions, TensorProto } from "../element/tensor-proto.ts";
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
import { rowCount } from "./tensor-region.ts";
import type { TensorRow } from "./tensor-rows.ts";
import { elementsOf, rowsOf } from "./tensor-rows.ts";

/**
 * The base of Tensor: its two fields, its queries and its views.
 *
 * @example
 * using t: TensorBase<"float32"> = Tensor.arange(6);
 * [t.dims, t.numElements, t.totalBytes]; // => [1, 6, 24]
 * new Float32Array(t.toArrayBuffer()); // => new Float32Array([0, 1, 2, 3, 4, 5])
 */
export abstract class TensorBase<D extends DType = DType> implements TensorParts {
  /** The shape; null after dispose. */
  protected heldShape: TensorShape | null;
  /** The buffer; null if there is none, after a move and after dispose. */
  protected heldBuffer: TensorBuffer | null;

  /** Takes over the caller's reference on the buffer. */
  protected constructor(shape: TensorShape, buffer: TensorBuffer | null) {
    this.heldShape = shape;
    this.heldBuffer = buffer;
  }

  /** The shape. Throws FAILED_PRECONDITION after dispose. */
  get shape(): TensorShape {
    const shape = this.heldShape;
    // Undefined if an object was made from Tensor's prototype without the constructor.
    if (shape === null || shape === undefined) throw disposedError();
    return shape;
  }

  /** Returns the shape. Throws FAILED_PRECONDITION, naming the call, after dispose. */
  protected shapeFor(call: string): TensorShape {
    const shape = this.heldShape;
    if (shape === null || shape === undefined) throw disposedError(call);
    return shape;
  }

  /** The buffer, borrowed; null if there is none. Throws FAILED_PRECONDITION after dispose. */
  get buffer(): TensorBuffer | null {
    if (this.heldShape === null || this.heldShape === undefined) throw disposedError();
    return this.heldBuffer;
  }

  /** The element type: byte 13 of the shape. */
  get dtype(): D {
    return dtypeOf(this.shape.dataType) as D;
  }

  /** The number of dimensions. */
  get dims(): number {
    return this.shape.dims;
  }

  /** The number of elements. */
  get numElements(): number {
    return this.shape.numElements;
  }

  /** Returns the size of dimension `d`. Throws OUT_OF_RANGE if there is no such dimension. */
  dimSize(d: number): number {
    return this.shape.dimSize(d);
  }

  /** Returns true if both shapes have the same sizes. */
  isSameSize(other: TensorBase): boolean {
    checkTensor(other);
    return this.shape.isSameSize(other.shape);
  }

  /** Returns true if the tensor has data or has no elements. */
  isInitialized(): boolean {
    const { buffer } = this;
    return buffer?.hasData === true || this.numElements === 0;
  }

  /**
   * Returns true if the data begins at a multiple of 64 bytes of its allocation, as TensorFlow's IsAligned. Views here do not
   * require that.
   */
  isAligned(): boolean {
    const { buffer, shape } = this;
    return buffer === null || shape.numElements === 0 || this.dtype === "string" || buffer.byteOffset % 64 === 0;
  }

  /**
   * Returns true if both tensors have buffers with the same root, or with roots over the same shared memory: a tensor that came
   * back from another thread has a new root. Quirk: a tensor without a buffer does not even share with itself.
   */
  sharesBufferWith(other: TensorBase): boolean {
    checkTensor(other);
    const { buffer } = this;
    const theirs = other.buffer;
    if (buffer === null || theirs === null) return false;
    const root = buffer.rootBuffer;
    const slot = root.controlSlot();
    return root === theirs.rootBuffer || (slot !== 0 && slot === theirs.rootBuffer.controlSlot());
  }

  /**
   * Returns true if this tensor is the only holder, among all threads, of memory that the buffer owns, so that writing in place is
   * safe. Quirk: false without a buffer.
   */
  refCountIsOne(): boolean {
    const { buffer } = this;
    return buffer !== null && buffer.refs === 1 && buffer.rootBuffer.refCountIsOne() && buffer.ownsMemory();
  }

  /** The buffer's reference count; -1 for a slice, whose count is not the root's. Throws FAILED_PRECONDITION without a buffer. */
  get refCount(): number {
    const buffer = this.someBuffer("refCount");
    return buffer.rootBuffer === buffer ? buffer.refs : -1;
  }

  /**
   * The bytes of the elements: the buffer's size; a string counts 24 bytes and its length. Throws FAILED_PRECONDITION if not
   * initialized.
   */
  get totalBytes(): number {
    return totalBytesOf(this);
  }

  /** The bytes the allocator really took (for a slice, those of its whole root); totalBytes if the allocator does not track them. */
  get allocatedBytes(): number {
    const bytes = this.buffer?.getAllocatedBytes() ?? 0;
    return bytes > 0 ? bytes : this.totalBytes;
  }

  /** The buffer's size in bytes, 0 without one. */
  get bufferSize(): number {
    return this.buffer?.size ?? 0;
  }

  /** Returns the kind of memory the buffer is in. Throws FAILED_PRECONDITION without a buffer. */
  getMemoryType(): AllocatorMemoryType {
    return this.someBuffer("getMemoryType").getMemoryType();
  }

  /**
   * The address of the first element: TensorFlow's `data()`; null if there is no data. `flat().data` is the elements as a typed
   * array.
   */
  get data(): Pointer | null {
    const { buffer } = this;
    if (buffer === null || buffer.memory === null) return null;
    return { buffer: buffer.memory, byteOffset: buffer.byteOffset };
  }

  /**
   * The bytes of the elements (for a slice, only its own); empty without a buffer. Throws INVALID_ARGUMENT for object dtypes.
   * Copies: never.
   */
  get tensorData(): Uint8Array<ArrayBufferLike> {
    const { buffer, dtype } = this;
    if (isObjectDType(dtype)) throw new InvalidArgumentError(`tensorData of ${dtype}: its elements are not bytes`);
    if (buffer === null || !buffer.hasData) return new Uint8Array(0);
    return buffer.bytes();
  }

  /**
   * Returns the bytes of the elements in a fresh, unshared ArrayBuffer. TextDecoder, Blob, ImageData and others refuse shared
   * memory, in which tensors are by default, and `postMessage` would share all of it. Throws INVALID_ARGUMENT for object dtypes,
   * FAILED_PRECONDITION if not initialized, RESOURCE_EXHAUSTED without room. Copies: the elements.
   */
  toArrayBuffer(): ArrayBuffer {
    this.shapeFor("toArrayBuffer");
    return arrayBufferOf(this);
  }

  /**
   * Returns the element of a tensor of any rank with exactly one element; a string as text. Throws INVALID_ARGUMENT for another number
   * of elements, FAILED_PRECONDITION if not initialized.
   */
  item(): ArrayElement<D> {
    this.shapeFor("item");
    return oneElement(this) as ArrayElement<D>;
  }

  /**
   * Returns a map of all elements with this tensor's own rank, at any byte offset. Expressions call it where a tensor is given as an
   * operand; `call` is then the operation's name for messages. Throws FAILED_PRECONDITION if not initialized. Copies: never.
   */
  asOperand(call: string = "asOperand"): TensorMap<D, number> {
    const shape = this.heldShape;
    if (shape === null || shape === undefined) throw new FailedPreconditionError(`${call}: the tensor given as an operand was disposed`);
    return unalignedViewOfSizes(shape.dataType, this.heldBuffer, shape.numElements, shape.dimSizes);
  }

  /**
   * Computes an expression into this tensor's elements, or sets all of them to one value, at any byte offset. Throws as `assign` of
   * a map does, and FAILED_PRECONDITION if not initialized. Copies: never.
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

  /** Subtracts an expression or one value from the elements. Throws as `assign` does. Copies: never. */
  subAssign(source: Parameters<Assignments<D>["subAssign"]>[0]): void {
    this.target("subAssign").subAssign(source);
  }

  /** Multiplies the elements by an expression or one value. Throws as `assign` does. Copies: never. */
  mulAssign(source: Parameters<Assignments<D>["mulAssign"]>[0]): void {
    this.target("mulAssign").mulAssign(source);
  }

  /** Divides the elements by an expression or one value; integers truncate. Throws as `assign` does. Copies: never. */
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

  /** Returns a fresh description of this tensor for memory logs. */
  fillDescription(): TensorDescription {
    return describeTensor(this);
  }

  /**
   * Returns this tensor as a message with its elements in the typed field of the dtype: AsProtoField. Throws INVALID_ARGUMENT for a
   * variant whose value cannot be encoded. Copies: nothing if field and memory hold the same numbers (floats, 32 and 64 bits, bool,
   * float8, strings), unless `copy` is set.
   */
  asProtoField(options: AsProtoOptions = {}): TensorProto {
    checkOptions("asProtoField", options, ["copy"]);
    return asProtoFieldOf(this, options);
  }

  /**
   * Returns this tensor as a message with its elements as bytes in `tensorContent`: AsProtoTensorContent. Strings, handles and
   * variants are concatenated; handles and variants need onebuffer/proto to be loaded (otherwise FAILED_PRECONDITION). Copies:
   * never the bytes of numbers, unless `copy` is set.
   */
  asProtoTensorContent(options: AsProtoOptions = {}): TensorProto {
    checkOptions("asProtoTensorContent", options, ["copy"]);
    return asProtoTensorContentOf(this, options);
  }

  /** Returns a map of all elements for an assignment, at any byte offset. Throws FAILED_PRECONDITION, naming the call. */
  private target(call: string): TensorMap<D, number> {
    const shape = this.shapeFor(call);
    return unalignedViewOfSizes(shape.dataType, this.heldBuffer, shape.numElements, shape.dimSizes);
  }

  /** Returns the buffer. Throws FAILED_PRECONDITION, naming the query, if there is none. */
  protected someBuffer(call: string): TensorBuffer {
    const { buffer } = this;
    if (buffer === null) throw new FailedPreconditionError(`${call} of a tensor without a buffer`);
    return buffer;
  }

  // Views: all of them share the bytes, check the dtype if one is given, and throw INVALID_ARGUMENT with TensorFlow's messages.

  /** Returns the tensor's DataType number for the view `call`. Throws INVALID_ARGUMENT if `dtype` is given and differs. */
  private viewed(call: string, dtype: DType | undefined): number {
    const mine = this.shapeFor(call).dataType;
    if (dtype !== undefined) checkDType(dataTypeOf(dtype), mine);
    return mine;
  }

  /** Returns a view of the one element of a tensor of any rank. Quirk fixed: TensorFlow does not check the dtype here. */
  scalar<T extends D = D>(dtype?: T): TensorMap<T, 0> {
    const type = this.viewed("scalar", dtype);
    if (this.numElements !== 1)
      throw new InvalidArgumentError(`Must have a one element tensor, got ${this.numElements} (1 vs. ${this.numElements})`);
    return viewOfScalar(type, this.heldBuffer);
  }

  /** Returns a view of a tensor of rank 1. */
  vec<T extends D = D>(dtype?: T): TensorMap<T, 1> {
    const type = this.viewed("vec", dtype);
    const { shape } = this;
    checkRank(1, shape.dims);
    return viewOfLength(type, this.heldBuffer, shape.dimSize(0));
  }

  /** Returns a view of a tensor of rank 2. */
  matrix<T extends D = D>(dtype?: T): TensorMap<T, 2> {
    const type = this.viewed("matrix", dtype);
    const { shape } = this;
    checkRank(2, shape.dims);
    return viewOfPair(type, this.heldBuffer, shape.dimSize(0), shape.dimSize(1));
  }

  /** Returns a view of a tensor of exactly the given rank. */
  tensor<N extends number, T extends D = D>(rank: N, dtype?: T): TensorMap<T, N> {
    const type = this.viewed("tensor", dtype);
    checkRank(rank, this.dims);
    return viewOfSizes(type, this.heldBuffer, this.numElements, this.shape.dimSizes);
  }

  /** Returns a view of all elements as a vector; a scalar gives one element. */
  flat<T extends D = D>(dtype?: T): TensorMap<T, 1> {
    return viewOfLength(this.viewed("flat", dtype), this.heldBuffer, this.numElements);
  }

  /** Returns a view of rank `rank`, with all leading dimensions collapsed into the first. */
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

  /** Returns a view of rank `rank`, with all trailing dimensions collapsed into the last. */
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
   */
  flatInnerOuterDims<N extends number = 3, T extends D = D>(begin: number, rank: N = 3 as N, dtype?: T): TensorMap<T, N> {
    return viewOfSizes(
      this.viewed("flatInnerOuterDims", dtype),
      this.heldBuffer,
      this.numElements,
      innerOuterDims(this.shape.dimSizes, begin, rank),
    );
  }

  /** Returns a view of the elements under other sizes, whose product must be the number of elements. */
  shaped<const S extends readonly number[], T extends D = D>(sizes: S, dtype?: T): TensorMap<T, S["length"]> {
    const type = this.viewed("shaped", dtype);
    checkCount(countOfSizes(sizes), this.numElements);
    return viewOfSizes(type, this.heldBuffer, this.numElements, sizes);
  }

  /**
   * Returns the elements as a map with strides, which slices with steps, reverses and transposes without copying. With a text in
   * NumPy's index notation (`"1:3, ::2, -1"`) it returns the part that the text selects. Throws INVALID_ARGUMENT naming the column
   * of an invalid text, OUT_OF_RANGE for an integer index outside. At an odd byte offset use `unalignedShaped(…).strided()`.
   */
  strided(text?: string): StridedMap<D, number> {
    const shape = this.shapeFor("strided");
    const map = viewOfSizes<D, number>(shape.dataType, this.heldBuffer, shape.numElements, shape.dimSizes);
    return text === undefined ? map.strided() : map.strided(text);
  }

  /** The same as `shaped`, at any byte offset. */
  unalignedShaped<const S extends readonly number[], T extends D = D>(sizes: S, dtype?: T): TensorMap<T, S["length"]> {
    const type = this.viewed("unalignedShaped", dtype);
    checkCount(countOfSizes(sizes), this.numElements);
    return unalignedViewOfSizes(type, this.heldBuffer, this.numElements, sizes);
  }

  /** The same as `flat`, at any byte offset. */
  unalignedFlat<T extends D = D>(dtype?: T): TensorMap<T, 1> {
    const type = this.viewed("unalignedFlat", dtype);
    const count = this.numElements;
    return unalignedViewOfSizes(type, this.heldBuffer, count, [count]);
  }

  /**
   * Returns a view of the bytes as elements of another dtype under other sizes. The byte counts must agree; an object dtype can
   * only be viewed as itself.
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
   */
  bitCastedTensor<T extends DType, N extends number>(dtype: T, rank: N): TensorMap<T, N> {
    checkRank(rank, this.shapeFor("bitCastedTensor").dims, false);
    return this.bitCasted(dtype, this.shape.dimSizes);
  }

  /**
   * Returns a view with the last dimension folded into one wider element (four int8 into an int32). If `rank` is the tensor's own,
   * it is the same as `tensor`.
   */
  reinterpretLastDimension<T extends DType, N extends number>(dtype: T, rank: N): TensorMap<T, N> {
    const { dims } = this.shapeFor("reinterpretLastDimension");
    if (rank === dims) return (this as unknown as TensorBase).tensor(rank, dtype);
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
   */
  rows(): Generator<TensorMap<D, number>, void, undefined> {
    if (this.shapeFor("rows").dims < 2)
      throw new InvalidArgumentError(`rows of a tensor of rank ${this.dims}: rows are maps of rank 1 or more`);
    return rowsOf<D>(this);
  }
}
