/**
 * AllocationAttributes: how one allocation wishes to be made (tsl/framework/allocator.h).
 *
 * Distinct from AllocatorAttributes, which describe what kind of memory is wanted. The plain allocators ignore these;
 * an allocator that can wait for memory honours `retryOnFailure`, one with a timing counter calls `freedByFunc`.
 */

import { checkObject } from "@onebuffer/base";

/**
 * Wishes for one call of `allocateRaw`. Not copyable in TensorFlow; here it is a plain object read once.
 *
 * @example
 * new AllocationAttributes().retryOnFailure; // => true
 * new AllocationAttributes({ retryOnFailure: false }).retryOnFailure; // => false
 */
export class AllocationAttributes {
  /** Whether an allocator that finds no room may wait for another thread to free some. */
  readonly retryOnFailure: boolean;
  /** Whether the caller will log the allocation itself, so that the allocator need not. */
  readonly allocationWillBeLogged: boolean;
  /** Tells the count up to which freed memory may be reused (timing counters), or null for no constraint. */
  readonly freedByFunc: (() => number) | null;

  constructor(
    init: {
      readonly retryOnFailure?: boolean;
      readonly allocationWillBeLogged?: boolean;
      readonly freedByFunc?: (() => number) | null;
    } = {},
  ) {
    checkObject(init, "attributes");
    this.retryOnFailure = init.retryOnFailure ?? true;
    this.allocationWillBeLogged = init.allocationWillBeLogged ?? false;
    this.freedByFunc = init.freedByFunc ?? null;
  }
}
