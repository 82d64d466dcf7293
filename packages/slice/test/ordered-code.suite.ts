// OrderedCode by itself: the bytes at every change of length, for both signs, their order, and what is no code.
import { expect, test } from "@jest/globals";
import { OrderedCodeReader, writeSignedNumIncreasing, writeString } from "../src/ordered-code.ts";

const signed = (value: number): number[] => {
  const out: number[] = [];
  writeSignedNumIncreasing(out, value);
  return out;
};
const reader = (...bytes: readonly number[]): OrderedCodeReader => new OrderedCodeReader(Uint8Array.from(bytes));

/** A byte has 6 bits of a number besides its sign, two bytes 13, three 20, and so on. */
const boundaries = Array.from({ length: 8 }, (_, k) => 2 ** (7 * (k + 1) - 1)).filter((bound) => bound < 2 ** 53);

test("numbers of either sign have as many bytes as they need, are read back, and sort in their order", () => {
  const near = boundaries.flatMap((bound) => [bound - 1, bound, bound + 1, -bound + 1, -bound, -bound - 1]);
  const values = [0, 1, -1, ...near, 2 ** 53 - 1, -(2 ** 53 - 1)].sort((a, b) => a - b);
  const codes = values.map(signed);
  values.forEach((value, k) => {
    const bits = value < 0 ? -value - 1 : value;
    expect([value, codes[k]!.length]).toEqual([value, boundaries.filter((bound) => bits >= bound).length + 1]);
    const read = reader(...codes[k]!, 7);
    expect([read.readSignedNumIncreasing(), read.remaining]).toEqual([value, 1]);
    expect(reader(...codes[k]!.slice(0, -1)).readSignedNumIncreasing()).toBe(null);
    if (k > 0) expect(Buffer.compare(Buffer.from(codes[k - 1]!), Buffer.from(codes[k]!))).toBe(-1);
  });
  expect([-65, -64, -1, 0, 63, 64].map(signed)).toEqual([[0x3f, 0xbf], [0x40], [0x7f], [0x80], [0xbf], [0xc0, 0x40]]);
});

test("a string ends where its mark is", () => {
  const out: number[] = [];
  writeString(out, Uint8Array.of(0, 255, 5));
  const read = reader(...out, 9);
  expect([[...read.readString()!], read.remaining]).toEqual([[0, 255, 5], 1]);
  // Without the end, with half of it, and with an escape that is none.
  for (const bytes of [[], [5], [0], [5, 0], [255, 1], [0, 2, 0, 1]]) expect(reader(...bytes).readString()).toBe(null);
  expect(reader(0, 1).readString()).toEqual(new Uint8Array(0));
});
