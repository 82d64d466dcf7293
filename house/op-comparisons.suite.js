// Code that asks for the name of an operation must be found and changed for each new one, so there is little of it: what such code wants to know
// is in the operation's record.
import { expect, test } from "@jest/globals";
import { allComparisons, comparisonsOf } from "../tools/op-comparisons.mjs";

const kMost = 40;

test(`the packages compare operations with names at most ${kMost} times`, () => {
  const found = allComparisons();
  const count = found.reduce((sum, [, lines]) => sum + lines.length, 0);
  expect(count > kMost ? found.map(([path, lines]) => `${path}: ${lines.length}`) : []).toEqual([]);
});

test("comparisons are counted in conditions and switches, and not in comments or with other names", () => {
  const text = [
    'if (op === "exp" || node.op !== "sum") return; // op === "exp"',
    'if (op === "another") return;',
    "switch (tree.op) {",
    '  case "exp":',
    '  case "another":',
    "}",
    "switch (kind) {",
    '  case "exp":',
    "}",
  ].join("\n");
  expect(comparisonsOf(text, ["exp", "sum"]).map(({ number }) => number)).toEqual([1, 1, 4]);
});
