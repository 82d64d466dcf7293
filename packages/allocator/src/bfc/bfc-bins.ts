/**
 * bfc-bins: the arithmetic of BFCAllocator's sizes (tsl/framework/bfc_allocator.h).
 *
 *     bin      0        1        2          ...   19            20
 *     bytes   [256,    [512,    [1 KiB,          [128 MiB,     [256 MiB and all above
 *              512)     1 KiB)   2 KiB)           256 MiB)
 *
 * A bin is a range of chunk sizes. Each has its own set of free chunks (bfc-free-tree.ts); the figures reported about bins are
 * counted when they are asked for.
 */
import { InvalidArgumentError, shownValue } from "@onebuffer/base";

/** The grain of chunks in bytes: every chunk starts at a multiple of it and is a multiple of it long. */
export const kMinAllocationSize = 256;

/** How many bins there are. */
export const kNumBins = 21;

/** `numBytes` rounded up to 256; 0 stays 0. Throws INVALID_ARGUMENT for what is no size. */
export function roundedBytes(numBytes: number): number {
  checkSize(numBytes);
  return Math.ceil(numBytes / kMinAllocationSize) * kMinAllocationSize;
}

/** The bin of a size: min(20, floor(log2(max(n, 256) / 256))). Throws INVALID_ARGUMENT for what is no size. */
export function binNumForSize(numBytes: number): number {
  checkSize(numBytes);
  return binNumForUnits(Math.floor(numBytes / kMinAllocationSize));
}

/** The bin of a size in units of 256 bytes. */
export function binNumForUnits(units: number): number {
  return units >= 1048576 ? 20 : 31 - Math.clz32(units | 1);
}

/** What one bin holds: figures over all chunks whose size falls into it, whether free or in use. */
export interface BinDebugInfo {
  /** Bytes of the chunks in use. */
  totalBytesInUse: number;
  /** Bytes of all chunks. */
  totalBytesInBin: number;
  /** Bytes that were asked for in the chunks in use. */
  totalRequestedBytesInUse: number;
  /** Number of chunks in use. */
  totalChunksInUse: number;
  /** Number of chunks. */
  totalChunksInBin: number;
}

function checkSize(numBytes: number): void {
  if (!Number.isSafeInteger(numBytes) || numBytes < 0)
    throw new InvalidArgumentError(`number of bytes must be an integer in [0, 2^53), got ${shownValue(numBytes)}`);
}
