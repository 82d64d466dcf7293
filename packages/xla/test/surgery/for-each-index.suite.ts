// ShapeUtil.forEachIndex: order, boxes and steps, early stop, refused arguments.
import { describe, expect, test } from "@jest/globals";
import { Layout, parseShape, Shape, ShapeUtil } from "@onebuffer/xla";
import fc from "fast-check";
import { plainArray } from "../model/arbitraries.ts";
import { addressIn, allIndices } from "./brute-force.ts";
import { expectStatus } from "@onebuffer/test-support";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

/** The indices that forEachIndex visits. */
function visited(shape: Shape, ...box: [] | [readonly number[], readonly number[], readonly number[]]): number[][] {
  const seen: number[][] = [];
  const visit = (index: readonly number[]): void => {
    seen.push([...index]);
  };
  const ended = box.length === 0 ? ShapeUtil.forEachIndex(shape, visit) : ShapeUtil.forEachIndex(shape, ...box, visit);
  expect(ended).toBe(true);
  return seen;
}

describe("forEachIndex", () => {
  test("visits every element once, in memory order", () => {
    fc.assert(
      fc.property(plainArray(), (shape) => {
        const inMemory = allIndices(shape.dimensions).toSorted((a, b) => addressIn(shape, a) - addressIn(shape, b));
        expect(visited(shape)).toEqual(inMemory);
      }),
    );
  });

  test("visits the steps within a box; a count of 0 visits the base", () => {
    const box = plainArray(3, 1).chain((shape) =>
      fc.record({
        shape: fc.constant(shape),
        base: fc.tuple(...shape.dimensions.map(() => fc.nat(5))),
        count: fc.tuple(...shape.dimensions.map(() => fc.nat(5))),
        incr: fc.tuple(...shape.dimensions.map(() => fc.integer({ min: 1, max: 3 }))),
      }),
    );
    fc.assert(
      fc.property(box, ({ shape, base, count, incr }) => {
        const steps = base.map((first, dim) =>
          Array.from({ length: Math.max(1, Math.ceil(count[dim]! / incr[dim]!)) }, (_, i) => first + i * incr[dim]!),
        );
        const all = steps.reduce<number[][]>((found, values) => found.flatMap((index) => values.map((value) => [...index, value])), [[]]);
        const order = shape.layout!.minorToMajor.toReversed();
        const bySlowest = (a: number[], b: number[]): number =>
          order.map((dim) => a[dim]! - b[dim]!).find((difference) => difference !== 0) ?? 0;
        expect(visited(shape, base, count, incr)).toEqual(all.toSorted(bySlowest));
      }),
    );
  });

  test("visits one index of a scalar and none of an empty array", () => {
    expect(visited(parseShape("f32[]"))).toEqual([[]]);
    expect(visited(parseShape("f32[3,0]"))).toEqual([]);
    expect(visited(parseShape("f32[3,0]"), [0, 0], [3, 1], [1, 1])).toEqual([]);
  });

  test("a visitor that returns false stops the walk", () => {
    let calls = 0;
    expect(ShapeUtil.forEachIndex(parseShape("f32[4,4]"), () => ++calls < 6)).toBe(false);
    expect(calls).toBe(6);
    expect(ShapeUtil.forEachIndex(parseShape("f32[1]"), () => undefined)).toBe(true);
  });

  test("accepts a step of 0 with a count of 0, and throws before repeating indices", () => {
    const shape = parseShape("f32[4,4]");
    expect(visited(shape, [1, 2], [2, 0], [1, 0])).toEqual([
      [1, 2],
      [2, 2],
    ]);
    const seen: number[][] = [];
    expectStatus(
      () => ShapeUtil.forEachIndex(shape, [0, 0], [4, 2], [0, 1], (index) => void seen.push([...index])),
      "INVALID_ARGUMENT",
      "incr 0 in dimension 0 of count 4",
    );
    expect(seen).toEqual([
      [0, 0],
      [0, 1],
    ]);
  });

  test("ignores tiles and uses bounds as sizes", () => {
    expect(visited(parseShape("f32[<=2,2]{0,1:T(8,128)}"))).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ]);
  });

  const shape = parseShape("f32[2,3]");
  const nothing = (): void => {};
  test.each<[string, () => unknown, ...(string | number)[]]>([
    ["a short base", () => ShapeUtil.forEachIndex(shape, [0], [2, 3], [1, 1], nothing), "base {0} has 1 entries, but f32[2,3] has rank 2"],
    ["a long count", () => ShapeUtil.forEachIndex(shape, [0, 0], [2, 3, 4], [1, 1], nothing), "count {2,3,4}"],
    ["an empty list of steps", () => ShapeUtil.forEachIndex(shape, [0, 0], [2, 3], [], nothing), "incr {}"],
    ["a negative base", () => ShapeUtil.forEachIndex(shape, [0, -1], [2, 3], [1, 1], nothing), "base[1]", -1],
    ["a negative count", () => ShapeUtil.forEachIndex(shape, [0, 0], [-2, 3], [1, 1], nothing), "count[0]", -2],
    ["a negative step", () => ShapeUtil.forEachIndex(shape, [0, 0], [2, 3], [1, -1], nothing), "incr[1]", -1],
    ["a fraction", () => ShapeUtil.forEachIndex(shape, [0, 0], [2, 3], [1, 0.5], nothing), "incr", 0.5],
    ["an end beyond 2^53 - 1", () => ShapeUtil.forEachIndex(shape, [2 ** 53 - 1, 0], [1, 1], [1, 1], nothing), "base + count"],
    ["a tuple", () => ShapeUtil.forEachIndex(Shape.tuple([]), nothing), "ForEachIndex", "()"],
    ["a missing layout", () => ShapeUtil.forEachIndex(Shape.array("f32", [2]), nothing), "does not have a layout"],
    [
      "an invalid layout",
      () => ShapeUtil.forEachIndex(Shape.array("f32", [2], { layout: new Layout([1]) }), nothing),
      "out-of-bounds value 1",
    ],
    ["an unbounded dimension", () => ShapeUtil.forEachIndex(parseShape("f32[?]"), nothing), "f32[?]", "bound"],
  ])("refuses %s", (_, act, ...says) => {
    expectStatus(act, "INVALID_ARGUMENT", ...says);
  });

  test("a box over a scalar may leave out counts and steps", () => {
    const visited: number[][] = [];
    const scalar = Shape.array("f32", [], { layout: new Layout([]) });
    ShapeUtil.forEachIndex(scalar, [], undefined as Any, undefined as Any, (index) => visited.push([...index]));
    expect(visited).toEqual([[]]);
  });
});
