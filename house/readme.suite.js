// README.md: at most three screens, and the figures of the pages that it links to.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withFigures } from "../tools/readme-figures.mjs";
import { root } from "./source-files.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");
const readme = read("README.md");

test("it has at most 120 lines of at most 100 columns", () => {
  const lines = readme.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(120);
  expect(lines.filter((line) => [...line].length > 100)).toEqual([]);
});

test("its figures are those of the pages (`node tools/readme-figures.mjs` writes them)", () => {
  expect(readme).toBe(withFigures(readme, read));
});

test("the rule of tensors, maps and expressions is on the first screen", () => {
  const screen = readme.split("\n").slice(0, 45).join("\n");
  for (const word of ["npm i ./onebuffer-", "**Tensor** *owns*", "**map** is a *view*", "**expression** is a *description*", "lazy"])
    expect(screen).toContain(word);
});
