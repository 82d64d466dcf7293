// Compares docs/gradients.md with the rules of gradients: a line for each operation, and the operations that have none.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { opNames, opTable } from "onebuffer/eigen";
import { hasGradient } from "@onebuffer/expression/internal";
import { operationRecords } from "../packages/expression/tools/generate-operations.mjs";
import { gradientLines } from "../packages/expression/tools/gradient-lines.mjs";
import { gradientsPage } from "../packages/expression/tools/operation-rows.mjs";
import { root } from "./source-files.mjs";

const page = readFileSync(join(root, "docs/gradients.md"), "utf8");
const { records, whole } = await operationRecords();
const lines = await gradientLines(records, whole);
const withOperands = opNames().filter((op) => opTable[op].arity !== 0);

test("each operation with operands has a line, which is none exactly if it has no gradient", () => {
  expect(Object.keys(lines).sort()).toEqual([...withOperands].sort());
  for (const [op, line] of Object.entries(lines)) expect({ op, none: line === "none" }).toEqual({ op, none: !hasGradient({ op }) });
});

test("lines of elementwise operations are their rules", () => {
  const { add, sub, div, sqrt, tanh, maximum, sign, asin } = lines;
  expect({ add, sub, div, sqrt, tanh, maximum, sign, asin }).toEqual({
    add: "`g` for both",
    sub: "x: `g`; z: `-g`",
    div: "x: `g / z`; z: `-(g / z * y)`",
    sqrt: "`g * 0.5 / y`",
    tanh: "`g - g * y ** 2`",
    maximum: "x: `x >= z ? g : 0`; z: `x >= z ? 0 : g`",
    sign: "0; of complex numbers `abs(x) == 0 ? 0 : (g - y * real(conj(y) * g)) / abs(x)`",
    asin: "`g * rsqrt(-x ** 2 + 1)`",
  });
});

test("the rows of docs/gradients.md are those of the rules (`node packages/expression/tools/operation-rows.mjs` writes them)", () => {
  expect(gradientsPage(page)).toBe(page);
  expect(gradientsPage(page.replace("`g / x`", "`g * x`"))).toBe(page);
});

test("docs/gradients.md lists the operations without a gradient", () => {
  const [, listed] = page.split("<!-- operations without a gradient -->");
  const none = withOperands.filter((op) => !hasGradient({ op }));
  expect([...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(none);
});
