/** Tests readNpy with order "keep": the elements stay in the file's order, and a strided map has the file's shape. */
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import type { Tensor } from "@onebuffer/core";
import { bytesCopied, liveBuffers } from "@onebuffer/allocator";
import type { NpyDType, NpyKeepOptions, NpyReadOptions } from "@onebuffer/io";
import { NpyArray, readNpy } from "@onebuffer/io";
import fc from "fast-check";
import { npy } from "./npy-file.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(value?: T): void => expect(value).toBeUndefined();

let before = 0;
beforeEach(() => {
  before = liveBuffers();
});
afterEach(() => {
  expect(liveBuffers()).toBe(before);
});

const int16 = (...values: readonly number[]): Uint8Array => new Uint8Array(Int16Array.from(values).buffer);

test("a Fortran-ordered file is not copied; a write to the file or the map is seen in the other", () => {
  const file = npy("<i2", [2, 3], int16(1, 4, 2, 5, 3, 6), "True");
  const copied = bytesCopied();
  using array = readNpy(file, { order: "keep" });
  expect([array.dtype, array.shape, array.fortranOrder]).toEqual(["int16", [2, 3], true]);
  expect(array.map.toArray()).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  expect([array.map.strides, array.map.minorToMajor(), array.map.isContiguous()]).toEqual([[1, 2], [0, 1], false]);
  expect(array.tensor.toArray()).toEqual([
    [1, 4],
    [2, 5],
    [3, 6],
  ]);
  array.map.set(0, 2, 30);
  expect(file.at(-4)).toBe(30);
  file[file.length - 2] = 60;
  expect([array.map.at(1, 2), bytesCopied()]).toEqual([60, copied]);
});

test("a file in C order gives an NpyArray, too", () => {
  const copied = bytesCopied();
  using array = readNpy(npy("<i2", [2, 3], int16(1, 2, 3, 4, 5, 6)), { order: "keep" });
  expect([array.shape, array.tensor.shape.dimSizes, array.map.strides, array.fortranOrder]).toEqual([[2, 3], [2, 3], [3, 1], false]);
  expect(array.map.toTensorMap()?.toArray()).toEqual(array.tensor.toArray());
  expect(bytesCopied()).toBe(copied);
});

test("big-endian or misaligned data and bool bytes other than 0 and 1 are copied once", () => {
  const big = npy(">i2", [2, 2], Uint8Array.of(0, 1, 0, 3, 0, 2, 0, 4), "True");
  const file = npy("<i2", [2, 2], int16(1, 3, 2, 4), "True");
  const odd = new Uint8Array(file.length + 1).subarray(1);
  odd.set(file);
  for (const bytes of [big, odd]) {
    const copied = bytesCopied();
    using array = readNpy(bytes, { order: "keep" });
    expect([array.map.toArray(), bytesCopied() - copied]).toEqual([
      [
        [1, 2],
        [3, 4],
      ],
      8,
    ]);
  }
  using bools = readNpy(npy("|b1", [2, 2], Uint8Array.of(0, 2, 1, 0), "True"), { order: "keep" });
  expect([bools.map.toArray(), [...bools.tensor.tensorData]]).toEqual([
    [
      [false, true],
      [true, false],
    ],
    [0, 1, 1, 0],
  ]);
});

test("the map can be used as long as a handle on the tensor exists", () => {
  const array = readNpy(npy("<i2", [2, 2], int16(1, 3, 2, 4), "True"), { order: "keep" });
  const { map } = array;
  const other = array.tensor.share();
  array.dispose();
  array.dispose();
  expect(map.at(1, 0)).toBe(3);
  other.dispose();
  expect(codeOf(() => map.at(1, 0))).toBe("FAILED_PRECONDITION");
});

test("the map has the same elements as the row-major tensor, for every shape and dtype", () => {
  const codes = fc.constantFrom("<i1", ">i2", "<f2", "<f4", ">f8", "<c8", ">c16", "<i8", "|u1");
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 5 }),
      codes,
      fc.boolean(),
      fc.nat({ max: 255 }),
      (shape, code, fortran, seed) => {
        const size = Number(code.slice(2));
        const data = Uint8Array.from({ length: shape.reduce((a, b) => a * b, size) }, (_, i) => (i * 31 + seed) & 0x3f);
        const file = npy(code, shape, data, fortran ? "True" : "False");
        using kept = readNpy(file, { order: "keep" });
        using plain = readNpy(file);
        expect([kept.shape, kept.map.toArray()]).toEqual([shape, plain.toArray()]);
      },
    ),
    { numRuns: process.env["ONEBUFFER_LONG"] === undefined ? 36 : 1500 },
  );
});

describe("the option order", () => {
  const file = npy("<i2", [2], int16(1, 2));

  test("decides the type of the result", () => {
    using kept = readNpy(file, { order: "keep" });
    using plain = readNpy(file, { order: "C" });
    using usual = readNpy(file, {});
    const options: NpyReadOptions = {};
    using either = readNpy(file, options);
    const keep: NpyKeepOptions = { order: "keep", boolBytes: "keep" };
    // @ts-expect-error order "keep" is not an option of NpyReadOptions
    const wrong: NpyReadOptions = keep;
    is<Equal<typeof kept, NpyArray>>();
    is<Equal<typeof plain, Tensor<NpyDType>>>();
    is<Equal<typeof usual, Tensor<NpyDType>>>();
    is<Equal<typeof either, Tensor<NpyDType>>>();
    expect([kept.constructor, "vec" in plain, "vec" in usual, "vec" in either, wrong.order]).toEqual([NpyArray, true, true, true, "keep"]);
  });

  test("refuses other values", () => {
    // @ts-expect-error "F" is not an order
    expect(codeOf(() => readNpy(file, { order: "F" }))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => readNpy(file.subarray(0, -1), { order: "keep" }))).toBe("DATA_LOSS");
  });
});

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (isStatusError(error)) return error.code;
    throw error;
  }
  return "nothing was thrown";
}
