/**
 * AllocationDescription: a message that describes the allocation of a buffer
 * (tensorflow/core/framework/allocation_description.proto).
 *
 * It is a plain object. @onebuffer/proto encodes and decodes it.
 */

/**
 * The allocation of a buffer as a message. As in proto3, 0 and "" mean that a field is not set.
 *
 * @example
 * const description: AllocationDescription = emptyAllocationDescription();
 * description.requestedBytes; // => 0
 */
export interface AllocationDescription {
  /** The number of bytes that the buffer requested. */
  requestedBytes: number;
  /** The number of bytes that the allocator used for it, if the allocator tracks sizes. */
  allocatedBytes: number;
  /** The name of the allocator. */
  allocatorName: string;
  /** The id of the allocation, if the allocator gives ids. */
  allocationId: number;
  /** True if the buffer had exactly one reference when it was described and the allocator tracks sizes. */
  hasSingleReference: boolean;
  /** The byte offset of the data in its memory, in place of C++'s address. */
  ptr: number;
}

/**
 * Returns a description in which no field is set.
 *
 * @example
 * emptyAllocationDescription().allocatorName; // => ""
 */
export function emptyAllocationDescription(): AllocationDescription {
  return {
    requestedBytes: 0,
    allocatedBytes: 0,
    allocatorName: "",
    allocationId: 0,
    hasSingleReference: false,
    ptr: 0,
  };
}
