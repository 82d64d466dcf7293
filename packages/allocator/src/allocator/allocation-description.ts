/**
 * AllocationDescription: what a buffer tells about its allocation (tensorflow/core/framework/allocation_description.proto).
 *
 * A plain structural message; its wire bytes live in a package above.
 */

/**
 * A buffer's allocation as a message. Numbers are bytes; 0 and "" mean "not said", as in proto3.
 *
 * @example
 * const description: AllocationDescription = emptyAllocationDescription();
 * description.requestedBytes; // => 0
 */
export interface AllocationDescription {
  /** Bytes the buffer asked for. */
  requestedBytes: number;
  /** Bytes the allocator really took, when it tracks sizes. */
  allocatedBytes: number;
  /** The allocator's name. */
  allocatorName: string;
  /** The allocation's number, when the allocator gives one. */
  allocationId: number;
  /** Whether the buffer had exactly one reference when described, when the allocator tracks sizes. */
  hasSingleReference: boolean;
  /** The byte offset of the data in its memory: the nearest thing to an address. */
  ptr: number;
}

/**
 * A description that says nothing yet.
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
