/**
 * The tests of the objects that public functions of this package take: told by what a function reads first of them, not by their
 * class, of which a program may hold two copies. Each throws INVALID_ARGUMENT; the cost is a property read.
 */
import { argumentError } from "@onebuffer/base";

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
