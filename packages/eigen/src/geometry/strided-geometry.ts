/**
 * StridedGeometry: offset, sizes and strides, and what every view of a StridedMap does to them. Nothing here knows the
 * memory; all counts are in elements.
 *
 *     reverse   offset += (size - 1) * stride, stride = -stride        transpose   sizes and strides change places
 *     slice     offset += start * stride, stride *= step               broadcast   stride = 0
 *
 * A view of a geometry that fits its memory fits it, too. Where a size is 0 the offset stays where it was, and where a size
 * is 1 the stride is kept, so that no number grows beyond the memory.
 */
import { InvalidArgumentError, shownValue } from "@onebuffer/base";
import { resolveAxes, resolveAxis } from "./axis.ts";
import { indexError, isIndex } from "./map-errors.ts";
import { product } from "./map-geometry.ts";
import { kMaxSmallSlots } from "./map-storage.ts";
import type { SliceRange } from "./indices.ts";

/** Where the elements are. */
export interface StridedGeometry {
  readonly offset: number;
  readonly dims: readonly number[];
  readonly strides: readonly number[];
}

/** The strides of row-major elements that lie side by side. */
export function rowMajorStrides(dims: readonly number[]): number[] {
  const strides = new Array<number>(dims.length);
  let stride = 1;
  for (let d = dims.length - 1; d >= 0; d--) {
    strides[d] = stride;
    stride *= dims[d] as number;
  }
  return strides;
}

/** Whether these are row-major elements that lie side by side. */
export function isRowMajor({ dims, strides }: StridedGeometry): boolean {
  let expected = 1;
  for (let d = dims.length - 1; d >= 0; d--) {
    const size = dims[d] as number;
    if (size !== 1 && strides[d] !== expected) return dims.includes(0);
    expected *= size;
  }
  return true;
}

/** Whether some dimension repeats its elements. */
export function isBroadcast({ dims, strides }: StridedGeometry): boolean {
  return dims.some((size, d) => size > 1 && strides[d] === 0);
}

/** The lowest place and the one after the highest; both `offset` without elements. */
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

/** Whether every number fits the rank-specialised classes. The places are known to lie in the array. */
export function isSmallStrided(length: number, dims: readonly number[], strides: readonly number[]): boolean {
  if (length > kMaxSmallSlots) return false;
  for (let d = 0; d < dims.length; d++) {
    if ((dims[d] as number) > kMaxSmallSlots || Math.abs(strides[d] as number) > kMaxSmallSlots) return false;
  }
  return true;
}

/** A start or stop as a place in the dimension: negative counts from the end, outside becomes the nearest bound. */
function clampBound(bound: number, size: number, step: number): number {
  const place = bound < 0 ? bound + size : bound;
  const lowest = step < 0 ? -1 : 0;
  const highest = step < 0 ? size - 1 : size;
  return place < lowest ? lowest : place > highest ? highest : place;
}

/** Throws INVALID_ARGUMENT unless `value` is an integer, null or left out. */
function checkBound(name: string, value: unknown, dim: number): void {
  if (value !== null && value !== undefined && !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError(`the ${name} of dimension ${dim}'s range is an integer or null, got ${shownValue(value)}`);
  }
}

/** Throws INVALID_ARGUMENT unless `range` is a SliceRange other than null; `dim` is its dimension. */
export function checkRange(range: unknown, dim: number): void {
  if (!Array.isArray(range)) {
    throw new InvalidArgumentError(`the range of dimension ${dim} is null or [start, stop, step], got ${shownValue(range)}`);
  }
  checkBound("start", range[0], dim);
  checkBound("stop", range[1], dim);
  checkBound("step", range[2], dim);
  if (range[2] === 0) throw new InvalidArgumentError(`the step of dimension ${dim}'s range is 0`);
}

/** A SliceRange that is not null. */
type Range = readonly [start?: number | null, stop?: number | null, step?: number | null];

/** The index of the first element that a checked range picks of `size` elements (Python's slice.indices). */
export function rangeStart(range: Range, size: number): number {
  const step = range[2] ?? 1;
  const start = range[0] ?? null;
  return start === null ? (step < 0 ? size - 1 : 0) : clampBound(start, size, step);
}

/** The number of elements that a checked range picks of `size`, from `start` on. */
export function rangeCount(range: Range, size: number, start: number): number {
  const step = range[2] ?? 1;
  const bound = range[1] ?? null;
  const stop = bound === null ? (step < 0 ? -1 : size) : clampBound(bound, size, step);
  const span = step < 0 ? start - stop : stop - start;
  if (span <= 0) return 0;
  return step === 1 ? span : Math.ceil(span / Math.abs(step));
}

/** The stride of the elements that a checked range picks, of which there are `count`. */
export function rangeStride(range: Range, stride: number, count: number): number {
  // Adding 0 turns -0, which no engine keeps as a small integer, into 0.
  return count > 1 ? stride * (range[2] ?? 1) + 0 : stride;
}

/** Throws INVALID_ARGUMENT for more ranges than dimensions. */
function checkRangeCount(count: number, dims: readonly number[]): void {
  if (count > dims.length) throw new InvalidArgumentError(`${count} ranges for the ${dims.length} dimensions of [${dims}]`);
}

/** One range per dimension, the remaining ones whole. */
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

/** The listed dimensions backwards. */
export function reversedGeometry({ offset, dims, strides }: StridedGeometry, axes: readonly number[]): StridedGeometry {
  const list = resolveAxes(axes, dims.length, () => `reverse of [${dims}]`);
  const turned = strides.slice();
  let first = offset;
  for (const d of list) {
    const size = dims[d] as number;
    if (size < 2) continue;
    first += (size - 1) * (strides[d] as number);
    turned[d] = 0 - (strides[d] as number);
  }
  return { offset: dims.includes(0) ? offset : first, dims, strides: turned };
}

/** Dimension `d` of the result is dimension `axes[d]`. */
export function permutedGeometry({ offset, dims, strides }: StridedGeometry, axes: readonly number[]): StridedGeometry {
  const order = resolveAxes(axes, dims.length, () => `permute of [${dims}]`);
  if (order.length !== dims.length)
    throw new InvalidArgumentError(`permute of [${dims}] names ${order.length} of ${dims.length} dimensions: [${order}]`);
  return { offset, dims: order.map((d) => dims[d] as number), strides: order.map((d) => strides[d] as number) };
}

/** NumPy's broadcast_to. */
export function broadcastGeometry({ offset, dims, strides }: StridedGeometry, asked: readonly number[]): StridedGeometry {
  const target = checkSizes(asked, "broadcast");
  const added = target.length - dims.length;
  const fits = added >= 0 && dims.every((size, d) => size === target[added + d] || size === 1);
  if (!fits) throw new InvalidArgumentError(`[${dims}] cannot be broadcast to [${target}]`);
  if (product(target) > Number.MAX_SAFE_INTEGER)
    throw new InvalidArgumentError(`[${dims}] broadcast to [${target}] has more than 2^53 - 1 elements`);
  return { offset, dims: target, strides: target.map((size, d) => (size === dims[d - added] ? (strides[d - added] as number) : 0)) };
}

/** A copy of what must be sizes: INVALID_ARGUMENT if they are not. */
export function checkSizes(sizes: readonly number[], what: string): number[] {
  if (!Array.isArray(sizes)) throw new InvalidArgumentError(`the sizes of ${what} come as an array, got ${shownValue(sizes)}`);
  for (let d = 0; d < sizes.length; d++) {
    if (!isIndex(sizes[d], 2 ** 53))
      throw new InvalidArgumentError(`dimension ${d} of ${what} must be an integer in [0, 2^53), got ${shownValue(sizes[d])}`);
  }
  return sizes.map((size: number) => size + 0);
}

/** One dimension fixed. */
export function chippedGeometry({ offset, dims, strides }: StridedGeometry, index: number, axis: number): StridedGeometry {
  const dim = resolveAxis(axis, dims.length, () => `chip of [${dims}]`);
  const size = dims[dim] as number;
  if (!isIndex(index, size)) throw indexError(index, dim, size);
  const others = dims.toSpliced(dim, 1);
  const place = others.includes(0) || index === 0 ? offset : offset + index * (strides[dim] as number);
  return { offset: place, dims: others, strides: strides.toSpliced(dim, 1) };
}

/** A dimension of size 1 that is dimension `axis` of the result. */
export function expandedGeometry({ offset, dims, strides }: StridedGeometry, axis: number): StridedGeometry {
  const dim = resolveAxis(axis, dims.length + 1, () => `expandDims of [${dims}]`);
  return { offset, dims: dims.toSpliced(dim, 0, 1), strides: strides.toSpliced(dim, 0, 0) };
}

/** Without the listed dimensions, which must be of size 1; all such if there is no list. */
export function squeezedGeometry({ offset, dims, strides }: StridedGeometry, axes: readonly number[] | undefined): StridedGeometry {
  const list = axes === undefined ? undefined : resolveAxes(axes, dims.length, () => `squeeze of [${dims}]`);
  const long = list?.find((d) => dims[d] !== 1);
  if (long !== undefined) {
    throw new InvalidArgumentError(`dimension ${long} of [${dims}] has size ${dims[long]}, only size 1 can be squeezed`);
  }
  const keep = (_: number, d: number): boolean => (list === undefined ? dims[d] !== 1 : !list.includes(d));
  return { offset, dims: dims.filter(keep), strides: strides.filter(keep) };
}
