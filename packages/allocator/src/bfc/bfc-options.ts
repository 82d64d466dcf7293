/**
 * bfc-options: how a BFCAllocator is to behave (BFCAllocator::Options in tsl/framework/bfc_allocator.h, and two things JavaScript needs).
 *
 * Nothing of it can be changed later.
 */
import { checkObject, InvalidArgumentError } from "@onebuffer/base";
import type { WriteAfterFree } from "./bfc-quarantine.ts";

/** What `checked` mode does with freed memory. */
export interface CheckedOptions {
  /** How many freed bytes are held back at most; 64 MiB unless given. */
  readonly quarantineBytes?: number;
  /**
   * Called with every write to freed memory that is found. Without it the call that finds the write throws
   * FAILED_PRECONDITION once it has done its work.
   */
  readonly onWriteAfterFree?: (write: WriteAfterFree) => void;
}

/** TensorFlow's BFCAllocator::Options, with its defaults, and two things JavaScript needs. */
export interface BFCAllocatorOptions {
  /** Whether the arena starts at 2 MiB and doubles; otherwise its first region is all of it. Default true. */
  readonly allowGrowth?: boolean;
  /**
   * Whether each region is twice as long as the one before, as in TensorFlow. Otherwise the arena takes what a request lacks, at least
   * 2 MiB, where it can by lengthening a region, and cuts what it hands out to within a 32nd of the request: for arenas that share
   * their memory with others, and for limits that are to be used up. Default true.
   */
  readonly doubleRegions?: boolean;
  /** Whether `onExhausted` is asked before an allocation fails. Default true. */
  readonly allowRetryOnFailure?: boolean;
  /** Whether regions without a chunk in use are given back when that may make room. Default false. */
  readonly garbageCollection?: boolean;
  /** A chunk is cut when more than this fraction of the limit would be wasted; 0 means 128 MiB. Default 0. */
  readonly fragmentationFraction?: number;
  /**
   * Called when there is no room. It may free memory, and answers whether it did; then the allocation is tried once more.
   * TensorFlow waits up to ten seconds for another thread to free something; JavaScript cannot wait, so whoever can reclaim
   * something does it here, at once.
   */
  readonly onExhausted?: ((numBytes: number) => boolean) | null;
  /** What the exhaustion report ends with: a line about who may have the bytes, or "". */
  readonly onReport?: (() => string) | null;
  /** Whether freed memory is poisoned and held back, to find writes to it. Default false. */
  readonly checked?: boolean | CheckedOptions;
}

/** A free chunk is cut when this much or more, in bytes, would be wasted, unless the options say otherwise. */
export const kMaxWaste: number = 128 * 1048576;

/** Freed bytes that checked mode holds back, unless it is told otherwise. */
const kQuarantineBytes = 64 * 1048576;

/** The options that need a check. Throws INVALID_ARGUMENT for a fraction or a quarantine that is no size, and for what is no object. */
export function checkedBFCOptions(options: BFCAllocatorOptions): {
  readonly fraction: number;
  readonly checked: CheckedOptions | null;
  readonly quarantineBytes: number;
} {
  checkObject(options, "options");
  const fraction = options.fragmentationFraction ?? 0;
  if (!(fraction >= 0 && fraction < Infinity)) throw new InvalidArgumentError(`fragmentation fraction must be 0 or more, got ${fraction}`);
  const checked = options.checked === true ? {} : options.checked || null;
  const quarantineBytes = checked?.quarantineBytes ?? kQuarantineBytes;
  if (!(quarantineBytes >= 0)) throw new InvalidArgumentError(`a quarantine holds 0 bytes or more, got ${quarantineBytes}`);
  return { fraction, checked, quarantineBytes };
}
