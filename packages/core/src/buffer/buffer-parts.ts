/**
 * The parts of a tensor on a buffer that exists already: the checks of Tensor.fromBuffer.
 */
import type { DType } from "@onebuffer/base";
import { dataTypeOf, InvalidArgumentError } from "@onebuffer/base";
import { TensorShape } from "@onebuffer/shape";
import type { RefCountPtr } from "@onebuffer/allocator";
import type { TensorBuffer } from "./tensor-buffer.ts";
import { checkBuffer } from "../element/tensor-check.ts";
import type { ShapeLike, TensorParts } from "./shape-and-buffer.ts";
import { elementSizeOf, holdsElementsOf } from "./typed-allocator.ts";

/** What Tensor.fromBuffer takes: a buffer, a pointer whose reference becomes the tensor's, or null. */
type GivenBuffer = TensorBuffer | RefCountPtr<TensorBuffer> | null;

function isPointer(given: GivenBuffer): given is RefCountPtr<TensorBuffer> {
  return typeof (given as { readonly release?: unknown } | null | undefined)?.release === "function";
}

/**
 * A sealed shape, and one more reference on the buffer, or the pointer's own. Throws INVALID_ARGUMENT, taking none, for what is no
 * buffer and for one that is too small or of other elements.
 */
export function partsOnBuffer(dtype: DType, shape: ShapeLike, given: GivenBuffer): TensorParts {
  const sealed = TensorShape.sealed(shape, dataTypeOf(dtype));
  const buffer = isPointer(given) ? given.get() : given;
  if (buffer !== null) checkBuffer(buffer);
  const bytes = sealed.numElements * elementSizeOf(dtype);
  if (bytes > Number.MAX_SAFE_INTEGER)
    throw new InvalidArgumentError(`${dtype} of shape ${sealed.debugString()} has more than 2^53 - 1 bytes`);
  if (buffer !== null && !(buffer.size >= bytes))
    throw new InvalidArgumentError(
      `a buffer of ${buffer.size} bytes is too small for ${dtype} of shape ${sealed.debugString()}: ${bytes} bytes`,
    );
  if (buffer?.hasData === true && !holdsElementsOf(buffer, dtype))
    throw new InvalidArgumentError(`the buffer does not hold elements of ${dtype}`);
  if (isPointer(given)) given.release();
  else buffer?.ref();
  return { shape: sealed, buffer };
}
