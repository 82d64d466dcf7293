// Random products of matrices, compared with the evaluator: operands that are maps, views, joins by reshapes, tiles, repeats, windows,
// computed or outside the linear memory, with batches of 0 to 3 axes and sizes on both sides of every threshold. 6 here, 60 and 20,000 of a new
// seed in `npm run long`, and thousands against NumPy in `npm run interop`. A failure is reported as a program that reproduces it.
import { expect, test } from "@jest/globals";
import { explain } from "@onebuffer/compiler/internal";
import { isLong } from "@onebuffer/test-support";
import { buildTree } from "../random-trees/build-tree.ts";
import { checkTrees } from "../random-trees/check-trees.ts";
import { printTree } from "../random-trees/print-tree.ts";
import { growProduct } from "./grow-product.ts";
import { bothSides, kThresholds } from "./product-thresholds.ts";

const kSeed = 24;
/** `npm run ways` needs more of them than `npm test`: there some way would not be taken. */
const kProducts = isLong ? 20 : process.env["ONEBUFFER_WAYS"] === undefined ? 2 : 8;

test.each([0, 1, 2])(`${kProducts} random products have the same result by every way of evaluation, part %d`, (part) => {
  const { failures, compared } = checkTrees(kSeed, kProducts, undefined, part * kProducts, growProduct);
  expect(failures.map(({ index, disagreement: { who, detail }, program }) => `product ${index}, ${who}: ${detail}\n${program}`)).toEqual(
    [],
  );
  expect(compared.unknown).toBeLessThan(0.2 * (compared.exact + compared.bounded));
});

test("two adjacent products have the same sizes and dtypes, and other leaves", () => {
  const text = (index: number): string => {
    const { operands } = buildTree(growProduct(kSeed, index));
    return operands.map(({ dtype, dimensions }) => `${dtype} [${dimensions}]`).join("; ");
  };
  for (let index = 0; index < (isLong ? 40 : 4); index += 2) expect(text(index + 1)).toBe(text(index));
  expect(printTree(growProduct(kSeed, 1))).not.toBe(printTree(growProduct(kSeed, 0)));
});

/** The ways in which steps are computed, all of which the first products take. */
const kWays = ["contraction", "rows", "columns", "map"];

// `npm run long` finds all sizes, which takes thousands of products. Most of them are among the first ones.
test("the random products have sizes on both sides of every threshold, and take every way", () => {
  const missing = new Map((["rows", "columns", "inner"] as const).map((name) => [name, new Set(bothSides(kThresholds[name]))]));
  const ways = new Set<string>();
  const isDone = (): boolean => [...missing.values()].every(({ size }) => size === 0);
  for (let index = 0; index < (isLong ? 20_000 : 80) && !isDone(); index += 2) {
    const { root, operands } = buildTree(growProduct(kSeed, index));
    if (isLong ? index < 100 : index < 30 && !kWays.every((way) => ways.has(way))) for (const { by } of explain(root).steps) ways.add(by);
    for (const node of operands) {
      if (node.op !== "matMul") continue;
      const [rows, columns] = node.dimensions.slice(-2);
      missing.get("rows")!.delete(rows);
      missing.get("columns")!.delete(columns);
      missing.get("inner")!.delete(node.inputs[0].dimensions.at(node.attributes.transposeA ? -2 : -1));
    }
  }
  if (isLong) expect([...missing].map(([name, left]) => [name, [...left]])).toEqual([["rows", []], ["columns", []], ["inner", []]]); // biome-ignore format: one line
  for (const [name, left] of missing) expect(left.size).toBeLessThan(bothSides(kThresholds[name]).length / 2);
  for (const way of kWays) expect([...ways]).toContain(way);
});
