/**
 * Tensor: the class that users name (tensorflow/core/framework/tensor.h). It has two fields, a shape and a buffer.
 *
 *     Tensor { shape:  16 bytes of sizes, seal, dtype, rank, tag          many tensors
 *              buffer: bytes, or a window into another buffer's }  --->   one root buffer, counting its holders
 *
 * A Tensor is a handle: `share()` is C++'s copy (one more reference, no bytes), `move()` its move, `dispose()` its destructor.
 * Arguments are borrowed; every method that returns a Tensor returns a new handle, which the caller disposes. Data is dense and
 * row-major, without strides, so every view refers to bytes that exist already and never copies.
 *
 * Its parents are in tensor-base.ts, tensor-views.ts and tensor-contents.ts; slices and factories have files of their own, too.
 */
import type { DataType, DType, ElementInput } from "@onebuffer/base";
import { dataTypeOf, dataTypeSize, dtypeOf, OutOfRangeError } from "@onebuffer/base";
import { shownValue, checkOptions, defineInspection } from "@onebuffer/base/internal";
import type { OperandLike } from "@onebuffer/eigen";
import { TensorShape } from "@onebuffer/shape";
import type { TensorSlice } from "@onebuffer/slice";
import { partsOnBuffer } from "../buffer/buffer-parts.ts";
import { evaluatedParts } from "./evaluate-into-tensor.ts";
import type { ForeignMemory } from "../buffer/foreign-buffer.ts";
import { HostScalarTensorBuffer } from "../buffer/host-scalar-tensor-buffer.ts";
import type { TensorLike } from "../element/nested-array.ts";
import type { FromProtoOptions } from "../proto/proto-reading.ts";
import type { RefCountPtr } from "@onebuffer/allocator";
import { SubBuffer } from "../buffer/sub-buffer.ts";
import type { RefusedNames } from "../text/refused-names.ts";
import { refuseOtherNames } from "../text/tensor-advice.ts";
import { TensorBase } from "./tensor-base.ts";
import { TensorContents } from "./tensor-contents.ts";
import type { TensorBuffer } from "../buffer/tensor-buffer.ts";
import { inspectedParts } from "./tensor-elements.ts";
import {
  oneOf,
  partsArange,
  partsEye,
  partsFrom,
  partsFull,
  partsLinspace,
  partsOver,
  partsRandom,
  partsZero,
} from "./tensor-factories.ts";
import { inferSize } from "../buffer/tensor-flatten.ts";
import { partsFromProto } from "../proto/tensor-from-proto.ts";
import type { DTypeOfInput } from "../element/tensor-input.ts";
import type { FromOptions, TensorOptions, WrapOptions } from "../buffer/tensor-options.ts";
import { kFromKeys, kWrapKeys } from "../buffer/tensor-options.ts";
import type { AllocationOptions, ShapeLike, TensorParts } from "../buffer/shape-and-buffer.ts";
import {
  allocateParts,
  dtypeOfShaped,
  dtypeOption,
  kAllocationKeys,
  noOptions,
  sizesError,
  withOptions,
} from "../buffer/shape-and-buffer.ts";
import type { TensorProto } from "../element/tensor-proto.ts";
import { copiedRegion, rowCount, rowsError, viewedRegion } from "./tensor-region.ts";
import { checkCount } from "../buffer/tensor-views.ts";
import { elementSizeOf } from "../buffer/typed-allocator.ts";
import { kTensorTypeName } from "../element/variant.ts";

/** The names of other libraries, which types refuse with the call in place of each. See the class. */
export interface Tensor<D extends DType = DType> extends RefusedNames {}

/** Passed as the dtype, it tells the constructor to adopt a finished shape and buffer. Not exported, so only this class can do that. */
const kAdopt: unique symbol = Symbol("adopt");

/**
 * A typed, shaped view of a reference-counted buffer.
 *
 * Every method throws FAILED_PRECONDITION on a disposed tensor; a second `dispose` is harmless. A tensor without elements has no
 * buffer. Elements of string, variant and resource tensors are JavaScript values that belong to the buffer: a map's `set` stores a
 * copy and destroys the previous value; the element that `at` returns is borrowed and valid until then.
 *
 * @example
 * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
 * t.matrix().at(1, 2); // => 6
 * using row = t.subSlice(1);
 * row.vec().set(0, 40);
 * t.toArray(); // => [[1, 2, 3], [40, 5, 6]]
 * t.debugString(); // => "Tensor<type: float shape: [2,3] values: [1 2 3]...>"
 * t.vec(); // throws INVALID_ARGUMENT
 */
export class Tensor<D extends DType = DType> extends TensorContents<D> {
  /**
   * Creates a tensor, by default float32 of shape [0]. The contents are whatever the allocator gives: old bytes from the arena,
   * zeros from the CPU allocator; default values for string, variant and resource. Throws INVALID_ARGUMENT for an invalid shape or
   * dtype, RESOURCE_EXHAUSTED if the default allocator has no room; with an explicit one that has no room the tensor is not
   * initialized instead, as in TensorFlow.
   */
  constructor(dtype?: D, shape?: ShapeLike, options?: AllocationOptions);
  constructor(dtype?: D | typeof kAdopt, shape?: ShapeLike, third?: AllocationOptions | TensorBuffer | null) {
    // Only one call of super: with two the constructor is twice as long, and V8 no longer inlines it into reshape and slice.
    const made =
      dtype === kAdopt ? null : allocateParts(dtype ?? "float32", shape ?? [0], third as AllocationOptions | undefined, "new Tensor");
    super(made === null ? (shape as TensorShape) : made.shape, made === null ? (third as TensorBuffer | null) : made.buffer);
  }

  /** Returns a handle over a sealed shape and a buffer reference, which it takes over. */
  private static adopt<D extends DType>(shape: TensorShape, buffer: TensorBuffer | null): Tensor<D> {
    return new (Tensor as unknown as new (mark: typeof kAdopt, shape: TensorShape, buffer: TensorBuffer | null) => Tensor<D>)(
      kAdopt,
      shape,
      buffer,
    );
  }

  private static made<D extends DType>(parts: TensorParts): Tensor<D> {
    return Tensor.adopt<D>(parts.shape, parts.buffer);
  }

  /**
   * BuildTensor: like the constructor, but the dtype may be a DataType number, so that DT_INVALID (0) gives the error "Type not
   * set".
   *
   * @example
   * using t = Tensor.build(1, [2]); // 1 is DT_FLOAT
   * [t.dtype, t.shape.dimSizes]; // => ["float32", [2]]
   */
  static build<D extends DType = DType>(dtype: D | DataType, shape: ShapeLike): Tensor<D> {
    return new Tensor<D>(typeof dtype === "number" ? (dtypeOf(dtype) as D) : dtype, shape);
  }

  /**
   * Returns a scalar in a small buffer that no allocator is involved in: C++'s `Tensor(value)`. Copies: the value.
   *
   * @example
   * using t = Tensor.hostScalar("int32", 7);
   * t.item(); // => 7
   */
  static hostScalar<D extends DType>(dtype: D, value: ElementInput<D>): Tensor<D> {
    const shape = TensorShape.sealed([], dataTypeOf(dtype));
    return Tensor.adopt(shape, new HostScalarTensorBuffer(dtype, value));
  }

  /**
   * Returns a tensor over an existing buffer. It adds a reference, or takes over the pointer's if a RefCountPtr is given. Throws
   * INVALID_ARGUMENT if the buffer is too small for the shape (Quirk: TensorFlow does not check). With null the tensor is not
   * initialized.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * using bytes = Tensor.fromBuffer("uint8", [8], t.buffer);
   * bytes.sharesBufferWith(t); // => true
   */
  static fromBuffer<D extends DType>(dtype: D, shape: ShapeLike, buffer: TensorBuffer | RefCountPtr<TensorBuffer> | null): Tensor<D> {
    return Tensor.made(partsOnBuffer(dtype, shape, buffer));
  }

  /**
   * Returns a tensor with a copy of nested arrays, a typed array or one value. Without a dtype, numbers become float32, bigints
   * int64, booleans bool, strings string, and typed arrays keep their own kind. A typed array of the kind that stores the given
   * dtype is taken as raw elements. With a shape, the elements are laid out in it. Throws INVALID_ARGUMENT with the path of a
   * ragged row or of an element that does not fit. Copies: the elements, once.
   *
   * @example
   * using t = Tensor.from([1, 2], { dtype: "int32" });
   * [t.dtype, t.toArray()]; // => ["int32", [1, 2]]
   */
  static from<D extends DType>(value: TensorLike, options: FromOptions & { readonly dtype: D }): Tensor<D>;
  /**
   * As above, with the dtype of the elements: float32 for numbers, int64 for bigints, bool, string, or that of a typed array.
   *
   * @example
   * using t = Tensor.from([[1, 2], [3, 4]]);
   * [t.dtype, t.shape.dimSizes]; // => ["float32", [2, 2]]
   * using laidOut = Tensor.from(Int32Array.of(1, 2, 3, 4), { shape: [2, 2] });
   * laidOut.toArray(); // => [[1, 2], [3, 4]]
   */
  static from<const V extends TensorLike>(value: V, options?: FromOptions): Tensor<DTypeOfInput<V>>;
  static from(value: unknown, options: FromOptions = noOptions): Tensor {
    if (options !== noOptions) checkOptions("Tensor.from", options, kFromKeys);
    return Tensor.made(partsFrom(value, options));
  }

  /**
   * Returns a tensor over memory that the caller owns: each sees the other's writes. `release` is called with the memory after the
   * last handle is disposed. Takes any view or memory with exactly as many bytes as the shape needs; without a shape the tensor is
   * a vector. Copies: never.
   *
   * @example
   * using t = Tensor.wrap(new ArrayBuffer(8), [2], { dtype: "int32" });
   * t.toArray(); // => [0, 0]
   */
  static wrap<D extends DType>(
    memory: ForeignMemory,
    shape: ShapeLike | undefined,
    options: WrapOptions & { readonly dtype: D },
  ): Tensor<D>;
  /**
   * As above, with the dtype of the typed array.
   *
   * @example
   * const memory = Float32Array.of(1, 2, 3, 4);
   * using t = Tensor.wrap(memory, [2, 2]);
   * t.matrix().set(0, 1, 9);
   * memory[1]; // => 9
   */
  static wrap<V extends ForeignMemory>(memory: V, shape?: ShapeLike, options?: WrapOptions): Tensor<DTypeOfInput<V>>;
  static wrap(memory: ForeignMemory, shape?: ShapeLike, options: WrapOptions = {}): Tensor {
    checkOptions("Tensor.wrap", options, kWrapKeys);
    return Tensor.made(partsOver(memory, shape, options));
  }

  /**
   * Returns the tensor that a message describes: FromProto. Throws INVALID_ARGUMENT that names the invalid field. Copies: nothing
   * if the message holds the elements aligned and as the tensor stores them. The tensor is then a view of `tensorContent` or of the
   * field's array, and each sees the other's writes, unless `copy` or an allocator is given.
   *
   * @example
   * using t = Tensor.fromProto({ dtype: 1, tensorShape: { dim: [{ size: 2 }] }, floatVal: [5, 6] });
   * t.toArray(); // => [5, 6]
   */
  static fromProto(proto: TensorProto, options: FromProtoOptions = {}): Tensor {
    return Tensor.made(partsFromProto(proto, options, (parts) => Tensor.made(parts)));
  }

  /**
   * Computes an expression now into a fresh tensor in one pass (a map or tensor is copied). Throws as a map's `assign` does,
   * INVALID_ARGUMENT if the argument is not an expression, RESOURCE_EXHAUSTED without room; nothing stays allocated then.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * using doubled = Tensor.evaluate(t.vec().mul(2));
   * doubled.toArray(); // => [2, 4]
   */
  static evaluate<D extends DType>(expression: OperandLike<D, number>, options: AllocationOptions = noOptions): Tensor<D> {
    return Tensor.made(evaluatedParts(expression, options, "Tensor.evaluate"));
  }

  /**
   * Returns a tensor of zeros, false, empty strings, empty variants or empty handles.
   *
   * @example
   * using t = Tensor.zeros([2], { dtype: "int32" });
   * t.toArray(); // => [0, 0]
   */
  static zeros<D extends DType = "float32">(shape: ShapeLike, options: TensorOptions<D> = {}): Tensor<D> {
    return Tensor.made(partsZero(dtypeOfShaped("Tensor.zeros", shape, options), shape, options));
  }

  /**
   * Returns a tensor of ones, or of true.
   *
   * @example
   * using t = Tensor.ones([2]);
   * t.toArray(); // => [1, 1]
   */
  static ones<D extends DType = "float32">(shape: ShapeLike, options: TensorOptions<D> = {}): Tensor<D> {
    const dtype = dtypeOfShaped("Tensor.ones", shape, options);
    return Tensor.made(partsFull(dtype, shape, oneOf(dtype), options));
  }

  /**
   * Returns a tensor whose elements all have the given value.
   *
   * @example
   * using t = Tensor.full([2], 7);
   * t.toArray(); // => [7, 7]
   */
  static full<D extends DType = "float32">(shape: ShapeLike, value: ElementInput<D>, options: TensorOptions<D> = {}): Tensor<D> {
    return Tensor.made(partsFull(dtypeOfShaped("Tensor.full", shape, options), shape, value, options));
  }

  /**
   * Returns the numbers from 0 up to `stop`, which is not among them. NumPy's arange, but float32 by default.
   *
   * @example
   * using t = Tensor.arange(3);
   * t.toArray(); // => [0, 1, 2]
   */
  static arange<D extends DType = "float32">(stop: number, options?: TensorOptions<D>): Tensor<D>;
  /**
   * Returns the numbers from `start` up to `stop`, which is not among them.
   *
   * @example
   * using t = Tensor.arange(1, 3, { dtype: "int32" });
   * t.toArray(); // => [1, 2]
   */
  static arange<D extends DType = "float32">(start: number, stop: number, options?: TensorOptions<D>): Tensor<D>;
  /**
   * Returns `start, start + step, …` before `stop`.
   *
   * @example
   * using t = Tensor.arange(0, 1, 0.25);
   * t.toArray(); // => [0, 0.25, 0.5, 0.75]
   */
  static arange<D extends DType = "float32">(start: number, stop?: number, step?: number, options?: TensorOptions<D>): Tensor<D>;
  static arange<D extends DType>(start: number, ...others: readonly (number | TensorOptions<D> | undefined)[]): Tensor<D> {
    const [[stop, step = 1], options] = withOptions(others);
    return Tensor.made(partsArange(dtypeOption<D>("Tensor.arange", options), stop === undefined ? 0 : start, stop ?? start, step, options));
  }

  /**
   * Returns `count` evenly spaced numbers from `start` to `stop` inclusive (exclusive with `endpoint: false`).
   *
   * @example
   * using t = Tensor.linspace(0, 1, 5);
   * t.toArray(); // => [0, 0.25, 0.5, 0.75, 1]
   */
  static linspace<D extends DType = "float32">(
    start: number,
    stop: number,
    count: number = 50,
    options: TensorOptions<D> & { readonly endpoint?: boolean } = {},
  ): Tensor<D> {
    const dtype = dtypeOption("Tensor.linspace", options, ["endpoint"]);
    return Tensor.made(partsLinspace(dtype, start, stop, count, options.endpoint ?? true, options));
  }

  /**
   * Returns a square matrix with ones on the main diagonal and zeros elsewhere.
   *
   * @example
   * using t = Tensor.eye(2);
   * t.toArray(); // => [[1, 0], [0, 1]]
   */
  static eye<D extends DType = "float32">(rows: number, options?: TensorOptions<D>): Tensor<D>;
  /**
   * Returns a matrix with ones on the main diagonal and zeros elsewhere.
   *
   * @example
   * using t = Tensor.eye(2, 3, { dtype: "int32" });
   * t.toArray(); // => [[1, 0, 0], [0, 1, 0]]
   */
  static eye<D extends DType = "float32">(rows: number, columns?: number, options?: TensorOptions<D>): Tensor<D>;
  static eye<D extends DType>(rows: number, ...others: readonly (number | TensorOptions<D> | undefined)[]): Tensor<D> {
    const [[columns = rows], options] = withOptions(others);
    return Tensor.made(partsEye(dtypeOption<D>("Tensor.eye", options), rows, columns, options));
  }

  /**
   * Returns uniform numbers in [low, high), by default [0, 1); integer dtypes need `high`. The same `seed` (by default 0) gives the
   * same numbers. If the dtype has no number in the range, they are `low`, rounded.
   *
   * @example
   * using t = Tensor.random([2, 3], { low: -1, high: 1, seed: 7 });
   * t.flat().toArray().every((x) => x >= -1 && x < 1); // => true
   */
  static random<D extends DType = "float32">(
    shape: ShapeLike,
    options: TensorOptions<D> & { readonly seed?: number; readonly low?: number; readonly high?: number } = {},
  ): Tensor<D> {
    const dtype = dtypeOfShaped<DType>("Tensor.random", shape, options, ["seed", "low", "high"]);
    return Tensor.made(partsRandom(dtype, shape, options));
  }

  /**
   * C++'s copy: returns a second handle on the same buffer. Copies: never.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * using second = t.share();
   * second.vec().set(0, 9);
   * t.toArray(); // => [9, 2]
   */
  share(): Tensor<D> {
    const shape = this.shapeFor("share");
    const buffer = this.heldBuffer;
    buffer?.ref();
    return Tensor.adopt(shape, buffer);
  }

  /**
   * C++'s move: returns a new handle that takes this one's reference. This one keeps its shape, has no buffer, and must be assigned
   * to or disposed.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * using moved = t.move();
   * [moved.toArray(), t.isInitialized()]; // => [[1, 2], false]
   */
  move(): Tensor<D> {
    const shape = this.shapeFor("move");
    const buffer = this.heldBuffer;
    this.heldBuffer = null;
    return Tensor.adopt(shape, buffer);
  }

  /**
   * Returns the same bytes under another shape; one size may be -1 and is then computed. Throws INVALID_ARGUMENT if the element
   * counts differ. Copies: never.
   *
   * @example
   * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
   * using columns = t.reshape([3, -1]);
   * columns.toArray(); // => [[1, 2], [3, 4], [5, 6]]
   */
  reshape(shape: ShapeLike): Tensor<D> {
    const mine = this.shapeFor("reshape");
    if (typeof shape !== "object") throw sizesError("reshape", shape);
    const sizes = Array.isArray(shape) && shape.includes(-1) ? inferSize(shape as readonly number[], mine.numElements) : shape;
    const sealed = TensorShape.sealed(sizes, mine.dataType);
    checkCount(sealed.numElements, mine.numElements);
    const buffer = this.heldBuffer;
    if (buffer !== null) buffer.ref();
    return Tensor.adopt(sealed, buffer);
  }

  /**
   * Returns rows [start, limit) of dimension 0 (to the end without a limit), or the region of a TensorSlice, as a view. A region
   * must be one contiguous run of memory, otherwise it throws FAILED_PRECONDITION (copySlice copies it). The whole range shares the
   * buffer itself. Throws OUT_OF_RANGE for an invalid range, INVALID_ARGUMENT for a scalar and for arguments that are neither
   * numbers nor a TensorSlice. Copies: never.
   *
   * @example
   * using t = Tensor.from([10, 20, 30, 40]);
   * using middle = t.slice(1, 3);
   * using rest = t.slice(1);
   * [middle.toArray(), rest.toArray()]; // => [[20, 30], [20, 30, 40]]
   */
  slice(start: number, limit?: number): Tensor<D>;
  /**
   * Returns the region of a TensorSlice as a view, if it is one run of memory: see above.
   *
   * @example
   * using t = Tensor.from([[1, 2], [3, 4]]);
   * using row = t.slice(TensorSlice.parse("1,1:-"));
   * row.toArray(); // => [[3, 4]]
   */
  slice(slice: TensorSlice): Tensor<D>;
  slice(start: number | TensorSlice, limit?: number): Tensor<D> {
    const shape = this.shapeFor("slice");
    if (typeof start !== "number") return this.sliceRegion(start);
    const rows = shape.dims < 1 ? rowCount(shape, "slice") : shape.dimSize(0);
    const end = limit === undefined ? rows : limit;
    if (typeof end !== "number" || !(start >= 0 && start <= end && end <= rows) || start % 1 !== 0 || end % 1 !== 0)
      throw rowsError(shape, start, end);
    if (end - start === rows) return this.share();
    return this.window(shape.withDimSize0(end - start), start * (shape.numElements / rows));
  }

  /**
   * Returns row `index`, without dimension 0. Throws OUT_OF_RANGE for an index outside, INVALID_ARGUMENT for a scalar and for a
   * remaining shape that is too large. Copies: never. Quirk fixed: an index equal to the number of rows is refused. Quirk: row 0 of
   * a tensor with zero rows has the remaining shape and no buffer; it is not initialized if that shape has elements.
   *
   * @example
   * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
   * using row = t.subSlice(1);
   * row.toArray(); // => [4, 5, 6]
   */
  subSlice(index: number): Tensor<D> {
    const shape = this.shapeFor("subSlice");
    const rows = rowCount(shape, "subSlice");
    if (rows === 0 && index === 0) return Tensor.adopt(shape.withoutDim0(), null);
    if (typeof index !== "number" || !(index >= 0 && index < rows) || index % 1 !== 0)
      throw new OutOfRangeError(
        `subSlice(${shownValue(index)}) of a tensor of shape ${shape.debugString()}: expected 0 <= index < ${rows}`,
      );
    return this.window(shape.withoutDim0(), index * (shape.numElements / rows));
  }

  private sliceRegion(slice: TensorSlice): Tensor<D> {
    const { shape } = this;
    const region = viewedRegion(shape, slice);
    if (region.shape.isSameSize(shape)) return this.share();
    return this.window(TensorShape.sealed(region.shape, shape.dataType), region.start);
  }

  /** Returns a tensor over the elements from `start` on, in a SubBuffer of the root. */
  private window(shape: TensorShape, start: number): Tensor<D> {
    const buffer = this.heldBuffer;
    if (buffer === null) return Tensor.adopt(shape, null);
    return Tensor.adopt(shape, new SubBuffer(buffer, start, shape.numElements, dataTypeSize(shape.dataType) || elementSizeOf(this.dtype)));
  }

  /**
   * Returns the region of a TensorSlice in a fresh buffer. Throws INTERNAL if it does not fit the shape, FAILED_PRECONDITION if the
   * tensor is not initialized. Copies: the region.
   *
   * @example
   * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
   * using column = t.copySlice(TensorSlice.parse("-:1,1"));
   * column.toArray(); // => [[2], [5]]
   */
  copySlice(slice: TensorSlice, options: AllocationOptions = {}): Tensor<D> {
    checkOptions("copySlice", options, kAllocationKeys);
    this.shapeFor("copySlice");
    return Tensor.made(copiedRegion(this, slice, options));
  }

  /** The type name of a Variant that holds this tensor. */
  get typeName(): string {
    return kTensorTypeName;
  }

  static {
    refuseOtherNames(this, TensorBase.prototype);
    defineInspection(this.prototype as Tensor, (tensor, inside) =>
      tensor.heldShape === null || tensor.heldShape === undefined
        ? "Tensor<disposed>"
        : inspectedParts(tensor, tensor.deviceSafeDebugString(), inside),
    );
  }
}
