// Shape, Layout, Tile and SplitConfig as values: fields, copies, limits, equality, refused arguments.
import { inspect } from "node:util";
import { describe, expect, test } from "@jest/globals";
import type { LayoutOptions } from "@onebuffer/xla";
import { kMaxShapeDepth, kMaxSubshapes, kUnboundedSize, Layout, PrimitiveType, parseShape, Shape, SplitConfig, Tile } from "@onebuffer/xla";
import fc from "fast-check";
import { anyArray, anyShape, denseOptions } from "./arbitraries.ts";
import { expectStatus } from "@onebuffer/test-support";

describe("Shape", () => {
  test("an array has its fields", () => {
    const layout = new Layout([0, 1]);
    const shape = Shape.array(PrimitiveType.F32, [2, kUnboundedSize], { layout });
    expect([shape.elementType, shape.dimensions, shape.dynamicDimensions, shape.rank]).toEqual([11, [2, kUnboundedSize], [false, true], 2]);
    expect(shape.layout).toBe(layout);
    expect([shape.isArray(), shape.isTuple(), shape.isToken(), shape.isOpaque(), shape.isBuffer()]).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect([
      shape.isDynamic(),
      shape.isUnboundedDynamic(),
      shape.isUnboundedDynamicDimension(1),
      shape.isUnboundedDynamicDimension(0),
    ]).toEqual([true, true, true, false]);
  });

  test.each<[Shape, keyof Shape]>([
    [Shape.tuple([]), "isTuple"],
    [Shape.token(), "isToken"],
    [Shape.opaque(), "isOpaque"],
    [Shape.buffer(Shape.array("s8", [2])), "isBuffer"],
  ])("%s has no rank, and only one predicate is true of it", (shape, is) => {
    expectStatus(() => shape.rank, "INVALID_ARGUMENT", shape.toString());
    for (const predicate of ["isArray", "isTuple", "isToken", "isOpaque", "isBuffer"] as const)
      expect(shape[predicate]()).toBe(predicate === is);
  });

  test("isDynamic and isUnboundedDynamic include the children of tuples and buffers", () => {
    expect(parseShape("(f32[2], (b(f32[<=3])))").isDynamic()).toBe(true);
    expect(parseShape("(f32[2], (b(f32[?])))").isUnboundedDynamic()).toBe(true);
    expect(parseShape("(f32[<=2], token[])").isUnboundedDynamic()).toBe(false);
    expect(parseShape("(f32[2], token[])").isDynamic()).toBe(false);
  });

  test("a shape copies its lists and freezes them", () => {
    const dimensions = [2, 3];
    const tiles = [[2, 2]];
    const shape = Shape.array("f32", dimensions, { layout: new Layout(dimensions, { tiles }) });
    dimensions[0] = 99;
    tiles[0]![0] = 99;
    expect([shape.dimensions, shape.layout!.minorToMajor, shape.layout!.tiles[0]!.dimensions]).toEqual([
      [2, 3],
      [2, 3],
      [2, 2],
    ]);
    for (const list of [
      shape.dimensions,
      shape.dynamicDimensions,
      shape.tupleShapes,
      shape.layout!.minorToMajor,
      shape.layout!.tiles,
      shape.layout!.tiles[0]!.dimensions,
    ])
      expect(Object.isFrozen(list)).toBe(true);
  });

  test("accepts typed arrays as lists, and stores -0 as 0", () => {
    expect(Shape.array("f32", new Int32Array([2, 3]) as unknown as number[]).toString()).toBe("f32[2,3]");
    expect(Object.is(Shape.array("f32", [-0]).dimensions[0], 0)).toBe(true);
  });

  test("with replaces the given fields and keeps the others", () => {
    const shape = parseShape("f32[<=4,3]{0,1:S(5)}");
    expect(shape.with({ dimensions: [7, 8] }).toString(true)).toBe("f32[<=7,8]{0,1:S(5)}");
    expect(shape.with({ dimensions: [7] }).toString()).toBe("f32[7]");
    expect(shape.with({ layout: null }).toString(true)).toBe("f32[<=4,3]");
    expect(shape.with({ elementType: "s8", dynamicDimensions: [false, true] }).toString()).toBe("s8[4,<=3]");
    expect(
      Shape.tuple([])
        .with({ tupleShapes: [shape] })
        .toString(),
    ).toBe("(f32[<=4,3])");
    expect(Shape.token().with({}).isToken()).toBe(true);
    fc.assert(
      fc.property(anyShape(), (any) => {
        expect(any.with({})).toEqual(any);
      }),
    );
  });

  test("Node's inspect prints the text with layouts", () => {
    expect(inspect(parseShape("(f32[2,3])"))).toBe("Shape (f32[2,3]{1,0})");
    expect(inspect({ layout: new Layout([1, 0], { memorySpace: 5 }) })).toBe("{ layout: Layout {1,0:S(5)} }");
  });

  test.each<[string, () => unknown, ...(string | number)[]]>([
    ["a fraction", () => Shape.array("f32", [2.5]), "entry 0 of the dimensions", 2.5],
    ["a size beyond 2^53 - 1", () => Shape.array("f32", [1, 2 ** 53]), "entry 1", 9007199254740992],
    ["NaN", () => Shape.array("f32", [Number.NaN]), "NaN"],
    ["a bigint", () => Shape.array("f32", [3n as unknown as number]), "got 3"],
    ["a hole", () => Shape.array("f32", new Array<number>(1)), "undefined"],
    ["a number as the list of sizes", () => Shape.array("f32", 3 as unknown as number[]), "got 3"],
    [
      "flags of another length",
      () => Shape.array("f32", [2, 3], { dynamicDimensions: [true] }),
      "dynamic dimensions size 1 did not match number of dimensions 2",
    ],
    ["a tuple as an array", () => Shape.array("tuple", []), "tuple"],
    ["the invalid type", () => Shape.array(0, []), "Invalid element type: 0"],
    ["a child that is not a shape", () => Shape.tuple([Shape.token(), {} as Shape]), "child 1", "an object"],
    [
      "such a child given to the constructor",
      () => Reflect.construct(Shape, [13, [], [], null, [Shape.token(), null], null]),
      "child 1",
      "null",
    ],
    ["a list with a hole given to the constructor", () => Reflect.construct(Shape, [13, [], [], null, new Array(1), null]), "child 0"],
    ["a token in a buffer", () => Shape.buffer(Shape.token()), "token[]"],
    ["null in a buffer", () => Shape.buffer(null as unknown as Shape), "null"],
    ["sizes for a token", () => Shape.token().with({ dimensions: [2] }), "dimensions", "token[]"],
    ["children for an array", () => Shape.array("f32", []).with({ tupleShapes: [] }), "tupleShapes", "f32[]"],
    ["a layout for a tuple", () => Shape.tuple([]).with({ layout: new Layout([]) }), "layout", "()"],
  ])("refuses %s", (_, act, ...says) => {
    expectStatus(act, "INVALID_ARGUMENT", ...says);
  });

  test("limits the depth and the number of nodes", () => {
    let deep = Shape.array("f32", []);
    for (let i = 1; i < kMaxShapeDepth; i++) deep = Shape.tuple([deep]);
    expect([deep.depth, deep.subshapeCount]).toEqual([kMaxShapeDepth, kMaxShapeDepth]);
    expectStatus(() => Shape.tuple([deep]), "INVALID_ARGUMENT", kMaxShapeDepth, kMaxShapeDepth + 1);
    let wide = Shape.token();
    while (2 * wide.subshapeCount < kMaxSubshapes) wide = Shape.tuple([wide, wide]);
    expectStatus(() => Shape.tuple([wide, wide]), "INVALID_ARGUMENT", kMaxSubshapes, 2 * wide.subshapeCount + 1);
  });
});

describe("Layout", () => {
  test("fields left out have their defaults", () => {
    const {
      minorToMajor,
      tiles,
      elementSizeInBits,
      memorySpace,
      tailPaddingAlignmentInElements,
      splitConfigs,
      dynamicShapeMetadataPrefixBytes,
      paddedDimensions,
      paddingValue,
    } = new Layout([1, 0]);
    expect([
      minorToMajor,
      tiles,
      elementSizeInBits,
      memorySpace,
      tailPaddingAlignmentInElements,
      splitConfigs,
      dynamicShapeMetadataPrefixBytes,
      paddedDimensions,
      paddingValue,
    ]).toEqual([[1, 0], [], 0, 0, 1, [], 0, [], 0]);
  });

  test("with keeps the fields that are not replaced", () => {
    fc.assert(
      fc.property(anyArray(), denseOptions, ({ layout }, options) => {
        expect(layout!.with({})).toEqual(layout);
        expect(layout!.with(options)).toEqual(new Layout(layout!.minorToMajor, options));
      }),
    );
  });

  const base: LayoutOptions = {
    tiles: [[4]],
    elementSizeInBits: 4,
    memorySpace: 5,
    tailPaddingAlignmentInElements: 2,
    splitConfigs: [new SplitConfig(0, [1])],
  };
  test.each<[string, LayoutOptions, object]>([
    ["tiles", { tiles: [[5]] }, { ignoreTiles: true }],
    ["fewer tiles", { tiles: [] }, { ignoreTiles: true }],
    ["the element size", { elementSizeInBits: 8 }, { ignoreElementSize: true }],
    ["the memory space", { memorySpace: 1 }, { ignoreMemorySpace: true }],
    ["the tail padding", { tailPaddingAlignmentInElements: 3 }, { ignoreTailPaddingAlignmentInElements: true }],
    ["a split's index", { splitConfigs: [new SplitConfig(0, [2])] }, { ignoreSplitConfigs: true }],
    ["a split's dimension", { splitConfigs: [new SplitConfig(1, [1])] }, { ignoreSplitConfigs: true }],
    ["the index type", { indexPrimitiveType: 8 }, { ignoreIndexPrimitiveType: true }],
    ["the pointer type", { pointerPrimitiveType: 8 }, { ignorePointerPrimitiveType: true }],
    ["the physical shape", { physicalShape: Shape.token() }, { ignorePhysicalShape: true }],
    ["the padded dimensions", { paddedDimensions: [9] }, { minorToMajorOnly: true }],
    ["the padding value", { paddingValue: 1 }, { minorToMajorOnly: true }],
    ["the level types", { dimLevelTypes: [1] }, { minorToMajorOnly: true }],
  ])("equals compares %s, unless an option ignores it", (_, change, ignore) => {
    const a = new Layout([0], base);
    const b = a.with(change);
    expect([a.equals(b), b.equals(a), a.equals(b, ignore), b.equals(a, { minorToMajorOnly: true })]).toEqual([false, false, true, true]);
    const others = {
      ignoreTiles: true,
      ignoreElementSize: true,
      ignoreMemorySpace: true,
      ignoreTailPaddingAlignmentInElements: true,
      ignoreSplitConfigs: true,
      ignoreIndexPrimitiveType: true,
      ignorePointerPrimitiveType: true,
      ignorePhysicalShape: true,
    };
    const allButThis = Object.fromEntries(
      Object.keys(others)
        .filter((option) => !(option in ignore))
        .map((option) => [option, true]),
    );
    expect(a.equals(b, allButThis)).toBe(false);
  });

  test("equals never compares the prefix bytes, and always compares the order", () => {
    expect(new Layout([0]).equals(new Layout([0], { dynamicShapeMetadataPrefixBytes: 8 }))).toBe(true);
    expect(new Layout([0, 1]).equals(new Layout([1, 0]), { minorToMajorOnly: true })).toBe(false);
    expect(new Layout([0, 1]).equals(new Layout([0]))).toBe(false);
  });

  test("deleteDimension removes a dimension and renumbers the others", () => {
    expect(new Layout([2, 0, 1], { paddedDimensions: [5, 6, 7] }).deleteDimension(1)).toEqual(
      new Layout([1, 0], { paddedDimensions: [5, 7] }),
    );
    expectStatus(() => new Layout([1, 0]).deleteDimension(2), "INVALID_ARGUMENT", "{1,0}", 2);
  });

  test.each<[string, () => unknown, ...(string | number)[]]>([
    ["an order that is not a list", () => new Layout("10" as unknown as number[]), "minor_to_major", "10"],
    ["a fraction in the order", () => new Layout([0, 0.5]), "entry 1 of minor_to_major", 0.5],
    ["a fraction as element size", () => new Layout([0], { elementSizeInBits: 0.5 }), "element_size_in_bits", 0.5],
    ["a large memory space", () => new Layout([0], { memorySpace: 2 ** 60 }), "memory_space", 2 ** 60],
    [
      "a string as tail padding",
      () => new Layout([0], { tailPaddingAlignmentInElements: "1" as unknown as number }),
      "tail_padding_alignment_in_elements",
      1,
    ],
    [
      "an infinite number of prefix bytes",
      () => new Layout([0], { dynamicShapeMetadataPrefixBytes: Infinity }),
      "dynamic_shape_metadata_prefix_bytes",
      "Infinity",
    ],
    ["a fraction as a padded dimension", () => new Layout([0], { paddedDimensions: [1.5] }), "padded_dimensions", 1.5],
    ["an unknown padding value", () => new Layout([0], { paddingValue: 6 as 5 }), "padding_value", 6],
    ["an unknown level", () => new Layout([0], { dimLevelTypes: [4 as 3] }), "dim_level_types", 4],
    ["an unknown index type", () => new Layout([0], { indexPrimitiveType: 99 as 8 }), "index_primitive_type", 99],
    ["an unknown pointer type", () => new Layout([0], { pointerPrimitiveType: -1 as 8 }), "pointer_primitive_type", -1],
    ["a split that is not a SplitConfig", () => new Layout([0], { splitConfigs: [3 as unknown as SplitConfig] }), "SplitConfig", 3],
    ["a split at a fractional index", () => new SplitConfig(0, [0.5]), "split_indices", 0.5],
    ["a split of a fractional dimension", () => new SplitConfig(0.5, [1]), "the dimension of a split config", 0.5],
  ])("refuses %s", (_, act, ...says) => {
    expectStatus(act, "INVALID_ARGUMENT", ...says);
  });

  test("tiles and splits compare and print", () => {
    expect(new Tile([7, 8]).equals(new Tile([7, 8]))).toBe(true);
    expect(new Tile([7, 8]).equals(new Tile([7, -1]))).toBe(false);
    expect(`${new Tile([7, -1, 8])}${new SplitConfig(1, [2, 3])}`).toBe("(7,*,8)(1:2,3)");
    expect(new SplitConfig(1, [2]).equals(new SplitConfig(1, [2, 3]))).toBe(false);
  });
});
