/**
 * RawPlaces: where the bytes of a map's elements are, without their type, and the copy between two such places.
 *
 *     element (i, j)   buffer byte  byteOffset + (i * strides[0] + j * strides[1]) * itemBytes
 *
 * Elements are moved as whole units of 4, 2 or 1 bytes, so that three loops serve all dtypes and no NaN changes its bits.
 * The walk follows the target's memory; where the source runs along another dimension, those two are taken in square
 * tiles, so that neither side jumps through memory for a whole row.
 */
import { ResourceExhaustedError } from "@onebuffer/base";
import { product } from "./map-geometry.ts";
import { isRowMajor, placeRange, rowMajorStrides } from "./strided-geometry.ts";

/** The bytes of a map; sizes and strides in elements. */
export interface RawPlaces {
  readonly buffer: ArrayBufferLike;
  /** Where element (0, 0, …) begins in the buffer. */
  readonly byteOffset: number;
  readonly itemBytes: number;
  readonly dims: readonly number[];
  readonly strides: readonly number[];
}

type Units = Uint8Array<ArrayBufferLike> | Uint16Array<ArrayBufferLike> | Uint32Array<ArrayBufferLike>;

/** One dimension of a copy; steps in units. */
interface Axis {
  readonly size: number;
  readonly from: number;
  readonly to: number;
}

/** Edge of a tile in elements: two tiles of 16-byte elements stay within 32 KiB of first-level cache. */
const TILE = 32;

/** Places of row-major elements that lie side by side, from place `start` of an array on. */
export function densePlaces(array: Uint8Array<ArrayBufferLike>, start: number, itemBytes: number, dims: readonly number[]): RawPlaces {
  const byteOffset = array.byteOffset + start * array.BYTES_PER_ELEMENT;
  return { buffer: array.buffer, byteOffset, itemBytes, dims, strides: rowMajorStrides(dims) };
}

/**
 * Copies as many elements as `to` has, in row-major order on both sides; the sizes may differ, the counts not. Memory may
 * overlap: then the source is set aside first. RESOURCE_EXHAUSTED when there is no room for that.
 */
export function copyPlaces(from: RawPlaces, to: RawPlaces): void {
  const count = product(to.dims);
  if (count === 0) return;
  const denseFrom = isRowMajor(placed(from));
  const denseTo = isRowMajor(placed(to));
  if (denseFrom && denseTo) {
    // The engine's own move, right for overlapping memory, too.
    bytesOf(to, count).set(bytesOf(from, count));
    return;
  }
  const target = denseTo ? withDims(to, from.dims) : to;
  const source = denseFrom ? withDims(from, to.dims) : from;
  const sameDims = source.dims.length === target.dims.length && source.dims.every((size, d) => size === target.dims[d]);
  if (sameDims && !mayOverlap(source, target)) copyApart(source, target);
  else copyApart(withDims(setAside(source, count), target.dims), target);
}

const placed = ({ dims, strides }: RawPlaces): { offset: number; dims: readonly number[]; strides: readonly number[] } => ({
  offset: 0,
  dims,
  strides,
});

const bytesOf = ({ buffer, byteOffset, itemBytes }: RawPlaces, count: number): Uint8Array<ArrayBufferLike> =>
  new Uint8Array(buffer, byteOffset, count * itemBytes);

/** Dense places under other sizes. */
const withDims = (places: RawPlaces, dims: readonly number[]): RawPlaces => ({ ...places, dims, strides: rowMajorStrides(dims) });

/** A dense copy of the elements in memory of its own. */
function setAside(source: RawPlaces, count: number): RawPlaces {
  const bytes = count * source.itemBytes;
  let buffer: ArrayBuffer;
  try {
    buffer = new ArrayBuffer(bytes);
  } catch (cause) {
    throw new ResourceExhaustedError(`no room to set ${bytes} bytes aside: the source shares the target's memory or has other sizes`, {
      cause,
    });
  }
  const copy = withDims({ ...source, buffer, byteOffset: 0 }, source.dims);
  copyApart(source, copy);
  return copy;
}

/** Whether one's bytes may lie within the other's. Two SharedArrayBuffer objects can be one memory. */
export function mayOverlap(a: RawPlaces, b: RawPlaces): boolean {
  if (a.buffer !== b.buffer) return isShared(a.buffer) && isShared(b.buffer);
  const [aLow, aEnd] = byteRange(a);
  const [bLow, bEnd] = byteRange(b);
  return aLow < bEnd && bLow < aEnd;
}

const isShared = (buffer: ArrayBufferLike): boolean => Object.prototype.toString.call(buffer) === "[object SharedArrayBuffer]";

function byteRange(places: RawPlaces): readonly [number, number] {
  const [low, end] = placeRange(placed(places));
  return [places.byteOffset + low * places.itemBytes, places.byteOffset + end * places.itemBytes];
}

/** Copies between places of equal sizes that do not overlap. */
function copyApart(from: RawPlaces, to: RawPlaces): void {
  const { itemBytes } = from;
  // The widest unit both sides are aligned for; an element is one or more of them.
  const misaligned = from.byteOffset | to.byteOffset | itemBytes;
  const unit = misaligned % 4 === 0 ? 4 : misaligned % 2 === 0 ? 2 : 1;
  const perItem = itemBytes / unit;
  const axes = axesOf(from, to, perItem);
  const rows = axes.at(-2) as Axis;
  const columns = axes.at(-1) as Axis;
  const source = unitsOf(from.buffer, unit);
  const target = unitsOf(to.buffer, unit);
  const outer = axes.slice(0, -2);
  const runs = columns.from === perItem && columns.to === perItem;
  forEachPlane(outer, from.byteOffset / unit, to.byteOffset / unit, (read, write) => {
    if (runs) copyRuns(source, target, read, write, rows, columns.size * perItem);
    else if (perItem === 1) copyTiles(source, target, read, write, rows, columns);
    else copyWideTiles(source, target, read, write, rows, columns, perItem);
  });
}

function unitsOf(buffer: ArrayBufferLike, unit: 1 | 2 | 4): Units {
  const length = Math.floor(buffer.byteLength / unit);
  if (unit === 4) return new Uint32Array(buffer, 0, length);
  return unit === 2 ? new Uint16Array(buffer, 0, length) : new Uint8Array(buffer, 0, length);
}

/**
 * The dimensions in the target's order, those that both sides step through alike made one; at least two. The last is
 * the target's fastest, the one before it the source's, if that is another.
 */
function axesOf(from: RawPlaces, to: RawPlaces, perItem: number): Axis[] {
  const axes: Axis[] = from.dims
    .map((size, d) => ({ size, from: (from.strides[d] as number) * perItem, to: (to.strides[d] as number) * perItem }))
    .filter(({ size }) => size !== 1)
    .sort((a, b) => Math.abs(b.to) - Math.abs(a.to));
  for (let k = axes.length - 2; k >= 0; k--) {
    const outer = axes[k] as Axis;
    const inner = axes[k + 1] as Axis;
    if (outer.from !== inner.size * inner.from || outer.to !== inner.size * inner.to) continue;
    axes.splice(k, 2, { size: outer.size * inner.size, from: inner.from, to: inner.to });
  }
  while (axes.length < 2) axes.unshift({ size: 1, from: 0, to: 0 });
  const fastest = axes.reduce((best, axis, k) => (Math.abs(axis.from) < Math.abs((axes[best] as Axis).from) ? k : best), axes.length - 1);
  if (fastest < axes.length - 2) axes.splice(axes.length - 2, 0, ...axes.splice(fastest, 1));
  return axes;
}

/** Calls `plane` for each choice of the outer dimensions. */
function forEachPlane(outer: readonly Axis[], from: number, to: number, plane: (read: number, write: number) => void): void {
  const index = outer.map(() => 0);
  let read = from;
  let write = to;
  for (;;) {
    plane(read, write);
    let d = outer.length - 1;
    for (; d >= 0; d--) {
      const axis = outer[d] as Axis;
      const next = (index[d] as number) + 1;
      read += axis.from;
      write += axis.to;
      index[d] = next;
      if (next < axis.size) break;
      read -= next * axis.from;
      write -= next * axis.to;
      index[d] = 0;
    }
    if (d < 0) return;
  }
}

/** A plane whose rows are runs of units on both sides. */
function copyRuns(source: Units, target: Units, from: number, to: number, rows: Axis, length: number): void {
  for (let i = 0; i < rows.size; i++) {
    const read = from + i * rows.from;
    target.set(source.subarray(read, read + length), to + i * rows.to);
  }
}

/** A plane of one-unit elements. The places lie within the arrays, so the reads are never undefined. */
function copyTiles(source: Units, target: Units, from: number, to: number, rows: Axis, columns: Axis): void {
  for (let i0 = 0; i0 < rows.size; i0 += TILE) {
    const i1 = Math.min(i0 + TILE, rows.size);
    for (let j0 = 0; j0 < columns.size; j0 += TILE) {
      const j1 = Math.min(j0 + TILE, columns.size);
      for (let i = i0; i < i1; i++) {
        let read = from + i * rows.from + j0 * columns.from;
        let write = to + i * rows.to + j0 * columns.to;
        for (let j = j0; j < j1; j++) {
          target[write] = source[read] as number;
          read += columns.from;
          write += columns.to;
        }
      }
    }
  }
}

/** A plane of elements of several units. */
function copyWideTiles(source: Units, target: Units, from: number, to: number, rows: Axis, columns: Axis, perItem: number): void {
  for (let i0 = 0; i0 < rows.size; i0 += TILE) {
    const i1 = Math.min(i0 + TILE, rows.size);
    for (let j0 = 0; j0 < columns.size; j0 += TILE) {
      const j1 = Math.min(j0 + TILE, columns.size);
      for (let i = i0; i < i1; i++) {
        let read = from + i * rows.from + j0 * columns.from;
        let write = to + i * rows.to + j0 * columns.to;
        for (let j = j0; j < j1; j++) {
          for (let k = 0; k < perItem; k++) target[write + k] = source[read + k] as number;
          read += columns.from;
          write += columns.to;
        }
      }
    }
  }
}
