/**
 * Buffer: elements of one dtype in memory from an allocator, TensorFlow's `Buffer<T>` (tensorflow/core/framework/tensor.cc).
 *
 * Plain elements are bytes whose first contents are whatever the allocator gave. Elements of string, variant and
 * resource are constructed with the buffer and destroyed with it. A buffer whose allocation failed exists all the same,
 * with its size and without data: the tensor on top says "not initialized".
 */
import { InvalidArgumentError, dtypeSize } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import type { AllocationAttributes } from "./allocation-attributes.ts";
import type { Allocator } from "./allocator.ts";
import { BufferBase } from "./buffer-base.ts";
import type { Pointer } from "./pointer.ts";
import { elementSizeOf, TypedAllocator } from "./typed-allocator.ts";
import type { ObjectPointer } from "./typed-allocator.ts";

/**
 * A buffer of `numElements` elements of `dtype`, aligned to 64 bytes.
 *
 * Throws INVALID_ARGUMENT for a count that is no non-negative integer, and what `TypedAllocator.allocate` throws.
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
  /** The element type the buffer was made for; tensors may give the bytes another name. */
  readonly dtype: DType;

  constructor(dtype: DType, allocator: Allocator, numElements: number, attributes?: AllocationAttributes) {
    if (numElements > Number.MAX_SAFE_INTEGER)
      throw new InvalidArgumentError(`number of elements must be an integer in [0, 2^53), got ${numElements}`);
    const pointer: Pointer | null = TypedAllocator.allocate(allocator, dtype, numElements, attributes);
    const size = dtypeSize(dtype); // 0 for the object dtypes
    if (size !== 0) super(allocator, pointer, null, numElements * size);
    else super(allocator, pointer, pointer && (pointer as ObjectPointer).elements, numElements * elementSizeOf(dtype));
    this.dtype = dtype;
  }

  protected override get elementSize(): number {
    return elementSizeOf(this.dtype);
  }

  /** Ends the elements, gives the memory back. Nothing of both when there was no data. */
  protected override destroy(): void {
    const { allocator, dtype, pointer, size } = this;
    super.destroy();
    TypedAllocator.deallocate(allocator, dtype, pointer, size / elementSizeOf(dtype));
  }
}
