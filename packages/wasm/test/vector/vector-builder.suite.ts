// Tests of VectorBuilder: every method of vectors is compared with JavaScript on random and special elements, and the generated code
// keeps the guarantees of VectorSchedule.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { WasmModule } from "../../src/assembler/assembler.ts";
import { functionText } from "../../src/assembler/assembler-listing.ts";
import type { Vector, VectorKind } from "../../src/vector/vector.ts";
import { VectorBuilder } from "../../src/vector/vector-builder.ts";
import { hasRelaxedSimd, instantiate, kernelOf, memory, memoryImport, slot } from "@onebuffer/test-support";

type Element = number | bigint;

const kinds: readonly VectorKind[] = ["f32x4", "f64x2", "i8x16", "u8x16", "i16x8", "u16x8", "i32x4", "u32x4", "i64x2", "u64x2"];
const floats: readonly VectorKind[] = ["f32x4", "f64x2"];
const integers = kinds.filter((kind) => !floats.includes(kind));
const small: readonly VectorKind[] = ["i8x16", "u8x16", "i16x8", "u16x8"];
const bitsOf = (kind: VectorKind): number => 128 / Number(kind.split("x")[1]);
const maskKind = (kind: VectorKind): VectorKind => kind.replace(/^[fu]/, "i") as VectorKind;
const isUnsigned = (kind: VectorKind): boolean => kind.startsWith("u");

/** Returns an integer of any size, wrapped to an element of the kind. */
function wrapped(kind: VectorKind, value: bigint): Element {
  const bits = bitsOf(kind);
  const of = isUnsigned(kind) ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
  return bits === 64 ? of : Number(of);
}

/** Rounds to the precision of the kind. */
const rounded = (kind: VectorKind, value: number): number => (kind === "f32x4" ? Math.fround(value) : value);

let seed = 1;
const random = (): number => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0);

const kCount = 384;

/** Fills an argument with random bits, the ends of the range and special floats, and returns its elements. */
function fill(kind: VectorKind, index: number): Element[] {
  const words = new Uint32Array(memory.buffer, index << 20, (kCount * bitsOf(kind)) / 32);
  for (let i = 0; i < words.length; i++) words[i] = random();
  const array = slot(kind, index);
  const special: Element[] = floats.includes(kind)
    ? [0, -0, 1, -1, 0.5, 2.5, 3.5, -2.5, 1e10, -1e10, 5e-324, 1e-45, Number.NaN, Infinity, -Infinity, 2147483648, -2147483648, 1e300]
    : [0n, 1n, -1n, 1n << BigInt(bitsOf(kind) - 1), (1n << BigInt(bitsOf(kind) - 1)) - 1n].map((value) => wrapped(kind, value));
  // Numbers of moderate size in the middle, because random bits are seldom such numbers.
  if (floats.includes(kind)) for (let i = 64; i < 256; i++) array[i] = (random() / 2 ** 32 - 0.5) * 100;
  for (let i = 0; i < special.length * 3; i++) array[(random() % 64) + (i % 2) * 300] = special[i % special.length]!;
  for (let i = 0; i < special.length; i++) array[256 + i] = special[i]!;
  return Array.from(array.slice(0, kCount) as Iterable<Element> as Element[]);
}

/** Runs a program on two arguments of a kind and compares each element with the expected one. */
function compare(
  kind: VectorKind,
  result: VectorKind,
  program: (a: Vector, b: Vector) => Vector,
  expected: (a: never, b: never) => Element,
  copies: number = 1,
): void {
  const a = fill(kind, 1);
  const b = fill(kind, 2);
  kernelOf([kind, kind], program as (...args: Vector[]) => Vector, copies)((kCount * bitsOf(kind)) / 8);
  const got = Array.from(slot(result, 0).slice(0, kCount) as Iterable<Element> as Element[]);
  expect(got).toEqual(a.map((each, i) => expected(each as never, b[i] as never)));
}

const big = (value: Element): bigint => BigInt(value);
const clampTo = (kind: VectorKind, value: bigint): Element => {
  const bits = BigInt(bitsOf(kind));
  const [least, most] = isUnsigned(kind) ? [0n, (1n << bits) - 1n] : [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
  return wrapped(kind, value < least ? least : value > most ? most : value);
};

describe("integers", () => {
  describe.each(integers)("%s", (kind) => {
    test.each<[string, (a: Vector, b: Vector) => Vector, (a: bigint, b: bigint) => bigint]>([
      ["add", (a, b) => a.add(b), (a, b) => a + b],
      ["sub", (a, b) => a.sub(b), (a, b) => a - b],
      ["mul", (a, b) => a.mul(b), (a, b) => a * b],
      ["madd", (a, b) => a.madd(b, 3), (a, b) => a * b + 3n],
      ["nmadd", (a, b) => a.nmadd(3, b), (a, b) => b - a * 3n],
      ["min", (a, b) => a.min(b), (a, b) => (a < b ? a : b)],
      ["max", (a, b) => a.max(b), (a, b) => (a > b ? a : b)],
      ["neg", (a) => a.neg(), (a) => -a],
      ["abs", (a) => a.abs(), (a) => (a < 0n ? -a : a)],
      ["and", (a, b) => a.and(b), (a, b) => a & b],
      ["or", (a, b) => a.or(b), (a, b) => a | b],
      ["xor", (a, b) => a.xor(b), (a, b) => a ^ b],
      ["andNot", (a, b) => a.andNot(b), (a, b) => a & ~b],
      ["not", (a) => a.not(), (a) => ~a],
      ["constants", (a) => a.add(5).sub(-3n), (a) => a + 8n],
      ["shl", (a) => a.shl(3), (a) => a << 3n],
      ["shr", (a) => a.shr(3), (a) => a >> 3n],
      ["shr by 0", (a) => a.shr(0), (a) => a],
      ["select", (a, b) => a.lt(b).select(a, 7), (a, b) => (a < b ? a : 7n)],
    ])("%s", (_, program, expected) => {
      compare(kind, kind, program, (a: Element, b: Element) => wrapped(kind, expected(big(a), big(b))), 2);
    });

    test.each<[string, (a: Vector, b: Vector) => Vector, (a: Element, b: Element) => boolean]>([
      ["eq", (a, b) => a.eq(b), (a, b) => a === b],
      ["ne", (a, b) => a.ne(b), (a, b) => a !== b],
      ["lt", (a, b) => a.lt(b), (a, b) => a < b],
      ["gt", (a, b) => a.gt(b), (a, b) => a > b],
      ["le", (a, b) => a.le(b), (a, b) => a <= b],
      ["ge", (a, b) => a.ge(b), (a, b) => a >= b],
    ])("%s", (_, program, expected) => {
      compare(kind, maskKind(kind), program, (a: Element, b: Element) => wrapped(maskKind(kind), expected(a, b) ? -1n : 0n));
    });

    test("extends to twice the width and wraps back", () => {
      if (bitsOf(kind) === 64) return expect(() => kernelOf([kind], (a) => a.extendLow())).toThrow("has no wider integers");
      compare(
        kind,
        kind,
        (a) => a.extendLow().wrap(a.extendHigh()),
        (a: Element) => a,
      );
      compare(
        kind,
        kind,
        (a, b) => a.extendMultiplyLow(b).wrap(a.extendMultiplyHigh(b)),
        (a: Element, b: Element) => wrapped(kind, big(a) * big(b)),
      );
    });
  });

  test.each(small)("saturating sums and differences of %s", (kind) => {
    compare(
      kind,
      kind,
      (a, b) => a.addSat(b),
      (a: Element, b: Element) => clampTo(kind, big(a) + big(b)),
    );
    compare(
      kind,
      kind,
      (a, b) => a.subSat(b),
      (a: Element, b: Element) => clampTo(kind, big(a) - big(b)),
    );
  });

  test.each<[VectorKind, "i8x16" | "u8x16" | "i16x8" | "u16x8"]>([
    ["i16x8", "i8x16"],
    ["i16x8", "u8x16"],
    ["i32x4", "i16x8"],
    ["i32x4", "u16x8"],
  ])("%s narrowed to %s saturates", (kind, to) => {
    const a = fill(kind, 1);
    kernelOf([kind], (x) => x.narrow(x, to))((kCount * bitsOf(kind)) / 8);
    const lanes = 128 / bitsOf(kind);
    const got = Array.from(slot(to, 0).slice(0, kCount * 2) as Iterable<Element> as Element[]);
    expect(got.filter((__, i) => i % (2 * lanes) < lanes)).toEqual(a.map((each) => clampTo(to, big(each))));
  });
});

describe("floats", () => {
  describe.each(floats)("%s", (kind) => {
    test.each<[string, (a: Vector, b: Vector) => Vector, (a: number, b: number) => number]>([
      ["add", (a, b) => a.add(b), (a, b) => a + b],
      ["sub", (a, b) => a.sub(b), (a, b) => a - b],
      ["mul", (a, b) => a.mul(b), (a, b) => a * b],
      ["div", (a, b) => a.div(b), (a, b) => a / b],
      ["madd", (a, b) => a.madd(b, 0.5), (a, b) => rounded(kind, a * b) + 0.5],
      ["nmadd", (a, b) => a.nmadd(b, 0.5), (a, b) => 0.5 - rounded(kind, a * b)],
      ["min", (a, b) => a.min(b), Math.min],
      ["max", (a, b) => a.max(b), Math.max],
      ["pmin", (a, b) => a.pmin(b), (a, b) => (b < a ? b : a)],
      ["pmax", (a, b) => a.pmax(b), (a, b) => (a < b ? b : a)],
      ["neg", (a) => a.neg(), (a) => -a],
      ["abs", (a) => a.abs(), Math.abs],
      ["sqrt", (a) => a.sqrt(), Math.sqrt],
      ["floor", (a) => a.floor(), Math.floor],
      ["ceil", (a) => a.ceil(), Math.ceil],
      ["trunc", (a) => a.trunc(), Math.trunc],
      [
        "nearest",
        (a) => a.nearest(),
        (a) => {
          const down = Math.floor(a);
          const up = a - down === 0.5 ? down + (Math.abs(down) % 2) : Math.round(a);
          return up === 0 ? (a < 0 || Object.is(a, -0) ? -0 : 0) : up;
        },
      ],
      ["select", (a, b) => a.gt(b).select(a, 1.5), (a, b) => (a > b ? a : 1.5)],
      ["its own sign put on again", (a) => a.abs().or(a.and(kind === "f32x4" ? -0x80000000n : -0x8000000000000000n)), (a) => a],
    ])("%s", (_, program, expected) => {
      compare(kind, kind, program, (a: number, b: number) => rounded(kind, expected(a, b)), 3);
    });

    test.each<[string, (a: Vector, b: Vector) => Vector, (a: number, b: number) => boolean]>([
      ["eq", (a, b) => a.eq(b), (a, b) => a === b],
      ["ne", (a, b) => a.ne(b), (a, b) => a !== b],
      ["lt", (a, b) => a.lt(b), (a, b) => a < b],
      ["ge", (a, b) => a.ge(b), (a, b) => a >= b],
      ["le", (a, b) => a.le(b), (a, b) => a <= b],
      ["gt", (a, b) => a.gt(b), (a, b) => a > b],
    ])("%s", (_, program, expected) => {
      compare(kind, maskKind(kind), program, (a: number, b: number) => wrapped(maskKind(kind), expected(a, b) ? -1n : 0n));
    });
  });

  test("conversions between floats and integers", () => {
    const saturated = (least: number, most: number) => (a: number) =>
      Number.isNaN(a) ? 0 : Math.min(most, Math.max(least, Math.trunc(a))) + 0;
    compare("f32x4", "i32x4", (a) => a.toI32(), saturated(-2147483648, 2147483647));
    compare("f32x4", "u32x4", (a) => a.toU32(), saturated(0, 4294967295));
    compare("i32x4", "f32x4", (a) => a.toF32(), Math.fround as never);
    compare("u32x4", "f32x4", (a) => a.toF32(), Math.fround as never);
    compare("f32x4", "f32x4", (a) => a.lowToF64().demote(a.highToF64()), ((a: number) => a) as never);
    compare("f32x4", "i32x4", (a) => a.lowToF64().mul(3).truncate(a.highToF64().mul(3), "i32x4"), ((a: number) =>
      saturated(-2147483648, 2147483647)(a * 3)) as never);
    compare("f32x4", "u32x4", (a) => a.lowToF64().mul(3).truncate(a.highToF64().mul(3), "u32x4"), ((a: number) =>
      saturated(0, 4294967295)(a * 3)) as never);
    compare("u32x4", "f32x4", (a) => a.lowToF64().demote(a.highToF64()), Math.fround as never);
    compare("i32x4", "i32x4", (a) => a.lowToF64().truncate(a.highToF64(), "i32x4"), ((a: number) => a) as never);
  });
});

test("lanes, bytes and tables", () => {
  const a = fill("i32x4", 1);
  kernelOf(["i32x4"], (x) => x.lanes(x.add(1), [3, 6, 0, 5]))(kCount * 4);
  const row = (i: number): Element[] => a.slice(i, i + 4);
  expect([...slot("i32x4", 0).slice(0, 4)]).toEqual(
    [row(0)[3], Number(row(0)[2]) + 1, row(0)[0], Number(row(0)[1]) + 1].map((v) => Number(v) | 0),
  );
  slot("u8x16", 1).set(Array.from({ length: 16 }, (_, i) => i + 100));
  slot("u8x16", 2).set(Array.from({ length: 16 }, (_, i) => 18 - i));
  kernelOf(["u8x16", "u8x16"], (table, indices) => table.swizzle(indices))(16);
  expect([...slot("u8x16", 0).slice(0, 16)]).toEqual([0, 0, 0, 115, 114, 113, 112, 111, 110, 109, 108, 107, 106, 105, 104, 103]);
});

test.each([1, 2, 3, 4])("a long program gives the same results with %p copies", (copies) => {
  // Far more values than fit on the stack or in registers, some of which are used again much later.
  const program = (a: Vector, b: Vector): Vector => {
    const powers = [a];
    for (let i = 0; i < 20; i++) powers.push(powers[i]!.mul(b).add(i));
    return powers.reduce((sum, each) => sum.xor(each));
  };
  const expected = (a: number, b: number): number => {
    let power = a;
    let sum = a;
    for (let i = 0; i < 20; i++) {
      power = (Math.imul(power, b) + i) | 0;
      sum ^= power;
    }
    return sum;
  };
  compare("i32x4", "i32x4", program, expected as never, copies);
});

/** Makes a module with one function that `fill2` writes with a builder, and calls it with `args`. */
function withBuilder(fill2: (builder: VectorBuilder, param: (name: string) => number) => void, ...args: number[]): void {
  const module = new WasmModule(memoryImport);
  const target = module.function("run", { a: "i32", b: "i32" });
  fill2(new VectorBuilder(target), (name) => target.param(name));
  instantiate(module)["run"]!(...args);
}

describe("memory", () => {
  const ints = slot("i32x4", 0) as Int32Array;

  test("loads made before a store run before it, even if the two overlap", () => {
    ints.set([1, 2, 3, 4, 5, 6, 7, 8]);
    withBuilder((b, param) => {
      b.emit(1, () => {
        const [low, high] = [b.load("i32x4", param("a")), b.load("i32x4", param("a"), 16)];
        b.store(high, param("a"));
        b.store(low.add(10), param("a"), 16);
      });
    }, 0);
    expect([...ints.slice(0, 8)]).toEqual([5, 6, 7, 8, 11, 12, 13, 14]);
  });

  test("a load inside the tree of a stored value is not written twice", () => {
    const module = new WasmModule(memoryImport);
    const target = module.function("run", { a: "i32", b: "i32" });
    const [a, b] = [target.param("a"), target.param("b")];
    const builder = new VectorBuilder(target);
    builder.emit(2, () => {
      const sum = builder.load("f32x4", a).add(builder.load("f32x4", b));
      builder.store(sum.lowToF64().add(builder.load("f64x2", a, 64)), a, 64);
      builder.store(sum.highToF64(), a, 96);
    });
    expect(functionText(target).match(/v128\.load/g)).toHaveLength(6);
  });

  test("single elements, splats and lanes", () => {
    (slot("u8x16", 1) as Uint8Array).set([250, 3, 4, 5, 6, 7, 8, 9, 10]);
    (slot("f64x2", 2) as Float64Array).set([1.5, 2.5, 3.5]);
    const [bytes, doubles] = [1 << 20, 2 << 20];
    ints.fill(0, 0, 64);
    withBuilder(
      (b, param) => {
        const local = b.target.local("i32");
        const vector = b.target.local("v128");
        b.target.body.i32(-7).set(local).i32(9).op("i32x4.splat").set(vector);
        b.emit(1, () => {
          b.store(b.loadSplat("u8x16", param("b"), 1), param("a"), 16);
          b.store(b.splat("i32x4", local), param("a"), 32);
          b.store(b.fromLocal("i32x4", vector), param("a"), 48);
          b.storeLane(b.loadOne("f64x2", param("b"), doubles - bytes + 8), 0, param("a"), 64);
          b.store(b.loadLane(b.constant("f64x2", 0), 1, param("b"), doubles - bytes + 16), param("a"), 80);
          b.storeLane(b.loadOne("u8x16", param("b")), 0, param("a"), 96);
          b.storeLane(b.constants("i16x8", [1, 2, 3, 4, 5, 6, 7, 8]), 6, param("a"), 98);
        });
      },
      0,
      bytes,
    );
    const u16 = slot("u16x8", 0);
    expect([...slot("u8x16", 0).slice(16, 32)]).toEqual(Array(16).fill(3));
    expect([...ints.slice(8, 16)]).toEqual([...Array(4).fill(-7), ...Array(4).fill(9)]);
    expect([...slot("f64x2", 0).slice(8, 12)]).toEqual([2.5, 0, 0, 3.5]);
    expect([u16[48], u16[49], u16[50]]).toEqual([250, 7, 0]);
  });
});

describe("variables", () => {
  test("have a value for each copy and are all assigned at once at the end", () => {
    const ints = slot("i32x4", 0) as Int32Array;
    ints.fill(0, 0, 32);
    withBuilder((b, param) => {
      const x = b.variable("i32x4", 2, "x");
      const y = b.variable("i32x4", 2, "y");
      const z = b.variable("i32x4", 2, "z");
      b.emit(2, () => {
        b.assign(x, b.read(x).add(1));
        b.assign(y, b.read(x).add(10));
        b.assign(z, b.read(y).add(b.read(x)));
      });
      // 1, 11, 12 are rotated by one: each variable gets the old value of another.
      b.emit(2, () => {
        const [oldX, oldY, oldZ] = [b.read(x), b.read(y), b.read(z)];
        b.assign(x, oldY);
        b.assign(y, oldZ);
        b.assign(z, oldX);
      });
      b.emit(2, () => {
        b.store(b.read(x), param("a"), 0, 32);
        b.store(b.read(y), param("a"), 16, 32);
        b.store(b.read(z), param("a"), 64, 16);
      });
    }, 0);
    expect([0, 4, 8, 12, 16, 20].map((at) => [...ints.slice(at, at + 4)])).toEqual([11, 12, 11, 12, 1, 1].map((v) => Array(4).fill(v)));
  });
});

describe("when", () => {
  const program = (a: Vector, b: Vector): Vector => {
    const sum = a.add(b);
    return a.source.when(a.lt(0), sum, () => {
      const product = sum.mul(3);
      const inner = a.source.when(b.lt(0), product, () => b.lt(0).select(product.sub(sum).add(100), product));
      return a.lt(0).select(inner, sum);
    });
  };
  const expected = (a: number, b: number): number => {
    const sum = (a + b) | 0;
    if (a >= 0) return sum;
    const product = Math.imul(sum, 3);
    return b < 0 ? (product - sum + 100) | 0 : product;
  };

  test.each([1, 2, 4])("runs the branch if a bit of the mask is set, also nested, with %p copies", (copies) => {
    compare("i32x4", "i32x4", program, expected as never, copies);
  });

  test("a branch can return a value from outside", () => {
    compare("i32x4", "i32x4", (a, b) => a.source.when(a.or(1), a, () => b), ((a: number, b: number) => (a === a ? b : a)) as never);
  });
});

test("computes equal values once and unused values not at all", () => {
  const size = (program: (b: VectorBuilder, x: Vector) => Vector): number => {
    const target = new WasmModule().function("f", { a: "i32" });
    const builder = new VectorBuilder(target);
    builder.emit(1, () => builder.store(program(builder, builder.load("f32x4", 0)), 0));
    return target.body.length;
  };
  expect(size((_, x) => x.mul(x).add(x.mul(x)))).toBe(size((_, x) => ((y) => y.add(y))(x.mul(x))));
  expect(
    size((_, x) => {
      x.sqrt().div(3);
      return x.neg();
    }),
  ).toBe(size((_, x) => x.neg()));
});

test("a constant has one local in the whole function", () => {
  const target = new WasmModule().function("f", { a: "i32" });
  const builder = new VectorBuilder(target);
  for (let i = 0; i < 3; i++) builder.emit(2, () => builder.store(builder.load("f32x4", 0).add(1.25).mul(1.25), 0));
  expect(functionText(target).match(/v128\.const/g)).toHaveLength(1);
});

describe("mistakes", () => {
  const messageOf = (act: (b: VectorBuilder, x: Vector) => unknown): string => {
    const target = new WasmModule().function("f", { a: "i32" });
    const builder = new VectorBuilder(target);
    try {
      builder.emit(1, () => act(builder, builder.load("f32x4", 0)));
    } catch (error) {
      if (isStatusError(error)) return `${error.code}: ${error.message}`;
      throw error;
    }
    return "nothing thrown";
  };
  let leaked: Vector | null = null;

  test.each<[string, (b: VectorBuilder, x: Vector) => unknown, string]>([
    ["two kinds", (b, x) => x.add(b.constant("i32x4", 1)), "INTERNAL: an operand is i32x4, the other f32x4"],
    ["select between kinds", (b, x) => x.lt(0).select(x, b.constant("i32x4", 1)), "INTERNAL: select between f32x4 and i32x4"],
    ["an instruction that is not there", (_, x) => x.as("i64x2").addSat(1), "INTERNAL: i64x2 has no instruction i64x2.add_sat_s"],
    ["a root of integers", (_, x) => x.as("i32x4").sqrt(), "INTERNAL: sqrt is for floats, not i32x4"],
    ["bytes made narrower", (_, x) => x.as("u8x16").wrap(x), "INTERNAL: u8x16 has no narrower integers"],
    ["emit inside emit", (b) => b.emit(1, () => undefined), "INTERNAL: emit inside emit"],
    ["when with two kinds", (b, x) => b.when(x, x, () => x.as("i32x4")), "INTERNAL: the two results of when are i32x4 and f32x4"],
    [
      "a store inside when",
      (b, x) =>
        b.when(x, x, () => {
          b.store(x, 0);
          return x;
        }),
      "INTERNAL: a store or an assignment inside when",
    ],
    [
      "a value that a branch has kept to itself",
      (b, x) => {
        b.when(x, x, () => (leaked = x.sqrt()));
        return leaked!.neg();
      },
      "INTERNAL: a vector is used where it has no value",
    ],
    ["a variable of another kind", (b, x) => b.assign(b.variable("i32x4", 1), x), "INTERNAL: a variable is i32x4, its new value f32x4"],
  ])("%s", (_, act, message) => expect(messageOf(act)).toBe(message));

  test("a vector outside of emit", () => {
    const builder = new VectorBuilder(new WasmModule().function("f", {}));
    expect(() => builder.constant("f32x4", 1)).toThrow("vectors are made inside emit");
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

test("uses relaxed instructions only if they are allowed", () => {
  const listing = (relaxed: boolean): string => {
    const target = new WasmModule().function("f", { a: "i32" });
    const builder = new VectorBuilder(target, { relaxed });
    builder.emit(1, () => {
      const x = builder.load("f32x4", 0);
      builder.store(x.lt(0).select(x.madd(x, 1), x.nmadd(x, 2)), 0);
    });
    return functionText(target);
  };
  expect(listing(true).match(/relaxed_\w+/g)).toEqual(["relaxed_madd", "relaxed_nmadd", "relaxed_laneselect"]);
  expect(listing(false)).not.toContain("relaxed");
  if (!hasRelaxedSimd()) return;
  slot("f32x4", 1).set([1, -2, 3, -4]);
  kernelOf(["f32x4"], (x) => x.lt(0).select(x.madd(x, 1), x.nmadd(x, 2)), 1, true)(16);
  expect([...slot("f32x4", 0).slice(0, 4)]).toEqual([1, 5, -7, 17]);
});
