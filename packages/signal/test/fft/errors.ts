/** The errors of transforms beside a reference in float64, relative to the root mean square of the exact result. */
import { expect } from "@jest/globals";
import { evaluate, tensorMap } from "@onebuffer/eigen";
import type { OperandLike } from "@onebuffer/expression";
import { plainLine, referenceTransform } from "../../src/transform/reference-transform.ts";
import type { PlainLine } from "../../src/transform/reference-transform.ts";

/** The unit roundoff of the parts of a dtype. */
export const unitOf = (dtype: "complex64" | "complex128"): number => (dtype === "complex64" ? 2 ** -24 : 2 ** -53);

/** Returns numbers from -1 to 1 that depend on the seed only. */
export function numbers(count: number, seed: number): Float64Array {
  let state = seed + 1;
  return Float64Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return Math.fround(state / 2 ** 31);
  });
}

/** Returns a complex map over interleaved parts. */
export function complexMap<R extends 1 | 2 | 3>(dtype: "complex64" | "complex128", parts: Float64Array, dims: number[] & { length: R }) {
  const array = dtype === "complex64" ? Float32Array.from(parts) : parts;
  return tensorMap(dtype as "complex64", array as Float32Array<ArrayBuffer>, dims);
}

/** Returns all numbers of nested lists. */
export const flat = (value: unknown): number[] => [value].flat(Infinity) as number[];

/** Returns the values of an expression, all numbers in row-major order. */
export const valuesOf = (x: OperandLike<"complex64">): number[] => Array.from((evaluate(x as never) as { data: Float32Array }).data);

/** Expects values that differ from others by less than half a unit of a decimal place; one comparison, since an `expect` per element is slow. */
export function expectNear(given: readonly number[], wanted: readonly number[], digits: number): void {
  expect(given.length).toBe(wanted.length);
  const far = given.findIndex((value, k) => !(Math.abs(value - wanted[k]!) < 10 ** -digits / 2));
  expect([far, given[far], wanted[far]]).toEqual([-1, undefined, undefined]);
}

/** Returns line `index` of interleaved complex numbers [outer, length, inner]. */
export function lineOf(parts: ArrayLike<number>, length: number, inner: number, index: number): PlainLine {
  const line = plainLine(length);
  const first = Math.floor(index / inner) * length * inner + (index % inner);
  for (let k = 0; k < length; k++) {
    line.re[k] = parts[2 * (first + k * inner)]!;
    line.im[k] = parts[2 * (first + k * inner) + 1]!;
  }
  return line;
}

type Dimensions = readonly [outer: number, length: number, inner: number];

/** How many lines of an operand of `repeatedLines` differ. It divides no number of lanes, so that a line taken for another one is seen. */
const kDistinct = 5;

/** Returns interleaved complex numbers whose lines repeat the first five: a reference takes far longer than a kernel. */
export function repeatedLines([outer, length, inner]: Dimensions): Float64Array {
  const parts = new Float64Array(2 * outer * length * inner);
  const lines = Array.from({ length: kDistinct }, (_, index) => numbers(2 * length, kDistinct * length + index));
  for (let index = 0; index < outer * inner; index++) {
    const first = Math.floor(index / inner) * length * inner + (index % inner);
    const line = lines[index % kDistinct]!;
    for (let k = 0; k < length; k++) {
      const at = 2 * (first + k * inner);
      parts[at] = line[2 * k]!;
      parts[at + 1] = line[2 * k + 1]!;
    }
  }
  return parts;
}

/** Returns what gives the exact transform of a line, forward and not divided; an operand of `repeatedLines` has `kDistinct` of them. */
export function exactLines(
  operand: ArrayLike<number>,
  [outer, length, inner]: Dimensions,
  isRepeated = false,
): (index: number) => PlainLine {
  const known: PlainLine[] = [];
  const count = isRepeated ? kDistinct : outer * inner;
  return (index) => (known[index % count] ??= referenceTransform(lineOf(operand, length, inner, index % count), -1));
}

/** Returns the root mean square error of lines, in units of the dtype's roundoff and relative to the result. */
export function errorOf(
  given: ArrayLike<number>,
  exactOf: (index: number) => PlainLine,
  [outer, length, inner]: Dimensions,
  isInverse: boolean,
  unit: number,
): number {
  let [error, norm] = [0, 0];
  for (let index = 0; index < outer * inner; index++) {
    const exact = exactOf(index);
    const line = lineOf(given, length, inner, index);
    const divisor = isInverse ? length : 1;
    for (let k = 0; k < length; k++) {
      // The inverse transform is the forward one with its results in reverse.
      const from = isInverse ? (length - k) % length : k;
      const [re, im] = [exact.re[from]! / divisor, exact.im[from]! / divisor];
      error += (line.re[k]! - re) ** 2 + (line.im[k]! - im) ** 2;
      norm += re ** 2 + im ** 2;
    }
  }
  return norm === 0 ? error : Math.sqrt(error / norm) / unit;
}
