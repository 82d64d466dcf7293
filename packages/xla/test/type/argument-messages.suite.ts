// Messages name the argument that is wrong, and what it has to be.
import { expect, test } from "@jest/globals";
import { commonFactors, composePermutations, IndexUtil, literalToProto, parseShape, permute, permuteInverse } from "@onebuffer/xla";

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
];

test.each(refused)("%s", (_, call, message) => {
  expect(call).toThrow(message);
});
