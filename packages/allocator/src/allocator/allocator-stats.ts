/**
 * AllocatorStats: what an allocator tells about itself (tsl/framework/allocator.h).
 *
 * A snapshot in bytes and counts. Fields that TensorFlow keeps optional are null when the allocator has no such figure;
 * its text prints them as 0.
 */

/**
 * An allocator's figures at one moment.
 *
 * @example
 * const stats = new AllocatorStats();
 * stats.numAllocs = 3;
 * stats.debugString().split("\n")[3]; // => "NumAllocs:                           3"
 */
export class AllocatorStats {
  /** Number of allocations ever made (or since `clearStats`). */
  numAllocs: number = 0;
  /** Bytes handed out now. */
  bytesInUse: number = 0;
  /** The highest `bytesInUse` seen. */
  peakBytesInUse: number = 0;
  /** The largest single allocation seen, in bytes. */
  largestAllocSize: number = 0;
  /** The most bytes the allocator may hand out, or null when there is no limit. */
  bytesLimit: number | null = null;
  /** Bytes reserved by device-side libraries. */
  bytesReserved: number = 0;
  /** The highest `bytesReserved` seen. */
  peakBytesReserved: number = 0;
  /** The most bytes that may be reserved, or null. */
  bytesReservableLimit: number | null = null;
  /** The largest free block, in bytes. */
  largestFreeBlockBytes: number = 0;
  /** Bytes taken from the system, in use or not, or null for allocators without a pool. */
  poolBytes: number | null = null;
  /** The highest `poolBytes` seen, or null. */
  peakPoolBytes: number | null = null;

  /** TensorFlow's text: eight lines, each label padded to 18 columns, each value right-aligned in 20. */
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

/** One line of the text: `InUse:                              24` and a line feed. */
function line(label: string, value: number): string {
  return `${label.padEnd(18)}${String(value).padStart(20)}\n`;
}
