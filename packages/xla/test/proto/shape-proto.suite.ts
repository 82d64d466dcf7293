// Shapes, layouts and program shapes as messages: conversion both ways, in both eras, and refused messages.
import { describe, expect, test } from "@jest/globals";
import type { Int64Field } from "@onebuffer/base";
import { isStatusError } from "@onebuffer/base";
import type { LayoutProto, ShapeProto } from "@onebuffer/xla";
import {
  kUnboundedSize,
  Layout,
  layoutFromProto,
  layoutToProto,
  PrimitiveType,
  ProgramShape,
  parseShape,
  programShapeFromProto,
  programShapeToProto,
  Shape,
  ShapeUtil,
  shapeFromProto,
  shapeToProto,
} from "@onebuffer/xla";
import fc from "fast-check";
import { expectStatus, isLong } from "@onebuffer/test-support";

describe("round trips", () => {
  test("int64 fields may be numbers, bigints or text", () => {
    const as = (field: (value: number) => Int64Field): Shape =>
      shapeFromProto({
        elementType: 11,
        dimensions: [2, 3].map(field),
        layout: {
          minorToMajor: [1, 0].map(field),
          tiles: [{ dimensions: [field(8)] }],
          memorySpace: field(-5),
          splitConfigs: [{ dimension: field(1), splitIndices: [field(2)] }],
        },
      });
    expect(as((value) => value).toString(true)).toBe("f32[2,3]{1,0:T(8)S(-5)SC(1:2)}");
    expect(as(BigInt)).toEqual(as((value) => value));
    expect(as(String)).toEqual(as((value) => value));
  });

  test("unbounded dimensions and combined tile entries are INT64_MIN", () => {
    const shape = parseShape("f32[?,3]{1,0:T(*,128)}");
    const proto = shapeToProto(shape);
    expect(proto.dimensions).toEqual([-(2n ** 63n), 3]);
    expect(proto.layout?.tiles).toEqual([{ dimensions: [-(2n ** 63n), 128] }]);
    for (const min of [-(2n ** 63n), "-9223372036854775808", -(2 ** 63)]) {
      expect(shapeFromProto({ ...proto, dimensions: [min, 3], layout: { ...proto.layout, tiles: [{ dimensions: [min, 128] }] } })).toEqual(
        shape,
      );
    }
  });
});

/** The field numbers of a layout message in both protos, for the protobuf writer below. */
const kLayoutFields: readonly (readonly [keyof LayoutProto, number])[] = [
  ["minorToMajor", 1],
  ["paddedDimensions", 2],
  ["paddingValue", 3],
  ["tiles", 6],
  ["elementSizeInBits", 7],
  ["memorySpace", 8],
  ["dynamicShapeMetadataPrefixBytes", 15],
  ["tailPaddingAlignmentInElements", 16],
  ["splitConfigs", 17],
];
const varint = (value: Int64Field | boolean): number[] => {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
};
const scalar = (field: number, value: Int64Field): number[] => [...varint(field << 3), ...varint(value)];
const block = (field: number, bytes: readonly number[]): number[] => [...varint((field << 3) | 2), ...varint(bytes.length), ...bytes];
const packed = (field: number, values: readonly (Int64Field | boolean)[]): number[] =>
  values.length === 0 ? [] : block(field, values.flatMap(varint));
const layoutBytes = (proto: LayoutProto): number[] =>
  kLayoutFields.flatMap(([name, field]) => {
    const value = proto[name];
    if (value === undefined || value === null) return [];
    if (name === "tiles") return proto.tiles!.flatMap((tile) => block(field, packed(1, tile.dimensions ?? [])));
    if (name === "splitConfigs")
      return proto.splitConfigs!.flatMap((split) =>
        block(field, [...scalar(1, split.dimension ?? 0), ...packed(2, split.splitIndices ?? [])]),
      );
    return Array.isArray(value) ? packed(field, value) : scalar(field, value as number);
  });
const shapeBytes = (proto: ShapeProto): number[] => [
  ...scalar(2, proto.elementType ?? 0),
  ...packed(3, proto.dimensions ?? []),
  ...(proto.tupleShapes ?? []).flatMap((child) => block(4, shapeBytes(child))),
  ...(proto.layout === undefined || proto.layout === null ? [] : block(5, layoutBytes(proto.layout))),
  ...packed(6, proto.isDynamicDimension ?? []),
];

describe("XLA's bytes of the messages", () => {
  // Texts and hexadecimal bytes from the proto test vectors, which were checked against protoc.
  test.each([
    ["f32[]", "100b2a03800101"],
    ["s8[7]", "10021a01072a060a0100800101320100"],
    ["(f32[2], pred[])", "100d2210100b1a01022a060a0100800101320100220710012a03800101"],
    ["f32[<=4,3]", "100b1a0204032a070a02010080010132020100"],
    ["u8[3]{0:S(5)}", "10061a01032a080a01004005800101320100"],
    ["s4[3,5]{1,0:E(4)}", "10151a0203052a090a020100380480010132020000"],
    ["f32[150,200]{0,1:SC(1:40,130)}", "100b1a049601c8012a110a0200018001018a01070801120328820132020000"],
    ["f32[?,3]", "100b1a0b80808080808080808001032a070a02010080010132020100"],
    ["f32[2,3,4]{2,1,0:T(*,128)}", "100b1a030203042a180a03020100320e0a0c8080808080808080800180018001013203000000"],
  ])("%s", (text, hex) => {
    expect(Buffer.from(shapeBytes(shapeToProto(parseShape(text)))).toString("hex")).toBe(hex);
  });

  test.each<[Layout | null, string]>([
    [new Layout([1, 0]), "100b1a0202032a040a020100"],
    [new Layout([0, 1], { paddedDimensions: [3, 5], paddingValue: 1 }), "100b1a0202032a0a0a020001120203051801"],
    [new Layout([0, 1], { paddedDimensions: [3, 5] }), "100b1a0202032a080a02000112020305"],
    [null, "100b1a020203"],
  ])("in 2017: f32[2,3] %s", (layout, hex) => {
    expect(Buffer.from(shapeBytes(shapeToProto(Shape.array("f32", [2, 3], { layout }), "2017"))).toString("hex")).toBe(hex);
  });

  test("in 2017 a scalar's empty layout is written as an empty message", () => {
    expect(Buffer.from(shapeBytes(shapeToProto(ShapeUtil.makeShape("f32", []), "2017"))).toString("hex")).toBe("100b2a00");
  });
});

describe("reading accepts what XLA accepts", () => {
  test.each<[string, ShapeProto, string]>([
    ["dimensions without a flag are static", { elementType: 11, dimensions: [2, 3], isDynamicDimension: [true] }, "f32[<=2,3]"],
    ["surplus flags are dropped", { elementType: 11, dimensions: [2], isDynamicDimension: [false, true, true] }, "f32[2]"],
    ["a layout on a tuple is dropped", { elementType: 13, layout: { minorToMajor: [0] } }, "()"],
    ["dimensions on a token are dropped", { elementType: 17, dimensions: [3] }, "token[]"],
    ["an unset type becomes the invalid type", {}, "primitive_type_invalid[]"],
    ["an unknown type becomes the invalid type", { elementType: 35, dimensions: [2] }, "primitive_type_invalid[]"],
    ["tail alignment 0 means 1", { elementType: 11, layout: { tailPaddingAlignmentInElements: 0 } }, "f32[]"],
    ["null fields are unset", { elementType: 11, dimensions: null, tupleShapes: null, layout: null, isDynamicDimension: null }, "f32[]"],
    ["the 2018 format DENSE is ignored", { elementType: 11, dimensions: [2], layout: { format: 1, minorToMajor: [0] } }, "f32[2]{0}"],
    ["a buffer's array is in tuple_shapes", { elementType: 34, tupleShapes: [{ elementType: 11, dimensions: [5] }] }, "b(f32[5])"],
  ])("%s", (_, proto, text) => {
    expect(shapeFromProto(proto).toString(true)).toBe(text);
  });

  test("validation refuses an unknown type and a sparse layout", () => {
    expectStatus(() => ShapeUtil.validateShape(shapeFromProto({ elementType: 2000 })), "INVALID_ARGUMENT", "Invalid element type.");
    const sparse = shapeFromProto({
      elementType: 11,
      dimensions: [2],
      layout: { minorToMajor: [0], dimLevelTypes: [1], indexPrimitiveType: PrimitiveType.U32 },
    });
    expect(sparse.toString(true)).toBe("f32[2]{0:D(C)#(u32)}");
    expectStatus(() => ShapeUtil.validateShape(sparse), "INVALID_ARGUMENT", "dim_level_types");
    expect(shapeFromProto(shapeToProto(sparse))).toEqual(sparse);
  });
});

describe("refused messages", () => {
  const loop: { elementType: number; tupleShapes: unknown[] } = { elementType: 13, tupleShapes: [] };
  loop.tupleShapes.push(loop);
  const wide: { elementType: number; tupleShapes: unknown[] }[] = [{ elementType: 13, tupleShapes: [] }];
  const token = { elementType: 17 };
  const row = { elementType: 13, tupleShapes: new Array<object>(363).fill(token) };
  const many = { elementType: 13, tupleShapes: new Array<object>(363).fill(row) };
  for (let i = 0; i < 60; i++) wide.push({ elementType: 13, tupleShapes: [wide[i], wide[i]] });

  test.each<[string, unknown, ...(string | number)[]]>([
    ["a number as the message", 3, "ShapeProto", 3],
    ["a list as the message", [], "ShapeProto"],
    ["a fraction", { elementType: 11, dimensions: [1.5] }, "dimensions[0]", 1.5],
    ["a rounded number", { elementType: 11, dimensions: [2 ** 53] }, "dimensions[0]", 9007199254740992],
    ["a large bigint", { elementType: 11, dimensions: [2n ** 62n] }, "dimensions[0]", "4611686018427387904"],
    ["text that is not a number", { elementType: 11, dimensions: ["0x10"] }, "dimensions[0]", '"0x10"'],
    ["an object as a size", { elementType: 11, dimensions: [{}] }, "dimensions[0]", "an object"],
    ["a number as the list of sizes", { elementType: 11, dimensions: 3 }, "dimensions", 3],
    ["INT64_MIN in an order", { elementType: 11, layout: { minorToMajor: [-(2n ** 63n)] } }, "minor_to_major[0]"],
    ["a tile entry -1", { elementType: 11, layout: { tiles: [{ dimensions: [-1] }] } }, "tiles[0]", -1],
    ["a tile entry -2", { elementType: 11, layout: { tiles: [{ dimensions: [-2] }] } }, -2],
    ["an unknown padding value", { elementType: 11, layout: { paddingValue: 6 } }, "padding_value", 6],
    ["an unknown level", { elementType: 11, layout: { dimLevelTypes: [4] } }, "dim_level_types", 4],
    ["the format SPARSE", { elementType: 11, layout: { format: 2 } }, "format", 2],
    ["sparse elements", { elementType: 11, layout: { maxSparseElements: 10 } }, "max_sparse_elements"],
    ["a physical shape", { elementType: 11, layout: { physicalShape: {} } }, "physical_shape"],
    ["an empty buffer", { elementType: 34 }, "tuple_shapes", 0],
    ["a buffer of a tuple", { elementType: 34, tupleShapes: [{ elementType: 13 }] }, "()"],
    ["a message that contains itself", loop, "100 levels deep"],
    ["131,770 subshapes", many, "131072 subshapes"],
    // Reads 2^17 nested tuples before it refuses them.
    ...(isLong ? [["2^60 subshapes", wide.at(-1), "131072 subshapes"] as [string, unknown, string]] : []),
  ])("%s", (_, proto, ...says) => {
    expectStatus(() => shapeFromProto(proto as ShapeProto), "INVALID_ARGUMENT", ...says);
  });

  test("random fields give a shape or a StatusError", () => {
    const junk = fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true, maxDepth: 3 });
    const field = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
      fc.oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: junk });
    const layout = fc.record(
      Object.fromEntries(
        [...kLayoutFields.map(([name]) => name), "format", "dimLevelTypes", "dimUnique"].map((name) => [
          name,
          field(fc.array(fc.bigInt())),
        ]),
      ),
      { requiredKeys: [] },
    );
    const proto = fc.record({
      elementType: field(fc.integer({ min: 0, max: 36 })),
      dimensions: field(fc.array(fc.integer())),
      tupleShapes: junk,
      layout: field(layout),
      isDynamicDimension: field(fc.array(fc.boolean())),
    });
    fc.assert(
      fc.property(proto, (message) => {
        try {
          shapeFromProto(message as ShapeProto).toString(true);
        } catch (error) {
          expect(isStatusError(error)).toBe(true);
        }
      }),
      { numRuns: isLong ? 5000 : 48 },
    );
  });
});

describe("refuses shapes and layouts that an era's message cannot hold", () => {
  test.each<[string, () => unknown, ...string[]]>([
    ["padding today", () => layoutToProto(new Layout([0], { paddedDimensions: [4] }), "today"), "padded_dimensions"],
    ["a padding value today", () => layoutToProto(new Layout([0], { paddingValue: 1 }), "today"), "padding_value"],
    ["tiles in 2017", () => layoutToProto(new Layout([0], { tiles: [[2]] }), "2017"), "{0:T(2)}"],
    ["prefix bytes in 2017", () => layoutToProto(new Layout([0], { dynamicShapeMetadataPrefixBytes: 8 }), "2017"), "{0:M(8)}"],
    ["dynamic dimensions in 2017", () => shapeToProto(parseShape("f32[<=4]"), "2017"), "f32[<=4]"],
    ["a buffer in 2017", () => shapeToProto(parseShape("(b(f32[4]))"), "2017"), "b(f32[4])"],
    ["a physical shape", () => layoutToProto(new Layout([0], { physicalShape: Shape.token() })), "physical_shape"],
  ])("%s", (_, act, ...says) => {
    expectStatus(act, "INVALID_ARGUMENT", ...says);
  });

  test("the default era depends on the padding", () => {
    expect(layoutToProto(new Layout([0], { paddedDimensions: [4] }))).toEqual({ minorToMajor: [0], paddedDimensions: [4] });
    expect(layoutFromProto({ minorToMajor: [0], paddedDimensions: [4], paddingValue: 3 }).paddingValue).toBe(3);
    expect(shapeToProto(Shape.array("f32", [kUnboundedSize]))).toEqual({
      elementType: 11,
      dimensions: [-(2n ** 63n)],
      isDynamicDimension: [true],
    });
  });
});

describe("program shapes", () => {
  const program = new ProgramShape([parseShape("f32[2]"), parseShape("(s8[], token[])")], parseShape("f32[3]"), ["x"]);

  test("convert to a message and back", () => {
    expect(program.toString()).toBe("(x: f32[2], (unknown): (s8[], token[])) -> f32[3]");
    expect(program.toString(true)).toBe("(x: f32[2]{0}, (unknown): (s8[], token[])) -> f32[3]{0}");
    expect(programShapeFromProto(programShapeToProto(program))).toEqual(program);
    expect(programShapeFromProto({}).toString()).toBe("() -> primitive_type_invalid[]");
  });

  test("refuse wrong names and shapes", () => {
    expectStatus(() => new ProgramShape([], Shape.token(), ["x"]), "INVALID_ARGUMENT", "1 parameter_names for 0 parameters");
    expectStatus(
      () => new ProgramShape([Shape.token()], Shape.token(), [3 as unknown as string]),
      "INVALID_ARGUMENT",
      "parameter_names[0]",
      3,
    );
    expectStatus(() => new ProgramShape([null as unknown as Shape], Shape.token()), "INVALID_ARGUMENT", "child 0", "null");
    expectStatus(() => programShapeFromProto(null as unknown as object), "INVALID_ARGUMENT", "ProgramShapeProto");
  });
});

test("a program without a result has an invalid one", () => {
  for (const result of [undefined, null]) {
    const shape = programShapeFromProto({ parameters: [], result: result as never, parameterNames: [] });
    expect(shape.result.elementType).toBe(PrimitiveType.PRIMITIVE_TYPE_INVALID);
  }
});

test("the message of a plain layout has its order and the alignment of its tail alone", () => {
  expect(Object.keys(layoutToProto(new Layout([1, 0])))).toEqual(["minorToMajor", "tailPaddingAlignmentInElements"]);
});

test("the sparse fields of a layout are in its message", () => {
  const proto = layoutToProto(new Layout([0], { dimUnique: [true], dimOrdered: [false] }));
  expect([proto.dimUnique, proto.dimOrdered]).toEqual([[true], [false]]);
});
