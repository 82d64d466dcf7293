/**
 * The elements of a row-major tensor that a TensorSlice covers: where the region begins, and whether it is one run of memory.
 *
 * A region is one run if, for some dimension k, every dimension after k is whole and every dimension before k has length 1. Only
 * such a region can be a view, because tensors have no strides.
 */

import type { DType, StatusError } from "@onebuffer/base";
import { dtypeOf, FailedPreconditionError, InvalidArgumentError, isObjectDType, OutOfRangeError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { sliceHint } from "@onebuffer/eigen/internal";
import type { TensorShape } from "@onebuffer/shape";
import type { TensorSlice } from "@onebuffer/slice";
import { countCopied } from "@onebuffer/allocator/internal";
import type { TensorBuffer } from "../buffer/tensor-buffer.ts";
import { checkTensorSlice, isTensorSlice } from "../element/tensor-check.ts";
import type { AllocationOptions, TensorParts } from "../buffer/shape-and-buffer.ts";
import { allocateFilledParts, copyElements } from "../buffer/shape-and-buffer.ts";
import { elementSizeOf } from "../buffer/typed-allocator.ts";

/** A region as `runs` runs of `run` adjacent elements; the first run begins at element `start`. */
export interface Region {
  /** The region's own shape. */
  readonly shape: TensorShape;
  readonly start: number;
  readonly run: number;
  readonly runs: number;
  /** The dimensions outside a run, outermost first: length and distance in elements. */
  readonly outer: readonly { readonly length: number; readonly stride: number }[];
}

/** Returns the region that a slice selects from a shape. Throws INTERNAL, as sliceTensorShape does, if the slice does not fit. */
export function regionOf(whole: TensorShape, slice: TensorSlice): Region {
  checkTensorSlice(slice);
  const shape = slice.sliceTensorShape(whole);
  const rank = whole.dims;
  const count = shape.numElements;
  const outer: { length: number; stride: number }[] = [];
  if (count === 0) return { shape, start: 0, run: 0, runs: 0, outer };
  let start = 0;
  let stride = 1;
  let run = 1;
  let joined = true;
  for (let d = rank - 1; d >= 0; d -= 1) {
    const size = whole.dimSize(d);
    const length = shape.dimSize(d);
    if (!slice.isFullAt(d)) start += slice.start(d) * stride;
    if (joined) run *= length;
    else if (length !== 1) outer.unshift({ length, stride });
    // Dimensions outside a partly covered dimension do not continue the run.
    if (length !== size) joined = false;
    stride *= size;
  }
  return { shape, start, run, runs: count / run, outer };
}

/** Run length in bytes from which copying a block by one call is faster than a loop over its bytes. */
const kBlock = 64;

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
function copyRegion(dtype: DType, source: TensorBuffer, region: Region, target: TensorBuffer): void {
  const { outer, run } = region;
  const index = outer.map(() => 0);
  const raw = !isObjectDType(dtype);
  const size = elementSizeOf(dtype);
  const from = raw ? source.bytes() : new Uint8Array(0);
  const to = raw ? target.bytes() : from;
  const width = run * size;
  let at = region.start;
  for (let done = 0; done < region.runs; done += 1) {
    if (!raw) copyElements(dtype, source, at, target, done * run, run);
    else if (width >= kBlock) to.set(from.subarray(at * size, at * size + width), done * width);
    else for (let i = 0; i < width; i += 1) to[done * width + i] = from[at * size + i] ?? 0;
    for (let axis = outer.length - 1; axis >= 0; axis -= 1) {
      const { length, stride } = outer[axis] ?? { length: 1, stride: 0 };
      const next = (index[axis] ?? 0) + 1;
      if (next < length) {
        index[axis] = next;
        at += stride;
        break;
      }
      index[axis] = 0;
      at -= (length - 1) * stride;
    }
  }
  if (raw) countCopied(width * region.runs);
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
