/**
 * The two things a Tensor is made of, for the functions that do its work: a shape and a buffer.
 *
 * Those functions live in files of their own below tensor.ts and take these parts, or a whole Tensor, which has them.
 */

import type { DType } from "@onebuffer/base";
import { checkObject, FailedPreconditionError, isObjectDType, ResourceExhaustedError } from "@onebuffer/base";
import { storeObjects } from "@onebuffer/eigen";
import { TensorShape } from "@onebuffer/shape";
import type { AllocationAttributes, Allocator } from "@onebuffer/allocator";
import { Buffer } from "./buffer.ts";
import { countCopied, defaultAllocator } from "@onebuffer/allocator";
import { elementKind } from "../element/element-kind.ts";
import type { TensorBuffer } from "./tensor-buffer.ts";
import { checkAllocator } from "@onebuffer/allocator/internal";
import { elementSizeOf } from "./typed-allocator.ts";
// These two register how their elements begin, are copied and end; no tensor without them.
import "../element/resource-handle.ts";
import "../element/variant.ts";

/**
 * A sealed shape (it carries the dtype) and the buffer, if there is one. Whoever receives parts as a result owns the
 * reference.
 */
export interface TensorParts {
  readonly shape: TensorShape;
  readonly buffer: TensorBuffer | null;
}

/** Where a new tensor's bytes come from. */
export interface AllocationOptions {
  /** The default is `defaultAllocator()`. */
  readonly allocator?: Allocator;
  readonly attributes?: AllocationAttributes;
}

/** No options: the same object for every tensor. */
export const noOptions: AllocationOptions = Object.freeze({});

/** The dtype that options name, float32 unless they do; INVALID_ARGUMENT for what is no options. */
export function dtypeOption<D extends DType>(options: { readonly dtype?: D }): D {
  checkObject(options, "options");
  return options.dtype ?? ("float32" as D);
}

/** Sizes of a shape as callers may write them. */
export type ShapeLike = TensorShape | readonly number[];

/**
 * A buffer for `count` elements, or null for none (an allocator of opaque handles is asked all the same).
 *
 * An explicit allocator without room gives a buffer without data, as in TensorFlow: the tensor is not initialized.
 * Without one, that throws RESOURCE_EXHAUSTED naming the bytes.
 */
export function allocateElements(dtype: DType, count: number, options: AllocationOptions = noOptions): TensorBuffer | null {
  if (options !== noOptions) checkOptions(options);
  const { allocator = defaultAllocator(), attributes } = options;
  if (count === 0 && !allocator.allocatesOpaqueHandle()) return null;
  const buffer = new Buffer(dtype, allocator, count, attributes);
  return buffer.hasData || options.allocator !== undefined ? buffer : refuseNoRoom(buffer, count);
}

/** Throws INVALID_ARGUMENT unless the options are an object, and the allocator among them, if there is one, an allocator. */
function checkOptions(options: AllocationOptions): void {
  checkObject(options, "options");
  if (options.allocator !== undefined) checkAllocator(options.allocator);
}

/** Gives up a buffer without data, and says why it has none. */
function refuseNoRoom(buffer: Buffer, count: number): never {
  const { allocator, dtype, size } = buffer;
  buffer.unref();
  throw new ResourceExhaustedError(`cannot allocate ${size} bytes for ${count} elements of ${dtype}${reportOf(allocator, size)}`);
}

/** What the allocator has to say about its lack of room, below the error's own line. */
function reportOf(allocator: Allocator, bytes: number): string {
  const report = allocator.exhaustionReport(bytes);
  return report === "" ? "" : `\n${report}`;
}

/**
 * Shape and fresh buffer of a new tensor. The contents are whatever the allocator gave, default values for object
 * dtypes.
 */
export function allocateParts(dtype: DType, shape: ShapeLike, options: AllocationOptions = noOptions): TensorParts {
  const sealed = TensorShape.sealed(shape, elementKind(dtype).dataType);
  return { shape: sealed, buffer: allocateElements(dtype, sealed.numElements, options) };
}

/** As allocateParts, for makers that fill the buffer at once: without room RESOURCE_EXHAUSTED, whatever the allocator. */
export function allocateFilledParts(dtype: DType, shape: ShapeLike, options: AllocationOptions = noOptions): TensorParts {
  const parts = allocateParts(dtype, shape, options);
  const { buffer } = parts;
  if (buffer === null || buffer.hasData) return parts;
  const bytes = buffer.size;
  buffer.unref();
  const report = reportOf(options.allocator ?? defaultAllocator(), bytes);
  throw new ResourceExhaustedError(
    `cannot allocate ${bytes} bytes for a tensor of shape ${parts.shape.debugString()} and dtype ${dtype}${report}`,
  );
}

/**
 * Copies `count` elements between buffers, element by element for object dtypes (the overwritten values end).
 * The ranges must lie in the buffers; alignment does not matter. Counts into bytesCopied.
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
