// Compares docs/gradients.md with the rules of gradients: the operations that have none.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { opNames, opTable } from "onebuffer/eigen";
import { hasGradient } from "@onebuffer/expression/internal";
import { root } from "./source-files.mjs";

test("docs/gradients.md lists the operations without a gradient", () => {
  const [, listed] = readFileSync(join(root, "docs/gradients.md"), "utf8").split("<!-- operations without a gradient -->");
  const none = opNames().filter((op) => opTable[op].arity !== 0 && !hasGradient(op));
  expect([...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(none);
});
