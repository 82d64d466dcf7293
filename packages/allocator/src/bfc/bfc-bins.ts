/**
 * Rounding of sizes and the bins of BFCAllocator (tsl/framework/bfc_allocator.h).
 *
 *     bin      0        1        2          ...   19            20
 *     bytes   [256,    [512,    [1 KiB,          [128 MiB,     [256 MiB and all above
 *              512)     1 KiB)   2 KiB)           256 MiB)
 *
 * A bin is a range of chunk sizes. Each bin has its own set of free chunks (bfc-free-tree.ts). The statistics of bins are computed by
 * walking the chunks when they are requested (bfc-report.ts).
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";

/** The granularity of chunks in bytes: the address and the size of every chunk are multiples of it. */
export const kMinAllocationSize = 256;

/** The number of bins. */
export const kNumBins = 21;

/** Returns `numBytes` rounded up to a multiple of 256. Throws INVALID_ARGUMENT if it is not an integer from 0 to 2^53 - 1. */
export function roundedBytes(numBytes: number): number {
  checkSize(numBytes);
  return Math.ceil(numBytes / kMinAllocationSize) * kMinAllocationSize;
}

/**
 * Returns the bin of a size: min(20, floor(log2(max(n, 256) / 256))). Throws INVALID_ARGUMENT if it is not an integer from 0 to 2^53 - 1.
 */
export function binNumForSize(numBytes: number): number {
  checkSize(numBytes);
  return binNumForUnits(Math.floor(numBytes / kMinAllocationSize));
}

/** Returns the bin of a size in units of 256 bytes. */
export function binNumForUnits(units: number): number {
  return units >= 1048576 ? 20 : 31 - Math.clz32(units | 1);
}

/** The statistics of one bin: sums over all chunks whose size is in it, free or in use. */
export interface BinDebugInfo {
  /** The bytes of the chunks in use. */
  totalBytesInUse: number;
  /** The bytes of all chunks. */
  totalBytesInBin: number;
  /** The bytes requested for the chunks in use. */
  totalRequestedBytesInUse: number;
  /** The number of chunks in use. */
  totalChunksInUse: number;
  /** The number of all chunks. */
  totalChunksInBin: number;
}

function checkSize(numBytes: number): void {
  if (!Number.isSafeInteger(numBytes) || numBytes < 0)
    throw new InvalidArgumentError(`number of bytes must be an integer in [0, 2^53), got ${shownValue(numBytes)}`);
}
