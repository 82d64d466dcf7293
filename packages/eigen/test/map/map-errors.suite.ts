// Tests of the errors of dense maps: wrong indices, values, sizes and memory give the right code and message, and store nothing.
import { describe, expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import { kUnowned, MemoryToken } from "@onebuffer/storage/internal";
import { tensorMapKind, tensorMapKindOf, unalignedTensorMap } from "@onebuffer/eigen/internal";
import { tensorMap } from "@onebuffer/eigen";
import { expectStatus, isLong, sampled } from "@onebuffer/test-support";
import { badAt, badIndices } from "./bad-indices.ts";
import { fresh, ownerOf, oneInput, subjectKinds, wrongInputs } from "./subjects.ts";

type Loose = {
  set(...args: unknown[]): void;
  at(...indices: unknown[]): unknown;
  fill(v: unknown): void;
  copyFrom(s: unknown): void;
  chip(o: unknown, d?: unknown): unknown;
};

describe.each(sampled(subjectKinds, 8))("$name", ({ dtype, make }) => {
  const value = oneInput(dtype);

  test("at and set name the index and the dimension, in every rank and dimension", () => {
    for (let rank = 1; rank <= 7; rank++) {
      const sizes = Array.from({ length: rank }, (_, d) => 1 + (d % 2));
      const map = make(sizes).map as unknown as Loose;
      for (let d = 0; d < rank; d++) {
        const size = sizes[d] as number;
        for (const [bad, text] of [...badAt(rank, d, isLong), [size, String(size)] as [unknown, string]]) {
          const indices: unknown[] = sizes.map((s) => s - 1);
          indices[d] = bad;
          expectStatus(() => map.at(...indices), "OUT_OF_RANGE", `index ${text} of dimension ${d} is not in [0, ${size})`);
          expectStatus(() => map.set(...indices, value), "OUT_OF_RANGE", `index ${text} of dimension ${d} is not in [0, ${size})`);
        }
      }
      expect(
        [...(map as unknown as Iterable<unknown>)].every((e) => JSON.stringify(e, showBig) === JSON.stringify(fresh(dtype), showBig)),
      ).toBe(true);
    }
  });

  test("refuses a value that is not an element of the dtype with INVALID_ARGUMENT", () => {
    for (let rank = 0; rank <= 7; rank++) {
      const map = make(Array(rank).fill(2)).map as unknown as Loose;
      const indices = Array(rank).fill(1);
      for (const wrong of wrongInputs(dtype)) {
        expectStatus(() => map.set(...indices, wrong), "INVALID_ARGUMENT", dtype);
        expectStatus(() => map.fill(wrong), "INVALID_ARGUMENT", dtype);
        expectStatus(() => map.copyFrom([...Array(2 ** rank - 1).fill(value), wrong]), "INVALID_ARGUMENT", dtype);
      }
      expect(map.at(...indices)).toEqual(fresh(dtype));
    }
  });

  test("every access to freed memory throws, in every rank", () => {
    for (let rank = 0; rank <= 7; rank++) {
      const { map, free } = make(Array(rank).fill(2));
      const readOnly = map.asConst();
      free();
      const loose = map as unknown as Loose;
      const indices = Array(rank).fill(1);
      const accesses: (() => unknown)[] = [
        () => loose.at(...indices),
        () => (readOnly as unknown as Loose).at(...indices),
        () => loose.set(...indices, value),
        () => loose.fill(value),
        () => loose.copyFrom(Array(2 ** rank).fill(value)),
        () => map.data,
        () => [...map],
        () => [...readOnly],
        () => map.toArray(),
        ...(rank > 0 ? [() => map.chip(1), () => readOnly.chip(0), () => map.chip(1, rank - 1)] : []),
      ];
      for (const access of accesses) expectStatus(access, "FAILED_PRECONDITION", "freed", dtype);
      expect([map.rank, map.size, String(readOnly)]).toEqual([
        rank,
        2 ** rank,
        `ConstTensorMap<${dtype}, [${Array(rank).fill(2).join(", ")}]>`,
      ]);
    }
  });

  test("an iterator throws if the memory is freed during the iteration", () => {
    const { map, free } = make([3]);
    const iterator = map[Symbol.iterator]();
    iterator.next();
    free();
    expectStatus(() => iterator.next(), "FAILED_PRECONDITION", "freed");
  });

  test("every access to detached memory throws, in every rank", () => {
    for (let rank = 0; rank <= 7; rank++) {
      const { map, detach } = make(Array(rank).fill(2));
      if (detach === null) return;
      detach();
      const loose = map as unknown as Loose;
      const indices = Array(rank).fill(1);
      const accesses: (() => unknown)[] = [
        () => loose.at(...indices),
        () => loose.set(...indices, value),
        () => loose.fill(value),
        () => loose.copyFrom(Array(2 ** rank).fill(value)),
        () => map.data,
        () => [...map],
        () => map.toArray(),
      ];
      for (const access of accesses) expectStatus(access, "FAILED_PRECONDITION", "detached", dtype);
      for (const wrong of wrongInputs(dtype)) expectStatus(() => loose.set(...indices, wrong), "INVALID_ARGUMENT");
    }
  });

  test("chip and dimension name the index or dimension they refuse", () => {
    const map = make([2, 3]).map as unknown as Loose & { dimension(i: unknown): number };
    for (const [bad, text] of [...badIndices, [2, "2"] as [unknown, string]]) {
      if (bad === undefined) continue;
      expectStatus(() => map.dimension(bad), "OUT_OF_RANGE", text);
      expectStatus(() => map.chip(bad), "OUT_OF_RANGE", `index ${text} of dimension 0`);
      if (bad !== -1) expectStatus(() => map.chip(0, bad), "INVALID_ARGUMENT", text);
    }
    expectStatus(() => map.chip(0, -3), "INVALID_ARGUMENT", "chip of [2,3]: axis -3 is not in [-2, 2)");
    expectStatus(() => map.chip(3, 1), "OUT_OF_RANGE", "index 3 of dimension 1 is not in [0, 3)");
    expectStatus(() => map.chip(3, -1), "OUT_OF_RANGE", "index 3 of dimension 1 is not in [0, 3)");
    expectStatus(() => map.dimension("length"), "OUT_OF_RANGE", '"length"');
    expectStatus(() => make([]).map.chip(0), "INVALID_ARGUMENT");
  });

  test("copyFrom checks the dtype, the element count and the class of the array", () => {
    const target = make([2, 2]);
    const other: DType = dtype === "float64" ? "float32" : "float64";
    expectStatus(
      () =>
        target.map.copyFrom(
          tensorMapKind(other).vec(new (other === "float64" ? Float64Array : Float32Array)(4) as never, 0, kUnowned, 4) as never,
        ),
      "INVALID_ARGUMENT",
      other,
      dtype,
    );
    expectStatus(() => target.map.copyFrom(make([3]).map), "INVALID_ARGUMENT", 3, 4);
    expectStatus(() => target.map.copyFrom([oneInput(dtype)] as never), "INVALID_ARGUMENT", 1, 4);
    for (const wrong of [null, undefined, 5, "abcd", {}]) expectStatus(() => target.map.copyFrom(wrong as never), "INVALID_ARGUMENT");
    expectStatus(() => target.map.copyFrom(new DataView(new ArrayBuffer(4)) as never), "INVALID_ARGUMENT");
  });

  test("refuses one index too few or too many with INVALID_ARGUMENT in every rank, and stores nothing", () => {
    for (let rank = 0; rank <= 8; rank++) {
      const map = make(Array(rank).fill(1)).map as unknown as Loose;
      const indices = Array(rank).fill(0);
      const needs = `needs ${rank} indices`;
      expectStatus(() => map.at(...indices, 0), "INVALID_ARGUMENT", needs, `got ${rank + 1}`);
      expectStatus(() => map.set(...indices, 0, value), "INVALID_ARGUMENT", needs, `got ${rank + 1}`);
      if (rank > 0) expectStatus(() => map.at(...indices.slice(1)), "INVALID_ARGUMENT", needs, `got ${rank - 1}`);
      if (rank > 0) expectStatus(() => map.set(...indices.slice(1), value), "INVALID_ARGUMENT", needs, `got ${rank - 1}`);
      expectStatus(() => map.set(), "INVALID_ARGUMENT");
      expect(map.at(...indices)).toEqual(fresh(dtype));
    }
  });

  test.each([1, 3, 64, 65])("rows of %i elements are nested arrays without holes", (width) => {
    const { map, free } = make([2, width]);
    const rows = map.toArray() as unknown[][];
    expect(rows).toEqual([0, 1].map((i) => Array.from({ length: width }, (_, j) => map.at(i, j))));
    expect(rows.map((row) => Object.keys(row).length)).toEqual([width, width]);
    free();
  });

  test("a map without elements can be iterated, filled and copied to", () => {
    const { map, free } = make([2, 0, 3]);
    expect([map.size, [...map], map.toArray()]).toEqual([0, [], [[], []]]);
    expectStatus(() => map.at(0, 0, 0), "OUT_OF_RANGE", "index 0 of dimension 1 is not in [0, 0)");
    (map as unknown as Loose).fill(value);
    map.copyFrom([]);
    free();
    expectStatus(() => [...map], "FAILED_PRECONDITION");
    expectStatus(() => map.toArray(), "FAILED_PRECONDITION");
  });
});

const showBig = (_: string, v: unknown): unknown => (typeof v === "bigint" ? `${v}n` : v);

describe("making maps", () => {
  const array = new Float32Array(12);
  const kind = tensorMapKind("float32");
  const bad = [-1, 0.5, NaN, Infinity, 2 ** 53, 13, "1", 1n, undefined] as number[];

  test.each(bad)("refuses the size or base %p", (size) => {
    const zero = 0;
    const calls: (() => unknown)[] = [
      () => kind.scalar(array, size, kUnowned),
      () => kind.vec(array, zero, kUnowned, size),
      () => kind.vec(array, size, kUnowned, 1),
      () => kind.matrix(array, zero, kUnowned, 1, size),
      () => kind.matrix(array, zero, kUnowned, size, 1),
      () => kind.matrix(array, size, kUnowned, 1, 1),
      () => kind.tensor3(array, zero, kUnowned, 1, 1, size),
      () => kind.tensor4(array, zero, kUnowned, 1, 1, 1, size),
      () => kind.tensor5(array, zero, kUnowned, 1, 1, 1, 1, size),
      () => kind.tensor6(array, zero, kUnowned, 1, 1, 1, 1, 1, size),
      () => kind.general(array, zero, kUnowned, [1, 1, 1, 1, 1, 1, size]),
      () => kind.general(array, size, kUnowned, [1]),
      () => unalignedTensorMap("int8", new ArrayBuffer(12), 0, kUnowned, [size]),
      () => unalignedTensorMap("int8", new ArrayBuffer(12), size, kUnowned, [1]),
      () => tensorMap("float32", array, [size]),
    ];
    for (const call of calls) expectStatus(call, "INVALID_ARGUMENT");
  });

  test("a map may end exactly at the array's end", () => {
    expect(kind.matrix(array, 4, kUnowned, 2, 4).size).toBe(8);
    expectStatus(() => kind.matrix(array, 5, kUnowned, 2, 4), "INVALID_ARGUMENT", "[2,4]", 5, 13, 12);
    expectStatus(() => tensorMapKind("complex64").vec(array, 0, kUnowned, 7), "INVALID_ARGUMENT", 14, 12);
    expectStatus(() => tensorMapKind("complex64").vec(array, 0.5, kUnowned, 1), "INVALID_ARGUMENT", 0.5);
    expect(tensorMapKind("complex64").vec(array, 5, kUnowned, 1).size).toBe(1);
  });

  test("a map without elements and a size of 2^30 or more has the general class and keeps its rank", () => {
    const map = kind.matrix(array, 0, kUnowned, 0, 2 ** 40);
    expect([map.rank, map.size, map.dimensions, map.dimension(1)]).toEqual([2, 0, [0, 2 ** 40], 2 ** 40]);
    expectStatus(() => map.at(0, 2 ** 39), "OUT_OF_RANGE", "index 0 of dimension 0 is not in [0, 0)");
    expectStatus(() => kind.matrix(array, 0, kUnowned, 2 ** 40, 0).toArray(), "RESOURCE_EXHAUSTED", 2 ** 40);
  });

  test("tensorMap requires the dtype's array class, and sizes that cover all of its elements", () => {
    expectStatus(() => tensorMap("float32", new Float64Array(4) as never, [4]), "INVALID_ARGUMENT", "Float32Array", "Float64Array");
    expectStatus(() => tensorMap("float16", [1, 2] as never, [2]), "INVALID_ARGUMENT", "Uint16Array");
    expectStatus(() => tensorMap("uint8", new Uint8ClampedArray(2) as never, [2]), "INVALID_ARGUMENT", "Uint8ClampedArray");
    expectStatus(() => tensorMap("string", new Uint8Array(2) as never, [2]), "INVALID_ARGUMENT", "Array");
    expectStatus(() => tensorMap("int8", null as never, [2]), "INVALID_ARGUMENT", "null");
    expectStatus(() => tensorMap("int8", new Int8Array(2), 2 as never), "INVALID_ARGUMENT", 2);
    expectStatus(() => tensorMap("float32", array, [5]), "INVALID_ARGUMENT", 5, 12);
    expectStatus(() => tensorMap("complex64", new Float32Array(3), [1]), "INVALID_ARGUMENT", 1);
  });

  test.each(["float", "toString", "__proto__", "constructor", "", null, undefined, 5])("tensorMapKind refuses %p", (name) => {
    expectStatus(() => tensorMapKind(name as never), "INVALID_ARGUMENT");
  });

  test.each([0, 34, 101, -1, 1.5, NaN])("tensorMapKindOf refuses %p", (number) => {
    expectStatus(() => tensorMapKindOf(number), "INVALID_ARGUMENT", number);
  });

  test("tensorMapKindOf returns the same factory as tensorMapKind", () => {
    for (const { dtype } of subjectKinds) expect(tensorMapKind(dtype).dtype).toBe(dtype);
    expect(tensorMapKindOf(14)).toBe(tensorMapKind("bfloat16"));
  });

  test("unalignedTensorMap requires a buffer and a raw dtype", () => {
    expectStatus(() => unalignedTensorMap("string" as never, new ArrayBuffer(8), 0, kUnowned, [1]), "INVALID_ARGUMENT", "string");
    expectStatus(() => unalignedTensorMap("int8", new Uint8Array(8) as never, 0, kUnowned, [1]), "INVALID_ARGUMENT");
    expectStatus(() => unalignedTensorMap("int32", new ArrayBuffer(8), 1, kUnowned, [2]), "INVALID_ARGUMENT", 9, 8);
  });

  test("a chip has its map's owner, and freeing a token twice is allowed", () => {
    const buffer = {};
    const token = new MemoryToken(buffer);
    expect(ownerOf(kind.vec(array, 0, token, 2).chip(1))).toBe(token);
    expect(token.holder).toBe(buffer);
    token.free();
    token.free();
    expect(token.refs).toBe(0);
  });
});
