/**
 * TensorParts: the shape and the buffer that a Tensor consists of, and the functions that allocate them and copy elements (in
 * TensorFlow the constructors of `Tensor`, tensorflow/core/framework/tensor.cc).
 *
 * Files that implement Tensor's methods but must not import tensor.ts take TensorParts; a whole Tensor can be passed, too.
 */

import type { DType } from "@onebuffer/base";
import { checkObject, checkOptions, shownValue } from "@onebuffer/base/internal";
import { FailedPreconditionError, InvalidArgumentError, isObjectDType } from "@onebuffer/base";
import { storeObjects } from "@onebuffer/storage/internal";
import { TensorShape } from "@onebuffer/shape";
import type { AllocationAttributes, Allocator } from "@onebuffer/allocator";
import { Buffer } from "./buffer.ts";
import { countCopied, checkAllocator, exhaustedError } from "@onebuffer/allocator/internal";
import { defaultAllocator } from "@onebuffer/allocator";
import { elementKind } from "../element/element-kind.ts";
import type { TensorBuffer } from "./tensor-buffer.ts";
import { elementSizeOf } from "./typed-allocator.ts";
// Imported for their declarations: they add ResourceHandle and Variant to the element types of base.
import "../element/resource-handle.ts";
import "../element/variant.ts";

/**
 * A sealed shape (which includes the dtype) and the buffer, or null if there is none. A function that returns TensorParts
 * passes the reference on the buffer to its caller.
 */
export interface TensorParts {
  readonly shape: TensorShape;
  readonly buffer: TensorBuffer | null;
}

/**
 * The allocator for a new tensor's bytes.
 *
 * @example
 * const options: AllocationOptions = { allocator: cpuAllocator() }; // an ArrayBuffer of its own, outside the arena
 * using tensor = new Tensor("float32", [4], options);
 * tensor.tensorData.buffer.byteLength; // => 16
 */
export interface AllocationOptions {
  /** The default is `defaultAllocator()`. */
  readonly allocator?: Allocator;
  /** What the allocator is told of this allocation, such as whether it may retry. */
  readonly attributes?: AllocationAttributes;
}

/** The default options: one frozen empty object for all calls. */
export const noOptions: AllocationOptions = Object.freeze({});

/** The keys of AllocationOptions. */
export const kAllocationKeys: readonly string[] = Object.freeze(["allocator", "attributes"]);

/** The keys of TensorOptions. */
export const kTensorKeys: readonly string[] = Object.freeze(["dtype", ...kAllocationKeys]);

/**
 * Returns the dtype of a factory's options, by default float32. Throws INVALID_ARGUMENT if the options are not an object or have other
 * keys than those of TensorOptions and `more`.
 */
export function dtypeOption<D extends DType>(call: string, options: { readonly dtype?: D }, more?: readonly string[]): D {
  checkOptions(call, options, more === undefined ? kTensorKeys : [...kTensorKeys, ...more]);
  return options.dtype ?? ("float32" as D);
}

/** Divides the arguments behind the first into numbers and the options, which are the last argument however many numbers there are. */
export function withOptions<O extends object>(others: readonly (number | O | undefined)[]): [numbers: (number | undefined)[], options: O] {
  const last = others.at(-1);
  if (typeof last !== "object" || last === null) return [others as (number | undefined)[], noOptions as O];
  return [others.slice(0, -1) as (number | undefined)[], last];
}

/** As dtypeOption, for a factory whose first argument is a shape. Throws INVALID_ARGUMENT if the sizes are given one by one. */
export function dtypeOfShaped<D extends DType>(call: string, shape: unknown, options: { readonly dtype?: D }, more?: readonly string[]): D {
  if (typeof shape !== "number") return dtypeOption(call, options, more);
  throw sizesError(call, shape, typeof options === "number" ? [shape, options] : [shape]);
}

/** Returns the error for a value that is given where the sizes belong, with an example of sizes. */
export function sizesError(call: string, got: unknown, example: readonly number[] = [2, 3]): InvalidArgumentError {
  return new InvalidArgumentError(`${call}: expected a shape or an array of sizes such as [${example.join(", ")}], got ${shownValue(got)}`);
}

/**
 * A shape as a caller may write it: a TensorShape or an array of sizes.
 *
 * @example
 * const shapes: ShapeLike[] = [[2, 3], new TensorShape([2, 3])];
 * const tensors = shapes.map((shape) => Tensor.zeros(shape));
 * tensors.map((tensor) => tensor.numElements); // => [6, 6]
 * for (const tensor of tensors) tensor.dispose();
 */
export type ShapeLike = TensorShape | readonly number[];

/**
 * Allocates a buffer for `count` elements. Returns null if the count is 0 (unless the allocator returns opaque handles).
 *
 * If the options name an allocator and it has no room, returns a buffer without data, as TensorFlow does: the tensor is then not
 * initialized. If the default allocator has no room, throws RESOURCE_EXHAUSTED naming the bytes.
 */
export function allocateBuffer(dtype: DType, count: number, options: AllocationOptions = noOptions): TensorBuffer | null {
  if (options !== noOptions) checkAllocation(options);
  const { allocator = defaultAllocator(), attributes } = options;
  if (count === 0 && !allocator.allocatesOpaqueHandle()) return null;
  const buffer = new Buffer(dtype, allocator, count, attributes);
  return buffer.hasData || options.allocator !== undefined ? buffer : refuseNoRoom(buffer, count);
}

/** Throws INVALID_ARGUMENT unless the options are an object whose `allocator`, if set, is an Allocator. */
function checkAllocation(options: AllocationOptions): void {
  checkObject(options, "options");
  if (options.allocator !== undefined) checkAllocator(options.allocator);
}

/** Frees a buffer that has no data and throws RESOURCE_EXHAUSTED with the allocator's report. */
function refuseNoRoom(buffer: Buffer, count: number): never {
  const { allocator, dtype, size } = buffer;
  buffer.unref();
  throw exhaustedError(allocator, size, `cannot allocate ${size} bytes for ${count} elements of ${dtype}`);
}

/**
 * Returns the sealed shape and a new buffer for a tensor. The bytes are uninitialized; elements of object dtypes have their
 * default values. Lack of room is handled as by `allocateBuffer`. `call` is given if the options come from the caller of that function:
 * unknown keys then throw INVALID_ARGUMENT.
 */
export function allocateParts(dtype: DType, shape: ShapeLike, options: AllocationOptions = noOptions, call: string = ""): TensorParts {
  if (options !== noOptions && call !== "") checkOptions(call, options, kAllocationKeys);
  const sealed = TensorShape.sealed(shape, elementKind(dtype).dataType);
  return { shape: sealed, buffer: allocateBuffer(dtype, sealed.numElements, options) };
}

/** As allocateParts, for callers that fill the buffer at once: throws RESOURCE_EXHAUSTED if any allocator has no room. */
export function allocateFilledParts(dtype: DType, shape: ShapeLike, options: AllocationOptions = noOptions): TensorParts {
  const parts = allocateParts(dtype, shape, options);
  const { buffer } = parts;
  if (buffer === null || buffer.hasData) return parts;
  const bytes = buffer.size;
  buffer.unref();
  const what = `cannot allocate ${bytes} bytes for a tensor of shape ${parts.shape.debugString()} and dtype ${dtype}`;
  throw exhaustedError(options.allocator ?? defaultAllocator(), bytes, what);
}

/**
 * Copies `count` elements from one buffer to another. Elements of object dtypes are copied one by one, and the overwritten values are
 * destroyed. The ranges must lie in the buffers and need not be aligned. Adds to bytesCopied. Throws FAILED_PRECONDITION if
 * a buffer has no data.
 */
export function copyElements(
  dtype: DType,
  source: TensorBuffer,
  sourceStart: number,
  target: TensorBuffer,
  targetStart: number,
  count: number,
): void {
  if (count === 0) return;
  if (isObjectDType(dtype)) {
    const from = source.elements;
    const to = target.elements;
    if (from === null || to === null) throw new FailedPreconditionError("elements cannot be copied: a buffer has no data");
    const first = source.elementOffset + sourceStart;
    const values = from.slice(first, first + count);
    storeObjects(to, target.elementOffset + targetStart, dtype, values);
    if (dtype === "string") for (const bytes of values) countCopied((bytes as Uint8Array).byteLength);
    return;
  }
  const size = elementSizeOf(dtype);
  const bytes = source.bytes().subarray(sourceStart * size, (sourceStart + count) * size);
  target.bytes().set(bytes, targetStart * size);
  countCopied(bytes.byteLength);
}
