// Functions of ShapeUtil that permute, add, insert, delete and move dimensions, or change the element type.
import { describe, expect, test } from "@jest/globals";
import type { PrimitiveTypeName } from "@onebuffer/xla";
import { kUnboundedSize, Layout, parseShape, Shape, ShapeUtil, LayoutUtil, ProgramShape } from "@onebuffer/xla";
import fc from "fast-check";
import { anyArray, anyShape, orderOf, plainArray } from "../model/arbitraries.ts";
import { addressIn, allIndices, count, rowMajor } from "./brute-force.ts";
import { expectStatus } from "@onebuffer/test-support";
import { rowMajorMatrix } from "../model/matrix-shapes.ts";

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

/** A small array and a permutation of its dimensions. */
const withPermutation = plainArray().chain((shape) => fc.record({ shape: fc.constant(shape), permutation: orderOf(shape.rank) }));

describe("places of the elements, against brute force", () => {
  test("permuteDimensions moves no element", () => {
    fc.assert(
      fc.property(withPermutation, ({ shape, permutation }) => {
        const permuted = ShapeUtil.permuteDimensions(permutation, shape);
        expect(permuted.dynamicDimensions).toEqual(permutation.map((dim) => shape.dynamicDimensions[dim]));
        for (const index of allIndices(shape.dimensions)) {
          expect(
            addressIn(
              permuted,
              permutation.map((dim) => index[dim]!),
            ),
          ).toBe(addressIn(shape, index));
        }
      }),
    );
  });

  test("reorderLogicalDimensions permutes sizes, and keeps elements in place if the permutation is its own inverse", () => {
    let kept = 0;
    let moved = 0;
    fc.assert(
      fc.property(withPermutation, ({ shape, permutation }) => {
        const reordered = ShapeUtil.reorderLogicalDimensions(shape, permutation);
        expect(reordered.dimensions).toEqual(permutation.map((dim) => shape.dimensions[dim]));
        const stays = allIndices(shape.dimensions).every(
          (index) =>
            addressIn(
              reordered,
              permutation.map((dim) => index[dim]!),
            ) === addressIn(shape, index),
        );
        if (permutation.every((dim, i) => permutation[dim] === i)) expect(stays).toBe(true);
        if (stays) kept++;
        else moved++;
      }),
      { numRuns: isLong ? 600 : 300 },
    );
    expect(Math.min(kept, moved)).toBeGreaterThan(0);
  });

  test("makeShapeWithDescendingLayoutAndSamePhysicalLayout lists the dimensions in memory order", () => {
    fc.assert(
      fc.property(plainArray(), (shape) => {
        const physical = ShapeUtil.makeShapeWithDescendingLayoutAndSamePhysicalLayout(shape);
        const majorToMinor = shape.layout!.minorToMajor.toReversed();
        for (const index of allIndices(shape.dimensions)) {
          const at = majorToMinor.map((dim) => index[dim]!);
          expect(addressIn(physical, at)).toBe(addressIn(shape, index));
          expect(addressIn(physical, at)).toBe(rowMajor(physical.dimensions, at));
        }
      }),
    );
  });

  test("appended and prepended dimensions are the slowest or the fastest", () => {
    fc.assert(
      fc.property(plainArray(3), fc.integer({ min: 1, max: 3 }), (shape, bound) => {
        const elements = count(shape.dimensions);
        const major = ShapeUtil.appendMajorDimension(bound, shape);
        const minor = ShapeUtil.appendMinorDimension(bound, shape);
        const first = ShapeUtil.prependMajorDimension(bound, shape);
        for (const index of allIndices(shape.dimensions)) {
          for (let i = 0; i < bound; i++) {
            expect(addressIn(major, [...index, i])).toBe(addressIn(shape, index) + i * elements);
            expect(addressIn(minor, [...index, i])).toBe(addressIn(shape, index) * bound + i);
            expect(addressIn(first, [i, ...index])).toBe(addressIn(shape, index) + i * elements);
          }
        }
      }),
    );
  });

  test("inserted dimensions are just slower than the dimension they replace, or the fastest at the end", () => {
    const insertion = plainArray(3, 1, 3).chain((shape) =>
      fc.record({
        shape: fc.constant(shape),
        at: fc.integer({ min: 0, max: shape.rank }),
        bounds: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
      }),
    );
    fc.assert(
      fc.property(insertion, ({ shape, at, bounds }) => {
        const inserted = ShapeUtil.insertDimensionsAtIndex(shape, at, bounds);
        expect(bounds.reduceRight((one, bound) => ShapeUtil.insertDimensionAtIndex(one, at, bound), shape).dimensions).toEqual(
          inserted.dimensions,
        );
        // The number of elements in one step of the replaced dimension's next slower neighbor.
        const faster = shape.layout!.minorToMajor.slice(0, shape.layout!.minorToMajor.indexOf(at) + 1);
        const run = at === shape.rank ? 1 : count(faster.map((dim) => shape.dimensions[dim]!));
        for (const index of allIndices(shape.dimensions)) {
          const old = addressIn(shape, index);
          for (const added of allIndices(bounds)) {
            const expected = (Math.floor(old / run) * count(bounds) + rowMajor(bounds, added)) * run + (old % run);
            expect(addressIn(inserted, [...index.slice(0, at), ...added, ...index.slice(at)])).toBe(expected);
          }
        }
        expect(
          ShapeUtil.deleteDimensions(
            bounds.map((_, i) => at + i),
            inserted,
          ),
        ).toEqual(shape);
      }),
    );
  });

  test("deleting keeps the order of the other dimensions; dropping size 1 moves no elements", () => {
    const deletion = plainArray(4, 1).chain((shape) =>
      fc.record({ shape: fc.constant(shape), dims: fc.shuffledSubarray(shape.dimensions.map((_, dim) => dim)) }),
    );
    fc.assert(
      fc.property(deletion, ({ shape, dims }) => {
        const rest = ShapeUtil.deleteDimensions(dims, shape);
        expect(ShapeUtil.filterDimensions((dim) => !dims.includes(dim), shape)).toEqual(rest);
        const kept = allIndices(shape.dimensions).filter((index) => dims.every((dim) => index[dim] === 0));
        const inMemory = kept
          .toSorted((a, b) => addressIn(shape, a) - addressIn(shape, b))
          .map((index) => index.filter((_, dim) => !dims.includes(dim)));
        expect(inMemory.map((index) => addressIn(rest, index))).toEqual(inMemory.map((_, i) => i));
        const dropped = ShapeUtil.dropDegenerateDimensions(shape);
        expect(dropped.dimensions).toEqual(shape.dimensions.filter((size) => size !== 1));
        for (const index of allIndices(shape.dimensions)) {
          expect(
            addressIn(
              dropped,
              index.filter((_, dim) => shape.dimensions[dim] !== 1),
            ),
          ).toBe(addressIn(shape, index));
        }
      }),
    );
  });

  test("moveDimToMajor makes a dimension the slowest, in every array of a tuple", () => {
    const move = plainArray(4, 1)
      .filter((shape) => shape.rank > 0)
      .chain((shape) => fc.record({ shape: fc.constant(shape), dim: fc.nat(shape.rank - 1) }));
    fc.assert(
      fc.property(move, ({ shape, dim }) => {
        const moved = ShapeUtil.moveDimToMajor(shape, dim);
        const rest = ShapeUtil.deleteDimension(dim, shape);
        for (const index of allIndices(shape.dimensions)) {
          expect(addressIn(moved, index)).toBe(
            index[dim]! * count(rest.dimensions) +
              addressIn(
                rest,
                index.filter((_, d) => d !== dim),
              ),
          );
        }
        expect(ShapeUtil.moveDimToMajor(Shape.tuple([shape, Shape.token(), Shape.buffer(shape)]), dim)).toEqual(
          Shape.tuple([moved, Shape.token(), Shape.buffer(moved)]),
        );
      }),
      { numRuns: isLong ? 100 : 18 },
    );
  });
});

describe("fields that are kept", () => {
  const tiled = parseShape("f32[<=2,3,4]{1,0,2:T(2,128)L(8)E(16)S(5)SC(0:1)M(64)}");
  const props = "T(2,128)L(8)E(16)S(5)SC(0:1)M(64)";
  test.each<[string, Shape, string]>([
    ["append major", ShapeUtil.appendMajorDimension(5, tiled), `f32[<=2,3,4,5]{1,0,2,3:${props}}`],
    ["append minor", ShapeUtil.appendMinorDimension(5, tiled), `f32[<=2,3,4,5]{3,1,0,2:${props}}`],
    ["prepend", ShapeUtil.prependMajorDimension(5, tiled), `f32[5,<=2,3,4]{2,1,3,0:${props}}`],
    ["insert", ShapeUtil.insertDimensionsAtIndex(tiled, 1, [7, 8]), `f32[<=2,7,8,3,4]{3,2,1,0,4:${props}}`],
    ["delete", ShapeUtil.deleteDimension(1, tiled), `f32[<=2,4]{0,1:${props}}`],
    ["permute", ShapeUtil.permuteDimensions([2, 0, 1], tiled), `f32[4,<=2,3]{2,1,0:${props}}`],
    ["permute and keep the layout", ShapeUtil.permuteDimensionsIgnoringLayout([2, 0, 1], tiled), `f32[4,<=2,3]{1,0,2:${props}}`],
    ["move to major", ShapeUtil.moveDimToMajor(tiled, 0), `f32[<=2,3,4]{1,2,0:${props}}`],
    ["physical", ShapeUtil.makeShapeWithDescendingLayoutAndSamePhysicalLayout(tiled), `f32[4,<=2,3]{2,1,0:${props}}`],
  ])("%s", (_, shape, text) => {
    expect(shape.toString(true)).toBe(text);
  });

  test("a shape without a layout stays without one, and unbounded dimensions are dynamic", () => {
    const bare = Shape.array("f32", [2, 3]);
    for (const shape of [ShapeUtil.appendMajorDimension(kUnboundedSize, bare), ShapeUtil.insertDimensionAtIndex(bare, 2, kUnboundedSize)])
      expect(shape.toString(true)).toBe("f32[2,3,?]");
    for (const shape of [
      ShapeUtil.permuteDimensions([1, 0], bare),
      ShapeUtil.reorderLogicalDimensions(bare, [1, 0]),
      ShapeUtil.permuteDimensionsIgnoringLayout([1, 0], bare),
    ])
      expect(shape.toString(true)).toBe("f32[3,2]");
    expect(ShapeUtil.moveDimToMajor(bare, 1)).toEqual(bare);
    expect(ShapeUtil.dropDegenerateDimensions(Shape.array("f32", [1, 2])).toString(true)).toBe("f32[2]");
  });

  test("a 2017 padded dimension moves with its dimension", () => {
    const padded = Shape.array("f32", [2, 3], { layout: new Layout([0, 1], { paddedDimensions: [4, 6], paddingValue: 1 }) });
    const widths = (shape: Shape): readonly number[] => shape.layout!.paddedDimensions;
    expect(widths(ShapeUtil.permuteDimensions([1, 0], padded))).toEqual([6, 4]);
    expect(widths(ShapeUtil.reorderLogicalDimensions(padded, [1, 0]))).toEqual([6, 4]);
    expect(widths(ShapeUtil.deleteDimension(0, padded))).toEqual([6]);
    expect(widths(ShapeUtil.insertDimensionAtIndex(padded, 1, 9))).toEqual([4, 9, 6]);
    expect(widths(ShapeUtil.makeShapeWithDescendingLayoutAndSamePhysicalLayout(padded))).toEqual([6, 4]);
  });

  test("a static shape has no dynamic dimensions, and an appended unbounded dimension is one", () => {
    const dynamic = Shape.array("f32", [2, 3], { dynamicDimensions: [true, false] });
    expect(ShapeUtil.makeStaticShape(dynamic).dynamicDimensions).toEqual([false, false]);
    expect(ShapeUtil.appendMinorDimension(4, dynamic).dynamicDimensions).toEqual([true, false, false]);
    expect(ShapeUtil.appendMinorDimension(kUnboundedSize, dynamic).dynamicDimensions).toEqual([true, false, true]);
    expect(LayoutUtil.getDefaultLayoutForShape(dynamic, "minor2major").minorToMajor).toEqual([0, 1]);
    expect(new ProgramShape([], rowMajorMatrix).parameterNames).toEqual([]);
    const large = Shape.array("f32", [2 ** 40, 2 ** 40]);
    expectStatus(() => ShapeUtil.validateShape(Shape.buffer(large)), "INVALID_ARGUMENT");
  });
});

describe("element types and sizes", () => {
  test.each<[string, PrimitiveTypeName, string]>([
    ["s4[3]{0:E(4)}", "pred", "pred[3]{0}"],
    ["s4[3]{0:E(4)}", "u8", "u8[3]{0}"],
    ["s4[3]{0:E(4)S(5)}", "s2", "s2[3]{0:E(4)S(5)}"],
    ["(f32[2]{0:E(16)}, (token[], b(s8[3])))", "f16", "(f16[2]{0}, (token[], b(f16[3]{0})))"],
  ])("changeElementType of %s to %s", (from, type, to) => {
    expect(ShapeUtil.changeElementType(parseShape(from), type).toString(true)).toBe(to);
  });

  test("updateElementSizeInBits packs types below 8 bits, or unpacks all types", () => {
    const shape = parseShape("(s4[3], u2[3]{0:E(8)}, pred[3]{0:E(1)}, b(f4e2m1fn[2]), token[])");
    expect(ShapeUtil.updateElementSizeInBits(shape, true).toString(true)).toBe(
      "(s4[3]{0:E(4)}, u2[3]{0:E(2)}, pred[3]{0}, b(f4e2m1fn[2]{0:E(4)}), token[])",
    );
    expect(ShapeUtil.updateElementSizeInBits(shape, false).toString(true)).toBe(
      "(s4[3]{0}, u2[3]{0}, pred[3]{0}, b(f4e2m1fn[2]{0}), token[])",
    );
    expect(ShapeUtil.updateElementSizeInBits(Shape.array("s4", [2]), true).toString(true)).toBe("s4[2]");
  });

  test("a host shape has no device fields", () => {
    fc.assert(
      fc.property(anyShape(), (shape) => {
        const host = ShapeUtil.deviceShapeToHostShape(shape);
        expect(ShapeUtil.deviceShapeIsHostShape(host)).toBe(true);
        expect(host.toString(true)).not.toMatch(/[TLESM]\(/);
        expect(
          ShapeUtil.equal(shape, host, {
            ignoreElementSize: true,
            ignoreMemorySpace: true,
            ignoreTailPaddingAlignmentInElements: true,
            ignoreTiles: true,
          }),
        ).toBe(true);
        if (ShapeUtil.deviceShapeIsHostShape(shape)) expect(host).toEqual(shape);
      }),
    );
    for (const prop of ["T(2)", "L(2)", "E(4)", "S(5)", "M(8)"])
      expect(ShapeUtil.deviceShapeIsHostShape(parseShape(`(f32[2]{0:${prop}})`))).toBe(false);
  });
});

describe("refused", () => {
  const shape = parseShape("f32[2,3]");
  const wrong = Shape.array("f32", [2, 3], { layout: new Layout([0, 5]) });
  test.each<[string, () => unknown, ...(string | number)[]]>([
    ["a negative new size", () => ShapeUtil.appendMajorDimension(-5, shape), "Negative dimension at index 2: -5"],
    ["a fraction as size", () => ShapeUtil.appendMinorDimension(0.5, shape), 0.5],
    ["a new size that overflows", () => ShapeUtil.prependMajorDimension(2 ** 52, shape), "overflow"],
    [
      "an insertion before the first dimension",
      () => ShapeUtil.insertDimensionsAtIndex(shape, -1, [1]),
      "index -1 is not in [0, 2]",
      "f32[2,3]",
    ],
    ["an insertion after the last dimension", () => ShapeUtil.insertDimensionAtIndex(shape, 3, 1), "index 3"],
    ["the deletion of a dimension that does not exist", () => ShapeUtil.deleteDimension(2, shape), "dimension 2", "f32[2,3]"],
    ["the deletion of a negative dimension", () => ShapeUtil.deleteDimensions([0, -1], shape), "dimension -1"],
    ["a dimension deleted twice", () => ShapeUtil.deleteDimensions([0, 0], shape), "dimension 0 is listed twice in {0,0}"],
    [
      "the deletion of a zero that leaves an overflow",
      () => ShapeUtil.deleteDimension(0, parseShape("f32[0,2147483648,8589934592]")),
      "overflow",
    ],
    [
      "a permutation that moves a zero behind an overflow",
      () => ShapeUtil.permuteDimensions([1, 2, 0], parseShape("f32[0,2147483648,8589934592]")),
      "overflow",
    ],
    ["a short permutation", () => ShapeUtil.permuteDimensions([0], shape), "{0}", "1 entries", "rank is 2"],
    ["a list that is not a permutation", () => ShapeUtil.permuteDimensions([0, 0], shape), "{0,0}"],
    ["an invalid permutation in permuteDimensionsIgnoringLayout", () => ShapeUtil.permuteDimensionsIgnoringLayout([0, 2], shape), "{0,2}"],
    ["an invalid permutation in reorderLogicalDimensions", () => ShapeUtil.reorderLogicalDimensions(shape, [1, -1]), "{1,-1}"],
    [
      "a move of a dimension that does not exist",
      () => ShapeUtil.moveDimToMajor(Shape.tuple([shape, parseShape("f32[2]")]), 1),
      "dimension 1",
      "f32[2]",
    ],
    ["appending to an array with an invalid layout", () => ShapeUtil.appendMajorDimension(1, wrong), "minor_to_major", "{0,6,2}"],
    ["permuting an array with an invalid layout", () => ShapeUtil.permuteDimensions([1, 0], wrong), "out-of-bounds value 5"],
    ["deleting from an array with an invalid layout", () => ShapeUtil.deleteDimension(0, wrong), "out-of-bounds value 5"],
    [
      "normalizing an array with an invalid layout",
      () => ShapeUtil.makeShapeWithDescendingLayoutAndSamePhysicalLayout(wrong),
      "out-of-bounds value 5",
    ],
    [
      "normalizing an array without a layout",
      () => ShapeUtil.makeShapeWithDescendingLayoutAndSamePhysicalLayout(Shape.array("f32", [])),
      "does not have a layout",
    ],
    ["appending to a tuple", () => ShapeUtil.appendMajorDimension(1, Shape.tuple([])), "AppendMajorDimension", "()"],
    ["inserting into a token", () => ShapeUtil.insertDimensionAtIndex(Shape.token(), 0, 1), "InsertDimensionsAtIndex", "token[]"],
    ["deleting from a tuple", () => ShapeUtil.deleteDimension(0, Shape.tuple([])), "DeleteDimensions", "()"],
    ["permuting a tuple", () => ShapeUtil.permuteDimensions([], Shape.tuple([])), "PermuteDimensions", "()"],
    ["a type that is not an array type", () => ShapeUtil.changeElementType(shape, "token"), "token"],
    ["null as the shape", () => ShapeUtil.dropDegenerateDimensions(null as unknown as Shape), "null"],
  ])("%s", (_, act, ...says) => {
    expectStatus(act, "INVALID_ARGUMENT", ...says);
  });

  test("a valid array gives a valid array", () => {
    fc.assert(
      fc.property(anyArray(), fc.nat(6), (array, seed) => {
        const at = array.rank === 0 ? 0 : seed % array.rank;
        for (const made of [
          ShapeUtil.appendMinorDimension(1, array),
          ShapeUtil.insertDimensionsAtIndex(array, at, [1, 1]),
          ShapeUtil.dropDegenerateDimensions(array),
          ShapeUtil.makeShapeWithDescendingLayoutAndSamePhysicalLayout(array),
        ])
          ShapeUtil.validateShape(made);
      }),
    );
  });
});
