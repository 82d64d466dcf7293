/**
 * Converts between strides and XLA's dense layouts. The layout's `minor_to_major` lists the dimensions from the one that varies fastest in
 * memory to the one that varies slowest (xla/layout.h).
 *
 *     f32[2,3]{1,0}   strides [3, 1]   a b c d e f        f32[2,3]{0,1}   strides [1, 2]   a d b e c f
 *
 * Strides are more general than layouts: steps, repetitions and reversals have no layout. The tiles and padding of XLA layouts are not
 * supported here.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { isArray, shownValue } from "@onebuffer/base/internal";
import { isIndex } from "./map-errors.ts";
import type { StridedGeometry } from "./strided-geometry.ts";

/**
 * Returns the `minor_to_major` of dense strides, or null if the elements are not dense. Dimensions of size 1 come last (most major), in
 * descending order.
 */
export function layoutOfStrides({ dims, strides }: StridedGeometry): number[] | null {
  const descending = dims.map((_, d) => dims.length - 1 - d);
  if (dims.includes(0)) return descending;
  const order = descending.filter((d) => dims[d] !== 1).sort((a, b) => (strides[a] as number) - (strides[b] as number));
  let stride = 1;
  for (const d of order) {
    if (strides[d] !== stride) return null;
    stride *= dims[d] as number;
  }
  return [...order, ...descending.filter((d) => dims[d] === 1)];
}

/** Throws INVALID_ARGUMENT unless `minorToMajor` names each of `rank` dimensions once. */
export function checkMinorToMajor(minorToMajor: unknown, rank: number): void {
  if (!isArray(minorToMajor)) throw new InvalidArgumentError(`minorToMajor must be an array, got ${shownValue(minorToMajor)}`);
  if (minorToMajor.length !== rank) {
    const shown = minorToMajor.length > 254 ? "" : ` [${minorToMajor}]`;
    throw new InvalidArgumentError(`minorToMajor${shown} has ${minorToMajor.length} entries for ${rank} dimensions`);
  }
  for (const [k, d] of minorToMajor.entries() as IterableIterator<[number, unknown]>) {
    if (!isIndex(d, rank)) throw new InvalidArgumentError(`minorToMajor[${k}] is ${shownValue(d)}, not in [0, ${rank})`);
    if (minorToMajor.indexOf(d) !== k) throw new InvalidArgumentError(`minorToMajor [${minorToMajor}] names dimension ${String(d)} twice`);
  }
}
