// The bitcast predicates, alignLayouts and decomposeBitcast against brute force over thousands of arrays.
import { describe, expect, test } from "@jest/globals";
import { Layout, permuteInverse, Shape, ShapeUtil } from "@onebuffer/xla";
import { isLong } from "@onebuffer/test-support";
import { indicesOf, naiveCells, rowMajor } from "../address/naive-layout.ts";
import { generator, pair, shuffled, someTiles } from "./random-pairs.ts";

/** `npm run long` tests twenty times as many pairs. */
const kFactor = isLong ? 4 : 0.1;

const same = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((cell, i) => cell === b[i]);

describe("bitcast predicates against brute force", () => {
  test("reshapeIsBitcast is exact on thousands of pairs with tiles and sizes of 1, a third of them bitcasts", () => {
    const random = generator(20170801);
    const seen = { pairs: 0, bitcasts: 0, tiled: 0, tiledBitcasts: 0, ones: 0 };
    for (let n = 0; n < 10_500 * kFactor; n++) {
      const [a, b] = pair(random);
      const isBitcast = same(naiveCells(a), naiveCells(b));
      const isTiled = a.layout!.tiles.length + b.layout!.tiles.length > 0;
      seen.pairs++;
      if (isBitcast) seen.bitcasts++;
      if (isTiled) seen.tiled++;
      if (isTiled && isBitcast) seen.tiledBitcasts++;
      if (a.dimensions.includes(1) || b.dimensions.includes(1)) seen.ones++;
      if (ShapeUtil.reshapeIsBitcast(a, b) !== isBitcast)
        throw new Error(`${a.toString(true)} -> ${b.toString(true)} is ${isBitcast ? "a" : "not a"} bitcast`);
      if (ShapeUtil.reshapeIsBitcast(b, a) !== isBitcast)
        throw new Error(`${b.toString(true)} -> ${a.toString(true)} is ${isBitcast ? "a" : "not a"} bitcast`);
    }
    expect(seen.pairs).toBeGreaterThanOrEqual(10_000 * kFactor);
    expect(seen.bitcasts / seen.pairs).toBeGreaterThanOrEqual(0.3);
    expect(seen.bitcasts / seen.pairs).toBeLessThan(0.8);
    expect(seen.tiled).toBeGreaterThan(2_000 * kFactor);
    expect(seen.tiledBitcasts).toBeGreaterThan(500 * kFactor);
    expect(seen.ones).toBeGreaterThan(3_000 * kFactor);
  });

  test("transposeSharesBuffer is exact on hundreds of transposes; an untiled transposeIsBitcast is never wrongly true", () => {
    const random = generator(3);
    const seen = { shared: 0, tiledShared: 0, missed: 0 };
    for (let n = 0; n < 4_000 * kFactor; n++) {
      const rank = random(4);
      const dims = Array.from({ length: rank }, () => 1 + random(3));
      const identity = dims.map((_, d) => d);
      const tiles = random(3) === 0 ? someTiles(random) : [];
      const a = Shape.array("f32", dims, { layout: new Layout(shuffled(random, identity), { tiles }) });
      const mapping = shuffled(random, identity);
      const free = ShapeUtil.permuteDimensions(mapping, a);
      const b =
        random(3) === 0 ? free.with({ layout: new Layout(shuffled(random, identity), { tiles: random(2) === 0 ? tiles : [] }) }) : free;
      const [cellsA, cellsB] = [naiveCells(a), naiveCells(b)];
      const shares = indicesOf(b.dimensions).every(
        (index, element) => cellsB[element] === cellsA[rowMajor(dims, permuteInverse(index, mapping))],
      );
      if (ShapeUtil.transposeSharesBuffer(a, b, mapping) !== shares)
        throw new Error(`${a.toString(true)} -> ${b.toString(true)} by {${mapping}} ${shares ? "shares" : "does not share"} the buffer`);
      const isBitcast = ShapeUtil.transposeIsBitcast(a, b, mapping);
      if (isBitcast && tiles.length === 0 && !shares)
        throw new Error(`${a.toString(true)} -> ${b.toString(true)} by {${mapping}} is not a bitcast`);
      if (shares) seen.shared++;
      if (shares && tiles.length > 0) seen.tiledShared++;
      if (shares && !isBitcast) seen.missed++;
    }
    expect(seen.shared).toBeGreaterThan(1_200 * kFactor);
    expect(seen.tiledShared).toBeGreaterThan(400 * kFactor);
    expect(seen.missed).toBeGreaterThan(40 * kFactor);
  });

  test("alignLayouts finds a layout if there is one, and returns null only if no order is a bitcast", () => {
    const random = generator(77);
    const orders = new Map<number, number[][]>([[0, [[]]]]);
    const ordersOf = (rank: number): number[][] => {
      const known = orders.get(rank);
      if (known !== undefined) return known;
      const found = ordersOf(rank - 1).flatMap((order) => Array.from({ length: rank }, (_, at) => order.toSpliced(at, 0, rank - 1)));
      orders.set(rank, found);
      return found;
    };
    let found = 0;
    for (let n = 0; n < 2_000 * kFactor; n++) {
      const [a, b] = pair(random);
      const cells = naiveCells(a);
      const aligned = ShapeUtil.alignLayouts(a, b);
      if (aligned !== null) {
        found++;
        expect(naiveCells(aligned)).toEqual(cells);
        continue;
      }
      const { dimensions } = b;
      const wide = dimensions.filter((size) => size !== 1);
      const any = ordersOf(wide.length).some((order) => same(naiveCells(Shape.array("f32", wide, { layout: new Layout(order) })), cells));
      // If tiles combine dimensions, alignLayouts does not search.
      if (any && a.layout!.tiles.every((tile) => !tile.dimensions.includes(-1)))
        throw new Error(`${a.toString(true)} -> ${b.toString()} has a layout`);
    }
    expect(found).toBeGreaterThan(500 * kFactor);
  });

  test("every step of decomposeBitcast leaves the bytes in place", () => {
    const random = generator(5);
    const kinds = { reshape: 0, transpose: 0, trt: 0, none: 0 };
    for (let n = 0; n < 2_000 * kFactor; n++) {
      const [a, b] = pair(random);
      const steps = ShapeUtil.decomposeBitcast(a, b);
      kinds[steps?.kind ?? "none"]++;
      if (steps?.kind === "reshape") expect(naiveCells(a)).toEqual(naiveCells(b));
      if (steps?.kind === "transpose") expect(ShapeUtil.transposeSharesBuffer(a, b, steps.transposeDims)).toBe(true);
      if (steps?.kind === "trt") {
        expect(ShapeUtil.transposeSharesBuffer(a, steps.transpose1Shape, steps.transpose1Dims)).toBe(true);
        expect(naiveCells(steps.transpose1Shape)).toEqual(naiveCells(steps.reshapeShape));
        expect(ShapeUtil.transposeSharesBuffer(steps.reshapeShape, b, steps.transpose2Dims)).toBe(true);
      }
      // Without tiles there is always a decomposition: both sides are dense.
      if (steps === null) expect(a.layout!.tiles.length + b.layout!.tiles.length).toBeGreaterThan(0);
    }
    expect(Math.min(...Object.values(kinds))).toBeGreaterThan(4 * kFactor);
  });
});
