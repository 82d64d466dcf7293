/**
 * exhaustedError: the RESOURCE_EXHAUSTED error for memory that an allocator did not give (ResourceExhaustedError after
 * Allocator::AllocateRaw returned null in tensorflow/core/framework/tensor.cc).
 *
 *     free memory with "using", dispose() or await reclaim(): cannot allocate 4096 bytes for …      what to do, what failed
 *     largest holders: 3 x 1048576 bytes, …                                                         what to free
 *     allocator "bfc": …                                                                            the allocator's table
 */
import { ResourceExhaustedError } from "@onebuffer/base";
import type { Allocator } from "./allocator.ts";

/**
 * Returns the error for `numBytes` bytes that an allocator refused; `what` says what they were for. Freeing is not advised if the
 * request exceeds the allocator's limit.
 */
export function exhaustedError(allocator: Allocator, numBytes: number, what: string): ResourceExhaustedError {
  const limit = allocator.getStats()?.bytesLimit ?? null;
  const remedy =
    limit !== null && numBytes > limit
      ? `ask for at most ${limit} bytes, the limit of allocator "${allocator.name}"`
      : 'free memory with "using", dispose() or await reclaim()';
  const report = allocator.exhaustionReport(numBytes);
  return new ResourceExhaustedError(`${remedy}: ${what}${report === "" ? "" : `\n${report}`}`);
}
