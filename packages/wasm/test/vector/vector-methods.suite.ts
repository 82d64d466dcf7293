// Every method of vectors is compared with JavaScript on random and special elements.
import { describe, expect, test } from "@jest/globals";
import type { Vector, VectorKind } from "../../src/vector/vector.ts";
import { kernelOf, slot } from "@onebuffer/test-support";
import type { Element } from "./compared-lanes.ts";
import { kinds, floats, bitsOf, isUnsigned, wrapped, kCount, fill, compare } from "./compared-lanes.ts";

const integers = kinds.filter((kind) => !floats.includes(kind));
const small: readonly VectorKind[] = ["i8x16", "u8x16", "i16x8", "u16x8"];

const maskKind = (kind: VectorKind): VectorKind => kind.replace(/^[fu]/, "i") as VectorKind;

/** Rounds to the precision of the kind. */
const rounded = (kind: VectorKind, value: number): number => (kind === "f32x4" ? Math.fround(value) : value);

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
