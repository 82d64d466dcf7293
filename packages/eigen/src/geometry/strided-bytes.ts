/**
 * RawPlaces: where the bytes of a map's elements are, without their type, and the copy between two such places.
 *
 *     element (i, j)   buffer byte  byteOffset + (i * strides[0] + j * strides[1]) * itemBytes
 *
 * The copy itself is copyStrided (strided-copy.ts), which moves bits, so no NaN changes.
 */
import { sameSizes } from "./same-sizes.ts";
import { ResourceExhaustedError } from "@onebuffer/base";
import { product } from "./map-geometry.ts";
import { bitSlots, copyStrided, slotBytesFor } from "./strided-copy.ts";
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
  if (sameSizes(source.dims, target.dims) && !mayOverlap(source, target)) copyApart(source, target);
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
  const slotBytes = slotBytesFor(from.byteOffset, to.byteOffset, itemBytes);
  const slots = itemBytes / slotBytes;
  const axes = from.dims.map((size, d) => ({ size, source: from.strides[d]! * slots, target: to.strides[d]! * slots }));
  const source = bitSlots(from.buffer, slotBytes);
  const target = bitSlots(to.buffer, slotBytes);
  copyStrided(source, from.byteOffset / slotBytes, target, to.byteOffset / slotBytes, axes, slots);
}
