/**
 * StridedGeometry: the offset, sizes and strides of a strided map, and the functions that compute the geometry of each view (slice, chip,
 * transpose, …). They do not access memory. All offsets and strides are counted in elements.
 *
 *     reverse   offset += (size - 1) * stride, stride = -stride        transpose   sizes and strides change places
 *     slice     offset += start * stride, stride *= step               broadcast   stride = 0
 *
 * The view of a geometry that fits its memory fits that memory, too. If a size is 0, the offset does not change; a dimension of size 1
 * keeps its stride. So no offset and no stride grows beyond the memory.
 */
import { sliceHint } from "./slice-hint.ts";
import { InvalidArgumentError } from "@onebuffer/base";
import { isArray, shownValue } from "@onebuffer/base/internal";
import { resolveAxes, resolveAxis } from "./axis.ts";
import { indexError, isIndex } from "./map-errors.ts";
import { checkRank, product } from "./map-geometry.ts";
import { kMaxSmallSlots } from "./map-storage.ts";
import type { SliceRange } from "./indices.ts";

/** Where the elements of a strided map are: element (i, j, …) has the offset `offset + i * strides[0] + j * strides[1] + …`. */
export interface StridedGeometry {
  readonly offset: number;
  readonly dims: readonly number[];
  readonly strides: readonly number[];
}

/** Returns the strides of contiguous row-major elements. */
export function rowMajorStrides(dims: readonly number[]): number[] {
  const strides = new Array<number>(dims.length);
  let stride = 1;
  for (let d = dims.length - 1; d >= 0; d--) {
    strides[d] = stride;
    stride *= dims[d] as number;
  }
  return strides;
}

/** Returns true if the elements are contiguous and in row-major order. Strides of dimensions of size 1 do not matter. */
export function isRowMajor({ dims, strides }: StridedGeometry): boolean {
  let expected = 1;
  for (let d = dims.length - 1; d >= 0; d--) {
    const size = dims[d] as number;
    if (size !== 1 && strides[d] !== expected) return dims.includes(0);
    expected *= size;
  }
  return true;
}

/** Returns true if some dimension repeats its elements (size above 1, stride 0). */
export function isBroadcast({ dims, strides }: StridedGeometry): boolean {
  return dims.some((size, d) => size > 1 && strides[d] === 0);
}

/** Returns the lowest element offset and the one after the highest. Both are `offset` if there are no elements. */
export function placeRange({ offset, dims, strides }: StridedGeometry): readonly [low: number, end: number] {
  let low = offset;
  let high = offset;
  for (let d = 0; d < dims.length; d++) {
    const size = dims[d] as number;
    if (size === 0) return [offset, offset];
    const reach = size === 1 ? 0 : (size - 1) * (strides[d] as number);
    if (reach < 0) low += reach;
    else high += reach;
  }
  return [low, high + 1];
}

/** Returns true if an array of `length` slots, the sizes and the strides are small enough for the rank-specialized classes. */
export function isSmallStrided(length: number, dims: readonly number[], strides: readonly number[]): boolean {
  if (length > kMaxSmallSlots) return false;
  for (let d = 0; d < dims.length; d++) {
    if ((dims[d] as number) > kMaxSmallSlots || Math.abs(strides[d] as number) > kMaxSmallSlots) return false;
  }
  return true;
}

/** Resolves a start or stop of a range: a negative one counts from the end, and one outside the dimension is clamped to it. */
function clampBound(bound: number, size: number, step: number): number {
  const place = bound < 0 ? bound + size : bound;
  const lowest = step < 0 ? -1 : 0;
  const highest = step < 0 ? size - 1 : size;
  return place < lowest ? lowest : place > highest ? highest : place;
}

/** Throws INVALID_ARGUMENT unless `value` is an integer, null or undefined. */
function checkBound(name: string, value: unknown, dim: number): void {
  if (value !== null && value !== undefined && !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError(
      `the ${name} of dimension ${dim}'s range must be an integer or null, got ${shownValue(value)}${sliceHint("ranges")}`,
    );
  }
}

/** Throws INVALID_ARGUMENT unless `range` is a SliceRange other than null; `dim` is its dimension. */
export function checkRange(range: unknown, dim: number): void {
  if (!isArray(range)) {
    throw new InvalidArgumentError(
      `the range of dimension ${dim} must be null or [start, stop, step], got ${shownValue(range)}${sliceHint("ranges")}`,
    );
  }
  checkBound("start", range[0], dim);
  checkBound("stop", range[1], dim);
  checkBound("step", range[2], dim);
  if (range[2] === 0) throw new InvalidArgumentError(`the step of dimension ${dim}'s range is 0${sliceHint("ranges")}`);
}

/** A SliceRange that is not null. */
type Range = readonly [start?: number | null, stop?: number | null, step?: number | null];

/** Returns the index of the first element that a checked range selects in a dimension of `size` elements (Python's slice.indices). */
export function rangeStart(range: Range, size: number): number {
  const step = range[2] ?? 1;
  const start = range[0] ?? null;
  return start === null ? (step < 0 ? size - 1 : 0) : clampBound(start, size, step);
}

/** Returns the number of elements that a checked range selects in a dimension of `size` elements. `start` is the result of rangeStart. */
export function rangeCount(range: Range, size: number, start: number): number {
  const step = range[2] ?? 1;
  const bound = range[1] ?? null;
  const stop = bound === null ? (step < 0 ? -1 : size) : clampBound(bound, size, step);
  const span = step < 0 ? start - stop : stop - start;
  if (span <= 0) return 0;
  return step === 1 ? span : Math.ceil(span / Math.abs(step));
}

/** Returns the stride of the `count` elements that a checked range selects in a dimension of stride `stride`. */
export function rangeStride(range: Range, stride: number, count: number): number {
  // Adding 0 turns -0, which engines do not store as a small integer, into 0.
  return count > 1 ? stride * (range[2] ?? 1) + 0 : stride;
}

/** Throws INVALID_ARGUMENT if there are more ranges than dimensions. */
export function checkRangeCount(count: number, dims: readonly number[]): void {
  if (count > dims.length)
    throw new InvalidArgumentError(`${count} ranges for the ${dims.length} dimensions of [${dims}]${sliceHint("ranges")}`);
}

/**
 * Returns the geometry of a slice: one range per dimension, and the whole of each dimension without a range. Throws INVALID_ARGUMENT for an
 * invalid range and for more ranges than dimensions.
 */
export function slicedGeometry(geometry: StridedGeometry, ranges: readonly SliceRange[]): StridedGeometry {
  const dims = geometry.dims.slice();
  const strides = geometry.strides.slice();
  let { offset } = geometry;
  checkRangeCount(ranges.length, dims);
  for (let d = 0; d < ranges.length; d++) {
    const range = ranges[d] as SliceRange;
    if (range === null) continue;
    checkRange(range, d);
    const size = dims[d] as number;
    const stride = strides[d] as number;
    const start = rangeStart(range, size);
    const count = rangeCount(range, size, start);
    dims[d] = count;
    strides[d] = rangeStride(range, stride, count);
    if (count > 0 && start > 0) offset += start * stride;
  }
  return { offset: dims.includes(0) ? geometry.offset : offset, dims, strides };
}

/** Returns the geometry with the listed dimensions reversed. Throws INVALID_ARGUMENT as resolveAxes does. */
export function reversedGeometry({ offset, dims, strides }: StridedGeometry, axes: readonly number[]): StridedGeometry {
  const list = resolveAxes(axes, dims.length, () => `reverse of [${dims}]`);
  const reversed = strides.slice();
  let first = offset;
  for (const d of list) {
    const size = dims[d] as number;
    if (size < 2) continue;
    first += (size - 1) * (strides[d] as number);
    reversed[d] = 0 - (strides[d] as number);
  }
  return { offset: dims.includes(0) ? offset : first, dims, strides: reversed };
}

/**
 * Returns the geometry whose dimension `d` is dimension `axes[d]` of this one. Throws INVALID_ARGUMENT unless `axes` names each dimension
 * once.
 */
export function permutedGeometry(
  { offset, dims, strides }: StridedGeometry,
  axes: readonly number[],
  call: string = "permute",
): StridedGeometry {
  const order = resolveAxes(axes, dims.length, () => `${call} of [${dims}]`);
  if (order.length !== dims.length)
    throw new InvalidArgumentError(`${call} of [${dims}] names ${order.length} of ${dims.length} dimensions: [${order}]`);
  return { offset, dims: order.map((d) => dims[d] as number), strides: order.map((d) => strides[d] as number) };
}

/** Returns the geometry repeated to the sizes `asked` (NumPy's broadcast_to). Throws INVALID_ARGUMENT if the sizes are not compatible. */
export function broadcastGeometry({ offset, dims, strides }: StridedGeometry, asked: readonly number[]): StridedGeometry {
  const target = broadcastSizes(dims, asked);
  const added = target.length - dims.length;
  return { offset, dims: target, strides: target.map((size, d) => (size === dims[d - added] ? (strides[d - added] as number) : 0)) };
}

/** Returns a copy of the sizes `asked`. Throws INVALID_ARGUMENT if `dims` cannot be repeated to them. */
export function broadcastSizes(dims: readonly number[], asked: readonly number[]): readonly number[] {
  const target = checkSizes(asked, "broadcast");
  const added = target.length - dims.length;
  let fits = added >= 0;
  for (let d = 0; fits && d < dims.length; d++) fits = dims[d] === 1 || dims[d] === target[added + d];
  if (!fits) throw new InvalidArgumentError(`[${dims}] cannot be broadcast to [${target}]`);
  if (product(target) > Number.MAX_SAFE_INTEGER)
    throw new InvalidArgumentError(`[${dims}] broadcast to [${target}] has more than 2^53 - 1 elements`);
  return target;
}

/**
 * Returns a copy of a caller's sizes. Throws INVALID_ARGUMENT unless they are an array of at most 254 integers in [0, 2^53); `what` names it
 * in the message.
 */
export function checkSizes(sizes: readonly number[], what: string): number[] {
  if (!isArray(sizes)) throw sizesError(sizes, what);
  checkRank(sizes.length, what);
  for (let d = 0; d < sizes.length; d++) if (!isIndex(sizes[d], 2 ** 53)) throw sizesError(sizes, what, d);
  const copy = sizes.slice();
  for (let d = 0; d < copy.length; d++) copy[d] = (copy[d] as number) + 0;
  return copy;
}

/** Makes the error for sizes that are not an array, or for the size of dimension `d`. Outside checkSizes, so that it can be inlined. */
function sizesError(sizes: readonly number[], what: string, d?: number): InvalidArgumentError {
  const got = shownValue(d === undefined ? sizes : sizes[d]);
  return new InvalidArgumentError(
    d === undefined
      ? `the sizes of ${what} must be an array such as [2, 3], got ${got}`
      : `dimension ${d} of ${what} must be an integer in [0, 2^53), got ${got}`,
  );
}

/**
 * Returns the geometry without dimension `axis`, fixed at `index` (Eigen's chip). Throws INVALID_ARGUMENT for a wrong axis and OUT_OF_RANGE
 * for a wrong index.
 */
export function chippedGeometry({ offset, dims, strides }: StridedGeometry, index: number, axis: number): StridedGeometry {
  const dim = resolveAxis(axis, dims.length, () => `chip of [${dims}]`);
  const size = dims[dim] as number;
  if (!isIndex(index, size)) throw indexError(index, dim, size);
  const others = dims.toSpliced(dim, 1);
  const place = others.includes(0) || index === 0 ? offset : offset + index * (strides[dim] as number);
  return { offset: place, dims: others, strides: strides.toSpliced(dim, 1) };
}

/**
 * Returns the geometry with a new dimension of size 1, which is dimension `axis` of the result. Throws INVALID_ARGUMENT for a wrong axis,
 * and above 254 dimensions.
 */
export function expandedGeometry({ offset, dims, strides }: StridedGeometry, axis: number): StridedGeometry {
  const dim = resolveAxis(axis, dims.length + 1, () => `expandDims of [${dims}]`);
  checkRank(dims.length + 1, "expandDims");
  return { offset, dims: dims.toSpliced(dim, 0, 1), strides: strides.toSpliced(dim, 0, 0) };
}

/**
 * Returns the geometry without the listed dimensions, or without all dimensions of size 1 if `axes` is undefined. Throws INVALID_ARGUMENT
 * if a listed dimension is not of size 1.
 */
export function squeezedGeometry({ offset, dims, strides }: StridedGeometry, axes: readonly number[] | undefined): StridedGeometry {
  const list = axes === undefined ? undefined : resolveAxes(axes, dims.length, () => `squeeze of [${dims}]`);
  const wrong = list?.find((d) => dims[d] !== 1);
  if (wrong !== undefined) {
    throw new InvalidArgumentError(`dimension ${wrong} of [${dims}] has size ${dims[wrong]}, only size 1 can be squeezed`);
  }
  const keep = (_: number, d: number): boolean => (list === undefined ? dims[d] !== 1 : !list.includes(d));
  return { offset, dims: dims.filter(keep), strides: strides.filter(keep) };
}

/** Returns the geometry of patches: `dims` are the sizes of the result, that of a patch along each axis last. */
export function patchesOf(
  { offset, strides }: StridedGeometry,
  dims: readonly number[],
  { axes, strides: steps, dilations }: Readonly<Record<"axes" | "strides" | "dilations", readonly number[]>>,
): StridedGeometry {
  const starts = strides.map((stride, d) => stride * (steps[axes.indexOf(d)] ?? 1));
  return { offset, dims, strides: [...starts, ...axes.map((axis, k) => (strides[axis] as number) * (dilations[k] as number))] };
}
