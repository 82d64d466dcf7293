/**
 * The tests of the objects that public functions of this package take: told by what a function reads first of them, not by their
 * class, of which a program may hold two copies. Each throws INVALID_ARGUMENT; the cost is a property read.
 */
import { argumentError } from "@onebuffer/base";

/** Throws INVALID_ARGUMENT unless the value is a Tensor; a disposed one is. */
export function checkTensor(value: unknown): void {
  if ((value as { readonly heldShape?: unknown } | null | undefined)?.heldShape === undefined) throw argumentError("a Tensor", value);
}

/** Throws INVALID_ARGUMENT unless the value is a TensorSlice. */
export function checkTensorSlice(value: unknown): void {
  if (typeof (value as { readonly sliceTensorShape?: unknown } | null | undefined)?.sliceTensorShape !== "function")
    throw argumentError("a TensorSlice", value);
}

/** Throws INVALID_ARGUMENT unless the value is a TensorBuffer. */
export function checkBuffer(value: unknown): void {
  const buffer = value as { readonly rootBuffer?: unknown; readonly bytes?: unknown } | null | undefined;
  if (typeof buffer?.rootBuffer !== "object" || typeof buffer.bytes !== "function") throw argumentError("a TensorBuffer", value);
}
