// Tests of guards of 64-bit lanes: a group is left exactly if a lane is above the limit as a 64-bit integer, not if one of its words is.
import { describe, expect, test } from "@jest/globals";
import { WasmModule } from "../../src/assembler/assembler.ts";
import type { Vector } from "../../src/vector/vector.ts";
import { VectorBuilder } from "../../src/vector/vector-builder.ts";
import { instantiate, memoryImport, slot } from "@onebuffer/test-support";

const kLimit = 2044;

/** Returns a function that runs code with these guards on `copies` vectors of slot 1, and returns true if it left the group. */
function guarded(copies: number, guard: (x: Vector) => void): () => boolean {
  const module = new WasmModule(memoryImport);
  const target = module.function("run", { at: "i32" });
  const builder = new VectorBuilder(target);
  const code = target.body;
  const [done, left] = [code.block(), code.block()];
  const write = (): void => {
    const x = builder.load("u64x2", 0, 1 << 20);
    guard(x);
    builder.store(x, 0, 2 << 20);
  };
  builder.emit(copies, write, () => void code.br(left));
  code.get(0).i32(0).memory("i32.store", 0).br(done).end();
  code.get(0).i32(1).memory("i32.store", 0).end();
  const { run } = instantiate(module);
  return () => {
    run!(0);
    return slot("i32x4", 0)[0] === 1;
  };
}

/** Words below and above the limit and the sign bit. */
const words = [0n, 1n, 2n, 2043n, 2044n, 2045n, 0x7fffffffn, 0x80000000n, 0xfffff804n, 0xffffffffn];
const values = words.flatMap((high) => words.map((low) => (high << 32n) | low));

describe("guards of 64-bit lanes", () => {
  test.each([1, 2, 3, 6])("leave a group of %d vectors exactly if one lane is above the limit", (copies) => {
    const alone = guarded(copies, (x) => void x.source.guard(x, kLimit));
    // A second guard with the same limit but 32-bit lanes must not be confused with the first.
    const beside = guarded(copies, (x) => {
      x.source.guard(x, kLimit);
      x.source.guard(x.and(0x7fffffff7fffffffn).shr(40).as("u32x4"), kLimit);
    });
    const lanes = slot("u64x2", 1);
    const count = 2 * copies;
    for (const value of values) {
      for (let lane = 0; lane < count; lane++) {
        lanes.fill(7n, 0, count);
        lanes[lane] = value;
        expect([value, lane, alone()]).toEqual([value, lane, value > kLimit]);
        expect([value, lane, beside()]).toEqual([value, lane, value > kLimit]);
      }
    }
  });

  test("accept limits up to 2^32 - 1 and refuse others", () => {
    const lanes = slot("u64x2", 1);
    for (const limit of [0, 0x7fffffff, 0x80000000, 0xffffffff]) {
      const isLeft = guarded(1, (x) => void x.source.guard(x, limit));
      for (const value of values) {
        lanes.set([value, 0n]);
        expect([limit, value, isLeft()]).toEqual([limit, value, value > limit]);
      }
    }
    for (const limit of [-1, 2 ** 32, 0.5]) {
      expect(() => guarded(1, (x) => void x.source.guard(x, limit))).toThrow(/must be an unsigned 32-bit integer, not/);
    }
  });
});
