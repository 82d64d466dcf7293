/**
 * Which elements of a row-major tensor a TensorSlice covers: where the region begins, and whether it is one run.
 *
 * A region is one run of memory when every dimension after some dimension k is whole and every one before k has length
 * 1; only then can a view show it, for tensors have no strides.
 */

import type { DType, StatusError } from "@onebuffer/base";
import { argumentError, dtypeOf, FailedPreconditionError, InvalidArgumentError, isObjectDType, OutOfRangeError } from "@onebuffer/base";
import type { TensorShape } from "@onebuffer/shape";
import type { TensorSlice } from "@onebuffer/slice";
import { countCopied } from "@onebuffer/allocator";
import type { TensorBuffer } from "../buffer/tensor-buffer.ts";
import { checkTensorSlice } from "../element/tensor-check.ts";
import type { AllocationOptions, TensorParts } from "../buffer/shape-and-buffer.ts";
import { allocateFilledParts, copyElements } from "../buffer/shape-and-buffer.ts";
import { elementSizeOf } from "../buffer/typed-allocator.ts";

/** A region as `runs` runs of `run` neighbouring elements, the first at element `start`. */
export interface Region {
  /** The region's own shape. */
  readonly shape: TensorShape;
  readonly start: number;
  readonly run: number;
  readonly runs: number;
  /** The dimensions before the runs' own, outermost first: length and distance in elements. */
  readonly outer: readonly { readonly length: number; readonly stride: number }[];
}

/** The region a slice cuts from a shape. Throws INTERNAL, as sliceTensorShape, when it does not fit. */
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
    // Once a dimension is cut, the dimensions before it no longer continue the run.
    if (length !== size) joined = false;
    stride *= size;
  }
  return { shape, start, run, runs: count / run, outer };
}

/** From so many bytes on, one call that copies a block beats a loop over its bytes. */
const kBlock = 64;

/** A slice's region as fresh parts. Throws INTERNAL when it does not fit, FAILED_PRECONDITION when there is nothing to copy from. */
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

/** Copies a region's elements, in row-major order, to the start of `target`. Counts into bytesCopied. */
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

/** Why rows were refused; apart from Tensor.slice, which stays small enough to be inlined. */
export function rowsError(shape: TensorShape, start: number, limit: unknown): StatusError {
  if (typeof limit !== "number") return argumentError("a limit that is a number", limit);
  return new OutOfRangeError(
    `slice(${start}, ${limit}) of a tensor of shape ${shape.debugString()}: expected 0 <= start <= limit <= ${shape.dimSize(0)}`,
  );
}

/** The size of dimension 0. Throws INVALID_ARGUMENT for a scalar; `call` names the method that asks. */
export function rowCount(shape: TensorShape, call: string): number {
  if (shape.dims < 1) throw new InvalidArgumentError(`${call} of a scalar: there is no dimension 0`);
  return shape.dimSize(0);
}
