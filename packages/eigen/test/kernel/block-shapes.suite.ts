// Products with every shape of blocks, whichever one this engine is given: heights of 4 and 6 rows, with and without unrolling over k,
// operands that are packed and ones that are read where they are.
import { expect, test } from "@jest/globals";
import { blockDepth, rowsByHeight } from "@onebuffer/kernels/src/products/block-shape";
import type { BlockShape } from "@onebuffer/kernels/src/products/block-shape";
import { Contraction } from "@onebuffer/kernels/src/products/contract";
import { compileGebp } from "@onebuffer/kernels/src/products/gebp-kernel";
import { arenaArray, Dice, repeat } from "./kernel-subjects.ts";

/** `npm run long` compares more products. */
const kRounds = process.env["ONEBUFFER_LONG"] === undefined ? 5 : 400;

/** So many elements of a matrix are random, all in `npm run long`, and the others are the same again. Not a multiple of any number of columns. */
const kDrawn = process.env["ONEBUFFER_LONG"] === undefined ? 4099 : Number.POSITIVE_INFINITY;

const kSix: BlockShape = { itemBytes: 4, rows: 6, vectors: 2, columns: 8, unroll: 8 };

/** Returns small integers in the linear memory: sums of their products are exact. */
function elements(count: number, dice: Dice): Float32Array {
  const array = arenaArray("float32", count) as Float32Array;
  const drawn = Math.min(count, kDrawn);
  for (let n = 0; n < drawn; n++) array[n] = dice.below(21) - 10;
  return repeat(array, drawn);
}

test.each<[string, BlockShape]>([
  ["4 rows", { ...kSix, rows: 4, unroll: 1 }],
  ["4 rows, unrolled", { ...kSix, rows: 4 }],
  ["6 and 4 rows", { ...kSix, unroll: 1 }],
  ["6 and 4 rows, unrolled", kSix],
])("products in blocks of %s", (_, shape) => {
  const kernel = compileGebp("float32", null, shape)!;
  const dice = new Dice(shape.unroll * 10 + shape.rows);
  for (let turn = 0; turn < kRounds; turn++) {
    // One product in five is packed: B is too large to be read where it is, or has too many columns.
    const isPacked = turn % 5 === 4;
    const [rows, columns] = [
      1 + dice.below(isPacked ? 15 : 30),
      isPacked ? dice.pick([256, 257 + dice.below(9), 512]) : 1 + dice.below(40),
    ];
    const inner = 1 + dice.below(isPacked ? 300 : 70);
    const gap = dice.below(3);
    const adds = dice.below(2) === 1;
    const [a, b, c] = [rows * (inner + gap), inner * (columns + gap), rows * (columns + gap)].map((count) => elements(count, dice)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const before = c.slice();
    const contraction = new Contraction(
      kernel,
      {
        rows: { sizes: [rows], strides: [(inner + gap) * 4] },
        columns: { sizes: [columns], strides: [4] },
        innerA: { sizes: [inner], strides: [4] },
        innerB: { sizes: [inner], strides: [(columns + gap) * 4] },
        rowStride: (columns + gap) * 4,
      },
      adds,
    );
    contraction.take();
    contraction.run(a.byteOffset, b.byteOffset, c.byteOffset);
    contraction.release();
    const wanted = before.slice();
    for (let i = 0; i < rows; i++) {
      const row = wanted.subarray(i * (columns + gap), i * (columns + gap) + columns);
      if (!adds) row.fill(0);
      for (let k = 0; k < inner; k++) {
        const factor = a[i * (inner + gap) + k]!;
        for (let j = 0; j < columns; j++) row[j]! += factor * b[k * (columns + gap) + j]!;
      }
    }
    const at = c.findIndex((value, n) => value !== wanted[n]);
    expect([rows, inner, columns, gap, adds, at]).toEqual([rows, inner, columns, gap, adds, -1]);
  }
});

test("few rows are computed in vain, and incomplete panels are the last ones", () => {
  for (let rows = 1; rows < 200; rows++) {
    const [inSixes, inFours] = rowsByHeight(kSix, rows) as [number, number];
    expect(inSixes + inFours).toBe(rows);
    expect(inSixes % 6 === 0 || inFours === 0).toBe(true);
    const computed = Math.ceil(inSixes / 6) * 6 + Math.ceil(inFours / 4) * 4;
    expect(computed - rows).toBeLessThan(rows < 6 ? 4 : 2);
    expect(rowsByHeight({ ...kSix, rows: 4 }, rows)).toEqual([rows]);
  }
  for (const inner of [1, 256, 257, 700]) expect(blockDepth(inner) * Math.ceil(inner / 256)).toBeGreaterThanOrEqual(inner);
});
