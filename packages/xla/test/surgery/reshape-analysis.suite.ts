// Analysis of reshapes and transposes: large and irregular tiles, permutations, common factors, refused arguments.
import { describe, expect, test } from "@jest/globals";
import {
  commonFactors,
  composePermutations,
  inversePermutation,
  isIdentityPermutation,
  parseShape,
  permute,
  permuteInverse,
  Shape,
  ShapeUtil,
} from "@onebuffer/xla";
import fc from "fast-check";
import { orderOf } from "../model/arbitraries.ts";
import { expectStatus } from "@onebuffer/test-support";
import { product } from "../address/naive-layout.ts";
import { factorsOf } from "./random-pairs.ts";
import type { Random } from "./random-pairs.ts";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

describe("large and irregular tiles", () => {
  test("regular tiles are compared without visiting elements", () => {
    const a = parseShape("f32[64,8,65536]{2,1,0:T(8,128)}");
    expect(ShapeUtil.reshapeIsBitcast(a, parseShape("f32[512,65536]{1,0:T(8,128)}"))).toBe(true);
    expect(ShapeUtil.reshapeIsBitcast(a, parseShape("f32[512,65536]{1,0:T(8,256)}"))).toBe(false);
    expect(ShapeUtil.reshapeIsBitcast(a, parseShape("f32[64,4,131072]{2,1,0:T(8,128)}"))).toBe(false);
  });

  test("irregular tiles are compared element by element, up to a limit", () => {
    expect(ShapeUtil.reshapeIsBitcast(parseShape("f32[5,3]{1,0:T(2,3)}"), parseShape("f32[15]{0:T(6)}"))).toBe(true);
    expect(ShapeUtil.reshapeIsBitcast(parseShape("f32[4,6]{1,0:T(*,8)}"), parseShape("f32[24]{0:T(8)}"))).toBe(true);
    expect(ShapeUtil.reshapeIsBitcast(parseShape("f32[4096,6000]{1,0:T(*,8)}"), parseShape("f32[24576000]{0:T(8)}"))).toBe(false);
  });

  test("alignLayouts finds the dense array of more dimensions for a tiled one", () => {
    const tiled = parseShape("f32[4,4]{1,0:T(2,2)}");
    expect(ShapeUtil.alignLayouts(tiled, ShapeUtil.makeShape("f32", [2, 2, 2, 2]))?.toString(true)).toBe("f32[2,2,2,2]{3,1,2,0}");
    expect(ShapeUtil.alignLayouts(tiled, ShapeUtil.makeShape("f32", [16]))).toBeNull();
  });

  test("arrays with different stored bits do not share a buffer", () => {
    expect(ShapeUtil.reshapeIsBitcast(parseShape("s4[2,3]{1,0:E(4)}"), parseShape("s4[6]{0}"))).toBe(false);
    expect(ShapeUtil.reshapeIsBitcast(parseShape("s4[2,3]{1,0:E(4)}"), parseShape("s4[6]{0:E(4)}"))).toBe(true);
    expect(ShapeUtil.transposeSharesBuffer(parseShape("s4[2,3]{1,0:E(4)}"), parseShape("s4[3,2]{0,1}"), [1, 0])).toBe(false);
  });

  test("arrays of different element types share a buffer only if the types are ignored", () => {
    const [a, b] = [parseShape("f32[2,3]{1,0}"), parseShape("s32[3,2]{0,1}")];
    expect(ShapeUtil.transposeSharesBuffer(a, b, [1, 0])).toBe(false);
    expect(ShapeUtil.transposeSharesBuffer(a, b, [1, 0], true)).toBe(true);
    expect(ShapeUtil.transposeSharesBuffer(a, a, [1, 0])).toBe(false);
  });

  test("byte strides of unpacked elements follow the layout", () => {
    expect(ShapeUtil.unpackedByteStrides(parseShape("f32[2,3]{0,1}"))).toEqual([4, 8]);
    expect(ShapeUtil.unpackedByteStrides(parseShape("s4[2,4]{1,0:E(4)}"))).toEqual([4, 1]);
  });

  test("arrays without elements are always bitcasts", () => {
    expect(ShapeUtil.reshapeIsBitcast(parseShape("f32[0,4]{0,1:T(3,3)}"), parseShape("f32[7,0]{1,0}"))).toBe(true);
    expect(ShapeUtil.alignLayouts(parseShape("f32[0,6]{0,1}"), ShapeUtil.makeShape("f32", [0, 2, 3]))?.layout?.minorToMajor).toEqual([
      0, 2, 1,
    ]);
    expect(ShapeUtil.alignLayouts(parseShape("f32[0,2,3]{0,1,2}"), ShapeUtil.makeShape("f32", [0, 6]))?.layout?.minorToMajor).toEqual([
      1, 0,
    ]);
    expect(ShapeUtil.alignLayouts(parseShape("f32[1,0,3]{0,2,1}"), ShapeUtil.makeShape("f32", [0, 1, 5]))?.layout?.minorToMajor).toEqual([
      2, 0, 1,
    ]);
  });

  test("combined dimensions of size 1 leave a tiled vector as it is", () => {
    const vector = parseShape("f32[8]{0:T(4)}");
    expect(ShapeUtil.reshapeIsBitcast(parseShape("f32[1,1,8]{2,1,0:T(*,*,4)}"), vector)).toBe(true);
    expect(ShapeUtil.reshapeIsBitcast(parseShape("f32[1,8]{1,0:T(*,4)}"), vector)).toBe(true);
    // Too many elements to be compared one by one.
    const long = parseShape("f32[16777216]{0:T(4)}");
    expect(ShapeUtil.reshapeIsBitcast(parseShape("f32[1,1,16777216]{2,1,0:T(*,*,4)}"), long)).toBe(true);
    expect(ShapeUtil.reshapeIsBitcast(parseShape("f32[1,16777216]{1,0:T(*,4)}"), long)).toBe(true);
  });
});

describe("permutations and factors", () => {
  test("permutations can be inverted and composed", () => {
    fc.assert(
      fc.property(
        fc.nat(5).chain((rank) => fc.tuple(orderOf(rank), orderOf(rank), fc.array(fc.nat(), { minLength: rank, maxLength: rank }))),
        ([p, q, list]) => {
          expect(permuteInverse(permute(list, p), p)).toEqual(list);
          expect(permute(list, inversePermutation(p))).toEqual(permuteInverse(list, p));
          expect(permute(permute(list, p), q)).toEqual(permute(list, composePermutations(p, q)));
          expect(isIdentityPermutation(composePermutations(p, inversePermutation(p)))).toBe(true);
        },
      ),
    );
  });

  test("commonFactors cuts into pieces of equal products that cannot be cut further", () => {
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
        // Every position where the products of both prefixes agree is a cut, up to sizes of 1.
        for (let i = 0; i <= a.length; i++)
          if (b.some((_, j) => product(a.slice(0, i)) === product(b.slice(0, j))))
            expect(cuts.some(([at]) => product(a.slice(0, at)) === product(a.slice(0, i)))).toBe(true);
      }),
    );
  });

  test("a reshape leaves a list of dimensions if it leaves each, in ascending order", () => {
    const [a, b] = [ShapeUtil.makeShape("f32", [2, 3, 4, 5]), ShapeUtil.makeShape("f32", [2, 12, 5])];
    const cases: readonly (readonly [number[], number[] | null])[] = [
      [[], []],
      [[0], [0]],
      [[3], [2]],
      [
        [0, 3],
        [0, 2],
      ],
      [[3, 0], null],
      [[1], null],
      [[0, 2], null],
    ];
    for (const [dimensions, partners] of cases)
      expect([dimensions, ShapeUtil.reshapeLeavesDimensionsUnmodified(a, b, dimensions)]).toEqual([dimensions, partners]);
  });

  const [f23, f6] = [ShapeUtil.makeShape("f32", [2, 3]), ShapeUtil.makeShape("f32", [5])];
  const cases: readonly (readonly [string, () => unknown, readonly (string | number)[]])[] = [
    ["a permutation with a repeated entry", () => permute([1, 2], [0, 0]), ["{0,0}"]],
    ["a permutation with a fraction", () => permute([1, 2], [0, 0.5]), ["{0,0.5}"]],
    ["a permutation out of range", () => permuteInverse([1, 2], [0, 2]), ["{0,2}"]],
    ["a permutation that is no list", () => permute([1, 2], 5 as never), ["permutation as a list of numbers"]],
    ["an inverse permutation that is no list", () => permuteInverse([1, 2], 5 as never), ["permutation as a list of numbers"]],
    ["an inverse permutation of another length", () => permuteInverse([1, 2], [0]), ["permutation {0}"]],
    ["a permutation of another length", () => permute([1, 2], [0]), ["{0}", 2]],
    ["inverting a list that is not a permutation", () => inversePermutation([1]), ["{1}"]],
    ["composing permutations of different lengths", () => composePermutations([0, 1], [0]), ["{0}"]],
    ["factors of different products", () => commonFactors([2, 3], [5]), ["{2,3}", "{5}"]],
    ["factors with a negative size", () => commonFactors([-2], [-2]), ["-2"]],
    ["factors beyond 2^53 - 1", () => commonFactors([2 ** 30, 2 ** 30], [2 ** 60]), ["2^53"]],
    ["a reshape to another number of elements", () => ShapeUtil.dimensionsUnmodifiedByReshape(f23, f6), ["{2,3}", "{5}"]],
    ["aligning another number of elements", () => ShapeUtil.alignLayouts(f23, f6), ["f32[2,3]", "f32[5]"]],
    [
      "a transpose without a layout",
      () => ShapeUtil.transposeIsBitcast(Shape.array("f32", [2, 3]), f23, [0, 1]),
      ["f32[2,3] does not have a layout"],
    ],
    ["a transpose between different ranks", () => ShapeUtil.transposeIsBitcast(f23, f6, [0, 1]), ["f32[2,3]", "f32[5]", "rank"]],
    ["a transpose by a list that is not a permutation", () => ShapeUtil.transposeSharesBuffer(f23, f23, [1, 1]), ["{1,1}"]],
    [
      "a normalized transpose of a layout that is not descending",
      () => ShapeUtil.getNormalizedLogicalTransposeShape(parseShape("f32[2,3]{0,1}"), [1, 0]),
      ["{0,1}"],
    ],
    ["the reshape of a token", () => ShapeUtil.reshapeIsBitcast(Shape.token(), f23), ["token[]"]],
  ];
  test.each(cases)("%s is refused", (_, act, contains) => expectStatus(act, "INVALID_ARGUMENT", ...contains));

  test("a factor of 1 is a piece of its own, before and behind others", () => {
    const pieces = (a: number[], b: number[]): number[][] => commonFactors(a, b).map((each) => [...each]);
    expect(pieces([1, 2], [2])).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
    ]);
    expect(pieces([2], [2, 1])).toEqual([
      [0, 0],
      [1, 1],
      [1, 2],
    ]);
  });

  test("a reshape inserts and deletes dimensions of size 1, and a transpose drops them", () => {
    const [a, b] = [ShapeUtil.makeShape("f32", [9, 1, 4]), ShapeUtil.makeShape("f32", [1, 9, 4, 1])];
    expect(ShapeUtil.insertedOrDeleted1SizedDimensions(a, b)).toEqual({ deleted: [1], inserted: [0, 3] });
    expect(ShapeUtil.insertedOrDeleted1SizedDimensions(a, ShapeUtil.makeShape("f32", [36]))).toBeNull();
    expect(ShapeUtil.getNormalizedLogicalTransposeShape(ShapeUtil.makeShape("f32", [20, 1, 30, 50]), [1, 3, 2, 0])).toEqual({
      dimensions: [600, 50],
      permutation: [1, 0],
    });
  });

  test("a typed array is a list of numbers", () => {
    expect(Array.from(permute([7, 8], Int32Array.of(1, 0) as Any))).toEqual([8, 7]);
    expect(ShapeUtil.byteStrides(ShapeUtil.makeShape("f32", [2, 3]))).toEqual([12, 4]);
    const long = new Array<number>(101).fill(0);
    expect(ShapeUtil.shapeIndexToString(long.slice(0, 100))).toBe(`{${long.slice(0, 100).join(",")}}`);
    expect(ShapeUtil.shapeIndexToString(long)).not.toBe(`{${long.join(",")}}`);
  });

  test("a transpose that leaves the bytes in place is a bitcast, of the same element type", () => {
    const [rows, columns] = [parseShape("f32[2,3]{1,0}"), parseShape("f32[3,2]{0,1}")];
    expect(ShapeUtil.transposeIsBitcast(rows, columns, [1, 0])).toBe(true);
    expect(ShapeUtil.transposeIsBitcast(rows, parseShape("f32[3,2]{1,0}"), [1, 0])).toBe(false);
    expect(ShapeUtil.transposeIsBitcast(rows, parseShape("s32[3,2]{0,1}"), [1, 0])).toBe(false);
    expect(ShapeUtil.transposeIsBitcast(rows, parseShape("s32[3,2]{0,1}"), [1, 0], true)).toBe(true);
    expect([isIdentityPermutation([0, 1, 2]), isIdentityPermutation([1, 0])]).toEqual([true, false]);
  });
});
