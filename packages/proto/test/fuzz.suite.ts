// A short run of the fuzzer (fuzz.ts); `npm run long` runs 10,000 mutants here, and a million with run-fuzz.ts.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { kErrorBranches, fuzz, reportText } from "./fuzz.ts";

test("the list of error branches contains every place where the decoder throws", () => {
  const text = ["wire-reader", "packed-values", "decode-message"]
    .map((name) => readFileSync(new URL(`../src/wire/${name}.js`, import.meta.url), "utf8"))
    .join("\n");
  const count = (pattern: RegExp): number => [...text.matchAll(pattern)].length;
  const beyond = kErrorBranches.filter(([name]) => name.endsWith("beyond its message")).length;
  expect(count(/\.#cutShort\(/g)).toBe(beyond);
  expect(kErrorBranches.filter(([, code]) => code === "DATA_LOSS").length).toBe(beyond);
  // One call of malformed is inside #cutShort. Three errors are constructed directly: in malformed, #cutShort and countObject.
  expect(count(/\.#?malformed\(/g) - 1).toBe(kErrorBranches.length - 2 * beyond - 1);
  expect(count(/new \w+Error\(/g)).toBe(3);
});

/** The seed of the short run is one with which 1,000 mutants take every error branch. */
const [mutants, seed] = process.env["ONEBUFFER_LONG"] === undefined ? [1000, 12] : [10_000, 1];

test(`${mutants} mutants of real messages decode or end in a StatusError, and every error branch is taken`, () => {
  const report = fuzz(mutants, seed);
  const text = reportText(report);
  expect({ text, missed: [...report.branches].filter(([, times]) => times === 0) }).toEqual({ text, missed: [] });
  expect(report.decoded).toBeGreaterThan(report.mutants * 0.05);
  expect(report.amplification).toBeLessThanOrEqual(8);
});
