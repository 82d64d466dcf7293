/**
 * Buffer: elements of one dtype in memory from an allocator, TensorFlow's `Buffer<T>` (tensorflow/core/framework/tensor.cc).
 *
 * Plain elements are bytes, uninitialized: they hold whatever the allocator returned. Elements of string, variant and
 * resource are constructed with the buffer and destroyed with it. If the allocation fails, the buffer still exists, with its
 * size but without data; a tensor on such a buffer reports "not initialized".
 *
 * If the engine does not garbage-collect the allocator's memory, the lifetime net (lifetime-net.ts in packages/allocator) watches
 * the buffer: when it is dropped without its last `unref`, the net deallocates its bytes some time later.
 */
import type { DType } from "@onebuffer/base";
import { argumentError } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import type { AllocationAttributes, Allocator } from "@onebuffer/allocator";
import { checkAllocator, enabledLedger, unwatch, releaseHold, noteLine, sweepIfDue, watch } from "@onebuffer/allocator/internal";
import { kAllocatorAlignment } from "@onebuffer/allocator";
import { BufferBase } from "./buffer-base.ts";
import { elementKind } from "../element/element-kind.ts";
import type { ElementKind } from "../element/element-kind.ts";
import { allocateElements, deallocateElements } from "./typed-allocator.ts";
import type { ObjectPointer } from "./typed-allocator.ts";

/**
 * A buffer of `numElements` elements of `dtype`, aligned to 64 bytes.
 *
 * Throws INVALID_ARGUMENT if the count is not a non-negative integer or the size exceeds 2^53 - 1 bytes, and whatever
 * `TypedAllocator.allocate` throws. If the allocator has no room, the constructor does not throw and `hasData` is false.
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
    // For object elements the net watches only their reserved bytes: it must not keep the values reachable.
    const keeper = watch(allocator, object === null ? pointer : object.bytes, size);
    if (enabledLedger.current !== null) noteLine(keeper, enabledLedger.current.lineOf(this));
    this.keeper = keeper;
  }

  override get className(): string {
    return "Buffer";
  }

  /** The element type the buffer was made for; a tensor may view the bytes as another dtype. */
  get dtype(): DType {
    return this.kind.dtype;
  }

  /** The values of a string, variant or resource buffer; null for raw bytes and after the last `unref`. */
  override get elements(): unknown[] | null {
    return this.values;
  }

  protected override get elementSize(): number {
    return this.kind.size;
  }

  /**
   * Destroys the elements and deallocates the memory. If threads share the memory, releases this thread's hold on it instead.
   * `allocator.deallocateRaw` ignores the null pointer of a buffer without data.
   */
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

/** The error for a size above 2^53 - 1 bytes. A separate function, so that the constructor, which every tensor runs, stays small. */
function sizeError(kind: ElementKind, numElements: number): InvalidArgumentError {
  return new InvalidArgumentError(`${numElements} elements of ${kind.dtype}, ${kind.size} bytes each, are more than 2^53 - 1 bytes`);
}
