/**
 * interleaved: tells apart what lies between each other's elements. Two ranges of bytes may overlap although no byte is in both:
 *
 *     particles [n, 4] of float32    x  y  vx vy x  y  vx vy x  …        columns of a row of 16 bytes
 *     position = columns 0 and 1     0 .. 8      16 .. 24                bytes 0 to 8 of each 16
 *     velocity = columns 2 and 3           8 .. 16     24 .. 32          bytes 8 to 16: position += velocity * dt needs no copy
 *
 * Any stride may be the period (16 above): loops that step by multiples of it stay at the same bytes of each period, and the other loops
 * reach over a range of them. The two are apart if these ranges are, also where the period begins again. What is found apart is apart; of
 * what is not, some may be, too.
 */

/** Elements in memory: the byte where the first one starts, the bytes of each, the sizes of all loops, and the bytes from one step to the next. */
export interface ByteAccess {
  readonly start: number;
  readonly itemBytes: number;
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
}

/** Returns true if no byte belongs to elements of both, because both repeat with the same period. Both have elements. */
export function interleaved(a: ByteAccess, b: ByteAccess): boolean {
  return [...a.strides, ...b.strides].some((stride) => stride !== 0 && areApart(a, b, Math.abs(stride)));
}

/** Returns true if a and b are apart in every period of so many bytes. */
function areApart(a: ByteAccess, b: ByteAccess, period: number): boolean {
  const [aLow, aBytes] = rangeIn(a, period);
  const [bLow, bBytes] = rangeIn(b, period);
  const between = (((bLow - aLow) % period) + period) % period;
  return between >= aBytes && between + bBytes <= period;
}

/** Returns the lowest byte of the first period, and over how many bytes the loops reach that do not step by whole periods. */
function rangeIn({ start, itemBytes, sizes, strides }: ByteAccess, period: number): readonly [low: number, bytes: number] {
  let low = start;
  let bytes = itemBytes;
  for (let d = 0; d < sizes.length; d++) {
    const stride = strides[d] as number;
    if (stride % period === 0) continue;
    const reach = ((sizes[d] as number) - 1) * stride;
    bytes += Math.abs(reach);
    if (reach < 0) low += reach;
  }
  return [low, bytes];
}
