// Lanes of random and special elements, and the comparison of a program over them with JavaScript.
import { expect } from "@jest/globals";
import type { Vector, VectorKind } from "../../src/vector/vector.ts";
import { kernelOf, memory, slot } from "@onebuffer/test-support";

export type Element = number | bigint;

export const kinds: readonly VectorKind[] = ["f32x4", "f64x2", "i8x16", "u8x16", "i16x8", "u16x8", "i32x4", "u32x4", "i64x2", "u64x2"];
export const floats: readonly VectorKind[] = ["f32x4", "f64x2"];

export const bitsOf = (kind: VectorKind): number => 128 / Number(kind.split("x")[1]);

export const isUnsigned = (kind: VectorKind): boolean => kind.startsWith("u");

/** Returns an integer of any size, wrapped to an element of the kind. */
export function wrapped(kind: VectorKind, value: bigint): Element {
  const bits = bitsOf(kind);
  const of = isUnsigned(kind) ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
  return bits === 64 ? of : Number(of);
}

let seed = 1;
const random = (): number => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0);

/** The elements of each argument of a program. */
export const kCount = 384;

/** Fills an argument with random bits, the ends of the range and special floats, and returns its elements. */
export function fill(kind: VectorKind, index: number): Element[] {
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
export function compare(
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
