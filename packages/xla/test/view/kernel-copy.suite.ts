// relayout by kernels: every element width, in and outside the linear memory, against a copy one element at a time.
import { describe, expect, test } from "@jest/globals";
import type { TypedArray } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/wasm";
import type { PrimitiveTypeLike } from "@onebuffer/xla";
import { Layout, relayout, Shape, tiledElementCount } from "@onebuffer/xla";
import { kernelCounts } from "@onebuffer/kernels/internal";
import fc from "fast-check";
import { permutationOf, randomBytes, relayoutTwin } from "./relayout-twin.ts";

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

const memory = linearMemory();

/** An array of `numBytes` bytes, in the linear memory or not, that starts `skip` bytes after an aligned address. */
function bytesAt(inside: boolean, numBytes: number, skip: number): Uint8Array {
  if (!inside) return new Uint8Array(new ArrayBuffer(numBytes + skip), skip, numBytes);
  // Never released: the test's process ends soon.
  return new Uint8Array(memory.buffer, memory.reserve(Math.ceil((numBytes + skip) / 256) * 256)! + skip, numBytes);
}

/** Per type: its name, bytes per element, alignment and array class. */
const widths = [
  ["u8", 1, 1, Uint8Array],
  ["bf16", 2, 2, Uint16Array],
  ["f32", 4, 4, Float32Array],
  ["f64", 8, 8, Float64Array],
  ["s64", 8, 8, BigInt64Array],
  ["c64", 8, 4, Float32Array],
  ["c128", 16, 8, Float64Array],
] as const;

/** Relayouts random bytes from `a` to `b`, compares with the twin, and returns how many kernels ran. */
function check(a: Shape, b: Shape, k: number, inside: readonly [boolean, boolean], skips: readonly [number, number] = [0, 0]): number {
  const [, bytes, , Class] = widths[k]!;
  const source = bytesAt(inside[0], tiledElementCount(a) * bytes, skips[0]);
  randomBytes(source, a.rank);
  const target = bytesAt(inside[1], tiledElementCount(b) * bytes, skips[1]).fill(0x55);
  const typed = ({ buffer, byteOffset, byteLength }: Uint8Array): TypedArray =>
    new Class(buffer as ArrayBuffer, byteOffset, byteLength / Class.BYTES_PER_ELEMENT);
  const { runs } = kernelCounts();
  relayout({ shape: a, data: typed(source) }, { shape: b, data: typed(target) });
  const ran = kernelCounts().runs - runs;
  expect(Buffer.compare(target, relayoutTwin(a, b, source, bytes))).toBe(0);
  return ran;
}

const dense = (type: PrimitiveTypeLike, sizes: readonly number[], order: readonly number[]): Shape =>
  Shape.array(type, sizes, { layout: new Layout(order) });

const sides = [
  [true, true],
  [true, false],
  [false, true],
  [false, false],
] as const;

describe("copies by kernels", () => {
  test.each(widths.map(([type], k) => [type, k] as const))("%s, with each array in or outside the linear memory", (type, k) => {
    // Each type with one pair of sides, by turns.
    for (const inside of isLong ? sides : [sides[k % 4]!]) {
      const ran = check(dense(type, [131, 5, 67], [2, 1, 0]), dense(type, [131, 5, 67], [0, 1, 2]), k, inside);
      expect([type, inside, ran > 0]).toEqual([type, inside, type !== "c128"]);
    }
  });

  test("elements that are not aligned to their width are staged", () => {
    const [a, b] = [dense("c64", [200, 300], [1, 0]), dense("c64", [200, 300], [0, 1])];
    const starts: readonly (readonly [number, number])[] = [4, 0, 4].map((skip, k) => [skip, k === 0 ? 0 : 4]);
    for (const skips of starts) expect(check(a, b, 5, [true, true], skips)).toBeGreaterThan(0);
  });

  test("copies between any orders, plain and padded, agree with the twin", () => {
    const arrays = fc.integer({ min: 2, max: 5 }).chain((rank) =>
      fc.record({
        sizes: fc.array(fc.integer({ min: 1, max: Math.ceil(40000 ** (1 / rank)) * 2 }), { minLength: rank, maxLength: rank }),
        orders: fc.tuple(permutationOf(rank), permutationOf(rank)),
        pads: fc.tuple(...[0, 1].map(() => fc.option(fc.array(fc.nat(2), { minLength: rank, maxLength: rank })))),
        inside: fc.constantFrom(...sides),
        k: fc.nat(widths.length - 1),
        skips: fc.tuple(fc.nat(1), fc.nat(1)),
      }),
    );
    fc.assert(
      fc.property(arrays, ({ sizes, orders, pads, inside, k, skips }) => {
        fc.pre(sizes.reduce((product, size) => product * size, 1) <= 100_000);
        const [type, , align] = widths[k]!;
        const [a, b] = [0, 1].map((side) => {
          const pad = pads[side] ?? null;
          const options = pad === null ? {} : { paddedDimensions: sizes.map((size, d) => size + pad[d]!) };
          return Shape.array(type, sizes, { layout: new Layout(orders[side]!, options) });
        });
        check(a!, b!, k, inside, [skips[0] * align, skips[1] * align]);
      }),
      { numRuns: isLong ? 30 : 3 },
    );
  });

  // The two arrays of more than 400,000 elements are copied in `npm run long` only.
  const cuts: readonly (readonly [name: string, sizes: number[], from: number[], to: number[]])[] = [
    ["along the source's most major axis", [600, 500], [1, 0], [0, 1]],
    ["along a batch axis", [2, 400, 700], [2, 1, 0], [1, 2, 0]],
    ["along a major axis with others below it", [300, 3, 320], [2, 1, 0], [0, 1, 2]],
    ["along another axis if the rows would be short", [8, 40_000], [1, 0], [0, 1]],
    ["along both axes", [520, 4200], [1, 0], [0, 1]],
    ["in whole rows", [70, 40, 120], [2, 1, 0], [0, 2, 1]],
    ["if the innermost axis stays innermost", [35, 400, 20], [2, 1, 0], [2, 0, 1]],
  ];
  test.each(cuts.filter(([, sizes]) => isLong || sizes.reduce((product, size) => product * size, 1) < 400_000))(
    "an array larger than the stage is cut %s",
    (_name, sizes, from, to) => {
      expect(check(dense("f64", sizes, from), dense("f64", sizes, to), 3, [false, false])).toBeGreaterThan(1);
    },
  );

  test("the stage is released; small arrays, short rows and unchanged rows use no kernel", () => {
    check(dense("f32", [200, 200], [1, 0]), dense("f32", [200, 200], [0, 1]), 2, [false, false]);
    const { reservedBytes } = memory;
    check(dense("f32", [300, 200], [1, 0]), dense("f32", [300, 200], [0, 1]), 2, [false, false]);
    expect(memory.reservedBytes).toBe(reservedBytes);
    expect(check(dense("f32", [3, 20_000], [1, 0]), dense("f32", [3, 20_000], [0, 1]), 2, [false, false])).toBe(0);
    expect(check(dense("f32", [20, 30], [1, 0]), dense("f32", [20, 30], [0, 1]), 2, [false, false])).toBe(0);
    const padded = Shape.array("f32", [300, 200], { layout: new Layout([1, 0], { paddedDimensions: [300, 208] }) });
    expect(check(dense("f32", [300, 200], [1, 0]), padded, 2, [false, false])).toBe(0);
    expect(check(dense("f32", [300, 200], [1, 0]), padded, 2, [true, true])).toBe(0);
  });
});
