/** The allocations of a region that a BFCAllocator adopts: memory that another thread's allocator managed until that thread ended. */
import { checkArray, checkObject } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import type { Pointer } from "../allocator/pointer.ts";
import { kMinAllocationSize, roundedBytes } from "./bfc-bins.ts";
import type { AdoptedAllocation } from "./bfc-chunk-list.ts";

/**
 * Returns a copy of the list, sorted by offset. Throws INVALID_ARGUMENT if an allocation is not a multiple of 256 bytes into the memory, is
 * empty, overlaps another one, or does not fit into the region of `numBytes` bytes at `pointer`.
 */
export function sortedAllocations(pointer: Pointer, numBytes: number, live: readonly AdoptedAllocation[]): AdoptedAllocation[] {
  checkArray(live, "an array of allocations");
  for (const each of live) checkObject(each, "an allocation");
  const sorted = live.slice().sort((a, b) => a.byteOffset - b.byteOffset);
  const end = pointer.byteOffset + numBytes;
  let top = Math.ceil(pointer.byteOffset / kMinAllocationSize) * kMinAllocationSize;
  for (const { byteOffset, bytes } of sorted) {
    const isCell = byteOffset >= top && byteOffset % kMinAllocationSize === 0 && Number.isSafeInteger(bytes) && bytes > 0;
    if (!isCell || byteOffset + roundedBytes(bytes) > end)
      throw new InvalidArgumentError(
        `an allocation of ${bytes} bytes at offset ${byteOffset} does not fit into a region of ${numBytes} bytes at ${pointer.byteOffset}, which is taken up to ${top}`,
      );
    top = byteOffset + roundedBytes(bytes);
  }
  return sorted;
}
