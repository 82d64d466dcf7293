/**
 * cast-run: copies a run of elements from an array of one kind to an array of another, with C++'s cast.
 */
import type { TypedArray } from "@onebuffer/base";
import type { CopyAxis } from "@onebuffer/eigen/internal";

/**
 * Copies one run with a cast. Between numbers the target array casts: fractions are cut off, integers wrap. A float that
 * no int64 can hold is undefined behavior in C++; here it wraps like the other integers, and NaN and infinities are 0.
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
