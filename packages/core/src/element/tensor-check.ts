/**
 * Argument checks for the Tensors, TensorSlices and TensorBuffers that public functions of this package take.
 *
 * An object is recognized by the property that functions read first, not by `instanceof`, because a program may have loaded two
 * copies of a class. Each check throws INVALID_ARGUMENT and costs one or two property reads.
 */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { argumentError } from "@onebuffer/base/internal";
import { isTree, shownOperand } from "@onebuffer/expression/internal";

/** Returns true for a Tensor, also a disposed one, of any copy of the library. */
export function isTensor(value: unknown): boolean {
  return (value as { readonly heldShape?: unknown } | null | undefined)?.heldShape !== undefined;
}

/** Throws INVALID_ARGUMENT unless the value is a Tensor. A disposed Tensor passes. */
export function checkTensor(value: unknown): void {
  if (!isTensor(value)) throw tensorError(value);
}

/** Returns the error for a value that is not a Tensor; for a map or an expression it says how to make one. */
function tensorError(value: unknown): InvalidArgumentError {
  if (!isTree(value)) return argumentError("a Tensor", value);
  return new InvalidArgumentError(`Expected a Tensor, got ${shownOperand(value)}: tensorOf(map or expression) makes a tensor`);
}

/** Returns the FAILED_PRECONDITION error for a use of a disposed tensor; `call` is the name of the method, where it is known. */
export function disposedError(call?: string): FailedPreconditionError {
  return new FailedPreconditionError(call === undefined ? "this tensor was disposed" : `${call}: this tensor was disposed`);
}

/** Returns true for a TensorSlice. */
export function isTensorSlice(value: unknown): boolean {
  return typeof (value as { readonly sliceTensorShape?: unknown } | null | undefined)?.sliceTensorShape === "function";
}

/** Throws INVALID_ARGUMENT unless the value is a TensorSlice. */
export function checkTensorSlice(value: unknown): void {
  if (!isTensorSlice(value)) throw argumentError("a TensorSlice", value);
}

/** Throws INVALID_ARGUMENT unless the value is a TensorBuffer. */
export function checkBuffer(value: unknown): void {
  const buffer = value as { readonly rootBuffer?: unknown; readonly bytes?: unknown } | null | undefined;
  if (typeof buffer?.rootBuffer !== "object" || typeof buffer.bytes !== "function") throw argumentError("a TensorBuffer", value);
}
