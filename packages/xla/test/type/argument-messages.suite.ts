// Messages name the argument that is wrong, and what it has to be.
import { expect, test } from "@jest/globals";
import {
  commonFactors,
  composePermutations,
  IndexUtil,
  inversePermutation,
  isIdentityPermutation,
  isPermutation,
  Layout,
  layoutFromProto,
  layoutToProto,
  LayoutUtil,
  literalToProto,
  parseShape,
  permute,
  permuteInverse,
  Shape,
  ShapeUtil,
  SplitConfig,
} from "@onebuffer/xla";

/** The calls of these tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

const refused: readonly [string, () => unknown, RegExp][] = [
  ["compareIndices", () => IndexUtil.compareIndices(["x"] as Any, [0]), /numbers in a\b.*"x"/],
  ["compareIndices, of another length", () => IndexUtil.compareIndices([0], [0, 2]), /\{0\} and \{0,2\}: the lengths differ/],
  ["commonFactors, first list", () => commonFactors("6" as Any, [6]), /\ba as a list of numbers.*"6"/],
  ["commonFactors, second list", () => commonFactors([6], [null] as Any), /numbers in b\b.*null/],
  ["permute", () => permute([7, 8], ["x", 0] as Any), /numbers in permutation\b.*"x"/],
  ["permuteInverse", () => permuteInverse([7, 8], ["x", 0] as Any), /numbers in permutation\b.*"x"/],
  ["permuteInverse, an entry twice", () => permuteInverse([7, 8], [0, 0]), /permutation/],
  ["composePermutations", () => composePermutations([0, 0], [0, 1]), /\{0,0\}/],
  [
    "a literal of a list",
    () => literalToProto({ shape: parseShape("f32[2]"), data: [1, 2] as Any, tupleLiterals: [] }),
    /Float32Array of length 2, got an array of 2 of length 2/,
  ],
  [
    "a literal of a number",
    () => literalToProto({ shape: parseShape("f32[2]"), data: 5 as Any, tupleLiterals: [] }),
    /Float32Array of length 2, got 5 of length 0/,
  ],
  ["makeDescendingLayout", () => LayoutUtil.makeDescendingLayout("2" as Any), /rank\b.*"2"/],
  ["getDefaultLayoutForRank", () => LayoutUtil.getDefaultLayoutForRank("2" as Any), /rank\b.*"2"/],
  ["makeAscendingLayout", () => LayoutUtil.makeAscendingLayout("2" as Any), /rank\b.*"2"/],
  ["isIdentityPermutation", () => isIdentityPermutation("x" as Any), /permutation as a list of numbers.*"x"/],
  ["inversePermutation", () => inversePermutation("x" as Any), /permutation as a list of numbers.*"x"/],
  ["isPermutation", () => isPermutation("x" as Any), /permutation as a list of numbers.*"x"/],
  [
    "a shape by its constructor, with a text as its type",
    () => new (Shape as Any)("f32", [], [], null, [], null),
    /to make shapes, not its constructor/,
  ],
  [
    "a shape by its constructor, without sizes",
    () => new (Shape as Any)(11, null, [], null, [], null),
    /to make shapes, not its constructor/,
  ],
  [
    "a shape by its constructor, without children",
    () => new (Shape as Any)(11, [], [], null, null, null),
    /to make shapes, not its constructor/,
  ],
  ["a shape by its constructor, with a number as a buffer's", () => new (Shape as Any)(11, [], [], null, [], 7), /a Shape\b.*7/],
  ["dynamic dimensions", () => Shape.array("f32", [2], { dynamicDimensions: 7 as Any }), /dynamic dimensions.*7/],
  ["a split config", () => new SplitConfig(0, [1]).equals(null as Any), /a SplitConfig.*null/],
  ["the tiles of a message", () => layoutFromProto({ tiles: 7 } as Any), /tiles\b/],
  ["the sizes of new dimensions", () => ShapeUtil.appendMinorDimension(7.5, parseShape("f32[2]{0}")), /the sizes of new dimensions/],
  ["options of equal", () => ShapeUtil.equal(parseShape("f32[2]"), parseShape("f32[2]"), 7 as Any), /options\b.*7/],
  ["byteStrides of a tuple", () => ShapeUtil.byteStrides(Shape.tuple([])), /ByteStrides/],
  ["the dimension of a split", () => parseShape("f32[9]{0:SC(x)}"), /the dimension of a split/],
  ["a layout", () => layoutToProto(undefined as Any), /a Layout\b.*undefined/],
  ["a layout of a number", () => layoutToProto(7 as Any), /a Layout\b.*7/],
  [
    "a tail alignment of 0",
    () => ShapeUtil.arraySize(Shape.array("f32", [2], { layout: new Layout([0], { tiles: [[2]], tailPaddingAlignmentInElements: 0 }) })),
    /tail_padding_alignment_in_elements 0 is not positive/,
  ],
  [
    "a negative element size",
    () => ShapeUtil.arraySize(Shape.array("f32", [2], { layout: new Layout([0], { elementSizeInBits: -8 }) })),
    /element_size_in_bits -8 of f32\[2\] is negative/,
  ],
];

test.each(refused)("%s", (_, call, message) => {
  expect(call).toThrow(message);
});
