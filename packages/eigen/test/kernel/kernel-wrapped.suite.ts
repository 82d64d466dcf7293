// Operands and targets outside the linear memory are computed by the same kernels as those inside, with the evaluator's results.
import { afterEach, describe, expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import { typedArrayConstructor } from "@onebuffer/base";
import { assignByReference, tensorMapKind } from "@onebuffer/eigen/internal";
import { kUnowned, MemoryToken } from "@onebuffer/storage/internal";
import { tensorMap } from "@onebuffer/eigen";
import { expectStatus, isLong } from "@onebuffer/test-support";
import { LinearMemory, linearMemory } from "@onebuffer/wasm";
import { planner } from "@onebuffer/compiler/src/run/planner";
import { kernelCounts, setKernelHooks } from "@onebuffer/kernels/internal";
import { anyElement, arenaMap, Dice, ownScratch, scratchFrom } from "./kernel-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const kRounds = isLong ? 3_000 : 10;

describe("operands outside the linear memory", () => {
  afterEach(() => {
    setKernelHooks({});
    scratchFrom(ownScratch);
  });

  /** Returns a map outside the linear memory, over an array of its own. */
  function outside(dtype: RawDType, dims: readonly number[], value: (i: number) => number): Any {
    const size = dims.reduce((a, b) => a * b, 1);
    const array = new (typedArrayConstructor(dtype) as Any)(size);
    for (let i = 0; i < size; i++) array[i] = value(i);
    return (tensorMap as Any)(dtype, array, dims);
  }

  // This is the first test of the file: no kernel has run yet, so the scratch block does not exist yet.
  test("without room in the linear memory the evaluator computes", () => {
    const reasons: string[] = [];
    const [x, out] = [outside("float32", [300], (i) => i), outside("float32", [300], () => 0)];
    scratchFrom({ reserve: () => null, release: () => {} });
    setKernelHooks({ onFallback: (reason) => reasons.push(reason) });
    const { runs } = kernelCounts();
    out.assign(x.add(x));
    expect([out.at(299), kernelCounts().runs]).toEqual([598, runs]);
    scratchFrom(ownScratch);
    // The first kernel of a program already goes the fast path, which costs a third less than planning it.
    expect([planner.fastPath.assign(out, x.mul(x)), out.at(299), kernelCounts().runs]).toEqual([true, 299 * 299, runs + 1]);
    for (let again = 0; again < 2; again++) out.assign(x.mul(x));
    expect([out.at(299), kernelCounts().runs]).toEqual([299 * 299, runs + 3]);
  });

  describe("kernels compute", () => {
    const builds: [string, (x: Any, y: Any) => Any][] = [
      ["add", (x, y) => x.add(y)],
      ["a chain", (x, y) => x.mul(y).add(1).exp()],
      ["sum", (x) => x.sum()],
      ["sums of rows", (x) => x.sum([1])],
      ["argmax", (x) => x.argmax(1, { outputType: "int32" })],
      ["softmax", (x) => x.softmax()],
      ["rows with a bias", (x, y) => x.add(y.sum([0]))],
      ["a transposition", (x, y) => x.transpose().mul(y.transpose())],
    ];
    const where: [string, boolean, boolean][] = [
      ["operands outside", true, false],
      ["the target outside", false, true],
      ["all outside", true, true],
    ];
    const sizes = [
      [1, 1],
      [2, 5],
      [10, 10],
      [25, 40],
      [63, 65],
      [50, 100],
    ];

    test.each(builds)("%s with a kept plan and without reserving memory, whatever is outside", (_, build) => {
      for (const [w, [name, operands, target]] of where.entries()) {
        for (const [d, dims] of sizes.entries()) {
          // A third of the sizes for each place, by turns.
          if (!isLong && (w + d) % 3 !== 0) continue;
          const maps = [1, 2].map((seed) => {
            const map = operands ? outside("float32", dims, () => 0) : (arenaMap("float32", dims) as Any);
            const { array, base, size } = map;
            for (let i = 0; i < size; i++) array[base + i] = ((i * 7 + seed) % 11) / 11;
            return map;
          });
          const expr = build(maps[0], maps[1]);
          const out = target ? outside(expr.dtype, expr.dimensions, () => 0) : (arenaMap(expr.dtype, expr.dimensions) as Any);
          const wanted = outside(expr.dtype, expr.dimensions, () => 0);
          assignByReference(wanted, expr);
          for (let again = 0; again < 2; again++) out.assign(build(maps[0], maps[1]));
          const before = kernelCounts();
          const reserved = linearMemory().reservedBytes;
          for (let again = 0; again < 3; again++) out.assign(build(maps[0], maps[1]));
          const { runs, compiled } = kernelCounts();
          const perAssignment = (runs - before.runs) / 3;
          expect([name, dims, compiled - before.compiled, perAssignment >= 1, linearMemory().reservedBytes]).toEqual([
            ...[name, dims, 0, true, reserved],
          ]);
          const far = [...out].findIndex((value, i) => Math.abs(value - wanted.array[i]) > 2e-6 * Math.abs(wanted.array[i]));
          expect([name, dims, far]).toEqual([name, dims, -1]);
        }
      }
    });

    test("on the fast path if all sizes are equal, whatever is outside", () => {
      const [a, b] = [outside("float32", [30], (i) => i), arenaMap("float32", [30]) as Any];
      b.assign(2);
      const targets = [outside("float32", [30], () => 0), arenaMap("float32", [30]) as Any];
      for (const target of targets) {
        const ways = [a.add(a), a.mul(b), b.sub(a), b.add(b).exp()].map((expr) => [expr, planner.fastPath.assign(target, expr)] as const);
        expect(ways.map(([, isDone]) => isDone)).toEqual([true, true, true, true]);
      }
    });

    test("over different parts of one array", () => {
      const array = Float32Array.from({ length: 100 }, (_, i) => i * i);
      const part = (at: number): Any => (tensorMapKind("float32") as Any).vec(array, at, kUnowned, 20);
      const out = outside("float32", [20], () => 0);
      for (let again = 0; again < 2; again++) out.assign(part(50).sub(part(30)).sub(part(30)));
      expect([...out]).toEqual(Array.from({ length: 20 }, (_, i) => (i + 50) ** 2 - 2 * (i + 30) ** 2));
      part(30).assign(part(20).add(part(40)));
      expect(Array.from(array.subarray(28, 52))).toEqual(
        Array.from({ length: 24 }, (_, k) => k + 28).map((i) => (i < 30 || i >= 50 ? i * i : (i - 10) ** 2 + (i + 10) ** 2)),
      );
    });

    test("with another plan for the copy of a strided map than for the same strides inside", () => {
      const [inside, outer] = [arenaMap("float32", [6, 20]) as Any, outside("float32", [6, 20], (i) => i)];
      inside.assign(outer);
      const half = (map: Any): Any => map.strided().slice(null, [0, 20, 2]);
      const sums = [0, 1].map(() => outside("float32", [6], () => 0));
      for (let again = 0; again < 2; again++) {
        sums[0].assign(half(inside).sum([1]));
        sums[1].assign(half(outer).sum([1]));
        expect(sums.map((map) => [...map])).toEqual(sums.map(() => Array.from({ length: 6 }, (_, r) => 200 * r + 90)));
      }
    });

    test("if more elements have to be copied than the staging region holds", () => {
      const maps = Array.from({ length: 5 }, (_, k) => outside("float64", [40_000], (i) => i + k));
      const sum = maps.reduce((all, map) => all.add(map));
      const out = outside("float64", [40_000], () => 0);
      const { runs } = kernelCounts();
      out.assign(sum);
      expect(kernelCounts().runs).toBe(runs + 1);
      expect([...out].findIndex((value, i) => value !== 5 * i + 10)).toBe(-1);
    });

    test("over parts of arrays with other alignments than the linear memory", () => {
      for (const shift of [0, 1, 2, 3]) {
        const [a, b, c] = [1, 2, 3].map((k) => Float32Array.from({ length: 70 }, (_, i) => i * k)) as Any[];
        const part = (array: Any, at: number): Any => (tensorMapKind("float32") as Any).vec(array, at, kUnowned, 60);
        const out = part(c, 3 - shift);
        out.assign(part(a, shift).add(part(b, 1)));
        for (let i = 0; i < 70; i++) {
          const k = i - (3 - shift);
          expect(c[i]).toBe(k >= 0 && k < 60 ? k + shift + 2 * (k + 1) : 3 * i);
        }
      }
    });
  });

  const kPoolBytes = 20480;

  /** The memory for the maps of the random test: in the linear memory, in plain arrays, and in shared memory. */
  function pools(): ArrayBufferView[] {
    return [
      new Uint8Array(linearMemory().buffer, linearMemory().reserve(kPoolBytes) as number, kPoolBytes),
      new Uint8Array(kPoolBytes),
      new Uint8Array(new ArrayBuffer(kPoolBytes + 64), 24, kPoolBytes),
      new Uint8Array(new SharedArrayBuffer(kPoolBytes)),
    ];
  }

  const memory: Any[] = pools();
  /** How many bytes of each pool maps may use. */
  const kFilled = 16384;
  /** The number of random elements before the same ones follow again: a prime, so that no row of a subject is like the next. */
  const kPeriod = 509;

  /** Returns a map of these sizes in one of the pools: mostly dense, and often at the same address as other maps. */
  function anywhere(dtype: RawDType, dims: readonly number[], dice: Dice): Any {
    const constructor = typedArrayConstructor(dtype) as Any;
    const pool = dice.pick(memory);
    const array = new constructor(pool.buffer, pool.byteOffset, pool.length / constructor.BYTES_PER_ELEMENT);
    const base = dice.pick([0, 0, 1, 3, dice.below(40)]);
    const owner = dice.below(2) === 0 ? kUnowned : new MemoryToken({});
    const last = dims.length - 1;
    const wide = dice.below(4) === 0 && dims.length > 0;
    const sizes = wide ? dims.with(last, dims[last]! * 2) : dims;
    const map = (tensorMapKind(dtype) as Any).general(array, base, owner, sizes);
    if (wide) return map.strided().slice(...dims.map((size, d) => (d === last ? [dice.below(2), 2 * size, 2] : null)));
    return dice.below(5) === 0 && dims.length > 0 ? map.strided().reverse() : map;
  }

  const kinds: readonly RawDType[] = ["float32", "float32", "float32", "float64", "int32", "uint8", "int64", "int16", "bool"];

  /** Returns an expression whose elements are the same by whatever means they are computed. */
  function exactly(dtype: RawDType, dims: readonly number[], dice: Dice, depth: number): Any {
    if (depth === 0) return anywhere(dtype, dims, dice);
    const one = (): Any => exactly(dtype, dims, dice, depth - 1);
    if (dtype === "bool") return dice.below(2) === 0 ? one().logicalNot() : one().logicalXor(one());
    switch (dice.below(9)) {
      case 0:
        return one().neg();
      case 1:
        return one().abs();
      case 2:
        return one().sub(anywhere(dtype, dims, dice));
      case 3:
        return dims.length < 2 ? one() : exactly(dtype, [...dims].reverse(), dice, depth - 1).transpose();
      case 4:
        return one().add(exactly(dtype, dims.slice(1), dice, 0));
      case 5:
        if (dims.reduce((a, b) => a * b, 1) > 40) return one().square();
        return exactly(dtype, [...dims, 1 + dice.below(20)], dice, depth - 1).max([dims.length]);
      case 6:
        return one().maximum(one());
      case 7:
        return one().reverse(dims.length === 0 ? [] : [0]);
      default:
        return one().add(one());
    }
  }

  const sizesOf = (dice: Dice): readonly number[] =>
    dice.pick([[], [1], [2], [3], [7], [8], [17], [100], [700], [3, 4], [16, 5], [20, 30], [2, 3, 5]]);

  test("random expressions of maps inside, outside and overlapping equal the evaluator's bit for bit and write nothing else", () => {
    let byKernels = 0;
    for (let round = 0; round < kRounds; round++) {
      const dice = new Dice(round * 7919 + 13);
      const dtype = dice.pick(kinds);
      for (const pool of memory) {
        const constructor = typedArrayConstructor(dtype) as Any;
        const array = new constructor(pool.buffer, pool.byteOffset, kFilled / constructor.BYTES_PER_ELEMENT);
        // The values repeat after kPeriod elements, because making random ones would take longer than all kernels.
        for (let i = 0; i < kPeriod; i++) {
          const value = anyElement(dtype, dice, false);
          array[i] = typeof value === "boolean" ? Number(value) : value;
        }
        for (let i = kPeriod; i < array.length; i += kPeriod) array.copyWithin(i, 0, Math.min(kPeriod, array.length - i));
      }
      const dims = sizesOf(dice);
      const target = anywhere(dtype, dims, dice);
      const expr = exactly(dtype, dims, dice, dice.below(4));
      const start = memory.map((pool) => pool.slice());
      assignByReference(target, expr);
      const wanted = memory.map((pool) => pool.slice());
      memory.forEach((pool, k) => pool.set(start[k]));
      const { runs } = kernelCounts();
      target.assign(expr);
      if (kernelCounts().runs > runs) byKernels++;
      const wrong = memory.map((pool, k) => Buffer.compare(Buffer.from(pool.buffer, pool.byteOffset, pool.length), wanted[k]));
      expect([round, String(expr), String(target), wrong]).toEqual([round, String(expr), String(target), [0, 0, 0, 0]]);
    }
    expect(byKernels).toBeGreaterThan(kRounds / 2);
  });

  describe("errors", () => {
    test("an integer divided by zero throws and leaves the target as the evaluator does", () => {
      const x = outside("int32", [50], (i) => i);
      const y = outside("int32", [50], (i) => (i === 20 ? 0 : 2));
      const [out, wanted] = [outside("int32", [50], () => -1), outside("int32", [50], () => -1)];
      for (let again = 0; again < 3; again++) expect(() => out.assign(x.div(y))).toThrow(/division by zero/);
      expect(() => assignByReference(wanted, x.div(y))).toThrow(/division by zero/);
      expect([...out]).toEqual([...wanted]);
      expect(() => x.assign(x.div(y))).toThrow(/division by zero/);
      expect([x.at(19), x.at(20), x.at(49)]).toEqual([9, 20, 49]);
    });

    test("memory that was freed, detached or has shrunk throws FAILED_PRECONDITION", () => {
      const inside = arenaMap("float32", [8]) as Any;
      const fine = outside("float32", [8], (i) => i);
      const token = new MemoryToken({});
      const freed = (tensorMapKind("float32") as Any).vec(new Float32Array(8), 0, token, 8);
      const detached = outside("float32", [8], (i) => i);
      const buffer = new (ArrayBuffer as Any)(32, { maxByteLength: 64 });
      const shrunk = (tensorMap as Any)("float32", new Float32Array(buffer), [8]);
      const all = [freed, detached, shrunk];
      const use = (map: Any): (() => void)[] => [
        () => inside.assign(map.add(1)),
        () => fine.assign(map.add(fine)),
        () => map.assign(fine.add(1)),
        () => fine.assign(map.sum()),
        () => map.assign(fine.sum()),
      ];
      for (const map of all) for (const run of use(map)) run();
      token.free();
      structuredClone(detached.array, { transfer: [detached.array.buffer] });
      buffer.resize(28);
      const kept = [...inside];
      for (const map of all) for (const run of use(map)) expectStatus(run, "FAILED_PRECONDITION");
      expect([...inside]).toEqual(kept);
    });

    test("isAvailable is false without a linear memory, and only the first call tries to construct it", () => {
      let tries = 0;
      const refuses = class {
        constructor() {
          tries++;
          throw new RangeError("no");
        }
      };
      const none = new LinearMemory({ constructMemory: refuses as never });
      expect([none.isAvailable, none.isConstructed]).toEqual([false, false]);
      const before = tries;
      expect([none.isAvailable, tries]).toEqual([false, before]);
      expect(new LinearMemory({ constructMemory: null }).isAvailable).toBe(false);
      expect(linearMemory().isAvailable).toBe(true);
    });
  });

  test("float16 and bfloat16 operands that are copied in for sort, cumsum and scatter keep their dtype", () => {
    for (const dtype of ["float16", "bfloat16"] as const) {
      const x = outside(dtype, [5], (i) => 0x3c00 + 100 * i);
      const moved = x.mul(1.5).roll(-2);
      for (const build of [
        () => moved.sort(),
        () => moved.cumsum(),
        () =>
          moved.scatter(
            outside("int32", [1], () => 3),
            outside(dtype, [1], () => 0x4000),
          ),
      ]) {
        const [out, wanted] = [outside(dtype, [5], () => 0), outside(dtype, [5], () => 0)];
        // Fills the scratch memory with values other than zero.
        outside("float32", [8], () => 0).assign(outside("float32", [8], () => 7).softmax());
        out.assign(build());
        assignByReference(wanted, build());
        expect([dtype, [...out]]).toEqual([dtype, [...wanted]]);
      }
    }
  });

  test("a scatter into a target outside the linear memory writes nothing at low addresses of the linear memory", () => {
    const page0 = (): number[] => [...new Uint8Array(linearMemory().buffer, 0, 256)];
    const [x, plain] = [outside("float64", [1, 5], (i) => Math.sin(i)), outside("bool", [1, 8], (i) => i % 2)];
    const indices = outside("int64", [0], () => 0);
    const sorted = x.sort(-1, { descending: true });
    const moved = plain.strided().slice(null, [2, 7]);
    const before = page0();
    for (let again = 0; again < 2; again++) {
      const expr = x
        .equal(sorted)
        .logicalXor(moved)
        .scatter(indices, sorted.cast("bool").slice([0, 0], [0, 5]), 0, { reduction: "update" });
      const [out, wanted] = [
        outside("bool", [1, 8], () => 1)
          .strided()
          .slice([0, 1], [1, 6]),
        outside("bool", [1, 5], () => 0),
      ];
      assignByReference(wanted, expr);
      out.assign(expr);
      expect([...out]).toEqual([...wanted]);
    }
    expect(page0().slice(4)).toEqual(before.slice(4));
  });
});
