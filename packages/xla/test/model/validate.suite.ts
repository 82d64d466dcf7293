// The validators of shapes and layouts: what they accept, and the messages for what they refuse.
import { describe, test } from "@jest/globals";
import type { EraOptions } from "@onebuffer/xla";
import { kUnboundedSize, Layout, LayoutUtil, PrimitiveType, parseShape, Shape, ShapeUtil, Tile } from "@onebuffer/xla";
import fc from "fast-check";
import { anyShape } from "./arbitraries.ts";
import { expectStatus } from "@onebuffer/test-support";

const array = (dims: readonly number[], layout: Layout | null, type: "f32" | "s8" | "f64" = "f32"): Shape =>
  Shape.array(type, dims, { layout });

describe("validateShape", () => {
  test("accepts every valid shape of both eras", () => {
    fc.assert(
      fc.property(anyShape("today"), anyShape("2017"), (today, old) => {
        ShapeUtil.validateShape(today);
        ShapeUtil.validateShape(old);
      }),
    );
  });

  test.each<[string, Shape, ...(string | number)[]]>([
    ["an invalid type", Shape.invalid(), "Invalid element type."],
    ["an invalid type in a tuple", Shape.tuple([Shape.token(), Shape.invalid()]), "Invalid element type."],
    ["a missing layout", array([2, 3], null), "shape f32[2,3] does not have a layout"],
    ["a scalar without a layout", array([], null), "f32[] does not have a layout"],
    ["a buffer without a layout", Shape.buffer(array([2], null)), "does not have a layout"],
    ["a negative size", array([2, -3], new Layout([1, 0])), "Negative dimension at index 1: -3."],
    ["too many elements", array([2 ** 32, 2 ** 31], new Layout([1, 0]), "s8"), "Dimensions overflow."],
    ["too many elements before a zero", array([2 ** 31, 2 ** 30, 0], new Layout([2, 1, 0])), "Dimensions overflow."],
    ["too many bytes", array([2 ** 51], new Layout([0]), "f64"), "f64[2251799813685248] size may overflow int64_t."],
    [
      "an order with too many entries",
      array([2, 3], new Layout([0, 1, 2])),
      "layout minor_to_major field contains 3 elements, but shape has 2 dimensions: {0,1,2}; shape: f32[2,3]",
    ],
    ["an order with too few entries", array([2, 3], new Layout([0])), "contains 1 elements, but shape has 2 dimensions"],
    ["a dimension that does not exist", array([2, 3], new Layout([0, 2])), "out-of-bounds value 2: {0,2}"],
    ["a negative dimension", array([2, 3], new Layout([-1, 0])), "out-of-bounds value -1"],
    ["a repeated dimension", array([2, 3], new Layout([1, 1])), "duplicate values: 1 repeats"],
    ["an empty tile", array([2, 3], new Layout([1, 0], { tiles: [[2], []] })), "layout has invalid tiles: ()"],
    ["a zero in a tile", array([2, 3], new Layout([1, 0], { tiles: [[2, 0]] })), "layout has invalid tiles: (2,0)"],
    ["a negative element size", array([2], new Layout([0], { elementSizeInBits: -1 })), "element_size_in_bits", -1],
    [
      "a tail padding alignment of 0",
      array([2], new Layout([0], { tailPaddingAlignmentInElements: 0 })),
      "tail_padding_alignment_in_elements",
      0,
    ],
    ["a sparse level", array([2], new Layout([0], { dimLevelTypes: [1] })), "dim_level_types", "{1}"],
    ["too many level types", array([2], new Layout([0], { dimLevelTypes: [0, 0] })), "dim_level_types field contains 2"],
    ["too many ordered flags", array([2], new Layout([0], { dimOrdered: [true, true, true] })), "dim_ordered field contains 3"],
    ["coordinates that are not unique", array([2], new Layout([0], { dimUnique: [false] })), "dim_unique"],
    ["coordinates that are not ordered", array([2], new Layout([0], { dimOrdered: [false] })), "dim_ordered"],
    ["an index type", array([2], new Layout([0], { indexPrimitiveType: PrimitiveType.U32 })), "index_primitive_type", 8],
    ["a pointer type", array([2], new Layout([0], { pointerPrimitiveType: PrimitiveType.U16 })), "pointer_primitive_type", 7],
    ["a physical shape", array([2], new Layout([0], { physicalShape: Shape.tuple([]) })), "physical_shape", "()"],
    [
      "too many padded dimensions",
      array([2, 3], new Layout([0, 1], { paddedDimensions: [3, 5, 1] })),
      "layout has 3 padded dimensions, but shape is rank 2",
    ],
    [
      "a padded dimension below the size",
      array([2, 3], new Layout([0, 1], { paddedDimensions: [3, 2] })),
      "for dimension 1, dimension padding (2) is smaller than the dimension size (3)",
    ],
    [
      "a wrong order of a padded layout, in the words of 2017",
      array([2, 3], new Layout([0], { paddedDimensions: [2, 3] })),
      "but shape is rank 2: {0}",
    ],
    [
      "padded dimensions that overflow",
      array([2, 3], new Layout([0, 1], { paddedDimensions: [2 ** 40, 2 ** 12] })),
      "padded_dimensions overflow: {1099511627776,4096}",
    ],
  ])("refuses %s", (_, shape, ...says) => {
    expectStatus(() => ShapeUtil.validateShape(shape), "INVALID_ARGUMENT", ...says);
    expectStatus(
      () => ShapeUtil.validateShape(Shape.tuple([ShapeUtil.makeShape("s8", [1]), Shape.tuple([shape])])),
      "INVALID_ARGUMENT",
      ...says,
    );
  });

  test("checks all sizes before any layout, in whichever child they are", () => {
    const shape = Shape.tuple([array([2], new Layout([7])), array([-5], new Layout([0]))]);
    expectStatus(() => ShapeUtil.validateShape(shape), "INVALID_ARGUMENT", "Negative dimension at index 0: -5.");
  });

  test("accepts any sizes after a zero, and ignores unbounded dimensions", () => {
    ShapeUtil.validateShape(array([0, 2 ** 31, 2 ** 33], new Layout([2, 1, 0])));
    ShapeUtil.validateShape(array([kUnboundedSize, 2 ** 50], new Layout([1, 0]), "s8"));
  });

  test("accepts the largest arrays", () => {
    ShapeUtil.validateShape(array([2 ** 53 - 1], new Layout([0]), "s8"));
    ShapeUtil.validateShape(array([2 ** 50 - 1], new Layout([0]), "f64"));
  });

  test("an optional layout may be missing, but must be valid if present", () => {
    const good = Shape.tuple([array([2], null), array([2], new Layout([0]))]);
    ShapeUtil.validateShapeWithOptionalLayout(good);
    const bad = Shape.tuple([array([2], null), array([9], new Layout([0, 2, 3]))]);
    expectStatus(() => ShapeUtil.validateShapeWithOptionalLayout(bad), "INVALID_ARGUMENT", "contains 3 elements");
    expectStatus(() => ShapeUtil.validateShapeWithOptionalLayout(array([-1], null)), "INVALID_ARGUMENT", "Negative dimension", -1);
  });

  test("in 2017 a scalar needs no layout; a shape with padding is of 2017", () => {
    const scalar = array([], null);
    const padded = array([2], new Layout([0], { paddedDimensions: [4] }));
    const old: EraOptions = { era: "2017" };
    ShapeUtil.validateShape(scalar, old);
    ShapeUtil.validateShape(Shape.tuple([scalar, padded]));
    expectStatus(() => ShapeUtil.validateShape(Shape.tuple([scalar, padded]), { era: "today" }), "INVALID_ARGUMENT", "f32[]");
    expectStatus(() => ShapeUtil.validateShape(array([2], null), old), "INVALID_ARGUMENT", "f32[2]");
  });
});

test("no layout is valid for a tuple or a token", () => {
  expectStatus(() => LayoutUtil.validateLayoutForShape(new Layout([]), Shape.tuple([])), "INVALID_ARGUMENT", "not valid for tuple shapes");
  expectStatus(() => LayoutUtil.validateLayoutForShape(new Layout([0]), Shape.token()), "INVALID_ARGUMENT", "token[]", "{0}");
});

test("a layout is checked against the given shape, not its original one", () => {
  const { layout } = parseShape("f32[2,3]{0,1}");
  LayoutUtil.validateLayoutForShape(layout!, Shape.array("s8", [9, 9]));
  expectStatus(() => LayoutUtil.validateLayoutForShape(layout!, Shape.array("s8", [9])), "INVALID_ARGUMENT", "s8[9]");
});

test("invalid tiles are refused when they are made", () => {
  expectStatus(() => new Tile([2.5]), "INVALID_ARGUMENT", "entry 0 of a tile", 2.5);
  expectStatus(() => new Tile([-2]), "INVALID_ARGUMENT", -2);
  expectStatus(() => new Layout([0], { tiles: [null as unknown as Tile] }), "INVALID_ARGUMENT", "Expected a Tile", "null");
});
