/**
 * The implementation of Tensor.fromBuffer: checks that an existing buffer fits a dtype and a shape, and takes a reference on it
 * (the constructor `Tensor(dtype, shape, buf)` of tensorflow/core/framework/tensor.h).
 */
import type { DType } from "@onebuffer/base";
import { dataTypeOf, InvalidArgumentError } from "@onebuffer/base";
import { TensorShape } from "@onebuffer/shape";
import type { RefCountPtr } from "@onebuffer/allocator";
import type { TensorBuffer } from "./tensor-buffer.ts";
import { checkBuffer } from "../element/tensor-check.ts";
import type { ShapeLike, TensorParts } from "./shape-and-buffer.ts";
import { elementSizeOf, holdsElementsOf } from "./typed-allocator.ts";

/** The argument of Tensor.fromBuffer: a buffer, a RefCountPtr whose reference becomes the tensor's, or null. */
type GivenBuffer = TensorBuffer | RefCountPtr<TensorBuffer> | null;

/**
 * Returns the sealed shape and the buffer. Takes one reference on a given buffer; takes over the reference of a given RefCountPtr.
 * Throws INVALID_ARGUMENT, without taking a reference, if the argument is not a buffer, the buffer is too small, or its elements
 * are not of `dtype`. Never copies.
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

function isPointer(given: GivenBuffer): given is RefCountPtr<TensorBuffer> {
  const pointer = given as { readonly get?: unknown; readonly release?: unknown } | null | undefined;
  return typeof pointer?.get === "function" && typeof pointer.release === "function";
}
