// Compares docs/xla.md with the code: the operations that StableHLO cannot express, and the units of XLA's functions that interop allows.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { opNames, opTable } from "onebuffer/eigen";
import { xlaPage } from "../packages/expression/tools/operation-rows.mjs";
import { tableOnPage, unsupportedTable } from "../packages/stablehlo/tools/unsupported.mjs";
import { kUnits } from "../tools/interop/xla-units.mjs";
import { root } from "./source-files.mjs";

const page = readFileSync(join(root, "docs/xla.md"), "utf8");

test("the page lists the operations that StableHLO cannot express", () => {
  expect(tableOnPage(page)).toBe(unsupportedTable());
});

test("the units are those of the records (`node packages/expression/tools/operation-rows.mjs` writes them)", () => {
  expect(xlaPage(page)).toBe(page);
});

test("the page lists the units that interop allows XLA's functions", () => {
  const rows = [...page.matchAll(/^\| ((?:`\w+` ?)+) \| (\d+) \| (\d+) \|$/gm)].flatMap(([, names, single, wide]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name, [Number(single), Number(wide)]]),
  );
  expect(Object.fromEntries(rows)).toEqual(kUnits);
  expect(rows.every(([name]) => opNames().includes(name) && opTable[name] !== undefined)).toBe(true);
});
