// Tests of buffers and tensors over a BFCAllocator whose allocations fail or whose sub-allocator misbehaves.
import { describe, expect, test } from "@jest/globals";
import type { StatusCode } from "@onebuffer/base";
import { isStatusError } from "@onebuffer/base";
import type { Pointer, SubAllocation } from "@onebuffer/allocator";
import { BFCAllocator, LinearMemorySubAllocator, liveBuffers, SubAllocator } from "@onebuffer/allocator";
import { Buffer, Tensor, TypedAllocator } from "@onebuffer/core";
import type { WasmMemoryConstructor } from "@onebuffer/wasm";
import { LinearMemory } from "@onebuffer/wasm";
import { BlockRegions, thrown } from "@onebuffer/test-support";

const MiB = 1048576;
const arena = (limit = 16 * MiB): BFCAllocator => new BFCAllocator(new LinearMemorySubAllocator(), limit, "arena");

function expectStatus(act: () => unknown, code: StatusCode, words: RegExp): void {
  const error = thrown(act);
  expect([String(error), isStatusError(error, code)]).toEqual([expect.stringMatching(words), true]);
}

/** A sub-allocator over one ArrayBuffer whose regions the test chooses: `regionFor` gets the size and the number of the call. */
class Scripted extends SubAllocator {
  readonly memory = new ArrayBuffer(16 * MiB);
  readonly returned: [byteOffset: number, bytes: number][] = [];
  readonly #regionFor: (numBytes: number, call: number) => readonly [byteOffset: number, bytes: number] | null;
  #calls = 0;
  onFree: () => void = () => undefined;

  constructor(regionFor: (numBytes: number, call: number) => readonly [byteOffset: number, bytes: number] | null) {
    super();
    this.#regionFor = regionFor;
  }
  override alloc(_alignment: number, numBytes: number): SubAllocation | null {
    const given = this.#regionFor(numBytes, this.#calls++);
    return given === null ? null : { pointer: { buffer: this.memory, byteOffset: given[0] }, bytesReceived: given[1] };
  }
  override free(pointer: Pointer, numBytes: number): void {
    this.returned.push([pointer.byteOffset, numBytes]);
    this.onFree();
  }
  override supportsCoalescing(): boolean {
    return false;
  }
}

describe("sizes", () => {
  test("zero bytes: a buffer has no data, a tensor has no buffer, and nothing is allocated", () => {
    using allocator = arena();
    const buffer = new Buffer("float32", allocator, 0);
    expect([buffer.hasData, buffer.size, buffer.pointer]).toEqual([false, 0, null]);
    expect(buffer.unref()).toBe(true);
    for (const shape of [[0], [0, 5], [7, 0, 2 ** 40]]) {
      using tensor = Tensor.zeros(shape, { allocator });
      expect([tensor.buffer, tensor.isInitialized(), tensor.tensorData.length, tensor.toArrayBuffer().byteLength]).toEqual([
        null,
        true,
        0,
        0,
      ]);
    }
    using words = new Tensor("string", [0], { allocator });
    expect(words.toArray()).toEqual([]);
    expect(TypedAllocator.allocate(allocator, "float64", 0)).toBe(null);
    expect(allocator.getStats()).toMatchObject({ numAllocs: 0, poolBytes: 0 });
  });

  test("odd sizes: no two tensors share a byte, and views of every type are aligned", () => {
    using allocator = arena();
    const sizes = [1, 2, 3, 5, 63, 64, 65, 255, 256, 257, 511, 1021, 4093, 65521];
    const tensors = sizes.flatMap((size): Tensor[] => [
      Tensor.full([size], size & 0xff, { dtype: "uint8", allocator }),
      Tensor.full([size], BigInt(size), { dtype: "int64", allocator }),
    ]);
    tensors.forEach((tensor, i) => {
      const size = sizes[i >> 1]!;
      const want = i % 2 === 0 ? size & 0xff : BigInt(size);
      const map = tensor.vec();
      expect([Number(tensor.buffer?.byteOffset) % 256, map.at(0), map.at(size - 1)]).toEqual([0, want, want]);
    });
    // Free every other tensor and allocate others of other sizes in their places: the remaining ones are unchanged.
    for (let i = 0; i < tensors.length; i += 2) tensors[i]!.dispose();
    const again = sizes.map((size) => Tensor.full([size + 3], 0xee, { dtype: "uint8", allocator }));
    for (let i = 1; i < tensors.length; i += 2) {
      const size = sizes[i >> 1]!;
      for (const at of [0, size >> 1, size - 1]) expect(tensors[i]!.vec().at(at)).toBe(BigInt(size));
    }
    for (const tensor of [...tensors, ...again]) tensor.dispose();
    expect(allocator.getStats().bytesInUse).toBe(0);
    expect(allocator.recordMemoryMap().chunk.length).toBe(1);
  });

  test.each([2 ** 22, 2 ** 30, 2 ** 31, 2 ** 32, 2 ** 40, 2 ** 49])(
    "huge sizes: there is no room for %d elements, and nothing is allocated",
    (count) => {
      using allocator = arena();
      const before = liveBuffers();
      const buffer = new Buffer("float64", allocator, count);
      expect([buffer.hasData, buffer.size]).toEqual([false, 8 * count]);
      buffer.unref();
      using tensor = new Tensor("float64", [count], { allocator });
      expect(tensor.isInitialized()).toBe(false);
      for (const use of [() => tensor.vec(), () => tensor.toArrayBuffer(), () => tensor.toArray()])
        expectStatus(use, "FAILED_PRECONDITION", /initialized|no data|without data/i);
      const made = new RegExp(`${8 * count} bytes`);
      for (const make of [Tensor.zeros, Tensor.ones] as const)
        expectStatus(() => make([count], { dtype: "float64", allocator }), "RESOURCE_EXHAUSTED", made);
      expectStatus(() => Tensor.arange(0, count, 1, { dtype: "float64", allocator }), "RESOURCE_EXHAUSTED", made);
      tensor.dispose();
      expect(liveBuffers()).toBe(before);
      expect(allocator.getStats()).toMatchObject({ bytesInUse: 0, numAllocs: 0 });
    },
  );

  test("a size beyond 2^53 - 1 bytes is refused without calling the allocator", () => {
    using allocator = arena();
    for (const make of [
      () => new Tensor("float64", [2 ** 51], { allocator }),
      () => new Buffer("float64", allocator, 2 ** 51),
      () => new Buffer("float64", allocator, -1),
      () => new Buffer("float64", allocator, 0.5),
      () => new Buffer("float64", allocator, Number.NaN),
    ])
      expectStatus(make, "INVALID_ARGUMENT", /2251799813685248|-1|0\.5|NaN/);
    expect(allocator.getStats().numAllocs).toBe(0);
  });

  test("a failing allocation does not affect the ones before and after it", () => {
    using allocator = arena(2 * MiB);
    const half = Tensor.full([MiB], 7, { dtype: "uint8", allocator });
    expectStatus(() => Tensor.zeros([MiB + 1], { dtype: "uint8", allocator }), "RESOURCE_EXHAUSTED", /1048577 bytes/);
    const other = Tensor.full([MiB], 9, { dtype: "uint8", allocator });
    expectStatus(() => Tensor.zeros([1], { dtype: "uint8", allocator }), "RESOURCE_EXHAUSTED", /1 bytes/);
    expect([half.vec().at(MiB - 1), other.vec().at(0)]).toEqual([7, 9]);
    half.dispose();
    using again = Tensor.zeros([MiB], { dtype: "uint8", allocator });
    expect([again.vec().at(5), other.vec().at(5)]).toEqual([0, 9]);
    other.dispose();
  });

  test("a factory that throws for an element frees its bytes", () => {
    using allocator = arena();
    const before = liveBuffers();
    expectStatus(() => Tensor.from([1, 2, 300], { dtype: "uint8", allocator }), "INVALID_ARGUMENT", /300/);
    expectStatus(() => Tensor.full([4], "x" as unknown as number, { allocator }), "INVALID_ARGUMENT", /"x"/);
    expect([allocator.getStats().bytesInUse, liveBuffers()]).toEqual([0, before]);
  });
});

describe("alignment", () => {
  test("the arena refuses alignments it cannot provide, which tensors never request", () => {
    using allocator = arena();
    using tensor = new Tensor("float64", [3], { allocator });
    expect([tensor.isAligned(), Number(tensor.buffer?.byteOffset) % 256]).toEqual([true, 0]);
    for (const alignment of [512, 65536, 2 ** 30])
      expectStatus(() => allocator.allocateRaw(alignment, 8), "INVALID_ARGUMENT", new RegExp(`256.*${alignment}`));
    for (const alignment of [0, -1, 3, 1.5, Number.NaN, Infinity])
      expectStatus(() => allocator.allocateRaw(alignment, 8), "INVALID_ARGUMENT", /power of two/);
    expect(allocator.getStats()).toMatchObject({ numAllocs: 1, bytesInUse: 256 });
  });

  test("tensors are aligned even if regions start at unaligned offsets", () => {
    for (const start of [1, 7, 100, 255, 257]) {
      using allocator = new BFCAllocator(new Scripted((bytes, call) => (call === 0 ? [start, bytes] : null)), 4 * MiB, "ragged");
      using a = Tensor.full([10], 1.5, { dtype: "float64", allocator });
      using b = Tensor.full([3], 2n, { dtype: "int64", allocator });
      expect([Number(a.buffer?.byteOffset) % 256, Number(b.buffer?.byteOffset) % 256, a.vec().at(9), b.vec().at(2)]).toEqual([
        0,
        0,
        1.5,
        2n,
      ]);
    }
  });
});

describe("a sub-allocator", () => {
  test("without memory: tensors are not initialized, or throw RESOURCE_EXHAUSTED with its report", () => {
    using allocator = new BFCAllocator(new Scripted(() => null), MiB, "nothing");
    using tensor = new Tensor("float32", [1], { allocator });
    expect(tensor.isInitialized()).toBe(false);
    expectStatus(() => Tensor.zeros([2, 3], { allocator }), "RESOURCE_EXHAUSTED", /24 bytes.*\nallocator "nothing": no room for 24 bytes/);
    expectStatus(() => Tensor.from(["a"], { allocator }), "RESOURCE_EXHAUSTED", /24 bytes/);
  });

  test("without memory at first is called again later", () => {
    using allocator = new BFCAllocator(new Scripted((bytes, call) => (call < 150 ? null : [0, bytes])), MiB, "later");
    let attempts = 0;
    let tensor: Tensor | null = null;
    while (tensor === null && attempts < 100) {
      attempts++;
      try {
        tensor = Tensor.full([3], 5, { allocator });
      } catch (error) {
        if (!isStatusError(error, "RESOURCE_EXHAUSTED")) throw error;
      }
    }
    using made = tensor;
    expect(attempts).toBeGreaterThan(1);
    expect(made?.toArray()).toEqual([5, 5, 5]);
  });

  test("that throws: the error is rethrown, nothing leaks, and the next allocation can succeed", () => {
    const failure = new TypeError("the driver's own");
    const regions = new Scripted((bytes, call) => {
      if (call === 0 || call === 2) throw failure;
      return [call === 1 ? 0 : 8 * MiB, bytes];
    });
    using allocator = new BFCAllocator(regions, 16 * MiB, "throws");
    const before = liveBuffers();
    expect(thrown(() => Tensor.zeros([4], { allocator }))).toBe(failure);
    using first = Tensor.full([4], 3, { allocator });
    const grown = allocator.getStats();
    expect(thrown(() => new Buffer("uint8", allocator, 6 * MiB))).toBe(failure);
    expect(thrown(() => TypedAllocator.allocate(allocator, "float64", -1))).not.toBe(failure);
    expect(allocator.getStats()).toEqual(grown);
    expect(liveBuffers()).toBe(before + 1);
    using second = Tensor.full([6 * MiB], 9, { dtype: "uint8", allocator });
    expect([first.toArray(), second.vec().at(6 * MiB - 1)]).toEqual([[3, 3, 3, 3], 9]);
  });

  test("that returns less than requested: the region is used", () => {
    const regions = new Scripted((bytes, call) => [call * 2 * MiB, Math.floor(bytes / 3) + 1]);
    using allocator = new BFCAllocator(regions, 8 * MiB, "less");
    using small = Tensor.full([1000], 4, { allocator });
    const region = allocator.regions()[0]!;
    expect(region[1]).toBeLessThan(MiB);
    expectStatus(() => Tensor.zeros([1.5 * MiB], { dtype: "uint8", allocator }), "RESOURCE_EXHAUSTED", /1572864 bytes/);
    // Every tensor that fits lies inside the returned region.
    const tensors = Array.from({ length: 8 }, (_, i) => Tensor.full([65536], i, { dtype: "uint8", allocator }));
    for (const tensor of tensors) {
      const start = tensor.buffer!.byteOffset;
      expect(allocator.regions().some(([at, bytes]) => start >= at && start + 65536 <= at + bytes)).toBe(true);
    }
    expect([tensors.map((tensor) => tensor.vec().at(65535)), small.vec().at(999)]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7], 4]);
    for (const tensor of tensors) tensor.dispose();
  });

  test.each<[name: string, second: readonly [byteOffset: number, bytes: number]]>([
    ["begins inside the first", [MiB, 2 * MiB]],
    ["ends inside the first", [256, MiB]],
    ["lies inside the first", [2 * MiB, 256 * 1024]],
    ["reaches over the first", [0, 12 * MiB]],
  ])("that gives a second region which %s: INTERNAL, and no tensor's byte is given twice", (_name, second) => {
    const regions = new Scripted((bytes, call) => (call === 0 ? [MiB / 2, bytes] : second));
    using allocator = new BFCAllocator(regions, 16 * MiB, "overlaps");
    const live = liveBuffers();
    using first = Tensor.full([2 * MiB], 7, { dtype: "uint8", allocator });
    const pool = allocator.getStats().poolBytes;
    for (let i = 0; i < 2; i++) expectStatus(() => Tensor.zeros([1], { allocator }), "INTERNAL", /overlap/);
    expect([first.tensorData.every((byte) => byte === 7), allocator.getStats().poolBytes, liveBuffers()]).toEqual([true, pool, live + 1]);
    first.dispose();
    using again = Tensor.full([MiB], 8, { dtype: "uint8", allocator });
    expect(again.vec().at(0)).toBe(8);
  });

  test("whose free throws: all regions are freed, and the error is rethrown", () => {
    const failure = new Error("stuck");
    const regions = new Scripted((bytes, call) => [call * 4 * MiB, Math.min(bytes, 2 * MiB)]);
    const allocator = new BFCAllocator(regions, 16 * MiB, "stuck");
    const tensors = [0, 1, 2].map((i) => Tensor.full([2 * MiB], i, { dtype: "uint8", allocator }));
    for (const tensor of tensors) tensor.dispose();
    regions.onFree = () => {
      throw failure;
    };
    expect(thrown(() => allocator.dispose())).toBe(failure);
    expect(regions.returned.length).toBe(3);
    expect(allocator.getStats().poolBytes).toBe(0);
    allocator.dispose();
    expect(regions.returned.length).toBe(3);
  });

  test("with a separate memory for each region: tensors in all regions work together", () => {
    using allocator = new BFCAllocator(new BlockRegions(), 64 * MiB, "blocks");
    const tensors = Array.from({ length: 12 }, (_, i) => Tensor.full([MiB], i, { dtype: "uint8", allocator }));
    expect(new Set(tensors.map((tensor) => tensor.buffer?.memory)).size).toBeGreaterThan(1);
    tensors.forEach((tensor, i) => {
      expect([tensor.vec().at(0), tensor.vec().at(MiB - 1), new Uint8Array(tensor.toArrayBuffer())[MiB >> 1]]).toEqual([i, i, i]);
    });
    for (const tensor of tensors) tensor.dispose();
  });
});

describe("a memory that cannot be constructed", () => {
  const construct = (act: () => never): WasmMemoryConstructor =>
    class {
      constructor() {
        act();
      }
    } as unknown as WasmMemoryConstructor;

  test.each<[name: string, constructMemory: WasmMemoryConstructor | null, words: RegExp]>([
    ["no WebAssembly", null, /no WebAssembly/],
    [
      "no address space",
      construct(() => {
        throw new RangeError("could not allocate memory");
      }),
      /could not allocate memory/,
    ],
    [
      "a policy",
      construct(() => {
        throw "refused by policy";
      }),
      /refused by policy/,
    ],
  ])("%s: tensors are not initialized, or RESOURCE_EXHAUSTED; the memory itself says why", (_name, constructMemory, words) => {
    const memory = new LinearMemory({ constructMemory });
    using allocator = new BFCAllocator(new LinearMemorySubAllocator(memory), MiB, "none");
    const before = liveBuffers();
    using tensor = new Tensor("float32", [2], { allocator });
    expect([tensor.isInitialized(), memory.isConstructed]).toEqual([false, false]);
    expectStatus(() => Tensor.zeros([2], { allocator }), "RESOURCE_EXHAUSTED", /8 bytes.*\nallocator "none": no room/);
    expectStatus(() => memory.buffer, "RESOURCE_EXHAUSTED", words);
    tensor.dispose();
    expect(liveBuffers()).toBe(before);
  });

  test("unshared and only of the smallest size: tensors are allocated in it", () => {
    const tried: string[] = [];
    const memory = new LinearMemory({
      constructMemory: class {
        readonly buffer: ArrayBuffer;
        constructor({ initial, shared }: { readonly initial: number; readonly shared?: boolean }) {
          tried.push(`${initial / 16} MiB${shared === true ? " shared" : ""}`);
          if (shared === true || initial > 256 * 16) throw new RangeError("no");
          this.buffer = new ArrayBuffer(initial * 65536);
        }
      } as unknown as WasmMemoryConstructor,
    });
    using allocator = new BFCAllocator(new LinearMemorySubAllocator(memory), 2 ** 31, "plain");
    using tensor = Tensor.full([1000], 6, { allocator });
    expect([tensor.buffer?.memory === memory.buffer, memory.isShared, memory.byteLength, tensor.vec().at(999)]).toEqual([
      true,
      false,
      256 * MiB,
      6,
    ]);
    expect([tried[0], tried.at(-1)]).toEqual(["4096 MiB shared", "256 MiB"]);
    expectStatus(() => Tensor.zeros([256 * MiB], { dtype: "uint8", allocator }), "RESOURCE_EXHAUSTED", /268435456 bytes/);
  });
});
