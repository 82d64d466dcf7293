// Calls at the edges: buffers beside arrays, the first dimension, empty tuples, typed arrays as lists, fields of messages that are rare.
import { describe, expect, test } from "@jest/globals";
import {
  commonFactors,
  IndexUtil,
  isArrayType,
  isIdentityPermutation,
  kUnboundedSize,
  Layout,
  layoutToProto,
  LayoutUtil,
  layoutView,
  literalFromProto,
  literalToProto,
  parseShape,
  permute,
  PrimitiveType,
  ProgramShape,
  relayout,
  Shape,
  ShapeUtil,
  tiledElementCount,
  tiledLinearIndex,
  tiledLinearToIndex,
} from "@onebuffer/xla";
import { expectStatus } from "@onebuffer/test-support";
import { indicesOf } from "../address/naive-layout.ts";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

const rowMajor = parseShape("f32[2,3]{1,0}");
const columnMajor = parseShape("f32[2,3]{0,1}");

describe("buffers", () => {
  test("the layouts of two buffers are those of their arrays, and a buffer is no array", () => {
    const [rows, columns] = [Shape.buffer(rowMajor), Shape.buffer(columnMajor)];
    expect(LayoutUtil.layoutsInShapesEqual(rows, Shape.buffer(rowMajor))).toBe(true);
    expect(LayoutUtil.layoutsInShapesEqual(rows, columns)).toBe(false);
    expect(LayoutUtil.layoutsInShapesEqual(rowMajor, rows)).toBe(false);
    expect(LayoutUtil.layoutsInShapesEqual(rows, rowMajor)).toBe(false);
    expect(LayoutUtil.copyLayoutBetweenShapes(columns, rows).toString(true)).toBe(columns.toString(true));
    expectStatus(() => LayoutUtil.copyLayoutBetweenShapes(rowMajor, rows), "INVALID_ARGUMENT", "cannot copy layout");
    expectStatus(() => LayoutUtil.copyLayoutBetweenShapes(rows, rowMajor), "INVALID_ARGUMENT", "cannot copy layout");
  });

  test("a number that is none of XLA's, or a text, is no type of arrays", () => {
    expect([isArrayType(99 as Any), isArrayType("f32" as Any), isArrayType(PrimitiveType.F32)]).toEqual([false, false, true]);
  });

  test("an empty tuple has not the structure of an array, and an opaque shape is one", () => {
    expect(ShapeUtil.equalStructure(Shape.tuple([]), rowMajor)).toBe(false);
    expect(ShapeUtil.equalStructure(rowMajor, Shape.tuple([]))).toBe(false);
    expect(ShapeUtil.makeOpaqueShape().elementType).toBe(PrimitiveType.OPAQUE_TYPE);
  });
});

describe("indices and tiles", () => {
  test("an index is in bounds only if each entry is, and there are as many as dimensions", () => {
    for (const [index, isIn] of [
      [[1, 2], true],
      [[2, 0], false],
      [[0, 3], false],
      [[0, -1], false],
      [[0, 0.5], false],
      [[0], false],
      [[0, 0, 0], false],
    ] as const)
      expect(IndexUtil.indexInBounds(rowMajor, index)).toBe(isIn);
  });

  test("a padded first dimension may not be smaller than its size", () => {
    const narrow = Shape.array("f32", [2, 3], { layout: new Layout([1, 0], { paddedDimensions: [1, 3] }) });
    expectStatus(() => tiledElementCount(narrow), "INVALID_ARGUMENT", "for dimension 0, dimension padding (1)");
  });

  test("the index of a cell is the element's, through tiles that combine dimensions", () => {
    for (const text of ["f32[3,5,7]{2,1,0:T(*,4)}", "f32[3,5,7]{2,1,0:T(*,*,8)}", "f32[3,5]{0,1:T(*,4)(2,1)}"]) {
      const shape = parseShape(text);
      for (const index of indicesOf(shape.dimensions)) expect(tiledLinearToIndex(shape, tiledLinearIndex(shape, index))).toEqual(index);
    }
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

  test("LinearIndex reads the first of two tiles", () => {
    expect(LayoutUtil.linearIndex(parseShape("f32[4,8]{1,0:T(2,4)(2,1)}"), [1, 2])).toBe(6);
  });

  test("a box over a scalar may leave out counts and steps", () => {
    const visited: number[][] = [];
    const scalar = Shape.array("f32", [], { layout: new Layout([]) });
    ShapeUtil.forEachIndex(scalar, [], undefined as Any, undefined as Any, (index) => visited.push([...index]));
    expect(visited).toEqual([[]]);
  });
});

describe("factors and dimensions of size 1", () => {
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
});

describe("messages and data", () => {
  test("the sparse fields of a layout are in its message", () => {
    const proto = layoutToProto(new Layout([0], { dimUnique: [true], dimOrdered: [false] }));
    expect([proto.dimUnique, proto.dimOrdered]).toEqual([[true], [false]]);
  });

  test("a literal has as many elements as its shape, and a literal in a tuple the type of the tuple's shape", () => {
    const vector = parseShape("f32[2]{0}");
    const literal = (length: number): Any => ({ shape: vector, data: new Float32Array(length), tupleLiterals: [] });
    expectStatus(() => literalToProto(literal(3)), "INVALID_ARGUMENT", "Float32Array of length 3");
    expectStatus(() => literalToProto(literal(1)), "INVALID_ARGUMENT", "Float32Array of length 1");
    const proto = literalToProto({ shape: Shape.tuple([vector]), data: null, tupleLiterals: [literal(2)] } as Any);
    const other = literalToProto({ shape: parseShape("s32[2]{0}"), data: new Int32Array(2), tupleLiterals: [] });
    expectStatus(
      () => literalFromProto({ ...proto, tupleLiterals: [other] } as Any),
      "INVALID_ARGUMENT",
      "tuple_literals[0] is of shape s32[2]",
    );
  });

  test("a slice from before the first element is refused", () => {
    const view = layoutView(rowMajor, new Float32Array(6));
    expectStatus(() => view.sliceValues([0, -1], [2, 3]), "INVALID_ARGUMENT", "The slice from -1 to 3 of dimension 1");
  });
});

describe("predicates and copies", () => {
  test("a transpose that leaves the bytes in place is a bitcast, of the same element type", () => {
    const [rows, columns] = [parseShape("f32[2,3]{1,0}"), parseShape("f32[3,2]{0,1}")];
    expect(ShapeUtil.transposeIsBitcast(rows, columns, [1, 0])).toBe(true);
    expect(ShapeUtil.transposeIsBitcast(rows, parseShape("f32[3,2]{1,0}"), [1, 0])).toBe(false);
    expect(ShapeUtil.transposeIsBitcast(rows, parseShape("s32[3,2]{0,1}"), [1, 0])).toBe(false);
    expect(ShapeUtil.transposeIsBitcast(rows, parseShape("s32[3,2]{0,1}"), [1, 0], true)).toBe(true);
    expect([isIdentityPermutation([0, 1, 2]), isIdentityPermutation([1, 0])]).toEqual([true, false]);
  });

  test("a static shape has no dynamic dimensions, and an appended unbounded dimension is one", () => {
    const dynamic = Shape.array("f32", [2, 3], { dynamicDimensions: [true, false] });
    expect(ShapeUtil.makeStaticShape(dynamic).dynamicDimensions).toEqual([false, false]);
    expect(ShapeUtil.appendMinorDimension(4, dynamic).dynamicDimensions).toEqual([true, false, false]);
    expect(ShapeUtil.appendMinorDimension(kUnboundedSize, dynamic).dynamicDimensions).toEqual([true, false, true]);
    expect(LayoutUtil.getDefaultLayoutForShape(dynamic, "minor2major").minorToMajor).toEqual([0, 1]);
    expect(new ProgramShape([], rowMajor).parameterNames).toEqual([]);
    const large = Shape.array("f32", [2 ** 40, 2 ** 40]);
    expectStatus(() => ShapeUtil.validateShape(Shape.buffer(large)), "INVALID_ARGUMENT");
  });

  test("a linear index before the first element, or between two, is refused", () => {
    for (const index of [-1, 6, 0.5]) expectStatus(() => IndexUtil.linearIndexToMultidimensionalIndex(rowMajor, index), "INVALID_ARGUMENT");
    expect(IndexUtil.linearIndexToMultidimensionalIndex(rowMajor, 5)).toEqual([1, 2]);
  });

  test("an array beside a tuple has another layout to copy, and beside a buffer another shape", () => {
    const tuple = Shape.tuple([rowMajor]);
    expectStatus(() => LayoutUtil.copyLayoutBetweenShapes(rowMajor, Shape.tuple([])), "INVALID_ARGUMENT", "cannot copy layout");
    expectStatus(() => LayoutUtil.copyLayoutBetweenShapes(tuple, rowMajor), "INVALID_ARGUMENT", "cannot copy layout");
    expect(ShapeUtil.dynamicShapeIsCompatible(Shape.buffer(rowMajor), rowMajor)).toBe(false);
    expect(ShapeUtil.dynamicShapeIsCompatible(rowMajor, Shape.buffer(rowMajor))).toBe(false);
  });

  test("indices of views are numbers inside their dimensions, whatever the rank", () => {
    const flat = layoutView(rowMajor, new Float32Array(6));
    for (const index of [
      ["0", 0],
      [0, "0"],
      [0, null],
    ])
      expectStatus(() => (flat as Any).at(...index), "INVALID_ARGUMENT");
    const cube = layoutView(parseShape("f32[2,2,2]{2,1,0}"), Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7)) as Any;
    expect([cube.at(0, 0, 0), cube.at(1, 0, 1), cube.at(0, 1, 1)]).toEqual([0, 5, 3]);
    for (const index of [
      [-1, 0, 0],
      [0, -1, 0],
      [0, 0, -1],
      [2, 0, 0],
    ])
      expectStatus(() => cube.at(...index), "OUT_OF_RANGE");
  });

  test("packed elements of tiles are moved by their bits", () => {
    const source = { shape: parseShape("s4[2,4]{1,0:E(4)}"), data: Uint8Array.of(0x12, 0x34, 0x56, 0x71) };
    const target = { shape: parseShape("s4[2,4]{0,1:E(4)}"), data: new Uint8Array(4) };
    relayout(source, target);
    expect([...target.data]).toEqual([0x15, 0x26, 0x37, 0x41]);
    const quarters = { shape: parseShape("s2[2,4]{1,0:E(2)}"), data: Uint8Array.of(0x1b, 0xe4) };
    const turned = { shape: parseShape("s2[2,4]{0,1:E(2)}"), data: new Uint8Array(2) };
    relayout(quarters, turned);
    expect([...turned.data]).toEqual([0x36, 0x9c]);
  });

  test("a comment ends behind its beginning", () => {
    expect(parseShape("f32[2]/* a */{0}").toString(true)).toBe("f32[2]{0}");
    expectStatus(() => parseShape("f32[2]/*/{0}"), "INVALID_ARGUMENT", "comment");
  });
});
