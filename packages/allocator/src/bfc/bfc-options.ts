/**
 * The options of a BFCAllocator (BFCAllocator::Options in tsl/framework/bfc_allocator.h, and some that TensorFlow does not have).
 *
 * Options are read once, by the constructor.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions } from "@onebuffer/base/internal";
import type { WriteAfterFree } from "./bfc-quarantine.ts";

/** The options of checked mode. */
export interface CheckedOptions {
  /** The largest number of freed bytes that are held back. Default 64 MiB. */
  readonly quarantineBytes?: number;
  /**
   * Called for every write to freed memory that is found. Without it, the call that finds the write throws FAILED_PRECONDITION after it
   * has done its work.
   */
  readonly onWriteAfterFree?: (write: WriteAfterFree) => void;
}

/** TensorFlow's BFCAllocator::Options, with its defaults, and `doubleRegions`, `onExhausted`, `onReport` and `checked`. */
export interface BFCAllocatorOptions {
  /** True if the arena starts with a region of 2 MiB and grows. False: its first region is as large as the limit. Default true. */
  readonly allowGrowth?: boolean;
  /**
   * True if each region is twice as long as the one before, as in TensorFlow. False: the arena takes only the bytes that a request
   * lacks, by extending a region if possible and otherwise with a region of at least 2 MiB, and splits a free chunk if a 32nd
   * of the request or more would be left. Use false if the arena shares its memory with others or must use its limit fully.
   * Default true.
   */
  readonly doubleRegions?: boolean;
  /** True if `onExhausted` is called before an allocation fails. Default true. */
  readonly allowRetryOnFailure?: boolean;
  /** True if regions without a chunk in use are freed when that may make room. Default false. */
  readonly garbageCollection?: boolean;
  /**
   * A free chunk is split if it is at least twice as large as the request, or if at least this fraction of the limit would be wasted.
   * 0 means 128 MiB. Default 0.
   */
  readonly fragmentationFraction?: number;
  /**
   * Called with the requested bytes if there is no room. It may free memory; if it returns true, the allocation is tried once more.
   * TensorFlow waits up to ten seconds for another thread to free memory. JavaScript cannot wait, so this function must free the
   * memory before it returns.
   */
  readonly onExhausted?: ((numBytes: number) => boolean) | null;
  /** Returns the last line of the exhaustion report, for example what may hold the bytes, or "". */
  readonly onReport?: (() => string) | null;
  /** True, or an object with options, if freed memory is filled with a pattern and held back, to find writes to it. Default false. */
  readonly checked?: boolean | CheckedOptions;
}

/** The keys of CheckedOptions. */
export const kCheckedKeys: readonly string[] = ["quarantineBytes", "onWriteAfterFree"];

const kKeys: readonly string[] = [
  "allowGrowth",
  "doubleRegions",
  "allowRetryOnFailure",
  "garbageCollection",
  "fragmentationFraction",
  "onExhausted",
  "onReport",
  "checked",
];

/** The default waste, in bytes, from which a free chunk is split. */
export const kMaxWaste: number = 128 * 1048576;

/** The default number of freed bytes that checked mode holds back. */
const kQuarantineBytes = 64 * 1048576;

/**
 * Returns the options that need a check. Throws INVALID_ARGUMENT if `options` is not an object, the fraction is negative or not finite, or
 * the quarantine is negative.
 */
export function checkedBFCOptions(options: BFCAllocatorOptions): {
  readonly fraction: number;
  readonly checked: CheckedOptions | null;
  readonly quarantineBytes: number;
} {
  checkOptions("BFCAllocator", options, kKeys);
  const fraction = options.fragmentationFraction ?? 0;
  if (!(fraction >= 0 && fraction < Infinity)) throw new InvalidArgumentError(`fragmentation fraction must be 0 or more, got ${fraction}`);
  const checked = options.checked === true ? {} : options.checked || null;
  if (checked !== null) checkOptions("BFCAllocator: checked", checked, kCheckedKeys);
  const quarantineBytes = checked?.quarantineBytes ?? kQuarantineBytes;
  if (!(quarantineBytes >= 0)) throw new InvalidArgumentError(`quarantine bytes must be 0 or more, got ${quarantineBytes}`);
  return { fraction, checked, quarantineBytes };
}
