import { describe, expect, test } from "@jest/globals";
import { commonFactors, composePermutations, inversePermutation, isIdentityPermutation, Layout, parseShape, permute, permuteInverse, Shape, ShapeUtil } from "@onebuffer/xla";
import fc from "fast-check";
import { orderOf } from "./arbitraries.ts";
import { expectStatus } from "./expect-status.ts";
import { naiveCells, rowMajor, indicesOf } from "./naive-layout.ts";

/** A small random generator, so that 10,000 pairs are always the same ones. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) % below;
  };
}

type Random = ReturnType<typeof generator>;

const shuffled = (random: Random, list: readonly number[]): number[] => {
  const out = list.slice();
  for (let i = out.length - 1; i > 0; i--) {
    const j = random(i + 1);
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
};

const product = (sizes: readonly number[]): number => sizes.reduce((a, b) => a * b, 1);

/** Factors of a number, in random order and grouping. */
function factorsOf(random: Random, n: number): number[] {
  const found: number[] = [];
  for (let rest = n; rest > 1; ) {
    const divisors = Array.from({ length: rest }, (_, i) => i + 1).filter((d) => d > 1 && rest % d === 0);
    const d = divisors[random(divisors.length)]!;
    found.push(d);
    rest /= d;
  }
  return found;
}

/** An array whose logical blocks lie in memory in the given order, each block row-major; sizes of 1 anywhere. */
function fromBlocks(random: Random, blocks: readonly number[], order: readonly number[]): Shape {
  const dims: number[] = [];
  const members: number[][] = blocks.map((size) => {
    const own: number[] = [];
    for (const factor of factorsOf(random, size)) own.push(dims.push(factor) - 1);
    if (random(3) === 0) dims.push(1);
    return own;
  });
  const minorToMajor = order.flatMap((block) => members[block]!.toReversed());
  const ones = dims.map((_, d) => d).filter((d) => dims[d] === 1);
  for (const one of shuffled(random, ones)) minorToMajor.splice(random(minorToMajor.length + 1), 0, one);
  return Shape.array("f32", dims, { layout: new Layout(minorToMajor) });
}

function withTiles(random: Random, shape: Shape, tiles: number[][]): Shape {
  return shape.with({ layout: shape.layout!.with({ tiles }) });
}

function someTiles(random: Random): number[][] {
  return Array.from({ length: 1 + random(2) }, () => Array.from({ length: 1 + random(3) }, (_, i, last = 3) => (i < last - 1 && random(6) === 0 ? -1 : [1, 2, 2, 3, 4][random(5)]!)).concat([1 + random(4)]));
}

/** The most major of the wide physical dimensions split in two, or one of size 1 added there: bytes do not move, tiles or not. */
function splitMajor(random: Random, shape: Shape): Shape {
  const { minorToMajor } = shape.layout!;
  const d = minorToMajor.at(-1);
  const size = d === undefined ? 1 : shape.dimensions[d]!;
  const outer = size % 2 === 0 && random(2) === 0 ? 2 : 1;
  if (d === undefined) return shape;
  const dims = shape.dimensions.toSpliced(d, 1, outer, size / outer);
  const order = [...minorToMajor.map((e) => (e >= d ? e + 1 : e)), d];
  return shape.with({ dimensions: dims, layout: shape.layout!.with({ minorToMajor: order }) });
}

/** A pair of arrays of equally many elements; about half of them laid out so that a reshape moves nothing. */
function pair(random: Random): [Shape, Shape] {
  const blocks = Array.from({ length: 1 + random(3) }, () => [2, 2, 3, 4][random(4)]!);
  const order = shuffled(random, blocks.map((_, i) => i));
  const a = fromBlocks(random, blocks, order);
  const kind = random(8);
  if (kind < 3) return [a, fromBlocks(random, blocks, order)];
  if (kind < 6) return [a, fromBlocks(random, shuffled(random, blocks), shuffled(random, order))];
  const tiles = someTiles(random);
  const tiled = withTiles(random, a, tiles);
  if (kind === 6) return [tiled, splitMajor(random, tiled)];
  return [tiled, random(2) === 0 ? withTiles(random, fromBlocks(random, blocks, order), random(2) === 0 ? tiles : someTiles(random)) : fromBlocks(random, blocks, order)];
}

const same = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((cell, i) => cell === b[i]);

describe("bitcast predicates against brute force", () => {
  test("reshapeIsBitcast is exact on 10,500 pairs, a third of them true, tiles and sizes of 1 included", () => {
    const random = generator(20170801);
    const seen = { pairs: 0, bitcasts: 0, tiled: 0, tiledBitcasts: 0, ones: 0 };
    for (let n = 0; n < 10_500; n++) {
      const [a, b] = pair(random);
      const isBitcast = same(naiveCells(a), naiveCells(b));
      const isTiled = a.layout!.tiles.length + b.layout!.tiles.length > 0;
      seen.pairs++;
      if (isBitcast) seen.bitcasts++;
      if (isTiled) seen.tiled++;
      if (isTiled && isBitcast) seen.tiledBitcasts++;
      if (a.dimensions.includes(1) || b.dimensions.includes(1)) seen.ones++;
      if (ShapeUtil.reshapeIsBitcast(a, b) !== isBitcast) throw new Error(`${a.toString(true)} -> ${b.toString(true)} is ${isBitcast ? "" : "no "}bitcast`);
      if (ShapeUtil.reshapeIsBitcast(b, a) !== isBitcast) throw new Error(`${b.toString(true)} -> ${a.toString(true)} is ${isBitcast ? "" : "no "}bitcast`);
    }
    expect(seen.pairs).toBeGreaterThanOrEqual(10_000);
    expect(seen.bitcasts / seen.pairs).toBeGreaterThanOrEqual(0.3);
    expect(seen.bitcasts / seen.pairs).toBeLessThan(0.8);
    expect(seen.tiled).toBeGreaterThan(2_000);
    expect(seen.tiledBitcasts).toBeGreaterThan(500);
    expect(seen.ones).toBeGreaterThan(3_000);
  });

  test("transposeSharesBuffer is exact on 4,000 transposes; transposeIsBitcast never says yes where it is no", () => {
    const random = generator(3);
    const seen = { shared: 0, tiledShared: 0, unforgiven: 0 };
    for (let n = 0; n < 4_000; n++) {
      const rank = random(4);
      const dims = Array.from({ length: rank }, () => 1 + random(3));
      const identity = dims.map((_, d) => d);
      const tiles = random(3) === 0 ? someTiles(random) : [];
      const a = Shape.array("f32", dims, { layout: new Layout(shuffled(random, identity), { tiles }) });
      const mapping = shuffled(random, identity);
      const free = ShapeUtil.permuteDimensions(mapping, a);
      const b = random(3) === 0 ? free.with({ layout: new Layout(shuffled(random, identity), { tiles: random(2) === 0 ? tiles : [] }) }) : free;
      const [cellsA, cellsB] = [naiveCells(a), naiveCells(b)];
      const shares = indicesOf(b.dimensions).every((index, element) => cellsB[element] === cellsA[rowMajor(dims, permuteInverse(index, mapping))]);
      expect([a.toString(true), b.toString(true), mapping, ShapeUtil.transposeSharesBuffer(a, b, mapping)]).toEqual([a.toString(true), b.toString(true), mapping, shares]);
      const says = ShapeUtil.transposeIsBitcast(a, b, mapping);
      if (says && tiles.length === 0) expect(shares).toBe(true);
      if (shares) seen.shared++;
      if (shares && tiles.length > 0) seen.tiledShared++;
      if (shares && !says) seen.unforgiven++;
    }
    expect(seen.shared).toBeGreaterThan(1_200);
    expect(seen.tiledShared).toBeGreaterThan(400);
    expect(seen.unforgiven).toBeGreaterThan(40);
  });

  test("alignLayouts finds the layout if there is one, and null means that no order would do", () => {
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
    for (let n = 0; n < 1_500; n++) {
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
      // Where tiles combine dimensions no layout is looked for.
      if (any && a.layout!.tiles.every((tile) => !tile.dimensions.includes(-1))) throw new Error(`${a.toString(true)} -> ${b.toString()} has a layout`);
    }
    expect(found).toBeGreaterThan(500);
  });

  test("every step of decomposeBitcast leaves the bytes where they are", () => {
    const random = generator(5);
    const kinds = { reshape: 0, transpose: 0, trt: 0, none: 0 };
    for (let n = 0; n < 1_500; n++) {
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
      // Without tiles there is always a way: both sides are some order of one row of bytes.
      if (steps === null) expect(a.layout!.tiles.length + b.layout!.tiles.length).toBeGreaterThan(0);
    }
    expect(Math.min(...Object.values(kinds))).toBeGreaterThan(4);
  });
});

describe("large and irregular tiles", () => {
  test("regular tiles are judged without visiting elements", () => {
    const a = parseShape("f32[64,8,65536]{2,1,0:T(8,128)}");
    expect(ShapeUtil.reshapeIsBitcast(a, parseShape("f32[512,65536]{1,0:T(8,128)}"))).toBe(true);
    expect(ShapeUtil.reshapeIsBitcast(a, parseShape("f32[512,65536]{1,0:T(8,256)}"))).toBe(false);
    expect(ShapeUtil.reshapeIsBitcast(a, parseShape("f32[64,4,131072]{2,1,0:T(8,128)}"))).toBe(false);
  });

  test("irregular ones element by element, up to a point", () => {
    expect(ShapeUtil.reshapeIsBitcast(parseShape("f32[5,3]{1,0:T(2,3)}"), parseShape("f32[15]{0:T(6)}"))).toBe(true);
    expect(ShapeUtil.reshapeIsBitcast(parseShape("f32[4,6]{1,0:T(*,8)}"), parseShape("f32[24]{0:T(8)}"))).toBe(true);
    expect(ShapeUtil.reshapeIsBitcast(parseShape("f32[4096,6000]{1,0:T(*,8)}"), parseShape("f32[24576000]{0:T(8)}"))).toBe(false);
  });

  test("a tiled array is a dense one of more dimensions", () => {
    const tiled = parseShape("f32[4,4]{1,0:T(2,2)}");
    expect(ShapeUtil.alignLayouts(tiled, ShapeUtil.makeShape("f32", [2, 2, 2, 2]))?.toString(true)).toBe("f32[2,2,2,2]{3,1,2,0}");
    expect(ShapeUtil.alignLayouts(tiled, ShapeUtil.makeShape("f32", [16]))).toBeNull();
  });

  test("stored bits count", () => {
    expect(ShapeUtil.reshapeIsBitcast(parseShape("s4[2,3]{1,0:E(4)}"), parseShape("s4[6]{0}"))).toBe(false);
    expect(ShapeUtil.reshapeIsBitcast(parseShape("s4[2,3]{1,0:E(4)}"), parseShape("s4[6]{0:E(4)}"))).toBe(true);
    expect(ShapeUtil.transposeSharesBuffer(parseShape("s4[2,3]{1,0:E(4)}"), parseShape("s4[3,2]{0,1}"), [1, 0])).toBe(false);
  });

  test("arrays without elements fit each other", () => {
    expect(ShapeUtil.reshapeIsBitcast(parseShape("f32[0,4]{0,1:T(3,3)}"), parseShape("f32[7,0]{1,0}"))).toBe(true);
    expect(ShapeUtil.alignLayouts(parseShape("f32[0,6]{0,1}"), ShapeUtil.makeShape("f32", [0, 2, 3]))?.layout?.minorToMajor).toEqual([0, 2, 1]);
    expect(ShapeUtil.alignLayouts(parseShape("f32[0,2,3]{0,1,2}"), ShapeUtil.makeShape("f32", [0, 6]))?.layout?.minorToMajor).toEqual([1, 0]);
    expect(ShapeUtil.alignLayouts(parseShape("f32[1,0,3]{0,2,1}"), ShapeUtil.makeShape("f32", [0, 1, 5]))?.layout?.minorToMajor).toEqual([2, 0, 1]);
  });
});

describe("permutations and factors", () => {
  test("permutations undo and compose", () => {
    fc.assert(
      fc.property(fc.nat(5).chain((rank) => fc.tuple(orderOf(rank), orderOf(rank), fc.array(fc.nat(), { minLength: rank, maxLength: rank }))), ([p, q, list]) => {
        expect(permuteInverse(permute(list, p), p)).toEqual(list);
        expect(permute(list, inversePermutation(p))).toEqual(permuteInverse(list, p));
        expect(permute(permute(list, p), q)).toEqual(permute(list, composePermutations(p, q)));
        expect(isIdentityPermutation(composePermutations(p, inversePermutation(p)))).toBe(true);
      }),
    );
  });

  test("the pieces between common factors have equal products, and cannot be cut further", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(sizes, fc.infiniteStream(fc.nat()), (a, stream) => {
        const random: Random = (below) => stream.next().value % below;
        const b = factorsOf(random, product(a));
        const cuts = commonFactors(a, b);
        expect(cuts[0]).toEqual([0, 0]);
        expect(cuts.at(-1)).toEqual([a.length, b.length]);
        cuts.slice(1).forEach(([i, j], k) => {
          const [startA, startB] = cuts[k]!;
          expect(product(a.slice(startA, i))).toBe(product(b.slice(startB, j)));
          expect(i + j).toBeGreaterThan(startA + startB);
        });
        // Every place where the products from the front agree lies on a cut, up to sizes of 1.
        for (let i = 0; i <= a.length; i++) if (b.some((_, j) => product(a.slice(0, i)) === product(b.slice(0, j)))) expect(cuts.some(([at]) => product(a.slice(0, at)) === product(a.slice(0, i)))).toBe(true);
      }),
    );
  });

  const [f23, f6] = [ShapeUtil.makeShape("f32", [2, 3]), ShapeUtil.makeShape("f32", [5])];
  const cases: readonly (readonly [string, () => unknown, readonly (string | number)[]])[] = [
    ["a permutation with a repeated entry", () => permute([1, 2], [0, 0]), ["{0,0}"]],
    ["a permutation with a fraction", () => permute([1, 2], [0, 0.5]), ["{0,0.5}"]],
    ["a permutation out of range", () => permuteInverse([1, 2], [0, 2]), ["{0,2}"]],
    ["a permutation of another length", () => permute([1, 2], [0]), ["{0}", 2]],
    ["inverting no permutation", () => inversePermutation([1]), ["{1}"]],
    ["composing two lengths", () => composePermutations([0, 1], [0]), ["{0}"]],
    ["factors of different products", () => commonFactors([2, 3], [5]), ["{2,3}", "{5}"]],
    ["factors with a negative size", () => commonFactors([-2], [-2]), ["-2"]],
    ["factors beyond 2^53 - 1", () => commonFactors([2 ** 30, 2 ** 30], [2 ** 60]), ["2^53"]],
    ["a reshape to another number of elements", () => ShapeUtil.dimensionsUnmodifiedByReshape(f23, f6), ["{2,3}", "{5}"]],
    ["aligning another number of elements", () => ShapeUtil.alignLayouts(f23, f6), ["f32[2,3]", "f32[5]"]],
    ["a transpose without a layout", () => ShapeUtil.transposeIsBitcast(Shape.array("f32", [2, 3]), f23, [0, 1]), ["f32[2,3] does not have a layout"]],
    ["a transpose between ranks", () => ShapeUtil.transposeIsBitcast(f23, f6, [0, 1]), ["f32[2,3]", "f32[5]", "rank"]],
    ["a transpose by no permutation", () => ShapeUtil.transposeSharesBuffer(f23, f23, [1, 1]), ["{1,1}"]],
    ["a normalized transpose of a layout that is not descending", () => ShapeUtil.getNormalizedLogicalTransposeShape(parseShape("f32[2,3]{0,1}"), [1, 0]), ["{0,1}"]],
    ["the reshape of what is no array", () => ShapeUtil.reshapeIsBitcast(Shape.token(), f23), ["token[]"]],
  ];
  test.each(cases)("%s is refused", (_, act, contains) => expectStatus(act, "INVALID_ARGUMENT", ...contains));
});
