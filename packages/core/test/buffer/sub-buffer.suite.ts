// Tests of SubBuffer: windows into a root buffer.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { cpuAllocator, liveBuffers } from "@onebuffer/allocator";
import { Buffer, ForeignBuffer, SubBuffer, Tensor } from "@onebuffer/core";
import type { TensorBuffer } from "@onebuffer/core";
import { memoryOwnerOf } from "@onebuffer/storage/internal";
import { tensorMapKind } from "@onebuffer/eigen/internal";
import fc from "fast-check";
import { ExactTracking, expectMistakes, isLong, NoMemory, thrown, expectStatus } from "@onebuffer/test-support";
import { TensorSlice } from "@onebuffer/slice";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

function iota(n: number): Buffer {
  const root = new Buffer("int32", cpuAllocator(), n);
  root.typedArray("int32")!.forEach((_, i, array) => (array[i] = i));
  return root;
}

describe("SubBuffer", () => {
  test("is a window into the root that shares its bytes", () => {
    expectMistakes();
    const root = iota(12);
    const window = new SubBuffer(root, 3, 6, 4);
    expect([window.byteOffset, window.size, window.refs, root.refs]).toEqual([12, 24, 1, 2]);
    expect([window.memory === root.memory, window.rootBuffer === root]).toEqual([true, true]);
    expect(window.typedArray("int32")).toBe(root.typedArray("int32"));
    expect(window.bytes()[0]).toBe(3);
    window.bytes()[0] = 77;
    expect(root.typedArray("int32")![3]).toBe(77);
    window.unref();
    expect([root.refs, window.hasData]).toEqual([1, false]);
    for (const act of [() => window.typedArray("int32"), () => window.bytes(), () => window.unref()]) {
      const error = thrown(act);
      expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
      expect(String(error)).toContain("SubBuffer of 24 bytes");
    }
    expect(root.refs).toBe(1);
    root.unref();
  });

  test("has the same owner as its root; the owner's refs is 0 once the bytes are gone", () => {
    expectMistakes();
    const root = iota(12);
    const window = new SubBuffer(root, 3, 6, 4);
    const { owner } = root;
    expect([window.owner === owner, owner.refs, owner.holder === root]).toEqual([true, 1, true]);
    for (const array of [root.typedArray("int32")!, window.typedArray("int8")!, window.bytes()]) expect(memoryOwnerOf(array)).toBe(owner);
    const map = tensorMapKind("int32").vec(window.typedArray("int32")!, 3, owner, 6);
    expect(map.at(0)).toBe(3);
    window.unref();
    expect([owner.refs, map.at(0)]).toEqual([1, 3]);
    expect(
      isStatusError(
        thrown(() => window.owner),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
    root.unref();
    expect(owner.refs).toBe(0);
    expect(
      isStatusError(
        thrown(() => map.at(0)),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
    expect(
      isStatusError(
        thrown(() => root.owner),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
  });

  test("of a window refers to the root and outlives the window", () => {
    const root = iota(12);
    const outer = new SubBuffer(root, 2, 8, 4);
    const inner = new SubBuffer(outer, 1, 2, 4);
    expect([inner.rootBuffer === root, inner.byteOffset, root.refs, outer.refs]).toEqual([true, 12, 3, 1]);
    outer.unref();
    root.unref();
    expect([root.refs, inner.bytes()[4]]).toEqual([1, 4]);
    inner.unref();
    expect(root.refs).toBe(0);
  });

  test("describes its root's allocation", () => {
    const root = new Buffer("float32", new ExactTracking(), 8);
    const window = new SubBuffer(root, 0, 1, 4);
    expect([window.size, window.getAllocatedBytes(), window.fillAllocationDescription().requestedBytes]).toEqual([4, 32, 32]);
    expect([window.ownsMemory(), window.getMemoryType()]).toEqual([true, 0]);
    root.unref();
    window.unref();
    const foreign = new ForeignBuffer(new Uint8Array(4));
    const part = new SubBuffer(foreign, 1, 2);
    expect([part.ownsMemory(), part.fillAllocationDescription().allocatorName]).toEqual([false, "foreign"]);
    part.unref();
    foreign.unref();
  });

  test("of no elements may begin at the root's end", () => {
    const root = iota(3);
    const end = new SubBuffer(root, 3, 0, 4);
    expect([end.byteOffset, end.size, end.bytes().length]).toEqual([12, 0, 0]);
    end.unref();
    root.unref();
  });

  test("must lie in the root, not in the window it is relative to", () => {
    const root = iota(12);
    const row = new SubBuffer(root, 4, 4, 4);
    const next = new SubBuffer(row, 4, 4, 4);
    const previous = new SubBuffer(row, -4, 4, 4);
    expect([next.byteOffset, previous.byteOffset]).toEqual([32, 0]);
    for (const buffer of [next, previous, row, root]) buffer.unref();
  });

  test.each([
    [13, 0, 4],
    [-1, 2, 4],
    [0, 13, 4],
    [12, 1, 4],
    [0, -1, 4],
    [0.5, 1, 4],
    [0, 0.25, 4],
    [Number.NaN, 1, 4],
    [0, Infinity, 4],
    [2 ** 53, 1, 8],
    [0, 1, 0],
    [0, 1, -4],
  ])("refuses delta %d, %d elements of %d bytes in a root of 48 bytes", (delta, count, size) => {
    const root = iota(12);
    const error = thrown(() => new SubBuffer(root, delta, count, size));
    expect(isStatusError(error, "OUT_OF_RANGE")).toBe(true);
    for (const value of [delta, count, size, 48]) expect(String(error)).toContain(String(value));
    expect(root.refs).toBe(1);
    root.unref();
  });

  test("of a buffer without data has no data", () => {
    const root = new Buffer("int32", new NoMemory(), 4);
    const window = new SubBuffer(root, 1, 2, 4);
    expect([window.hasData, window.byteOffset, window.size]).toEqual([false, 4, 8]);
    window.unref();
    root.unref();
  });

  test("of an object dtype shares the root's array and has an elementOffset", () => {
    const root = new Buffer("string", cpuAllocator(), 5);
    const window = new SubBuffer(root, 2, 2, 24);
    const inner = new SubBuffer(window, 1, 1, 24);
    expect([root, window, inner].map((buffer) => [buffer.elementOffset, buffer.byteOffset, buffer.size])).toEqual([
      [0, 0, 120],
      [2, 48, 48],
      [3, 72, 24],
    ]);
    expect(inner.elements).toBe(root.elements);
    for (const buffer of [root, window, inner]) buffer.unref();
  });

  test("throws on access if the root was unreferenced too often", () => {
    expectMistakes();
    const root = iota(4);
    const window = new SubBuffer(root, 1, 1, 4);
    root.unref();
    root.unref(); // a bug in the caller: releases the window's reference
    for (const act of [() => window.bytes(), () => window.typedArray("int32"), () => window.unref()])
      expect(isStatusError(thrown(act), "FAILED_PRECONDITION")).toBe(true);
    expect(window.refs).toBe(0);
  });

  test("chains of windows can be freed in any order and read correctly until then", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(), fc.nat(63), fc.nat(64)), { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.nat()),
        (cuts, order) => {
          const before = liveBuffers();
          const root = iota(64);
          const held: { buffer: TensorBuffer; start: number; count: number }[] = [{ buffer: root, start: 0, count: 64 }];
          for (const [of, a, b] of cuts) {
            const parent = held[of % held.length]!;
            const from = Math.min(a, parent.count);
            const count = Math.min(b, parent.count - from);
            held.push({ buffer: new SubBuffer(parent.buffer, from, count, 4), start: parent.start + from, count });
          }
          expect(root.refs).toBe(held.length);
          for (const pick of order) {
            for (const { buffer, start, count } of held) {
              expect([buffer.byteOffset, buffer.size, buffer.rootBuffer === root]).toEqual([start * 4, count * 4, true]);
              expect([...buffer.bytes()].filter((_, i) => i % 4 === 0)).toEqual(Array.from({ length: count }, (_, i) => start + i));
            }
            const [gone] = held.splice(pick % held.length, 1);
            expect(gone!.buffer.unref()).toBe(gone!.buffer !== root || held.length === 0);
            expect(root.refs).toBe(held.length);
            if (held.length === 0) break;
          }
          expect(liveBuffers()).toBe(before);
        },
      ),
      { numRuns: isLong ? 60 : 9 },
    );
  });

  test("a window that is no number, and a slice that is none, are refused", () => {
    using tensor = Tensor.from([1, 2, 3]);
    const { buffer } = tensor;
    expectStatus(() => new Buffer("float32", cpuAllocator(), "5" as Any), "INVALID_ARGUMENT", "a number of elements");
    expectStatus(() => new SubBuffer(buffer!, "0" as Any, 1, 4), "OUT_OF_RANGE");
    expectStatus(() => new SubBuffer(buffer!, 2, 100, 4), "OUT_OF_RANGE", "2 elements after byte 0, does not lie in its root");
    for (const slice of [null, undefined, {}, 7]) expectStatus(() => tensor.copySlice(slice as Any), "INVALID_ARGUMENT", "a TensorSlice");
    using all = tensor.copySlice(TensorSlice.full(1));
    expect(all.toArray()).toEqual([1, 2, 3]);
    for (const wrong of [{ bytes() {} }, { rootBuffer: {} }, 7])
      expectStatus(() => Tensor.fromBuffer("float32", [1], wrong as Any), "INVALID_ARGUMENT", "a TensorBuffer");
  });
});
