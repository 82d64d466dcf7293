/**
 * Buffer: elements of one dtype in memory from an allocator, TensorFlow's `Buffer<T>` (tensorflow/core/framework/tensor.cc).
 *
 * Plain elements are bytes whose first contents are whatever the allocator gave. Elements of string, variant and
 * resource are constructed with the buffer and destroyed with it. A buffer whose allocation failed exists all the same,
 * with its size and without data: the tensor on top says "not initialized".
 *
 * Where the engine does not collect the allocator's memory by itself, the lifetime net watches it: a buffer that is dropped
 * without a last `unref` gives its bytes back some time later.
 */
import type { DType } from "@onebuffer/base";
import { argumentError, InvalidArgumentError } from "@onebuffer/base";
import type { AllocationAttributes, Allocator } from "@onebuffer/allocator";
import { bufferLedger, kAllocatorAlignment } from "@onebuffer/allocator";
import { BufferBase } from "./buffer-base.ts";
import { elementKind } from "../element/element-kind.ts";
import type { ElementKind } from "../element/element-kind.ts";
import { checkAllocator, unwatch, releaseHold, noteLine, sweepIfDue, watch } from "@onebuffer/allocator/internal";
import { allocateElements, deallocateElements } from "./typed-allocator.ts";
import type { ObjectPointer } from "./typed-allocator.ts";

/**
 * A buffer of `numElements` elements of `dtype`, aligned to 64 bytes.
 *
 * Throws INVALID_ARGUMENT for a count that is no non-negative integer and for more than 2^53 - 1 bytes, and what `TypedAllocator.allocate` throws.
 * Lack of room is no error: `hasData` is false then.
 *
 * @example
 * const buffer = new Buffer("float32", cpuAllocator(), 6);
 * buffer.typedArray("float32")?.length; // => 6
 * buffer.unref(); // => true
 * const tooLarge = new Buffer("float32", cpuAllocator(), 2 ** 50);
 * [tooLarge.hasData, tooLarge.size]; // => [false, 2 ** 52]
 * tooLarge.unref(); // => true
 */
export class Buffer extends BufferBase {
  private readonly kind: ElementKind;
  private values: unknown[] | null;

  constructor(dtype: DType, allocator: Allocator, numElements: number, attributes?: AllocationAttributes) {
    const kind = elementKind(dtype);
    if (typeof (allocator as Partial<Allocator> | null | undefined)?.memoryIsCollected !== "function") checkAllocator(allocator);
    if (typeof numElements !== "number") throw argumentError("a number of elements", numElements);
    const size = numElements * kind.size;
    if (size > Number.MAX_SAFE_INTEGER) throw sizeError(kind, numElements);
    const isCollected = allocator.memoryIsCollected();
    if (!isCollected) sweepIfDue();
    const pointer = allocateElements(allocator, kind, numElements, attributes);
    const object = kind.object === null ? null : (pointer as ObjectPointer | null);
    const elements = object === null ? null : object.elements;
    super(allocator, pointer, size, elements !== null);
    this.kind = kind;
    this.values = elements;
    if (pointer === null || isCollected) return;
    // Of values only the bytes reserved for them: the net must not keep what they refer to.
    const keeper = watch(allocator, object === null ? pointer : object.bytes, size);
    if (bufferLedger.enabled) noteLine(keeper, bufferLedger.lineOf(this));
    this.keeper = keeper;
  }

  /** The element type the buffer was made for; tensors may give the bytes another name. */
  get dtype(): DType {
    return this.kind.dtype;
  }

  /** The values of a string, variant or resource buffer; null for raw bytes and after the end. */
  override get elements(): unknown[] | null {
    return this.values;
  }

  protected override get elementSize(): number {
    return this.kind.size;
  }

  /** Ends the elements, gives the memory back, or the hold on it where threads share it. Nothing of it when there was no data. */
  protected override destroy(): void {
    const kind = this.kind;
    const { allocator, pointer, keeper } = this;
    this.values = null;
    if (keeper !== null) {
      this.keeper = null;
      unwatch(keeper);
    }
    super.destroy();
    if (this.control !== 0) releaseHold(this.control);
    else if (kind.object === null) allocator.deallocateRaw(pointer, kAllocatorAlignment, this.size);
    else deallocateElements(allocator, kind, pointer, this.size);
  }
}

/** Apart from the constructor, which is part of every tensor's making. */
function sizeError(kind: ElementKind, numElements: number): InvalidArgumentError {
  return new InvalidArgumentError(`${numElements} elements of ${kind.dtype}, ${kind.size} bytes each, are more than 2^53 - 1 bytes`);
}
