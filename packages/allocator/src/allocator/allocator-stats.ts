/**
 * AllocatorStats: the statistics of an allocator, in bytes and counts (tsl/framework/allocator.h).
 *
 * Fields that are optional in TensorFlow are null if the allocator has no such value; `debugString` prints them as 0.
 */

/**
 * A snapshot of the statistics of an allocator.
 *
 * @example
 * const stats = new AllocatorStats();
 * stats.numAllocs = 3;
 * stats.debugString().split("\n")[3]; // => "NumAllocs:                           3"
 */
export class AllocatorStats {
  /** The number of allocations made so far, or since `clearStats`. */
  numAllocs: number = 0;
  /** The number of bytes that are allocated now. */
  bytesInUse: number = 0;
  /** The highest value of `bytesInUse` so far. */
  peakBytesInUse: number = 0;
  /** The size of the largest allocation so far, in bytes. */
  largestAllocSize: number = 0;
  /** The largest number of bytes that may be allocated at a time, or null if there is no limit. */
  bytesLimit: number | null = null;
  /** The number of bytes reserved by device libraries. */
  bytesReserved: number = 0;
  /** The highest value of `bytesReserved` so far. */
  peakBytesReserved: number = 0;
  /** The largest number of bytes that may be reserved, or null if there is no limit. */
  bytesReservableLimit: number | null = null;
  /** The size of the largest free block, in bytes. */
  largestFreeBlockBytes: number = 0;
  /** The number of bytes taken from the system, allocated or free, or null for allocators without a pool. */
  poolBytes: number | null = null;
  /** The highest value of `poolBytes` so far, or null for allocators without a pool. */
  peakPoolBytes: number | null = null;

  /** Returns TensorFlow's text: eight lines, the labels padded to 18 columns, the values right-aligned in 20 columns. */
  debugString(): string {
    return (
      line("Limit:", this.bytesLimit ?? 0) +
      line("InUse:", this.bytesInUse) +
      line("MaxInUse:", this.peakBytesInUse) +
      line("NumAllocs:", this.numAllocs) +
      line("MaxAllocSize:", this.largestAllocSize) +
      line("Reserved:", this.bytesReserved) +
      line("PeakReserved:", this.peakBytesReserved) +
      line("LargestFreeBlock:", this.largestFreeBlockBytes)
    );
  }
}

/** Returns one line of the text, for example `InUse:                              24`, with its line feed. */
function line(label: string, value: number): string {
  return `${label.padEnd(18)}${String(value).padStart(20)}\n`;
}
