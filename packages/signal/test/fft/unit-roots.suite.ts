// Roots of unity beside integer arithmetic of 200 bits: each part is the nearest double.
import { expect, test } from "@jest/globals";
import { isLong } from "@onebuffer/test-support";
import { UnitRoots } from "../../src/fft/unit-roots.ts";

const kBits = 200n;
const kOne = 1n << kBits;
/** pi, times 2^200, by Machin's formula. */
const kPi = 4n * (4n * arcCotangent(5n) - arcCotangent(239n));

function arcCotangent(x: bigint): bigint {
  let sum = 0n;
  for (let power = kOne / x, k = 1n; power !== 0n; power /= x * x, k += 2n) sum += (k % 4n === 1n ? power : -power) / k;
  return sum;
}

/** The cosine and the sine of an angle below 8, times 2^200. */
function cosineAndSine(angle: bigint): readonly [bigint, bigint] {
  const sums: [bigint, bigint] = [kOne, 0n];
  for (let term = kOne, k = 1n; term !== 0n; k++) {
    term = (term * angle) / (kOne * k);
    const sign = k % 4n < 2n ? 1n : -1n;
    sums[Number(k % 2n) as 0 | 1] += sign * term;
  }
  return sums;
}

/** Returns the distance of a double from a number, in 2^-200. */
function distance(value: number, exact: bigint): bigint {
  const scaled = BigInt(value * 2 ** 1000) >> 800n;
  return scaled > exact ? scaled - exact : exact - scaled;
}

/** So many roots of an order are compared: all of the small ones. */
const kMost = isLong ? 400 : 80;

test.each([1, 2, 3, 7, 8, 12, 16, 1009, 4096, 65536, 99991])("roots of order %d are the nearest doubles", (order) => {
  const roots = new UnitRoots(order);
  for (let at = 0; at < Math.min(order, kMost); at++) {
    const k = order <= kMost ? at : Math.floor((at * order) / kMost) + (at % 5);
    roots.set(k);
    const [cos, sin] = cosineAndSine((2n * kPi * BigInt(k)) / BigInt(order));
    for (const [part, exact] of [
      [roots.re, cos],
      [roots.im, -sin],
    ] as const) {
      // Neighbors at a distance of one unit in the last place are farther.
      const unit = 2 ** (Math.floor(Math.log2(Math.abs(part) || 2 ** -60)) - 52);
      expect(distance(part, exact) <= BigInt(Math.ceil(unit * 2 ** 250)) >> 51n).toBe(true);
    }
  }
});

test("exact values", () => {
  const roots = new UnitRoots(8);
  const values = Array.from({ length: 8 }, (_, k) => {
    roots.set(k);
    // Zeros may have a sign.
    return [roots.re + 0, roots.im + 0];
  });
  const h = Math.SQRT1_2;
  expect(values).toEqual([
    [1, 0],
    [h, -h],
    [0, -1],
    [-h, -h],
    [-1, 0],
    [-h, h],
    [0, 1],
    [h, h],
  ]);
});
