// A sample of the random trees of tools/random-gradients.mjs, and what the comparison must find.
import { expect, test } from "@jest/globals";
import { isLong } from "@onebuffer/test-support";
import { checkGradientTrees } from "./check-gradient-trees.ts";

test("the gradients of random trees are those of differences along a direction", () => {
  const { failures, counts } = checkGradientTrees(26, isLong ? 80 : 12);
  expect(failures.map(({ detail, program }) => `${detail}\n${program}`)).toEqual([]);
  expect(counts.agrees).toBeGreaterThan(isLong ? 55 : 7);
});
