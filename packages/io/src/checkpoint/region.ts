/**
 * Region: a rectangular part of a tensor as starts and sizes, and the copy between the arrays of two regions.
 *
 * TensorSlice has no size for a full dimension; a Region always has one.
 */
import { argumentError } from "@onebuffer/base/internal";
import type { TensorShape } from "@onebuffer/shape";
import type { TensorSlice } from "@onebuffer/slice";

/** A start and a size per dimension. */
export interface Region {
  readonly starts: readonly number[];
  readonly sizes: readonly number[];
}

/** A step along one dimension of a copy, in elements of each side. */
export interface RegionAxis {
  readonly size: number;
  readonly source: number;
  readonly target: number;
}

/** The copy of the common part of two regions, whose arrays are dense and row-major. The innermost axis is the first. */
export interface RegionCopy {
  readonly sourceAt: number;
  readonly targetAt: number;
  readonly axes: readonly RegionAxis[];
  /** True if the common part is the whole source. */
  readonly isWholeSource: boolean;
}

/** Returns a copy of a slice that a caller gave. Throws INVALID_ARGUMENT for anything else. */
export function clonedSlice(slice: TensorSlice): TensorSlice {
  const { sliceTensorShape, clone } = (slice ?? {}) as Partial<TensorSlice>;
  if (typeof sliceTensorShape !== "function" || typeof clone !== "function") throw argumentError("a TensorSlice", slice);
  return slice.clone();
}

/** Returns the region of a slice of a tensor. Throws INTERNAL, as TensorFlow does, if the slice does not fit the shape. */
export function regionOf(slice: TensorSlice, shape: TensorShape): Region {
  const sizes = slice.sliceTensorShape(shape).dimSizes;
  return { starts: sizes.map((_, d) => (slice.isFullAt(d) ? 0 : slice.start(d))), sizes };
}

/** Returns the region of a whole tensor. */
export function wholeRegion(shape: TensorShape): Region {
  return { starts: new Array<number>(shape.dims).fill(0), sizes: shape.dimSizes };
}

/** Plans the copy of the common part of two regions of one tensor. Returns null if there is none. */
export function planRegionCopy(source: Region, target: Region): RegionCopy | null {
  let sourceAt = 0;
  let targetAt = 0;
  let sourceStep = 1;
  let targetStep = 1;
  let isWholeSource = true;
  const axes: RegionAxis[] = [];
  for (let d = source.sizes.length - 1; d >= 0; d--) {
    const [sourceStart = 0, targetStart = 0] = [source.starts[d], target.starts[d]];
    const [sourceSize = 0, targetSize = 0] = [source.sizes[d], target.sizes[d]];
    const start = Math.max(sourceStart, targetStart);
    const size = Math.min(sourceStart + sourceSize, targetStart + targetSize) - start;
    if (size <= 0) return null;
    if (size !== sourceSize) isWholeSource = false;
    sourceAt += (start - sourceStart) * sourceStep;
    targetAt += (start - targetStart) * targetStep;
    axes.push({ size, source: sourceStep, target: targetStep });
    sourceStep *= sourceSize;
    targetStep *= targetSize;
  }
  return { sourceAt, targetAt, axes, isWholeSource };
}
