// A sample of the random trees of tools/random-gradients.mjs, and what the comparison must find.
import { expect, test } from "@jest/globals";
import { checkGradientTrees } from "./check-gradient-trees.ts";

test("the gradients of random trees are those of differences along a direction", () => {
  const { failures, counts } = checkGradientTrees(26, 80);
  expect(failures.map(({ detail, program }) => `${detail}\n${program}`)).toEqual([]);
  expect(counts.agrees).toBeGreaterThan(55);
});
