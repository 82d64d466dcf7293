// Tests that maps share memory: an element written through one map is read through every other map over it.
import { describe, expect, test } from "@jest/globals";
import { kUnowned, memoryOwnerOf, MemoryToken } from "@onebuffer/storage/internal";
import { tensorMapKind, unalignedTensorMap } from "@onebuffer/eigen/internal";
import { tensorMap } from "@onebuffer/eigen";
import { isObjectDType } from "@onebuffer/base";
import { expectStatus, sampled } from "@onebuffer/test-support";
import { oneInput, ownerOf, stored, subjectKinds } from "./subjects.ts";

/** A replacer with which JSON.stringify shows bigints. */
const plain = (_: string, each: unknown): unknown => (typeof each === "bigint" ? String(each) : each);

type Loose = { set(...args: unknown[]): void; at(...indices: number[]): unknown; fill(v: unknown): void };

describe.each(sampled(subjectKinds.toReversed(), 10))("$name", ({ dtype, make, unaligned }) => {
  const value = oneInput(dtype);
  const seen = stored(dtype, value);

  test("two maps of different sizes and bases share one memory", () => {
    const { map, again } = make([2, 6]);
    const shifted = again([3, 3], 2) as unknown as Loose;
    (map as unknown as Loose).set(1, 3, value);
    expect(shifted.at(2, 1)).toEqual(seen);
    expect([...again([12], 0)][9]).toEqual(seen);
  });

  test("a contiguous chip shares the memory of its map", () => {
    const { map } = make([2, 3, 4]);
    const row = map.chip(1);
    expect(row.dimensions).toEqual([3, 4]);
    (row as unknown as Loose).set(2, 3, value);
    expect(map.at(1, 2, 3)).toEqual(seen);
    (map.chip(1).chip(0).chip(2) as unknown as Loose).set(value);
    expect(map.at(1, 0, 2)).toEqual(seen);
    const thin = make([1, 3, 4]).map;
    const inner = thin.chip(2, 1);
    expect(inner.dimensions).toEqual([1, 4]);
    (inner as unknown as Loose).set(0, 1, value);
    expect(thin.at(0, 2, 1)).toEqual(seen);
    const last = make([1, 1, 4]).map;
    (last.chip(3, 2) as unknown as Loose).set(0, 0, value);
    expect(last.at(0, 0, 3)).toEqual(seen);
  });

  test("chips of maps of every rank up to 7, writable and const", () => {
    for (let rank = 1; rank <= 7; rank++) {
      const { map } = make(Array(rank).fill(2));
      const chip = map.chip(1);
      expect([chip.rank, chip.size, map.asConst().chip(1).rank]).toEqual([rank - 1, 2 ** (rank - 1), rank - 1]);
      expect("set" in map.asConst().chip(1)).toBe(false);
      (chip as unknown as Loose).fill(value);
      expect([...map].slice(2 ** (rank - 1))).toEqual(Array(2 ** (rank - 1)).fill(seen));
      expect([...map.asConst().chip(1)]).toEqual([...chip]);
    }
  });

  test("chips of every dimension of every rank, dense and strided, counted from either end", () => {
    for (let rank = 1; rank <= 6; rank++) {
      for (let dim = 0; dim < rank; dim++) {
        const { map } = make(Array.from({ length: rank }, (_, d) => 1 + ((d + rank) % 2)));
        const offset = map.dimension(dim) - 1;
        const chip = map.chip(offset, dim);
        const isDense = map.dimension(dim) === 1 || map.dimensions.slice(0, dim).every((size) => size === 1);
        expect([chip.rank, chip.dimensions, "strides" in chip]).toEqual([rank - 1, map.dimensions.toSpliced(dim, 1), !isDense]);
        chip.fill(value as never);
        const last = chip.dimensions.map((size) => size - 1);
        expect(map.at(...last.toSpliced(dim, 0, offset))).toEqual(seen);
        expect(chip.at(...last)).toEqual(seen);
        expect([...map].filter((each) => JSON.stringify(each, plain) === JSON.stringify(seen, plain))).toHaveLength(chip.size);
        expect(map.chip(offset, dim - rank).toArray()).toEqual(chip.toArray());
        expect("set" in map.asConst().chip(offset, dim)).toBe(false);
      }
    }
  });

  test("a const map reads what its map writes, and has no methods that write", () => {
    const { map } = make([2, 2]);
    const readOnly = map.asConst();
    (map as unknown as Loose).set(1, 1, value);
    expect(readOnly.at(1, 1)).toEqual(seen);
    for (const name of ["set", "fill", "copyFrom"]) expect(name in readOnly).toBe(false);
    expect(readOnly.asConst()).toBe(readOnly);
    const text = String(map);
    expect([text.slice(0, 2), text.slice(-2), String(readOnly), String(map.strided())]).toEqual(["[[", "]]", text, text]);
  });

  test("data is an array over the same memory", () => {
    const { map, again } = make([2, 3], 1);
    if (unaligned && map.dtype !== "uint8" && (map as unknown as { array: Uint8Array }).array.byteLength !== map.size) {
      expectStatus(() => map.data, "FAILED_PRECONDITION", "byte offset");
      return;
    }
    if (isObjectDType(dtype)) {
      expectStatus(() => map.data, "FAILED_PRECONDITION", "1 to 7 of 10");
      return;
    }
    const slots = dtype.startsWith("complex") ? 2 : 1;
    expect(map.data.length).toBe(6 * slots);
    (map as unknown as Loose).set(1, 2, value);
    expect(again([1], 5).data[0]).toEqual(map.data[5 * slots]);
    expect(memoryOwnerOf(map.data)).toBe(ownerOf(map));
  });

  test("copyFrom takes a map of other sizes and a map of the same memory, and refuses one whose memory was freed", () => {
    const subject = make([2, 3]);
    (subject.map as unknown as Loose).set(0, 0, value);
    const target = make([6]);
    target.map.copyFrom(subject.map);
    expect([...target.map]).toEqual([...subject.map]);
    target.map.copyFrom(subject.map.asConst());
    const later = target.again([6], 1);
    later.copyFrom(target.map);
    expect(later.at(0)).toEqual(seen);
    subject.free();
    expectStatus(() => target.map.copyFrom(subject.map), "FAILED_PRECONDITION", "freed");
  });
});

test("data is the array itself for a map of all of it, and otherwise a view with the map's owner", () => {
  const memory = new Float32Array([1, 2, 3, 4, 5, 6]);
  const map = tensorMap("float32", memory, [2, 3]);
  expect(map.data).toBe(memory);
  expect(map.chip(1).data).toEqual(new Float32Array([4, 5, 6]));
  expect(map.chip(1).data.buffer).toBe(memory.buffer);
  const token = new MemoryToken(null);
  const owned = tensorMapKind("float32").vec(memory, 0, token, 6);
  expect(owned.data).not.toBe(memory);
  expect(memoryOwnerOf(memory)).toBe(kUnowned);
  const wrapped = tensorMap("float32", owned.data, [3, 2]);
  expect(ownerOf(wrapped)).toBe(token);
  expect(wrapped.data.buffer).toBe(memory.buffer);
  expect(memoryOwnerOf(owned.data.subarray(1))).toBe(kUnowned);
  token.free();
  expectStatus(() => wrapped.at(0, 0), "FAILED_PRECONDITION", "freed");
});

test("an unaligned map whose offset is aligned has data", () => {
  const buffer = new SharedArrayBuffer(16);
  const map = unalignedTensorMap("float32", buffer, 4, kUnowned, [3]);
  map.set(2, 1.5);
  expect(map.data).toEqual(new Float32Array([0, 0, 1.5]));
  expect(map.data.buffer).toBe(buffer);
  expectStatus(() => unalignedTensorMap("float32", buffer, 5, kUnowned, [2]).data, "FAILED_PRECONDITION", 5, 4);
});

test("storing a string element copies its bytes", () => {
  const map = tensorMap("string", [new Uint8Array(0), new Uint8Array(0)], [2]);
  const scratch = new Uint8Array([104, 105]);
  map.set(0, scratch);
  scratch.fill(0);
  map.set(1, "é");
  expect(map.toArray()).toEqual([new Uint8Array([104, 105]), new Uint8Array([0xc3, 0xa9])]);
});

test("data of a map of all elements of an object array is that array", () => {
  const array: Uint8Array[] = [new Uint8Array(1)];
  expect(tensorMap("string", array, [1, 1]).data).toBe(array);
});

test("maps over arrays of more than 2^30 elements can be read and written, and chipped", () => {
  // This reserves a gibibyte of address space, but only the pages that are written take memory.
  const memory = new Uint8Array(2 ** 30 + 8);
  const map = tensorMap("uint8", memory, [4, 2 ** 28 + 2]);
  map.set(3, 2 ** 28 + 1, 7);
  expect([memory[2 ** 30 + 7], map.at(3, 2 ** 28 + 1), map.at(0, 0)]).toEqual([7, 7, 0]);
  expectStatus(() => map.at(4, 0), "OUT_OF_RANGE", "index 4 of dimension 0 is not in [0, 4)");
  expectStatus(() => map.at(0, 0.5), "OUT_OF_RANGE", 0.5);
  const tail = tensorMapKind("uint8").matrix(memory, 2 ** 30, kUnowned, 2, 4);
  expect(tail.toArray()).toEqual([
    [0, 0, 0, 0],
    [0, 0, 0, 7],
  ]);
  tail.fill(5);
  expect([...tail.chip(1).data, map.at(3, 2 ** 28 + 1)]).toEqual([5, 5, 5, 5, 5]);
  expect(tail.chip(1).rank).toBe(1);
});
