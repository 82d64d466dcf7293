// Casts between floats and integers of 64 bits have a short form for groups of values near 0, and shifts by one count for all elements
// one for it. Both agree with the plain evaluator wherever large values are, at the limits of the short form and far beyond it.
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import { opTable } from "@onebuffer/eigen";
import { isLong, sampled } from "@onebuffer/test-support";
import { setKernelHooks } from "@onebuffer/kernels/internal";
import { difference } from "./difference.ts";
import { arenaMap } from "./kernel-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const reasons: string[] = [];

const size = 150;
const allLimits = [51n, 52n, 53n, 54n, 63n].flatMap((bits) => [-2n, -1n, 0n, 1n, 3n].flatMap((d) => [2n ** bits + d, -(2n ** bits) + d]));
// So far beyond the short form's limits, its double is a float32 away from the right one.
const limits = [...sampled(allLimits, 7), 2n ** 51n + 2n ** 30n, -(2n ** 51n) - 2n ** 30n];

describe("by kernels alone", () => {
  beforeEach(() => {
    setKernelHooks({ onFallback: (reason) => reasons.push(reason) });
  });

  test.each(["int64", "uint64"] as const)("casts of %s, one of them large, agree", (dtype) => {
    const cut = dtype === "int64" ? (value: bigint) => BigInt.asIntN(64, value) : (value: bigint) => BigInt.asUintN(64, value);
    const x = arenaMap(dtype, [size]) as Any;
    limits.forEach((limit, k) => {
      x.copyFrom(Array.from({ length: size }, (_, i) => cut(i === k ? limit : BigInt(dtype === "int64" ? i - 70 : i) * 99_999_999n)));
      for (const to of ["float32", "float64", "float16", "bfloat16"])
        expect([limit, to, difference(x.cast(to))]).toEqual([limit, to, null]);
    });
    expect(reasons).toEqual([]);
  });

  test.each(["float32", "float64"] as const)("casts of %s to 64 bits, one of them large, agree", (dtype) => {
    const x = arenaMap(dtype, [size]) as Any;
    [...limits.map(Number), 2 ** 51 + 0.5, 2 ** 51 - 0.5, 2 ** 64, 2 ** 64 - 2048, 1e300, Infinity, -Infinity, NaN].forEach((limit, k) => {
      x.copyFrom(Array.from({ length: size }, (_, i) => (i === k ? limit : (i - 70) * 1234.75)));
      for (const to of ["int64", "uint64"]) expect([limit, to, difference(x.cast(to))]).toEqual([limit, to, null]);
    });
    x.copyFrom(Array.from({ length: size }, (_, i) => (i % 2 === 0 ? -0 : -0.5)));
    expect(difference(x.cast("int64"))).toBeNull();
    expect(reasons).toEqual([]);
  });

  test.each(opTable.leftShift.dtypes as readonly RawDType[])("shifts of %s by one count agree", (dtype) => {
    const isBig = dtype.endsWith("64");
    const x = arenaMap(dtype, [size]) as Any;
    x.copyFrom(
      Array.from({ length: size }, (_, i) => (isBig ? BigInt.asIntN(8, BigInt(i)) : i % 128)).map((v) =>
        dtype === "uint64" ? BigInt.asUintN(64, v as bigint) : v,
      ),
    );
    const counts = [0, 1, 3, 7, 8, 15, 31, 32, 63, 64, 100, ...(dtype.startsWith("u") ? [] : [-1, -64])];
    // Every second count, by turns of the dtypes.
    const turn = opTable.leftShift.dtypes.indexOf(dtype as "int32");
    for (const count of counts.filter((_, k) => isLong || (k + turn) % 2 === 0)) {
      const by = isBig ? BigInt(count) : count;
      for (const op of ["leftShift", "rightShift"]) expect([count, op, difference(x[op](by))]).toEqual([count, op, null]);
    }
    expect(reasons).toEqual([]);
  });
});
