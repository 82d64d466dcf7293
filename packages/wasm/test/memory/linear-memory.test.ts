// Tests of LinearMemory: construction when the engine refuses sizes, joining, and how regions are reserved and released.
import { describe, expect, test } from "@jest/globals";
import { runInNewContext } from "node:vm";
import type { StatusCode } from "@onebuffer/base";
import { isStatusError } from "@onebuffer/base";
import type { WasmMemory, WasmMemoryConstructor, WasmMemoryDescriptor } from "@onebuffer/wasm";
import { LinearMemory, linearMemory } from "@onebuffer/wasm";
import fc from "fast-check";

const MiB = 1048576;
const kBase = 65536;

/**
 * Returns a constructor of memories of 1 MiB, whatever size is asked for, and the list of requests. The constructor throws for those that
 * `refuse` returns true for.
 */
function fake(refuse: (descriptor: WasmMemoryDescriptor) => boolean): { construct: WasmMemoryConstructor; asked: WasmMemoryDescriptor[] } {
  const asked: WasmMemoryDescriptor[] = [];
  class Fake implements WasmMemory {
    readonly buffer: ArrayBufferLike;
    constructor(descriptor: WasmMemoryDescriptor) {
      asked.push(descriptor);
      if (refuse(descriptor)) throw new RangeError(`no ${descriptor.initial} pages`);
      this.buffer = descriptor.shared ? new SharedArrayBuffer(MiB) : new ArrayBuffer(MiB);
    }
    grow(): number {
      throw new Error("never grown");
    }
  }
  return { construct: Fake, asked };
}

const thrown = (act: () => unknown): unknown => {
  try {
    return void act();
  } catch (error) {
    return error;
  }
};

describe("construction", () => {
  test("the memory of the process is shared, has 4 GiB from the start, and takes no resident pages until it is touched", () => {
    expect(linearMemory()).toBe(linearMemory());
    const before = process.memoryUsage.rss();
    const { buffer } = linearMemory();
    expect(process.memoryUsage.rss() - before).toBeLessThan(16 * MiB);
    expect(linearMemory().buffer).toBe(buffer);
    expect(linearMemory().memory.buffer).toBe(buffer);
    expect([linearMemory().isShared, linearMemory().byteLength, linearMemory().maxByteLength]).toEqual([true, 4096 * MiB, 4096 * MiB]);
    expect(linearMemory().reservableBytes).toBe(4096 * MiB - kBase);
  });

  test("happens on first use, and once", () => {
    const { construct, asked } = fake(() => false);
    const memory = new LinearMemory({ constructMemory: construct });
    expect([memory.isConstructed, asked.length]).toEqual([false, 0]);
    expect(memory.isShared).toBe(true);
    const { buffer } = memory;
    expect([memory.isConstructed, memory.buffer === buffer, asked.length]).toEqual([true, true, 1]);
    expect(asked).toEqual([{ initial: 65536, maximum: 65536, shared: true }]);
  });

  test.each([
    ["shared, but less than 4 GiB", (d: WasmMemoryDescriptor) => d.initial > 8192, [65536, 32768, 16384, 8192], [true, true, true, true]],
    ["not shared", (d: WasmMemoryDescriptor) => d.shared, [65536, 32768, 16384, 8192, 4096, 32768], [true, true, true, true, true, false]],
    [
      "not shared and small",
      (d: WasmMemoryDescriptor) => d.shared || d.initial > 4096,
      [65536, 32768, 16384, 8192, 4096, 32768, 16384, 8192, 4096],
      [true, true, true, true, true, false, false, false, false],
    ],
  ] as const)("%s", (_, refuse, pages, shared) => {
    const { construct, asked } = fake(refuse);
    const memory = new LinearMemory({ constructMemory: construct });
    expect(memory.isShared).toBe(shared.at(-1));
    expect(asked.map((descriptor) => descriptor.initial)).toEqual(pages);
    expect(asked.map((descriptor) => descriptor.shared)).toEqual(shared);
    for (const descriptor of asked) expect(descriptor.maximum).toBe(descriptor.initial); // it never grows
  });

  test("isShared tells what the buffer is, not what was requested", () => {
    class Unshared implements WasmMemory {
      readonly buffer: ArrayBufferLike = new ArrayBuffer(MiB);
      grow(): number {
        return -1;
      }
    }
    expect(new LinearMemory({ constructMemory: Unshared }).isShared).toBe(false);
  });

  test.each([
    ["every size is refused", fake(() => true).construct, /4096, 2048.*no 4096 pages/],
    ["the engine has no WebAssembly", null, /no WebAssembly/],
  ])("if %s, every use throws RESOURCE_EXHAUSTED", (_, construct, message) => {
    const memory = new LinearMemory({ constructMemory: construct });
    const uses = [
      () => memory.buffer,
      () => memory.memory,
      () => memory.isShared,
      () => memory.byteLength,
      () => memory.reservableBytes,
      () => memory.reserve(256),
      () => memory.release(kBase, 256),
      () => memory.reservedBytes,
    ];
    for (const use of uses) {
      const error = thrown(use);
      expect(isStatusError(error, "RESOURCE_EXHAUSTED")).toBe(true);
      expect(String(error)).toMatch(message);
    }
    expect(memory.isConstructed).toBe(false);
  });

  test("a failed construction is not tried again", () => {
    const { construct, asked } = fake(() => true);
    const memory = new LinearMemory({ constructMemory: construct });
    thrown(() => memory.buffer);
    thrown(() => memory.buffer);
    expect(asked.length).toBe(9);
  });
});

describe("joining", () => {
  const engine = (globalThis as unknown as { WebAssembly: { Memory: WasmMemoryConstructor } }).WebAssembly.Memory;
  const shared = (pages = 16): WasmMemory => new engine({ initial: pages, maximum: pages, shared: true });
  const refused = (memory: LinearMemory, other: unknown, code: StatusCode, message: RegExp): void => {
    const error = thrown(() => memory.join(other as WasmMemory));
    expect(isStatusError(error, code)).toBe(true);
    expect(String(error)).toMatch(message);
  };

  test("constructs nothing, and both objects reserve regions in the joined memory", () => {
    const { construct, asked } = fake(() => false);
    const memory = shared();
    const [a, b] = [new LinearMemory({ constructMemory: construct }), new LinearMemory({ constructMemory: construct })];
    a.join(memory);
    expect([a.isConstructed, a.isShared, a.buffer === memory.buffer, a.memory === memory]).toEqual([true, true, true, true]);
    expect(a.reserve(512)).toBe(kBase);
    b.join(memory); // one that regions have been taken from already
    expect([b.reserve(256), a.reserve(256), a.reservedBytes]).toEqual([kBase + 512, kBase + 768, 1024]);
    expect(asked).toEqual([]);
    a.join(memory);
    expect(a.reserve(256)).toBe(kBase + 1024);
  });

  test("accepts a memory of another realm", () => {
    const foreign = runInNewContext("new WebAssembly.Memory({ initial: 16, maximum: 16, shared: true })") as WasmMemory;
    const memory = new LinearMemory();
    memory.join(foreign);
    expect(memory.isShared).toBe(true);
  });

  test("is possible after a failed construction", () => {
    const memory = new LinearMemory({ constructMemory: null });
    thrown(() => memory.buffer);
    memory.join(shared());
    expect(memory.byteLength).toBe(MiB);
  });

  test("throws FAILED_PRECONDITION with both sizes after the thread has constructed a memory, which it keeps", () => {
    const memory = new LinearMemory({ constructMemory: fake(() => false).construct });
    const { buffer } = memory;
    refused(memory, shared(32), "FAILED_PRECONDITION", /1048576 bytes in use.*2097152 bytes/);
    expect(memory.buffer).toBe(buffer);
  });

  test.each([
    ["null", null, /null/],
    ["a buffer", new SharedArrayBuffer(MiB), /an object/],
    ["an object with the members of a memory", { buffer: new SharedArrayBuffer(MiB), grow: () => 0 }, /got/],
    ["a memory that is not shared", new engine({ initial: 16, maximum: 16, shared: false }), /not shared/],
    ["a memory of one page", shared(1), /65536 bytes/],
  ])("refuses %s with INVALID_ARGUMENT and changes nothing", (_, other, message) => {
    const memory = new LinearMemory({ constructMemory: fake(() => false).construct });
    refused(memory, other, "INVALID_ARGUMENT", message);
    expect(memory.isConstructed).toBe(false);
  });

  test.each([1, 255, -1, 4097])("refuses a memory whose page 0 says that %d units are taken", (taken) => {
    const other = shared();
    new Int32Array(other.buffer)[0] = taken;
    refused(new LinearMemory(), other, "INVALID_ARGUMENT", new RegExp(`${taken} units`));
  });
});

describe("regions", () => {
  const small = (): LinearMemory => new LinearMemory({ constructMemory: fake(() => false).construct });

  test("start after page 0, are adjacent, and fill the memory to its end", () => {
    const memory = small();
    expect(memory.reservedBytes).toBe(0);
    expect([memory.reserve(256), memory.reserve(1024), memory.reserve(256)]).toEqual([kBase, kBase + 256, kBase + 1280]);
    expect(memory.reservedBytes).toBe(1536);
    expect(memory.reserve(memory.reservableBytes)).toBe(null);
    expect(memory.reserve(memory.reservableBytes - 1536)).toBe(kBase + 1536);
    expect(memory.reserve(256)).toBe(null);
  });

  test("released regions are handed out again, and releasing the highest lowers the top", () => {
    const memory = small();
    const [a, b, c] = [memory.reserve(512)!, memory.reserve(512)!, memory.reserve(512)!];
    memory.release(a, 512);
    expect(memory.reserve(1024)).toBe(c + 512);
    expect(memory.reserve(256)).toBe(a);
    memory.release(c + 512, 1024);
    memory.release(c, 512);
    memory.release(b, 512);
    expect(memory.reservedBytes).toBe(256);
    expect(memory.reserve(memory.reservableBytes - 256)).toBe(a + 256); // the released ranges are merged
  });

  test("bytes that are skipped for an alignment above 256 are handed out later", () => {
    const memory = small();
    memory.reserve(256);
    expect(memory.reserve(256, 65536)).toBe(2 * kBase);
    expect(memory.reserve(512, 64)).toBe(kBase + 256);
  });

  test("a region can be released in parts, and adjacent regions together", () => {
    const memory = small();
    const a = memory.reserve(1024)!;
    memory.reserve(256);
    memory.release(a + 256, 512);
    memory.release(a, 256);
    expect(memory.reserve(768)).toBe(a);
    memory.release(a, 1280);
    expect(memory.reservedBytes).toBe(0);
  });

  test.each([
    [0, 256],
    [kBase, 0],
    [kBase, -256],
    [kBase, 100],
    [kBase + 1, 256],
    [kBase + 768, 512],
    [kBase + 2048, 256],
    [Number.NaN, 256],
    [kBase, Infinity],
  ])("release refuses bytes that are not reserved, %d + %d, and changes nothing", (offset, bytes) => {
    const memory = small();
    memory.reserve(1024);
    const error = thrown(() => memory.release(offset, bytes));
    expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
    expect(String(error)).toContain(`the ${bytes} bytes at offset ${offset}`);
    expect(memory.reservedBytes).toBe(1024);
  });

  test("release refuses bytes that were released before", () => {
    const memory = small();
    const a = memory.reserve(512)!;
    memory.reserve(256);
    memory.release(a, 512);
    for (const [offset, bytes] of [
      [a, 512],
      [a + 256, 256],
      [a, 768],
      [a - 256, 512],
    ] as const)
      expect(
        isStatusError(
          thrown(() => memory.release(offset, bytes)),
          "FAILED_PRECONDITION",
        ),
      ).toBe(true);
    expect(memory.reservedBytes).toBe(256);
  });

  test.each([0, -256, 100, 256.5, Number.NaN, 2 ** 60])("reserve refuses a region of %d bytes", (bytes) => {
    const error = thrown(() => small().reserve(bytes));
    expect(isStatusError(error, "INVALID_ARGUMENT")).toBe(true);
    expect(String(error)).toContain(String(bytes));
  });

  test.each([0, 3, -64, 0.5, Number.NaN, 2 ** 31])("reserve refuses an alignment of %d", (alignment) => {
    expect(
      isStatusError(
        thrown(() => small().reserve(256, alignment)),
        "INVALID_ARGUMENT",
      ),
    ).toBe(true);
  });

  test("two objects over one memory never hand out the same bytes", () => {
    const shared = new SharedArrayBuffer(MiB);
    class Same implements WasmMemory {
      readonly buffer: ArrayBufferLike = shared;
      grow(): number {
        return -1;
      }
    }
    const [a, b] = [new LinearMemory({ constructMemory: Same }), new LinearMemory({ constructMemory: Same })];
    expect([a.reserve(512), b.reserve(256), a.reserve(256)]).toEqual([kBase, kBase + 512, kBase + 768]);
    a.release(kBase, 512); // b has a region above it, so the top must not move
    expect([b.reserve(256), a.reserve(512)]).toEqual([kBase + 1024, kBase]);
  });

  test("agrees with a model that marks each unit of 256 bytes as taken or free", () => {
    const step = fc.oneof(
      fc.record({ reserve: fc.integer({ min: 1, max: 40 }), grain: fc.constantFrom(1, 2, 16) }),
      fc.record({ release: fc.nat(), part: fc.nat() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const memory = small();
        const cells = MiB / 256;
        const taken = new Uint8Array(cells).fill(1, 0, 256);
        const live: { start: number; units: number }[] = [];
        for (const each of steps) {
          if ("reserve" in each) {
            const { reserve: units, grain } = each;
            let want = 0;
            while (want + units <= cells && taken.subarray(want, want + units).includes(1)) want += grain;
            const got = memory.reserve(units * 256, grain * 256);
            expect(got).toBe(want + units <= cells ? want * 256 : null);
            if (got === null) continue;
            taken.fill(1, want, want + units);
            live.push({ start: want, units });
          } else if (live.length > 0) {
            const at = each.release % live.length;
            const { start, units } = live[at]!;
            const part = 1 + (each.part % units);
            memory.release(start * 256, part * 256);
            taken.fill(0, start, start + part);
            if (part === units) live.splice(at, 1);
            else live[at] = { start: start + part, units: units - part };
          }
          expect(memory.reservedBytes).toBe((taken.reduce((sum, cell) => sum + cell, 0) - 256) * 256);
        }
      }),
      { numRuns: 150 },
    );
  });
});
