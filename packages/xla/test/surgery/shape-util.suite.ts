// ShapeUtil: making shapes, comparing them, predicates, dimension numbers and tuple trees.
import { describe, expect, test } from "@jest/globals";
import type { PrimitiveTypeName, ShapeEqualOptions, ShapeIndex } from "@onebuffer/xla";
import { kUnboundedSize, Layout, parseShape, Shape, ShapeUtil, PrimitiveType } from "@onebuffer/xla";
import fc from "fast-check";
import { anyShape, arrayTypes, plainArray } from "../model/arbitraries.ts";
import { expectStatus } from "@onebuffer/test-support";
import { rowMajorMatrix } from "../model/matrix-shapes.ts";

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

describe("making shapes", () => {
  test("makeShape lists dimensions in increasing order and is row-major", () => {
    const [A, B, C, D] = [5, 8, 10, 4];
    const shape = ShapeUtil.makeShape("f32", [A, B, C, D]);
    expect([0, 1, 2, 3].map((dim) => ShapeUtil.getDimension(shape, dim))).toEqual([A, B, C, D]);
    expect([-4, -3, -2, -1].map((dim) => ShapeUtil.getDimension(shape, dim))).toEqual([A, B, C, D]);
    expect(shape.layout?.minorToMajor).toEqual([3, 2, 1, 0]);
  });

  test("makes valid shapes", () => {
    fc.assert(
      fc.property(fc.constantFrom(...arrayTypes), fc.array(fc.nat(50), { maxLength: 5 }), (type, dims) => {
        for (const shape of [
          ShapeUtil.makeShape(type, dims),
          ShapeUtil.makeShapeWithDescendingLayout(type, dims),
          ShapeUtil.makeBufferShape(type, dims),
        ])
          ShapeUtil.validateShape(shape);
        expect(ShapeUtil.makeShapeWithDescendingLayout(type, dims)).toEqual(ShapeUtil.makeShape(type, dims));
      }),
    );
  });

  test.each<[Shape, string]>([
    [ShapeUtil.makeScalarShape("bf16"), "bf16[]"],
    [ShapeUtil.makeShape("f32", [4, kUnboundedSize]), "f32[4,?]{1,0}"],
    [ShapeUtil.makeValidatedShape("f32", [4, 3], [true, false]), "f32[<=4,3]{1,0}"],
    [ShapeUtil.makeShape("f32", [0, 2 ** 31, 2 ** 33]), "f32[0,2147483648,8589934592]{2,1,0}"],
    [ShapeUtil.makeShape("token", []), "token[]"],
    [ShapeUtil.makeShape("opaque", []), "opaque[]"],
    [ShapeUtil.makeTokenShape(), "token[]"],
    [ShapeUtil.makeOpaqueShape(), "opaque[]"],
    [ShapeUtil.makeNil(), "()"],
    [ShapeUtil.makeBufferShape("f32", [5]), "b(f32[5]{0})"],
    [ShapeUtil.makeTupleShape([Shape.token()]), "(token[])"],
    [ShapeUtil.makeMaybeTupleShape([Shape.token()]), "token[]"],
    [ShapeUtil.makeMaybeTupleShape([Shape.token(), Shape.token()]), "(token[], token[])"],
    [ShapeUtil.makeStaticShape(parseShape("(f32[<=4,3], b(s8[<=2]), token[])")), "(f32[4,3]{1,0}, b(s8[2]{0}), token[])"],
    [ShapeUtil.makeShapeWithDenseLayout("s4", [2, 3], [0, 1], { elementSizeInBits: 4 }), "s4[2,3]{0,1}"],
    [ShapeUtil.makeShapeWithDenseLayout("s4", [2, 3], [0, 1], { elementSizeInBits: 8 }), "s4[2,3]{0,1:E(8)}"],
    [
      ShapeUtil.makeShapeWithDenseLayout("f32", [2, 3], [0, 1], { tiles: [[2, 2]], tailPaddingAlignmentInElements: 8, memorySpace: 1 }),
      "f32[2,3]{0,1:T(2,2)L(8)S(1)}",
    ],
  ])("%s", (shape, text) => {
    expect(shape.toString(true)).toBe(text);
  });

  test.each<[string, () => unknown, ...(string | number)[]]>([
    ["a negative size", () => ShapeUtil.makeShape("f32", [2, -3]), "Invalid dimension size -3, is_dynamic=false at index 1"],
    [
      "an unbounded dimension without its flag",
      () => ShapeUtil.makeShape("f32", [kUnboundedSize, kUnboundedSize], [true, false]),
      "Invalid dimension size ?, is_dynamic=false at index 1",
    ],
    [
      "flags of another length",
      () => ShapeUtil.makeShape("f32", [2, 3], [true]),
      "dynamic dimensions size 1 did not match number of dimensions 2",
    ],
    [
      "bytes that overflow before a zero",
      () => ShapeUtil.makeShape("f32", [2 ** 31, 2 ** 30, 0]),
      "overflow in static extent product: dimensions={2147483648,1073741824,0}",
      "f32",
    ],
    [
      "bytes that overflow beside an unbounded dimension",
      () => ShapeUtil.makeShape("s8", [kUnboundedSize, 2 ** 27, 2 ** 26]),
      "overflow in static extent product: dimensions={?,",
    ],
    ["a tuple", () => ShapeUtil.makeShape("tuple", []), "tuple"],
    ["a token with dimensions", () => ShapeUtil.makeShape("token", [2]), "token"],
    ["an unknown type", () => ShapeUtil.makeShape("float" as "f32", []), "float"],
    ["a token with a dense layout", () => ShapeUtil.makeShapeWithDenseLayout("token", [], []), "Unsupported element type: token"],
    [
      "an order of another length",
      () => ShapeUtil.makeShapeWithDenseLayout("f32", [2, 3], [0]),
      "Dimensions size is 2, but layout size is 1.",
    ],
    ["an order that is not a permutation", () => ShapeUtil.makeShapeWithDenseLayout("f32", [2, 3], [0, 0]), "duplicate values"],
    ["an empty tile", () => ShapeUtil.makeShapeWithDenseLayout("f32", [2, 3], [0, 1], { tiles: [[]] }), "invalid tiles"],
    ["a negative dense size", () => ShapeUtil.makeShapeWithDenseLayout("f32", [-2], [0]), "Invalid dimension size -2"],
    ["a buffer of a token", () => ShapeUtil.makeBufferShape("token", []), "token[]"],
    ["an unbounded dimension to be made static", () => ShapeUtil.makeStaticShape(parseShape("(f32[2,?])")), "dimension 1 of f32[2,?]"],
  ])("refuses %s", (_, act, ...says) => {
    expectStatus(act, "INVALID_ARGUMENT", ...says);
  });
});

describe("comparing shapes", () => {
  test("a shape is equal to and compatible with the shape parsed from its text", () => {
    fc.assert(
      fc.property(anyShape(), (shape) => {
        const twin = parseShape(shape.toString(true));
        for (const same of [
          ShapeUtil.equal,
          ShapeUtil.compatible,
          ShapeUtil.compatibleKind,
          ShapeUtil.equalStructure,
          ShapeUtil.equalIgnoringElementType,
          ShapeUtil.dynamicShapeIsCompatible,
        ])
          expect(same(shape, twin)).toBe(true);
      }),
    );
  });

  test("two shapes are equal exactly if their texts and their padding are", () => {
    for (const era of ["today", "2017"] as const) {
      const plain = (shape: Shape): string =>
        JSON.stringify(
          shape
            .toString(true)
            .replaceAll(/M\(\d+\)/g, "")
            .replaceAll(/:\}/g, "}"),
        ) +
        JSON.stringify(shape, [
          "layout",
          "paddedDimensions",
          "paddingValue",
          "tupleShapes",
          "bufferShape",
          ...Array.from({ length: 8 }, (_, i) => String(i)),
        ]);
      fc.assert(
        fc.property(anyShape(era), anyShape(era), (a, b) => {
          expect(ShapeUtil.equal(a, b, { era: "today" })).toBe(plain(a) === plain(b));
        }),
        { numRuns: isLong ? 100 : 18 },
      );
    }
  });

  /** Two shapes, and the result of each predicate: equal, compatible, ignoring type, ignoring precision, kind, structure, dimensions. */
  test.each<[string, string, string]>([
    ["f32[2,3]", "f32[2,3]", "1111111"],
    ["f32[2,3]{0,1}", "f32[2,3]{1,0}", "0111111"],
    ["f32[2,3]{1,0:T(2)}", "f32[2,3]", "0111111"],
    ["f32[<=2]", "f32[2]", "0111111"],
    ["f32[?]", "f32[<=2]", "0111111"],
    ["f32[?]", "f32[7]", "0111111"],
    ["f32[2]", "bf16[2]", "0011111"],
    ["f32[2]", "s32[2]", "0010111"],
    ["c64[2]", "f32[2]", "0010111"],
    ["f32[2]", "f32[3]", "0000110"],
    ["f32[2]", "f32[2,1]", "0000010"],
    ["f32[]", "token[]", "0000010"],
    ["token[]", "opaque[]", "0000011"],
    ["token[]", "token[]", "1111111"],
    ["(f32[2])", "f32[2]", "0000000"],
    ["(f32[2], ())", "(f32[3], ())", "0000111"],
    ["(f32[2], ())", "(f32[2])", "0000001"],
    ["b(f32[2])", "b(f32[2]{0:S(5)})", "0111111"],
    ["b(f32[2])", "b(f32[3])", "0000111"],
    ["b(f32[2])", "f32[2]", "0000010"],
  ])("%s and %s", (first, second, results) => {
    const [a, b] = [parseShape(first), parseShape(second)];
    const predicates = [
      ShapeUtil.equal,
      ShapeUtil.compatible,
      ShapeUtil.compatibleIgnoringElementType,
      ShapeUtil.compatibleIgnoringFpPrecision,
      ShapeUtil.compatibleKind,
      ShapeUtil.equalStructure,
      ShapeUtil.sameDimensions,
    ];
    expect(predicates.map((same) => Number(same(a, b))).join("")).toBe(results);
    expect(predicates.map((same) => Number(same(b, a))).join("")).toBe(results);
  });

  test.each<[string, string, ShapeEqualOptions]>([
    ["f32[2]", "s8[2]", { ignoreElementType: true }],
    ["f32[2]", "f16[2]", { ignoreFpPrecision: true }],
    ["f32[2]", "f32[<=2]", { ignoreDynamicDimension: true }],
    ["f32[2]", "f32[3]", { ignoreDimensions: true }],
    ["f32[2,3]{0,1}", "f32[2,3]{1,0}", { ignoreLayout: true }],
    ["f32[2]{0:S(1)}", "f32[2]", { ignoreMemorySpace: true }],
    ["f32[2]{0:T(1)S(1)}", "f32[2]", { minorToMajorOnly: true }],
  ])("%s equals %s only with the option", (first, second, option) => {
    const [a, b] = [parseShape(`(b(${first}), (${first}))`), parseShape(`(b(${second}), (${second}))`)];
    expect([ShapeUtil.equal(a, b), ShapeUtil.equal(a, b, option)]).toEqual([false, true]);
  });

  test("equalIgnoringFpPrecision and equalIgnoringElementType compare layouts", () => {
    expect(ShapeUtil.equalIgnoringFpPrecision(parseShape("f32[2,3]"), parseShape("f16[2,3]"))).toBe(true);
    expect(ShapeUtil.equalIgnoringFpPrecision(parseShape("f32[2,3]"), parseShape("f16[2,3]{0,1}"))).toBe(false);
    expect(ShapeUtil.equalIgnoringElementType(parseShape("f32[2,3]"), parseShape("s8[2,3]{0,1}"))).toBe(false);
  });

  test("a missing layout differs from an empty one today but not in 2017", () => {
    const bare = Shape.array("f32", []);
    const empty = ShapeUtil.makeShape("f32", []);
    const padded = Shape.array("f32", [2], { layout: new Layout([0], { paddedDimensions: [4] }) });
    expect(ShapeUtil.equal(bare, empty)).toBe(false);
    expect(ShapeUtil.equal(bare, bare)).toBe(true);
    expect([ShapeUtil.equal(bare, empty, { era: "2017" }), ShapeUtil.equal(empty, bare, { era: "2017" })]).toEqual([true, true]);
    expect(ShapeUtil.equal(padded, Shape.array("f32", [2]))).toBe(false);
    expect(ShapeUtil.equal(Shape.array("f32", []), Shape.array("f32", [], { layout: new Layout([], { paddingValue: 1 }) }))).toBe(false);
  });

  test.each<[string, string, boolean]>([
    ["f32[3,2]", "f32[<=4,2]", true],
    ["f32[5,2]", "f32[<=4,2]", false],
    ["(f32[3], token[])", "(f32[<=4], token[])", true],
    ["(f32[3])", "(f32[<=4], token[])", false],
    ["f32[3]", "s32[3]", false],
    ["f32[3]", "f32[3,1]", false],
    ["f32[3]", "f32[?]", true],
    ["f32[?]", "f32[3]", false],
    ["f32[?]", "f32[?]", true],
    ["b(f32[3])", "b(f32[2])", false],
    ["token[]", "opaque[]", false],
  ])("does %s fit into %s", (dynamic, bounded, fits) => {
    expect(ShapeUtil.dynamicShapeIsCompatible(parseShape(dynamic), parseShape(bounded))).toBe(fits);
  });

  test("an empty tuple has not the structure of an array, and an opaque shape is one", () => {
    expect(ShapeUtil.equalStructure(Shape.tuple([]), rowMajorMatrix)).toBe(false);
    expect(ShapeUtil.equalStructure(rowMajorMatrix, Shape.tuple([]))).toBe(false);
    expect(ShapeUtil.makeOpaqueShape().elementType).toBe(PrimitiveType.OPAQUE_TYPE);
  });
});

describe("predicates and dimension numbers", () => {
  test("predicates on sizes agree with their definitions", () => {
    fc.assert(
      fc.property(plainArray(), (shape) => {
        const sizes = shape.dimensions;
        expect(ShapeUtil.isZeroElementArray(shape)).toBe(sizes.includes(0));
        expect(ShapeUtil.isNil(shape)).toBe(sizes.includes(0));
        expect(ShapeUtil.isScalar(shape)).toBe(sizes.length === 0);
        expect(ShapeUtil.isEffectiveScalar(shape)).toBe(ShapeUtil.trueNumDimensions(shape) === 0);
        expect(ShapeUtil.hasDegenerateDimensions(shape)).toBe(ShapeUtil.trueRank(shape) < sizes.length);
        const slowest = shape.layout!.minorToMajor.toReversed();
        sizes.forEach((_, dim) => {
          const slower = slowest.slice(0, slowest.indexOf(dim));
          expect(ShapeUtil.isEffectivelyMostMajorDimension(shape, dim)).toBe(slower.every((other) => sizes[other] === 1));
        });
        expect(ShapeUtil.lastDimIsMinorMost(shape)).toBe(sizes.length > 0 && slowest.at(-1) === sizes.length - 1);
      }),
    );
  });

  test("true rank counts dimensions of size 0, as XLA's code does", () => {
    expect([[], [1], [3, 1, 5], [3, 0, 1]].map((dims) => ShapeUtil.trueRank(Shape.array("f32", dims)))).toEqual([0, 0, 2, 2]);
  });

  test("predicates on kinds of shapes", () => {
    const shapes = ["()", "(())", "(token[])", "((), s32[])", "f32[0]", "f32[]", "token[]"].map(parseShape);
    expect(shapes.map(ShapeUtil.isEmptyTuple)).toEqual([true, false, false, false, false, false, false]);
    expect(shapes.map(ShapeUtil.isNestedTuple)).toEqual([false, true, false, true, false, false, false]);
    expect(shapes.map(ShapeUtil.isNil)).toEqual([true, false, false, false, true, false, false]);
    expect(shapes.map(ShapeUtil.isScalar)).toEqual([false, false, false, false, false, true, false]);
    expect(shapes.map(ShapeUtil.isEffectiveScalar)).toEqual([false, false, false, false, false, true, false]);
    const has = (text: string, type: PrimitiveTypeName): boolean => ShapeUtil.hasPrimitiveType(parseShape(text), type);
    expect([
      has("(s32[], (s16[2]))", "s16"),
      has("(b(s8[2]))", "s8"),
      has("(token[])", "token"),
      has("()", "s32"),
      has("(f32[])", "tuple"),
    ]).toEqual([true, true, true, false, true]);
  });

  test("dimensionLetters returns a new list of letters", () => {
    expect([2, 3, 4].map(ShapeUtil.dimensionLetters)).toEqual([
      ["y", "x"],
      ["z", "y", "x"],
      ["p", "z", "y", "x"],
    ]);
    ShapeUtil.dimensionLetters(2).push("w");
    expect(ShapeUtil.dimensionLetters(2)).toEqual(["y", "x"]);
  });

  const shape = parseShape("f32[2,3]");
  test.each<[string, () => unknown, ...(string | number)[]]>([
    ["letters of rank 1", () => ShapeUtil.dimensionLetters(1), "rank 1"],
    ["letters of rank 5", () => ShapeUtil.dimensionLetters(5), "rank 5"],
    ["a dimension number below -rank", () => ShapeUtil.getDimensionNumber(shape, -3), "dimension_number >= 0", -3],
    ["a dimension number equal to the rank", () => ShapeUtil.getDimension(shape, 2), "dimension 2", "f32[2,3]"],
    ["a fraction", () => ShapeUtil.getDimension(shape, 0.5), 0.5],
    ["a tuple's dimension", () => ShapeUtil.getDimension(Shape.tuple([]), 0), "()"],
    ["a token's true rank", () => ShapeUtil.trueRank(Shape.token()), "token[]"],
    ["a tuple's degenerate dimensions", () => ShapeUtil.hasDegenerateDimensions(Shape.tuple([])), "()"],
    [
      "isEffectivelyMostMajorDimension without a layout",
      () => ShapeUtil.isEffectivelyMostMajorDimension(Shape.array("f32", [2]), 0),
      "does not have a layout",
    ],
    [
      "isEffectivelyMostMajorDimension of a dimension that does not exist",
      () => ShapeUtil.isEffectivelyMostMajorDimension(shape, 2),
      "dimension 2",
    ],
    ["lastDimIsMinorMost without a layout", () => ShapeUtil.lastDimIsMinorMost(Shape.array("f32", [2])), "does not have a layout"],
    ["an unknown type", () => ShapeUtil.hasPrimitiveType(shape, "float" as "f32"), "float"],
  ])("refuses %s", (_, act, ...says) => {
    expectStatus(act, "INVALID_ARGUMENT", ...says);
  });
});

describe("tuple trees", () => {
  /** A naive implementation: every subshape with its index, parents first. */
  const flatten = (shape: Shape, index: ShapeIndex = []): [string, Shape][] => [
    [index.join(), shape],
    ...shape.tupleShapes.flatMap((child, i) => flatten(child, [...index, i])),
  ];
  const walk = (visitAll: typeof ShapeUtil.forEachSubshape, shape: Shape): [string, Shape][] => {
    const seen: [string, Shape][] = [];
    expect(visitAll(shape, (node, index) => void seen.push([index.join(), node]))).toBe(true);
    return seen;
  };

  test("visitors, leaves and subshapes agree with a naive implementation", () => {
    fc.assert(
      fc.property(anyShape(), (shape) => {
        const nodes = flatten(shape);
        expect(walk(ShapeUtil.forEachSubshape, shape)).toEqual(nodes);
        const postOrder = walk(ShapeUtil.forEachSubshapePostOrder, shape);
        expect(postOrder.toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual(nodes.toSorted(([a], [b]) => (a < b ? -1 : 1)));
        postOrder.forEach(([index], i) => {
          expect(postOrder.slice(0, i).every(([earlier]) => earlier !== "" && !index.startsWith(`${earlier},`))).toBe(true);
        });
        const leaves = nodes.filter(([, node]) => !node.isTuple());
        expect(ShapeUtil.getLeafShapes(shape).map(({ index, shape: leaf }) => [index.join(), leaf])).toEqual(leaves);
        expect(ShapeUtil.flattenTupleShape(shape)).toEqual(leaves.map(([, leaf]) => leaf));
        expect(ShapeUtil.getLeafCount(shape)).toBe(leaves.length);
        if (!parseShape(shape.toString(true)).toString().includes("b(")) expect(shape.subshapeCount).toBe(nodes.length);
        ShapeUtil.forEachSubshape(shape, (node, index) => {
          expect(ShapeUtil.getSubshape(shape, index)).toBe(node);
          expect(ShapeUtil.indexIsValid(shape, index)).toBe(true);
          expect(ShapeUtil.isLeafIndex(shape, index)).toBe(!node.isTuple());
          expect(ShapeUtil.indexIsValid(shape, [...index, node.tupleShapes.length])).toBe(false);
        });
      }),
      { numRuns: isLong ? 100 : 18 },
    );
  });

  test("a visitor that returns false stops the walk", () => {
    const shape = parseShape("(f32[2], (s32[], pred[]), token[])");
    for (const visitAll of [ShapeUtil.forEachSubshape, ShapeUtil.forEachSubshapePostOrder]) {
      let calls = 0;
      expect(visitAll(shape, () => ++calls < 3)).toBe(false);
      expect(calls).toBe(3);
    }
  });

  const shape = parseShape("(f32[2], (s32[]))");
  test.each<[ShapeIndex]>([
    [[2]],
    [[-1]],
    [[0, 0]],
    [[1, 1]],
    [[0.5]],
    [["length" as unknown as number]],
    [["__proto__" as unknown as number]],
  ])("there is no subshape at index %j", (index) => {
    expect(ShapeUtil.indexIsValid(shape, index)).toBe(false);
    expectStatus(() => ShapeUtil.getSubshape(shape, index), "INVALID_ARGUMENT", `{${index.join(",")}}`, "(f32[2], (s32[]))");
    expectStatus(() => ShapeUtil.isLeafIndex(shape, index), "INVALID_ARGUMENT", "not a valid subshape");
  });
});
