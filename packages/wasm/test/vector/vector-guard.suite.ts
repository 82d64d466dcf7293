// Tests of guards: a group is left before anything is stored or assigned, exactly if a lane is above the limit, one of 64 bits as a 64-bit
// integer, not if one of its words is.
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

describe("guard", () => {
  /**
   * Returns a function that adds 1 to `copies` vectors of slot 1 and stores the sums in slot 0. If the group was left, it stores 7 in
   * slot 2 instead. In both cases it stores the value of a variable, to which the sums are assigned, in slot 3.
   */
  const guarded = (copies: number): (() => void) => {
    const target = new WasmModule(memoryImport);
    const run = target.function("run", { at: "i32" });
    const builder = new VectorBuilder(run);
    const code = run.body;
    const seen = builder.variable("f32x4", copies);
    const done = code.block();
    const left = code.block();
    builder.emit(
      copies,
      () => {
        const x = builder.load("f32x4", 0, 1 << 20);
        const size = x.abs().as("u32x4");
        expect(builder.guard(size, 0x41000000)).toBe(true);
        expect(builder.guard(x.add(6).as("u32x4"), 0x41500000)).toBe(true);
        builder.assign(seen, x.add(1));
        builder.store(x.add(1), 0);
      },
      () => void code.br(left),
    );
    code.br(done).end();
    code
      .get(0)
      .i32(7)
      .memory("i32.store", 2 << 20);
    code.end();
    builder.emit(copies, () => builder.store(builder.read(seen), 0, 3 << 20));
    const { run: call } = instantiate(target);
    return () => void call!(0);
  };

  test.each([1, 2, 3, 6])("a group of %d vectors with a lane above a limit is left before anything is stored or assigned", (copies) => {
    const run = guarded(copies);
    const [out, x, marks, seen] = [slot("f32x4", 0), slot("f32x4", 1), slot("i32x4", 2), slot("f32x4", 3)];
    const count = 4 * copies;
    const check = (isLeft: boolean): void => {
      out.fill(0, 0, count);
      marks[0] = 0;
      run();
      const sums = isLeft ? Array.from({ length: count }, () => 0) : Array.from(x.slice(0, count), (each) => each + 1);
      expect([marks[0], [...out.slice(0, count)], [...seen.slice(0, count)]]).toEqual([isLeft ? 7 : 0, sums, sums]);
    };
    x.fill(2, 0, count);
    check(false);
    // Above the first limit, above only the second, negative as an integer, NaN, and just within both.
    for (const [value, isLeft] of [
      [8.5, true],
      [7.5, true],
      [-7, true],
      [Number.NaN, true],
      [7, false],
      [-5, false],
    ] as const) {
      for (let lane = 0; lane < count; lane++) {
        x.fill(2, 0, count);
        x[lane] = value;
        check(isLeft);
      }
    }
  });

  test("returns false if there is no other code, and inside when", () => {
    const target = new WasmModule(memoryImport).function("f", { a: "i32" });
    const builder = new VectorBuilder(target);
    const isGuarded: boolean[] = [];
    const write = (): void => {
      const x = builder.load("u32x4", 0);
      const guard = (): Vector => {
        isGuarded.push(builder.guard(x, 1));
        return x;
      };
      guard();
      builder.store(builder.when(x, x, guard), 0);
    };
    builder.emit(1, write);
    const end = target.body.block();
    builder.emit(1, write, () => void target.body.br(end));
    expect(isGuarded).toEqual([false, false, true, false]);
    expect(() =>
      builder.emit(
        1,
        () => void builder.guard(builder.load("f32x4", 0), 1),
        () => {},
      ),
    ).toThrow("a guard must be u32x4 or u64x2, not f32x4");
  });
});
