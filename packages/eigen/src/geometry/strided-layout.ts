/**
 * Strides and XLA's dense layouts: `minor_to_major` names the dimensions from the fastest in memory to the slowest
 * (xla/layout.h).
 *
 *     f32[2,3]{1,0}   strides [3, 1]   a b c d e f        f32[2,3]{0,1}   strides [1, 2]   a d b e c f
 *
 * Strides are more general: steps, repetitions and reversals have no layout. Tiles and padding are not dealt with here.
 */
import { InvalidArgumentError, shownValue } from "@onebuffer/base";
import { isIndex } from "./map-errors.ts";
import type { StridedGeometry } from "./strided-geometry.ts";

/** The layout of dense strides, null for others; dimensions of size 1 are put most major, descending. */
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
  if (!Array.isArray(minorToMajor)) throw new InvalidArgumentError(`minorToMajor comes as an array, got ${shownValue(minorToMajor)}`);
  if (minorToMajor.length !== rank) {
    const shown = minorToMajor.length > 254 ? "" : ` [${minorToMajor}]`;
    throw new InvalidArgumentError(`minorToMajor${shown} has ${minorToMajor.length} entries for ${rank} dimensions`);
  }
  for (const [k, d] of minorToMajor.entries() as IterableIterator<[number, unknown]>) {
    if (!isIndex(d, rank)) throw new InvalidArgumentError(`minorToMajor[${k}] is ${shownValue(d)}, not in [0, ${rank})`);
    if (minorToMajor.indexOf(d) !== k) throw new InvalidArgumentError(`minorToMajor [${minorToMajor}] names dimension ${String(d)} twice`);
  }
}
