/**
 * The elements of a row-major tensor that a TensorSlice covers: where the region begins, and whether it is one run of memory.
 *
 * A region is one run if, for some dimension k, every dimension after k is whole and every dimension before k has length 1. Only
 * such a region can be a view, because tensors have no strides.
 */

import type { DType, StatusError } from "@onebuffer/base";
import { dtypeOf, FailedPreconditionError, InvalidArgumentError, isObjectDType, OutOfRangeError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { copyPlaces, densePlaces, forEachRow, rowMajorStrides, sliceHint } from "@onebuffer/storage/internal";
import type { TensorShape } from "@onebuffer/shape";
import type { TensorSlice } from "@onebuffer/slice";
import { countCopied } from "@onebuffer/allocator/internal";
import type { TensorBuffer } from "../buffer/tensor-buffer.ts";
import { checkTensorSlice, isTensorSlice } from "../element/tensor-check.ts";
import type { AllocationOptions, TensorParts } from "../buffer/shape-and-buffer.ts";
import { allocateFilledParts, copyElements } from "../buffer/shape-and-buffer.ts";
import { elementSizeOf } from "../buffer/typed-allocator.ts";

/** A region as `runs` runs of adjacent elements; the first run begins at element `start`. */
export interface Region {
  /** The region's own shape. */
  readonly shape: TensorShape;
  readonly start: number;
  readonly runs: number;
  /** The distances in elements along the dimensions: those of the whole tensor. */
  readonly strides: readonly number[];
}

/** Returns the region that a slice selects from a shape. Throws INTERNAL, as sliceTensorShape does, if the slice does not fit. */
export function regionOf(whole: TensorShape, slice: TensorSlice): Region {
  checkTensorSlice(slice);
  const shape = slice.sliceTensorShape(whole);
  const count = shape.numElements;
  const strides = rowMajorStrides(whole.dimSizes);
  if (count === 0) return { shape, start: 0, runs: 0, strides };
  let start = 0;
  let run = 1;
  let joined = true;
  for (let d = whole.dims - 1; d >= 0; d -= 1) {
    const length = shape.dimSize(d);
    if (!slice.isFullAt(d)) start += slice.start(d) * strides[d]!;
    if (joined) run *= length;
    // Dimensions outside a partly covered dimension do not continue the run.
    if (length !== whole.dimSize(d)) joined = false;
  }
  return { shape, start, runs: count / run, strides };
}

/** Returns the region that a slice selects as one run of memory. Throws FAILED_PRECONDITION if it is several. */
export function viewedRegion(shape: TensorShape, slice: TensorSlice): Region {
  checkRegion(slice);
  const region = regionOf(shape, slice);
  if (region.runs <= 1) return region;
  throw new FailedPreconditionError(
    `slice ${slice.debugString()} of shape ${shape.debugString()} is ${region.runs} runs of memory, no view can show it; copySlice copies it`,
  );
}

/**
 * Returns a slice's region as fresh parts. Throws INTERNAL if it does not fit, FAILED_PRECONDITION if the tensor is not
 * initialized.
 */
export function copiedRegion({ shape, buffer }: TensorParts, slice: TensorSlice, options: AllocationOptions): TensorParts {
  const dtype = dtypeOf(shape.dataType);
  const region = regionOf(shape, slice);
  if (region.runs > 0 && buffer?.hasData !== true) throw new FailedPreconditionError("copySlice of a tensor that is not initialized");
  const parts = allocateFilledParts(dtype, region.shape, options);
  if (buffer === null || parts.buffer === null) return parts;
  let done = false;
  try {
    copyRegion(dtype, buffer, region, parts.buffer);
    done = true;
  } finally {
    if (!done) parts.buffer.unref();
  }
  return parts;
}

/** Copies a region's elements, in row-major order, to the start of `target`. Counts the copied bytes. */
function copyRegion(dtype: DType, source: TensorBuffer, { shape, start, strides }: Region, target: TensorBuffer): void {
  const dims = shape.dimSizes;
  if (isObjectDType(dtype)) {
    let done = 0;
    forEachRow({ offset: start, dims, strides }, (place, count, stride) => {
      const run = stride === 1 ? count : 1;
      for (let k = 0; k < count; k += run) copyElements(dtype, source, place + k * stride, target, done + k, run);
      done += count;
    });
    return;
  }
  const itemBytes = elementSizeOf(dtype);
  const { buffer, byteOffset } = source.bytes();
  const to = densePlaces(target.bytes(), 0, itemBytes, dims);
  copyPlaces({ buffer, byteOffset: byteOffset + start * itemBytes, itemBytes, dims, strides }, to);
  countCopied(shape.numElements * itemBytes);
}

/** Throws INVALID_ARGUMENT, naming the other kinds of slice, unless the value is a TensorSlice. */
export function checkRegion(slice: unknown): void {
  if (!isTensorSlice(slice))
    throw new InvalidArgumentError(`slice(${shownValue(slice)}): expected a row number or a TensorSlice${sliceHint("rows")}`);
}

/** The reason why a row range is refused. Not part of Tensor.slice, so that slice stays small enough to be inlined. */
export function rowsError(shape: TensorShape, start: number, limit: unknown): StatusError {
  if (typeof limit !== "number")
    return new InvalidArgumentError(`slice(${start}, …): the limit must be a number, got ${shownValue(limit)}${sliceHint("rows")}`);
  return new OutOfRangeError(
    `slice(${start}, ${limit}) of a tensor of shape ${shape.debugString()}: expected 0 <= start <= limit <= ${shape.dimSize(0)}${sliceHint("rows")}`,
  );
}

/** Returns the size of dimension 0. Throws INVALID_ARGUMENT for a scalar; `call` is the method's name for the message. */
export function rowCount(shape: TensorShape, call: string): number {
  if (shape.dims < 1) throw new InvalidArgumentError(`${call} of a scalar: there is no dimension 0`);
  return shape.dimSize(0);
}
