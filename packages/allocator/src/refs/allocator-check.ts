/**
 * Argument checks for the objects that public functions of this package take: allocators, reference-counted objects, pointers.
 *
 * Each check reads the members that the caller uses first. `instanceof` would refuse valid objects when a program has loaded two copies
 * of this package. Each check throws INVALID_ARGUMENT and costs one or two property reads.
 */
import { argumentError } from "@onebuffer/base/internal";

/** Throws INVALID_ARGUMENT unless the value is an Allocator. */
export function checkAllocator(value: unknown): void {
  const allocator = value as { readonly allocateRaw?: unknown; readonly tracksAllocationSizes?: unknown } | null | undefined;
  if (typeof allocator?.allocateRaw !== "function" || typeof allocator.tracksAllocationSizes !== "function")
    throw argumentError("an Allocator", value);
}

/** Throws INVALID_ARGUMENT unless the value is a RefCounted object. */
export function checkRefCounted(value: unknown): void {
  const object = value as { readonly ref?: unknown; readonly unref?: unknown } | null | undefined;
  if (typeof object?.ref !== "function" || typeof object.unref !== "function") throw argumentError("a reference-counted object", value);
}

/** Throws INVALID_ARGUMENT unless the value is a Pointer. */
export function checkPointer(value: unknown): void {
  const pointer = value as { readonly buffer?: unknown; readonly byteOffset?: unknown } | null | undefined;
  if (typeof pointer?.buffer !== "object" || pointer.buffer === null || typeof pointer.byteOffset !== "number")
    throw argumentError("a Pointer", value);
}
