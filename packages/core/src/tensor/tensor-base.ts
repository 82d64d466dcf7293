/**
 * TensorBase: the fields of a tensor and its queries (tensorflow/core/framework/tensor.h). The two fields are a sealed shape, which carries
 * the dtype, and a buffer.
 *
 *     TensorBase  fields, queries, messages       TensorViews     maps of the elements, assignments
 *     Tensor      makes and shares tensors        TensorContents  the elements as text and arrays, comparisons
 *
 * Each class extends the one before, in the order Base, Views, Contents, Tensor. Only the last is for users to name.
 */

import type { DType } from "@onebuffer/base";
import { dtypeOf, FailedPreconditionError, InvalidArgumentError, isObjectDType } from "@onebuffer/base";
import { checkOptions } from "@onebuffer/base/internal";
import { TensorShape } from "@onebuffer/shape";
import type { AllocatorMemoryType, Pointer } from "@onebuffer/allocator";
import { withHiddenOwner } from "@onebuffer/storage/internal";
import { arrayBufferOf } from "./tensor-array-buffer.ts";
import { asProtoFieldOf, asProtoTensorContentOf } from "../proto/tensor-as-proto.ts";
import type { TensorBuffer } from "../buffer/tensor-buffer.ts";
import { bitcastShape } from "../buffer/bitcast-shape.ts";
import type { ShapeLike } from "../buffer/shape-and-buffer.ts";
import { checkTensor, disposedError } from "../element/tensor-check.ts";
import type { TensorDescription } from "../proto/tensor-description.ts";
import { describeTensor } from "../proto/tensor-description.ts";
import type { ArrayElement } from "./tensor-elements.ts";
import { oneElement, totalBytesOf } from "./tensor-elements.ts";
import type { TensorParts } from "../buffer/shape-and-buffer.ts";
import type { AsProtoOptions, TensorProto } from "../element/tensor-proto.ts";

/**
 * The base of Tensor: its two fields and its queries.
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

  /**
   * Returns the size of dimension `d`. Throws OUT_OF_RANGE if there is no such dimension.
   *
   * @example
   * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
   * [t.dimSize(0), t.dimSize(1)]; // => [2, 3]
   */
  dimSize(d: number): number {
    return this.shape.dimSize(d);
  }

  /**
   * Returns true if both shapes have the same sizes.
   *
   * @example
   * using t = Tensor.from([[1, 2, 3], [4, 5, 6]]);
   * using same = Tensor.zeros([2, 3]);
   * t.isSameSize(same); // => true
   */
  isSameSize(other: TensorBase): boolean {
    checkTensor(other);
    return this.shape.isSameSize(other.shape);
  }

  /**
   * Returns true if the tensor has data or has no elements.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * t.isInitialized(); // => true
   */
  isInitialized(): boolean {
    const { buffer } = this;
    return buffer?.hasData === true || this.numElements === 0;
  }

  /**
   * Returns true if the data begins at a multiple of 64 bytes of its allocation, as TensorFlow's IsAligned. Views here do not
   * require that.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * using second = t.slice(1);
   * [t.isAligned(), second.isAligned()]; // => [true, false]
   */
  isAligned(): boolean {
    const { buffer, shape } = this;
    return buffer === null || shape.numElements === 0 || this.dtype === "string" || buffer.byteOffset % 64 === 0;
  }

  /**
   * Returns true if both tensors have buffers with the same root, or with roots over the same shared memory: a tensor that came
   * back from another thread has a new root. Quirk: a tensor without a buffer does not even share with itself.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * using first = t.slice(0, 1);
   * t.sharesBufferWith(first); // => true
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
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * t.refCountIsOne(); // => true
   * using other = t.share();
   * t.refCountIsOne(); // => false
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

  /**
   * Returns the kind of memory the buffer is in. Throws FAILED_PRECONDITION without a buffer.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * t.getMemoryType() === AllocatorMemoryType.kHostPageable; // => true
   */
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
    return withHiddenOwner(buffer.bytes(), buffer.owner);
  }

  /**
   * Returns the bytes of the elements in a fresh, unshared ArrayBuffer. TextDecoder, Blob, ImageData and others refuse shared
   * memory, in which tensors are by default, and `postMessage` would share all of it. Throws INVALID_ARGUMENT for object dtypes,
   * FAILED_PRECONDITION if not initialized, RESOURCE_EXHAUSTED without room. Copies: the elements.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * new Float32Array(t.toArrayBuffer()); // => Float32Array.of(1, 2)
   */
  toArrayBuffer(): ArrayBuffer {
    this.shapeFor("toArrayBuffer");
    return arrayBufferOf(this);
  }

  /**
   * Returns the element of a tensor of any rank with exactly one element; a string as text. Throws INVALID_ARGUMENT for another number
   * of elements, FAILED_PRECONDITION if not initialized.
   *
   * @example
   * using t = Tensor.from([[7]]);
   * t.item(); // => 7
   */
  item(): ArrayElement<D> {
    this.shapeFor("item");
    return oneElement(this) as ArrayElement<D>;
  }

  /**
   * Gives the reference to the buffer back; the last holder's call frees the bytes. A second call does nothing.
   *
   * @example
   * const t = Tensor.zeros([2]);
   * t.dispose();
   * t.vec(); // throws FAILED_PRECONDITION
   */
  dispose(): void {
    const buffer = this.heldBuffer;
    this.heldShape = null;
    this.heldBuffer = null;
    if (buffer !== null && buffer !== undefined) buffer.unref();
  }

  /**
   * Makes `using tensor = …` dispose of it at the end of the block.
   *
   * @example
   * {
   *   using t = Tensor.zeros([2]);
   *   t.numElements; // => 2
   * } // and here the tensor is disposed
   */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Replaces shape and buffer. The new reference is taken before the old one is given back; for the same buffer neither happens. */
  private become(shape: TensorShape, buffer: TensorBuffer | null): void {
    const old = this.heldBuffer;
    if (old !== buffer) {
      buffer?.ref();
      this.heldBuffer = buffer;
    }
    this.heldShape = shape;
    if (old !== buffer) old?.unref();
  }

  /**
   * Makes this tensor `other` under another shape, sharing its buffer: TensorFlow's CopyFrom. With `other.shape` it is C++'s
   * assignment. Returns false, and changes nothing, if the element counts differ. Copies: never.
   *
   * @example
   * using t = new Tensor("float32");
   * using source = Tensor.from([1, 2, 3, 4]);
   * t.copyFrom(source, [2, 2]); // => true
   * t.toArray(); // => [[1, 2], [3, 4]]
   */
  copyFrom(other: TensorBase<D>, shape: ShapeLike): boolean {
    checkTensor(other);
    const mine = this.shape;
    const sealed = TensorShape.sealed(shape, other.shape.dataType);
    if (mine === null || sealed.numElements !== other.numElements) return false;
    this.become(sealed, other.buffer);
    return true;
  }

  /**
   * Makes this tensor the bytes of `other` under another dtype and shape. Throws INVALID_ARGUMENT if a dtype has no size or the
   * byte counts differ. Copies: never.
   *
   * @example
   * using bits = new Tensor("uint32");
   * using source = Tensor.from([1]);
   * bits.bitcastFrom(source, "uint32", [1]);
   * bits.item(); // => 0x3f800000
   */
  bitcastFrom(other: TensorBase, dtype: D, shape: ShapeLike): void {
    checkTensor(other);
    this.become(bitcastShape(this.shape, other, dtype, shape), other.buffer);
  }

  /**
   * Returns a fresh description of this tensor for memory logs.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * t.fillDescription().dtype; // => 1
   */
  fillDescription(): TensorDescription {
    return describeTensor(this);
  }

  /**
   * Returns this tensor as a message with its elements in the typed field of the dtype: AsProtoField. Throws INVALID_ARGUMENT for a
   * variant whose value cannot be encoded. Copies: nothing if field and memory hold the same numbers (floats, 32 and 64 bits, bool,
   * float8, strings), unless `copy` is set.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * Array.from(t.asProtoField().floatVal ?? []); // => [1, 2]
   */
  asProtoField(options: AsProtoOptions = {}): TensorProto {
    checkOptions("asProtoField", options, ["copy"]);
    return asProtoFieldOf(this, options);
  }

  /**
   * Returns this tensor as a message with its elements as bytes in `tensorContent`: AsProtoTensorContent. Strings, handles and
   * variants are concatenated; handles and variants need onebuffer/proto to be loaded (otherwise FAILED_PRECONDITION). Copies:
   * never the bytes of numbers, unless `copy` is set.
   *
   * @example
   * using t = Tensor.from([1, 2]);
   * t.asProtoTensorContent().tensorContent?.length; // => 8
   */
  asProtoTensorContent(options: AsProtoOptions = {}): TensorProto {
    checkOptions("asProtoTensorContent", options, ["copy"]);
    return asProtoTensorContentOf(this, options);
  }

  /** Returns the buffer. Throws FAILED_PRECONDITION, naming the query, if there is none. */
  protected someBuffer(call: string): TensorBuffer {
    const { buffer } = this;
    if (buffer === null) throw new FailedPreconditionError(`${call} of a tensor without a buffer`);
    return buffer;
  }
}
