/**
 * Copies a tensor's bytes out of the arena into a fresh ArrayBuffer (no counterpart in TensorFlow: C++ hands out pointers).
 *
 *     shared memory, up to 4 GiB   | ... other tensors ... | elements | ... other tensors ... |
 *     the result                                           | elements |   unshared, transferable, used by nothing else
 *
 * Browsers refuse views of shared memory in TextDecoder, Blob, ImageData, crypto and others, because another thread could change
 * the bytes meanwhile. Posting such a view fails on pages that are not cross-origin isolated; on other pages it posts all of the
 * memory, not only the viewed part. docs/memory.md has the list.
 */
import { dtypeOf, FailedPreconditionError, InvalidArgumentError, isObjectDType, ResourceExhaustedError } from "@onebuffer/base";
import { countCopied } from "@onebuffer/allocator/internal";
import type { TensorParts } from "../buffer/shape-and-buffer.ts";
import { elementSizeOf } from "../buffer/typed-allocator.ts";

/**
 * Returns a fresh ArrayBuffer with exactly the bytes of the elements. Throws INVALID_ARGUMENT for object dtypes,
 * FAILED_PRECONDITION if the tensor is not initialized or its memory was detached, RESOURCE_EXHAUSTED without room. Copies: the
 * elements.
 */
export function arrayBufferOf({ shape, buffer }: TensorParts): ArrayBuffer {
  const dtype = dtypeOf(shape.dataType);
  if (isObjectDType(dtype)) throw new InvalidArgumentError(`toArrayBuffer of ${dtype}: its elements are not bytes`);
  const count = shape.numElements;
  if (count === 0) return new ArrayBuffer(0);
  if (buffer === null || !buffer.hasData)
    throw new FailedPreconditionError(`toArrayBuffer of a tensor that is not initialized: ${count} elements of ${dtype} without data`);
  const numBytes = count * elementSizeOf(dtype);
  // A buffer may be longer than the shape's elements.
  const bytes = buffer.bytes().subarray(0, numBytes);
  const copy = unsharedBytes(numBytes);
  copy.set(bytes);
  countCopied(numBytes);
  return copy.buffer;
}

/** Returns `numBytes` zero bytes. Throws RESOURCE_EXHAUSTED where the engine throws RangeError. */
function unsharedBytes(numBytes: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(numBytes);
  } catch (cause) {
    throw new ResourceExhaustedError(`toArrayBuffer: no room for an ArrayBuffer of ${numBytes} bytes`, { cause });
  }
}
