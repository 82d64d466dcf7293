// Products in parts: how they are cut, and that all parts together are the product. The splitter here keeps the calls of the parts, and runs
// them from the last part to the first.
import { expect, test } from "@jest/globals";
import { Contraction } from "@onebuffer/kernels/src/products/contract";
import { compileGebp } from "@onebuffer/kernels/src/products/gebp-kernel";
import { runParts } from "@onebuffer/kernels/src/products/product-parts";
import { scratchBlock } from "@onebuffer/kernels/src/calls/scratch";
import type { DividedLoops, WorkSplitter } from "@onebuffer/kernels/src/calls/work-splitter";
import { product } from "../row-major.ts";
import { arenaArray, Dice } from "./kernel-subjects.ts";

const kThreads = 2;

/** Returns a splitter that makes so many parts, and what it was given. */
function splitterOf(numParts: number, runs: boolean) {
  const parts: (() => void)[][] = [];
  const seen: { loops: DividedLoops | null } = { loops: null };
  const splitter: WorkSplitter = {
    numThreads: kThreads,
    divides: () => true,
    ranWhole() {},
    parts: () => numParts,
    begin() {
      parts.push([]);
      return scratchBlock();
    },
    call({ functions }, name, ...args) {
      parts.at(-1)!.push(() => void (functions[name] as (...args: readonly number[]) => number)(...args));
    },
    run(_, describe) {
      seen.loops = describe();
      if (runs) for (const calls of parts.toReversed()) for (const call of calls) call();
      return false;
    },
  };
  return { splitter, parts, seen };
}

/** Divides `products` products of these sizes at three addresses. Returns the loops of the parts. */
function divided(
  [products, rows, inner, columns]: readonly [number, number, number, number],
  numParts: number,
  at: readonly number[] | null,
): DividedLoops {
  const kernel = compileGebp("float32", null, { itemBytes: 4, rows: 4, vectors: 2, columns: 8, unroll: 1 })!;
  const contraction = new Contraction(kernel, {
    rows: { sizes: [rows], strides: [inner * 4] },
    columns: { sizes: [columns], strides: [4] },
    innerA: { sizes: [inner], strides: [4] },
    innerB: { sizes: [inner], strides: [columns * 4] },
    rowStride: columns * 4,
  });
  const batch = products === 1 ? 0 : 1;
  const strides = [rows * columns, rows * inner, inner * columns];
  const accesses = strides.map((stride, k) => ({ start: at?.[k] ?? 0, itemBytes: 4, strides: batch === 0 ? [] : [stride * 4] }));
  const { splitter, parts, seen } = splitterOf(numParts, at !== null);
  expect(runParts(splitter, { batch, contraction }, { sizes: batch === 0 ? [] : [products], accesses })).toBe(true);
  expect(parts.length).toBe(seen.loops!.parts.length);
  expect(parts.every((calls) => calls.length > 0)).toBe(true);
  return seen.loops!;
}

test.each<[string, readonly [number, number, number, number], number, number]>([
  ["whole products, several to a part", [8, 8, 10, 16], 2, 2],
  ["parts of each of a few products", [3, 40, 12, 24], 4, 6],
  ["parts of one product", [1, 40, 300, 270], 4, 2],
  ["one panel, which is not cut", [1, 4, 30, 8], 4, 1],
  ["less than one panel", [1, 5, 30, 5], 4, 1],
])("%s: all parts together are the products", (_, sizes, numParts, wanted) => {
  const [products, rows, inner, columns] = sizes;
  const dice = new Dice(rows);
  const [c, a, b] = [rows * columns, rows * inner, inner * columns].map((count) => arenaArray("float32", products * count) as Float32Array);
  for (const operand of [a!, b!]) for (let n = 0; n < operand.length; n++) operand[n] = dice.below(9) - 4;
  c!.fill(Number.NaN);
  const { parts, sizes: whole } = divided(sizes, numParts, [c!.byteOffset, a!.byteOffset, b!.byteOffset]);
  const sums = Array.from({ length: products * rows * columns }, (__, n) => {
    const [i, j] = [Math.floor(n / columns), n % columns];
    const at = Math.floor(i / rows) * inner * columns + j;
    let sum = 0;
    for (let k = 0; k < inner; k++) sum += a![i * inner + k]! * b![at + k * columns]!;
    return sum;
  });
  expect(Array.from(c!)).toEqual(sums);
  const volumes = parts.map(({ begin, end }) => product(end.map((each, d) => each - begin[d]!)));
  expect([parts.length, Math.min(...volumes) > 0, volumes.reduce((x, y) => x + y)]).toEqual([wanted, true, product(whole)]);
});

test.each([
  [[1024, 1024], 4, [2, 2]],
  [[512, 512], 4, [2, 2]],
  // Packing takes too long for more parts than threads.
  [[511, 512], 4, [1, 2]],
  [[4096, 600], 4, [4, 1]],
  [[600, 4096], 4, [1, 4]],
] as const)("a product of %j in about %d parts is cut so that packing is cheapest: %j", ([rows, columns], numParts, wanted) => {
  const { parts } = divided([1, rows, 2, columns], numParts, null);
  const numBegins = (d: number): number => new Set(parts.map(({ begin }) => begin[d])).size;
  expect([numBegins(0), numBegins(1)]).toEqual(wanted);
});
