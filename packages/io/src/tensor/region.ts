/**
 * Region: a rectangular part of a tensor as starts and sizes, and the copy between the arrays of two regions.
 *
 * TensorSlice has no size for a full dimension; a Region always has one.
 */
import { InvalidArgumentError, OutOfRangeError } from "@onebuffer/base";
import { argumentError } from "@onebuffer/base/internal";
import type { TensorShape } from "@onebuffer/shape";
import type { TensorSlice } from "@onebuffer/slice";
import { product } from "@onebuffer/storage/internal";

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

/**
 * Returns the region of a slice of a tensor in a file. Throws INVALID_ARGUMENT for anything but a slice of as many dimensions as the tensor
 * has, with lengths that are not negative; OUT_OF_RANGE if it ends behind the tensor. `subject` names the tensor in messages.
 */
export function regionOfSlice(subject: string, slice: TensorSlice, shape: readonly number[]): Region {
  const given = clonedSlice(slice);
  const what = `${subject} of shape [${shape.join(",")}]: the slice ${given.debugString()}`;
  if (given.dims !== shape.length)
    throw new InvalidArgumentError(`${what} has ${given.dims} extents, the tensor has ${shape.length} dimensions`);
  const region = shape.map((size, d) => {
    if (given.isFullAt(d)) return [0, size] as const;
    const [start, end] = [given.start(d), given.end(d)];
    if (start < 0 || end < start) throw new InvalidArgumentError(`${what} has the extent ${start},${end - start} in dimension ${d}`);
    if (end > size) throw new OutOfRangeError(`${what} is ${start} to ${end} in dimension ${d}, which has ${size}`);
    return [start, end - start] as const;
  });
  return { starts: region.map(([start]) => start), sizes: region.map(([, size]) => size) };
}

/** Returns true if a region of a tensor of this shape has all its elements. */
export function isWholeRegion({ sizes }: Region, shape: readonly number[]): boolean {
  return sizes.every((size, d) => size === shape[d]);
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

/**
 * Plans the copy of a region of a dense array, row-major or column-major, to a dense row-major array of the region's sizes. Returns null if
 * the region has no elements.
 */
export function planPartCopy(shape: readonly number[], { starts, sizes }: Region, isColumnMajor: boolean): RegionCopy | null {
  if (sizes.includes(0)) return null;
  const axes: RegionAxis[] = [];
  let sourceAt = 0;
  let sourceStep = 1;
  const targetSteps = sizes.map((_, d) => product(sizes.slice(d + 1)));
  // From the dimension whose elements are adjacent in the source to the outermost one.
  const order = isColumnMajor ? shape.keys() : [...shape.keys()].reverse();
  for (const d of order) {
    sourceAt += (starts[d] as number) * sourceStep;
    axes.push({ size: sizes[d] as number, source: sourceStep, target: targetSteps[d] as number });
    sourceStep *= shape[d] as number;
  }
  return { sourceAt, targetAt: 0, axes, isWholeSource: isWholeRegion({ starts, sizes }, shape) };
}
