// LayoutUtil: orders, layouts of whole shapes, splits, isUntiledLayout and byteStridesIsMajorToMinor.
import { describe, expect, test } from "@jest/globals";
import { kCombineDimension, Layout, LayoutUtil, parseShape, Shape, ShapeUtil, SplitConfig, Tile } from "@onebuffer/xla";
import fc from "fast-check";
import { anyShape, orderOf, smallSizes } from "../model/arbitraries.ts";
import { allIndices, count, rowMajor, tiled } from "./brute-force.ts";
import { expectStatus } from "@onebuffer/test-support";
import { columnMajorMatrix, rowMajorMatrix } from "../model/matrix-shapes.ts";

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

const anyOrder = fc.nat(6).chain(orderOf);

describe("orders", () => {
  test("are made ascending, descending and from a major-to-minor list", () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        const rank = order.length;
        expect(LayoutUtil.makeAscendingLayout(rank).minorToMajor).toEqual(order.toSorted((a, b) => a - b));
        expect(LayoutUtil.makeDescendingLayout(rank).minorToMajor).toEqual(order.toSorted((a, b) => b - a));
        expect(LayoutUtil.getDefaultLayoutForRank(rank)).toEqual(LayoutUtil.makeDescendingLayout(rank));
        expect(LayoutUtil.makeLayoutFromMajorToMinor(order).minorToMajor).toEqual(order.toReversed());
        expect(LayoutUtil.makeLayout(order).minorToMajor).toEqual(order);
      }),
    );
    expect(
      [LayoutUtil.getDefaultLayoutForR2(), LayoutUtil.getDefaultLayoutForR3(), LayoutUtil.getDefaultLayoutForR4()].map(String),
    ).toEqual(["{1,0}", "{2,1,0}", "{3,2,1,0}"]);
  });

  test("the predicates, minor, major and the physical positions agree", () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        const layout = new Layout(order);
        const ascending = order.every((dim, i) => dim === i);
        const descending = order.every((dim, i) => dim === order.length - 1 - i);
        expect([
          LayoutUtil.isMonotonicWithDim0Minor(layout),
          LayoutUtil.isMonotonicWithDim0Major(layout),
          LayoutUtil.hasDescendingLayout(layout),
        ]).toEqual([ascending, descending, descending]);
        const physical = LayoutUtil.makeLogicalToPhysical(layout);
        order.forEach((dim, k) => {
          expect(LayoutUtil.minor(layout, k)).toBe(dim);
          expect(LayoutUtil.major(layout, order.length - 1 - k)).toBe(dim);
          expect(physical[dim]).toBe(order.length - 1 - k);
        });
      }),
    );
  });

  test("areDimensionsConsecutive agrees with all runs of the order", () => {
    fc.assert(
      fc.property(
        anyOrder.chain((order) => fc.record({ order: fc.constant(order), dims: fc.shuffledSubarray(order) })),
        ({ order, dims }) => {
          const runs = order.flatMap((_, from) =>
            order.map((_dim, to) =>
              order
                .slice(from, to + 1)
                .toSorted()
                .join(),
            ),
          );
          expect(LayoutUtil.areDimensionsConsecutive(new Layout(order), dims)).toBe(
            dims.length === 0 || runs.includes(dims.toSorted().join()),
          );
        },
      ),
    );
  });

  test("moving a dimension keeps the order of the others and all other fields", () => {
    const layout = new Layout([2, 1, 0], { tiles: [[4]], memorySpace: 5 });
    expect(LayoutUtil.moveDimToMajor(layout, 1).toString()).toBe("{2,0,1:T(4)S(5)}");
    expect(LayoutUtil.moveDimToMinor(layout, 0).toString()).toBe("{0,2,1:T(4)S(5)}");
  });

  test.each<[string, () => unknown, ...(string | number)[]]>([
    ["minor beyond the rank", () => LayoutUtil.minor(new Layout([1, 0]), 2), 2, "{1,0}"],
    ["major below 0", () => LayoutUtil.major(new Layout([1, 0]), -1), -1],
    ["a fraction", () => LayoutUtil.major(new Layout([1, 0]), 0.5), 0.5],
    ["physical positions of an order that is not a permutation", () => LayoutUtil.makeLogicalToPhysical(new Layout([1, 1])), "{1,1}"],
    ["consecutive dimensions that the layout does not have", () => LayoutUtil.areDimensionsConsecutive(new Layout([1, 0]), [2]), 2],
    ["moving to major a dimension that the layout does not have", () => LayoutUtil.moveDimToMajor(new Layout([1, 0]), 2), 2],
    ["moving to minor a dimension that the layout does not have", () => LayoutUtil.moveDimToMinor(new Layout([1, 0]), -1), -1],
    ["a negative rank", () => LayoutUtil.makeDescendingLayout(-1), "a rank", -1],
    ["a rank that would exhaust memory", () => LayoutUtil.makeAscendingLayout(2 ** 40), 2 ** 40],
    ["a tuple's default layout", () => LayoutUtil.getDefaultLayoutForShape(Shape.tuple([])), "()"],
    ["an unknown default mode", () => LayoutUtil.getDefaultLayoutForShape(Shape.token(), "random" as "major2minor"), "random"],
  ])("refuses %s", (_, act, ...says) => {
    expectStatus(act, "INVALID_ARGUMENT", ...says);
  });
});

describe("layouts of whole shapes", () => {
  const tree = parseShape("(f32[2,3]{0,1:T(4)S(5)}, (s8[]{:T(2)}, token[], b(f32[4,5]{0,1})))");

  test("setToDefaultLayout changes every array and keeps other properties", () => {
    expect(LayoutUtil.setToDefaultLayout(tree).toString(true)).toBe("(f32[2,3]{1,0:T(4)S(5)}, (s8[]{:T(2)}, token[], b(f32[4,5]{1,0})))");
    expect(LayoutUtil.getWithDefaultLayout(Shape.array("f32", [2, 3])).toString(true)).toBe("f32[2,3]{1,0}");
    expect(LayoutUtil.getDefaultLayoutForShape(Shape.opaque()).minorToMajor).toEqual([]);
  });

  test("layouts and tiles can be cleared and tested for", () => {
    const cleared = LayoutUtil.clearLayout(tree);
    expect(cleared.toString(true)).toBe("(f32[2,3], (s8[], token[], b(f32[4,5])))");
    expect(LayoutUtil.clearTiles(tree).toString(true)).toBe("(f32[2,3]{0,1:S(5)}, (s8[], token[], b(f32[4,5]{0,1})))");
    expect([
      LayoutUtil.hasLayout(tree),
      LayoutUtil.hasLayout(cleared),
      LayoutUtil.hasLayout(Shape.tuple([])),
      LayoutUtil.hasLayout(Shape.token()),
    ]).toEqual([true, false, true, true]);
    const half = Shape.tuple([cleared.tupleShapes[0]!, tree.tupleShapes[0]!]);
    expect([
      LayoutUtil.hasLayout(half),
      LayoutUtil.hasAnyLayout(half),
      LayoutUtil.hasAnyLayout(Shape.tuple([Shape.array("f32", [])])),
      LayoutUtil.hasAnyLayout(Shape.tuple([])),
    ]).toEqual([false, true, false, false]);
    expect([
      LayoutUtil.isDenseArray(parseShape("f32[2]")),
      LayoutUtil.isDenseArray(cleared.tupleShapes[0]!),
      LayoutUtil.isDenseArray(tree),
    ]).toEqual([true, false, false]);
  });

  test("in 2017 a scalar always has a layout, another array only a non-empty one", () => {
    const has = (shape: Shape): boolean => LayoutUtil.hasLayout(shape, { era: "2017" });
    expect([
      has(Shape.array("f32", [])),
      has(Shape.array("f32", [2])),
      has(Shape.array("f32", [2], { layout: new Layout([]) })),
      has(parseShape("f32[2]")),
    ]).toEqual([true, false, false, true]);
    expect(LayoutUtil.hasLayout(Shape.array("f32", [2], { layout: new Layout([]) }))).toBe(true);
  });

  test("copyLayoutBetweenShapes makes the layouts of both shapes equal", () => {
    fc.assert(
      fc.property(anyShape(), (source) => {
        const target = ShapeUtil.changeElementType(LayoutUtil.clearLayout(source), "u16");
        const copied = LayoutUtil.copyLayoutBetweenShapes(source, target);
        expect(LayoutUtil.layoutsInShapesEqual(source, copied)).toBe(true);
        expect(LayoutUtil.clearLayout(copied)).toEqual(target);
        expect(LayoutUtil.copyLayoutBetweenShapes(LayoutUtil.clearLayout(source), copied)).toEqual(target);
      }),
      { numRuns: isLong ? 100 : 18 },
    );
  });

  test("layoutsInShapesEqual ignores sizes but compares ranks and kinds", () => {
    const equal = (a: string, b: string): boolean => LayoutUtil.layoutsInShapesEqual(parseShape(a), parseShape(b));
    expect([
      equal("f32[2,3]{0,1}", "s8[9,9]{0,1}"),
      equal("f32[2,3]", "f32[2,3]{0,1}"),
      equal("f32[2]", "f32[2,3]"),
      equal("token[]", "opaque[]"),
      equal("b(f32[2])", "b(f32[3])"),
      equal("b(f32[2])", "f32[2]"),
      equal("(token[])", "(token[])"),
    ]).toEqual([true, false, false, false, true, false, true]);
    expect(LayoutUtil.layoutsInShapesEqual(Shape.array("f32", [2]), parseShape("f32[2]"))).toBe(false);
    expect(LayoutUtil.layoutsInShapesEqual(Shape.array("f32", [2]), Shape.array("s8", [7]))).toBe(true);
    expect(LayoutUtil.layoutsInShapesEqual(parseShape("f32[2]{0:T(2)}"), parseShape("f32[2]"), { ignoreTiles: true })).toBe(true);
  });

  test.each([
    ["f32[2,3]", "f32[2]"],
    ["(f32[2])", "(f32[2], f32[3])"],
    ["(f32[2])", "f32[2]"],
    ["token[]", "opaque[]"],
    ["b(f32[2])", "f32[2]"],
    ["b(f32[2])", "b(f32[2,3])"],
  ])("refuses to copy a layout from %s to %s", (source, target) => {
    expectStatus(
      () => LayoutUtil.copyLayoutBetweenShapes(parseShape(source), parseShape(target)),
      "INVALID_ARGUMENT",
      "cannot copy layout from shape: ",
      `to shape: ${target.replace(/^b\((.*2,3.*)\)$/, "$1")}`,
    );
  });

  test("a copied layout must fit", () => {
    const source = Shape.array("f32", [2, 3], { layout: new Layout([1, 2, 3, 4]) });
    expectStatus(() => LayoutUtil.copyLayoutBetweenShapes(source, parseShape("f32[2,3]")), "INVALID_ARGUMENT", "contains 4 elements");
  });

  test("isPadded is true if a padded dimension is wider than its size", () => {
    const padded = (...widths: number[]): Shape => Shape.array("f32", [2, 3], { layout: new Layout([0, 1], { paddedDimensions: widths }) });
    expect(
      [padded(3, 5), padded(2, 3), padded(2, 4), padded(), padded(9, 9, 9), Shape.tuple([padded(3, 5)]), Shape.array("f32", [2])].map(
        LayoutUtil.isPadded,
      ),
    ).toEqual([true, false, true, false, true, false, false]);
  });

  test("hasCustomElementSizeInBits looks at every leaf", () => {
    expect(
      ["f32[2]{0:E(16)}", "(s8[], (b(s4[2]{0:E(4)})))", "(f32[2], token[])"].map((text) =>
        LayoutUtil.hasCustomElementSizeInBits(parseShape(text)),
      ),
    ).toEqual([true, true, false]);
  });

  test("the layouts of two buffers are those of their arrays, and a buffer is no array", () => {
    const [rows, columns] = [Shape.buffer(rowMajorMatrix), Shape.buffer(columnMajorMatrix)];
    expect(LayoutUtil.layoutsInShapesEqual(rows, Shape.buffer(rowMajorMatrix))).toBe(true);
    expect(LayoutUtil.layoutsInShapesEqual(rows, columns)).toBe(false);
    expect(LayoutUtil.layoutsInShapesEqual(rowMajorMatrix, rows)).toBe(false);
    expect(LayoutUtil.layoutsInShapesEqual(rows, rowMajorMatrix)).toBe(false);
    expect(LayoutUtil.copyLayoutBetweenShapes(columns, rows).toString(true)).toBe(columns.toString(true));
    expectStatus(() => LayoutUtil.copyLayoutBetweenShapes(rowMajorMatrix, rows), "INVALID_ARGUMENT", "cannot copy layout");
    expectStatus(() => LayoutUtil.copyLayoutBetweenShapes(rows, rowMajorMatrix), "INVALID_ARGUMENT", "cannot copy layout");
  });

  test("an array beside a tuple has another layout to copy, and beside a buffer another shape", () => {
    const tuple = Shape.tuple([rowMajorMatrix]);
    expectStatus(() => LayoutUtil.copyLayoutBetweenShapes(rowMajorMatrix, Shape.tuple([])), "INVALID_ARGUMENT", "cannot copy layout");
    expectStatus(() => LayoutUtil.copyLayoutBetweenShapes(tuple, rowMajorMatrix), "INVALID_ARGUMENT", "cannot copy layout");
    expect(ShapeUtil.dynamicShapeIsCompatible(Shape.buffer(rowMajorMatrix), rowMajorMatrix)).toBe(false);
    expect(ShapeUtil.dynamicShapeIsCompatible(rowMajorMatrix, Shape.buffer(rowMajorMatrix))).toBe(false);
  });
});

describe("splits", () => {
  const shape = parseShape("f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}");

  test("maxSplitSize and maxElementsInPerSplit use the largest pieces", () => {
    expect([0, 1, 2].map((dim) => LayoutUtil.maxSplitSize(shape, dim))).toEqual([150, 90, 70]);
    expect(LayoutUtil.maxElementsInPerSplit(shape)).toBe(150 * 90 * 70);
    expect(LayoutUtil.maxElementsInPerSplit(parseShape("f32[3,4]"))).toBe(12);
    expect(LayoutUtil.maxSplitSize(parseShape("f32[5]{0:SC(0:0,5)}"), 0)).toBe(5);
  });

  test.each<[string, () => unknown, ...(string | number)[]]>([
    ["a dimension that does not exist", () => LayoutUtil.maxSplitSize(shape, 3), 3],
    ["a missing layout", () => LayoutUtil.maxSplitSize(Shape.array("f32", [2]), 0), "f32[2] does not have a layout"],
    ["a tuple", () => LayoutUtil.maxElementsInPerSplit(Shape.tuple([])), "()"],
    ["indices that descend", () => LayoutUtil.maxSplitSize(parseShape("f32[9]{0:SC(0:5,3)}"), 0), "{5,3}"],
    ["a split of a dimension behind the last", () => LayoutUtil.maxSplitSize(parseShape("u4[60]{0:SC(1:3,8)}"), 0), "(1:3,8)", "u4[60]"],
    ["an index beyond the end", () => LayoutUtil.maxSplitSize(parseShape("f32[9]{0:SC(0:10)}"), 0), "{10}", "f32[9]"],
    [
      "a negative index",
      () => LayoutUtil.maxSplitSize(Shape.array("f32", [9], { layout: new Layout([0], { splitConfigs: [new SplitConfig(0, [-1])] }) }), 0),
      "{-1}",
    ],
  ])("refuses %s", (_, act, ...says) => {
    expectStatus(act, "INVALID_ARGUMENT", ...says);
  });
});

describe("isUntiledLayout", () => {
  const entry = fc.oneof(
    { weight: 1, arbitrary: fc.constant(kCombineDimension) },
    { weight: 4, arbitrary: fc.constantFrom(1, 2, 2, 3, 4, 6) },
  );
  const tile = fc.tuple(fc.array(entry, { maxLength: 3 }), fc.constantFrom(1, 2, 3, 4, 6)).map(([entries, last]) => [...entries, last]);
  const sizes = fc.array(fc.constantFrom(0, 1, 2, 2, 3, 4, 6), { maxLength: 3 });

  test("agrees with brute force over all elements", () => {
    const answers = [0, 0];
    fc.assert(
      fc.property(sizes, fc.array(tile, { maxLength: 2 }), (dims, tiles) => {
        const cells = count(
          tiled(
            dims,
            dims.map(() => 0),
            tiles,
          ).sizes,
        );
        const inPlace = allIndices(dims).every((index) => {
          const cut = tiled(dims, index, tiles);
          return rowMajor(cut.sizes, cut.index) === rowMajor(dims, index);
        });
        const plain = cells === count(dims) && inPlace;
        answers[Number(plain)]!++;
        expect(LayoutUtil.isUntiledLayout(tiles, dims)).toBe(plain);
      }),
      { numRuns: isLong ? 2000 : 420 },
    );
    expect(Math.min(...answers)).toBeGreaterThan(isLong ? 200 : 70);
  });

  test.each<[string, () => unknown, ...(string | number)[]]>([
    ["an empty tile", () => LayoutUtil.isUntiledLayout([[]], [2]), "invalid tiles: ()"],
    ["a zero", () => LayoutUtil.isUntiledLayout([new Tile([2, 0])], [2]), "(2,0)"],
    ["a combined dimension without a following one", () => LayoutUtil.isUntiledLayout([[2, -1]], [2]), "(2,*)"],
    ["a negative size", () => LayoutUtil.isUntiledLayout([], [-2]), -2],
  ])("refuses %s", (_, act, ...says) => {
    expectStatus(act, "INVALID_ARGUMENT", ...says);
  });
});

describe("byteStridesIsMajorToMinor", () => {
  test("is true for the dense row-major strides only", () => {
    fc.assert(
      fc.property(smallSizes(4, 1), fc.nat(3), fc.nat(3), (dims, at, by) => {
        const strides = dims.map((_, dim) => 8 * count(dims.slice(dim + 1)));
        expect(LayoutUtil.byteStridesIsMajorToMinor(strides, dims, "f64")).toBe(true);
        if (at < dims.length) expect(LayoutUtil.byteStridesIsMajorToMinor(strides.with(at, strides[at]! + by), dims, "f64")).toBe(by === 0);
      }),
    );
  });

  test("refuses lists of different lengths and overflow", () => {
    expectStatus(() => LayoutUtil.byteStridesIsMajorToMinor([4], [2, 3], "f32"), "INVALID_ARGUMENT", "1 byte strides, but 2 dimensions");
    expectStatus(() => LayoutUtil.byteStridesIsMajorToMinor([1, 1], [2 ** 30, 2 ** 30], "f32"), "INVALID_ARGUMENT", "dense byte stride");
    expectStatus(() => LayoutUtil.byteStridesIsMajorToMinor([], [], "token"), "INVALID_ARGUMENT", "token");
  });
});
