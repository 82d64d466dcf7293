// Guards of 64-bit lanes: a group is left if any lane is above the limit as one integer, not if one of its words is.
import { describe, expect, test } from "@jest/globals";
import { WasmModule } from "../../src/assembler/assembler.ts";
import type { Vector } from "../../src/vector/vector.ts";
import { VectorBuilder } from "../../src/vector/vector-builder.ts";
import { instantiate, memoryImport, slot } from "@onebuffer/test-support";

const kLimit = 2044;

/** A function that tells whether `copies` vectors of slot 1 are left by code with these guards. */
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

/** High and low words on both sides of the limit and of the sign. */
const words = [0n, 1n, 2n, 2043n, 2044n, 2045n, 0x7fffffffn, 0x80000000n, 0xfffff804n, 0xffffffffn];
const values = words.flatMap((high) => words.map((low) => (high << 32n) | low));

describe("guards of 64-bit lanes", () => {
  test.each([1, 2, 3, 6])("any lane of %d vectors, any high and low word", (copies) => {
    const alone = guarded(copies, (x) => void x.source.guard(x, kLimit));
    // Another guard of the same limit, of 32-bit lanes: the words of a lane count each for itself there.
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

  test("limits up to 2^32 - 1, and none beyond", () => {
    const lanes = slot("u64x2", 1);
    for (const limit of [0, 0x7fffffff, 0x80000000, 0xffffffff]) {
      const isLeft = guarded(1, (x) => void x.source.guard(x, limit));
      for (const value of values) {
        lanes.set([value, 0n]);
        expect([limit, value, isLeft()]).toEqual([limit, value, value > limit]);
      }
    }
    for (const limit of [-1, 2 ** 32, 0.5]) {
      expect(() => guarded(1, (x) => void x.source.guard(x, limit))).toThrow(/an unsigned 32-bit integer, not/);
    }
  });
});
