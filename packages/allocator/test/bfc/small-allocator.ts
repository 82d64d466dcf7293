// A BFCAllocator of one region, for tests of single calls.
import { BFCAllocator } from "@onebuffer/allocator";
import { TestRegions } from "@onebuffer/test-support";

export const MiB = 1048576;

/** Returns an allocator whose only region is 1 MiB at offset 0. */
export const small = (options = {}): BFCAllocator => new BFCAllocator(new TestRegions(), MiB, "small", { allowGrowth: false, ...options });
