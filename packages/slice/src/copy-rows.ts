/**
 * The inner loops of copying between slices: rows of slots from one array into another.
 *
 *     src  . . a b c . . d e f . .      rows 2, run 3, source stride 5
 *     dst  a b c d e f                                 target stride 3
 *
 * Arrays of one kind move as raw bits, so a NaN keeps its payload: long runs through TypedArray.set, short ones slot by
 * slot over unsigned views, of which there are three kinds whatever the element type (a fourth would slow the loop).
 * Arrays of two kinds convert as a C++ cast does, where a cast is defined.
 */
import type { TypedArray } from "@onebuffer/base";

/** Where rows lie: slots from the start of each array to the first row, and from row to row. */
export interface Rows {
  readonly rows: number;
  readonly run: number;
  readonly srcStride: number;
  readonly dstStride: number;
}

/** An unsigned view over raw elements; its slots are 1, 2 or 4 bytes, and an 8-byte element takes two. */
export type BitView = Uint8Array | Uint16Array | Uint32Array;

/** From how many slots on a subarray and a set are cheaper than a loop. */
const LONG_RUN = 64;

/** The elements' bytes as unsigned slots of the widest kind up to 4 bytes. */
export function bitView(array: TypedArray): BitView {
  const { buffer, byteOffset, length, BYTES_PER_ELEMENT: bytes } = array;
  if (bytes === 1) return new Uint8Array(buffer, byteOffset, length);
  if (bytes === 2) return new Uint16Array(buffer, byteOffset, length);
  return new Uint32Array(buffer, byteOffset, length * (bytes / 4));
}

/** Copies rows of raw slots. The ranges must not overlap, or be one run. */
export function copyBitRows(src: BitView, srcAt: number, dst: BitView, dstAt: number, { rows, run, srcStride, dstStride }: Rows): void {
  for (let row = 0; row < rows; row++, srcAt += srcStride, dstAt += dstStride) {
    if (run >= LONG_RUN) dst.set(src.subarray(srcAt, srcAt + run), dstAt);
    else for (let i = 0; i < run; i++) dst[dstAt + i] = src[srcAt + i]!;
  }
}

/** Copies rows of JavaScript values, by reference. */
export function copyValueRows(
  src: readonly unknown[],
  srcAt: number,
  dst: unknown[],
  dstAt: number,
  { rows, run, srcStride, dstStride }: Rows,
): void {
  for (let row = 0; row < rows; row++, srcAt += srcStride, dstAt += dstStride) {
    for (let i = 0; i < run; i++) dst[dstAt + i] = src[srcAt + i];
  }
}

/**
 * Copies rows with a cast. Between numbers the target array casts: fractions are cut off, integers wrap. A float that
 * no int64 can hold is undefined behaviour in C++; here it wraps like the other integers, and NaN and infinities are 0.
 */
export function castRows(
  src: ArrayLike<number | bigint>,
  srcAt: number,
  dst: TypedArray,
  dstAt: number,
  { rows, run, srcStride, dstStride }: Rows,
): void {
  const toBigInt = typeof dst[0] === "bigint";
  for (let row = 0; row < rows; row++, srcAt += srcStride, dstAt += dstStride) {
    for (let i = 0; i < run; i++) {
      const value = src[srcAt + i]!;
      if (toBigInt) (dst as BigInt64Array)[dstAt + i] = typeof value === "bigint" ? value : toInt(value);
      else (dst as Float64Array)[dstAt + i] = Number(value);
    }
  }
}

function toInt(value: number): bigint {
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
}
