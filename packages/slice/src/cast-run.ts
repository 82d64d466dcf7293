/**
 * cast-run: copies a run of elements from one typed array to another of a different type, with C++'s cast.
 */
import type { TypedArray } from "@onebuffer/base";
import type { CopyAxis } from "@onebuffer/storage/internal";

/**
 * Copies one run with a cast. The target array casts numbers: fractions are truncated, integers wrap around. Casting a float outside
 * int64 is undefined behavior in C++; here it wraps around like other integers, and NaN and infinities become 0.
 */
export function castRun(src: ArrayLike<number | bigint>, srcAt: number, dst: TypedArray, dstAt: number, run: CopyAxis): void {
  const toBigInt = typeof dst[0] === "bigint";
  for (let i = 0; i < run.size; i++, srcAt += run.source, dstAt += run.target) {
    const value = src[srcAt]!;
    if (toBigInt) (dst as BigInt64Array)[dstAt] = typeof value === "bigint" ? value : toInt(value);
    else (dst as Float64Array)[dstAt] = Number(value);
  }
}

function toInt(value: number): bigint {
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
}
