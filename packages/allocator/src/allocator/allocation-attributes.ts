/**
 * AllocationAttributes: options of a single allocation (tsl/framework/allocator.h).
 *
 * They differ from AllocatorAttributes, which say what kind of memory is needed. CPUAllocator ignores them. An allocator that
 * can wait for memory reads `retryOnFailure`; one with a timing counter calls `freedByFunc`.
 */

import { checkOptions } from "@onebuffer/base/internal";

/**
 * Options for one call of `allocateRaw`.
 *
 * @example
 * new AllocationAttributes().retryOnFailure; // => true
 * new AllocationAttributes({ retryOnFailure: false }).retryOnFailure; // => false
 */
export class AllocationAttributes {
  /** True (the default) if an allocator that has no room may wait until another thread frees memory. */
  readonly retryOnFailure: boolean;
  /** True if the caller logs the allocation itself, so the allocator does not have to. False by default. */
  readonly allocationWillBeLogged: boolean;
  /** Returns the timing count up to which freed memory may be reused; null (the default) means any freed memory may be. */
  readonly freedByFunc: (() => number) | null;

  /** Options that are missing from `init` get their defaults. Throws INVALID_ARGUMENT if `init` is not an object. */
  constructor(
    init: {
      readonly retryOnFailure?: boolean;
      readonly allocationWillBeLogged?: boolean;
      readonly freedByFunc?: (() => number) | null;
    } = {},
  ) {
    checkOptions("AllocationAttributes", init, ["retryOnFailure", "allocationWillBeLogged", "freedByFunc"]);
    this.retryOnFailure = init.retryOnFailure ?? true;
    this.allocationWillBeLogged = init.allocationWillBeLogged ?? false;
    this.freedByFunc = init.freedByFunc ?? null;
  }
}
