/**
 * RawPlaces: the location of a map's elements as bytes of a buffer, without their dtype, and the copy between two such locations.
 *
 *     element (i, j)   buffer byte  byteOffset + (i * strides[0] + j * strides[1]) * itemBytes
 *
 * The copy is made by copyStrided (strided-copy.ts), which moves bit patterns, so that every NaN keeps its bits.
 */
import { sameSizes } from "./same-sizes.ts";
import { ResourceExhaustedError } from "@onebuffer/base";
import { interleaved } from "./interleaved.ts";
import type { ByteAccess } from "./interleaved.ts";
import { product } from "./map-geometry.ts";
import { bitSlots, copyStrided, slotBytesFor } from "./strided-copy.ts";
import { isRowMajor, placeRange, rowMajorStrides } from "./strided-geometry.ts";

/** The location of a map's bytes. Sizes and strides are in elements. */
export interface RawPlaces {
  readonly buffer: ArrayBufferLike;
  /** The offset of element (0, 0, …) in the buffer, in bytes. */
  readonly byteOffset: number;
  /** The size of an element in bytes. */
  readonly itemBytes: number;
  readonly dims: readonly number[];
  readonly strides: readonly number[];
}

/** Returns the location of contiguous row-major elements that start at slot `start` of an array. */
export function densePlaces(array: Uint8Array<ArrayBufferLike>, start: number, itemBytes: number, dims: readonly number[]): RawPlaces {
  const byteOffset = array.byteOffset + start * array.BYTES_PER_ELEMENT;
  return { buffer: array.buffer, byteOffset, itemBytes, dims, strides: rowMajorStrides(dims) };
}

/**
 * Copies all elements of `to` from `from`, in row-major order on both sides. The element counts must agree; the sizes may differ. The two
 * may overlap in memory: the source is then copied to a temporary buffer first.
 *
 * Throws RESOURCE_EXHAUSTED if that buffer cannot be allocated.
 */
export function copyPlaces(from: RawPlaces, to: RawPlaces): void {
  const count = product(to.dims);
  if (count === 0) return;
  const denseFrom = isRowMajor(relativeGeometry(from));
  const denseTo = isRowMajor(relativeGeometry(to));
  if (denseFrom && denseTo) {
    // Correct for overlapping memory, too.
    bytesOf(to, count).set(bytesOf(from, count));
    return;
  }
  const target = denseTo ? withDims(to, from.dims) : to;
  const source = denseFrom ? withDims(from, to.dims) : from;
  if (sameSizes(source.dims, target.dims) && !mayOverlap(source, target)) copyDisjoint(source, target);
  else copyDisjoint(withDims(temporaryCopy(source, count), target.dims), target);
}

/** The geometry of `places` relative to its own first element. */
const relativeGeometry = ({ dims, strides }: RawPlaces): { offset: number; dims: readonly number[]; strides: readonly number[] } => ({
  offset: 0,
  dims,
  strides,
});

/** The bytes of `count` contiguous elements. */
const bytesOf = ({ buffer, byteOffset, itemBytes }: RawPlaces, count: number): Uint8Array<ArrayBufferLike> =>
  new Uint8Array(buffer, byteOffset, count * itemBytes);

/** The same contiguous elements under other sizes. */
const withDims = (places: RawPlaces, dims: readonly number[]): RawPlaces => ({ ...places, dims, strides: rowMajorStrides(dims) });

/** Copies the elements into a new buffer, contiguously. Throws RESOURCE_EXHAUSTED if it cannot be allocated. */
function temporaryCopy(source: RawPlaces, count: number): RawPlaces {
  const bytes = count * source.itemBytes;
  let buffer: ArrayBuffer;
  try {
    buffer = new ArrayBuffer(bytes);
  } catch (cause) {
    throw new ResourceExhaustedError(
      `cannot allocate a temporary copy of ${bytes} bytes, which is needed because the source overlaps the target or has other sizes`,
      { cause },
    );
  }
  const copy = withDims({ ...source, buffer, byteOffset: 0 }, source.dims);
  copyDisjoint(source, copy);
  return copy;
}

/**
 * Returns true if the byte ranges of the two overlap, unless they are interleaved. Ranges of two different SharedArrayBuffer objects always
 * count as overlapping, because both objects can refer to the same memory.
 */
export function mayOverlap(a: RawPlaces, b: RawPlaces): boolean {
  if (a.buffer !== b.buffer) return isShared(a.buffer) && isShared(b.buffer);
  const [aLow, aEnd] = byteRange(a);
  const [bLow, bEnd] = byteRange(b);
  return aLow < bEnd && bLow < aEnd && !interleaved(byteAccess(a), byteAccess(b));
}

/** Returns the elements of places as bytes of their buffer. */
function byteAccess({ byteOffset: start, itemBytes, dims: sizes, strides }: RawPlaces): ByteAccess {
  return { start, itemBytes, sizes, strides: strides.map((stride) => stride * itemBytes) };
}

const isShared = (buffer: ArrayBufferLike): boolean => Object.prototype.toString.call(buffer) === "[object SharedArrayBuffer]";

/** The first byte of the lowest element and the byte after the highest, as offsets in the buffer. */
export function byteRange(places: RawPlaces): readonly [number, number] {
  const [low, end] = placeRange(relativeGeometry(places));
  return [places.byteOffset + low * places.itemBytes, places.byteOffset + end * places.itemBytes];
}

/** Copies elements between two locations of equal sizes that do not overlap. */
function copyDisjoint(from: RawPlaces, to: RawPlaces): void {
  const { itemBytes } = from;
  const slotBytes = slotBytesFor(from.byteOffset, to.byteOffset, itemBytes);
  const slots = itemBytes / slotBytes;
  const axes = from.dims.map((size, d) => ({ size, source: from.strides[d]! * slots, target: to.strides[d]! * slots }));
  const source = bitSlots(from.buffer, slotBytes);
  const target = bitSlots(to.buffer, slotBytes);
  copyStrided(source, from.byteOffset / slotBytes, target, to.byteOffset / slotBytes, axes, slots);
}
