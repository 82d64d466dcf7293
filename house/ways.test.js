// The tools that measure the tests. Every comparison with a threshold is in the table of ways (tools/ways/table.mjs), and the tool finds and notes comparisons as it says.
import { expect, test } from "@jest/globals";
import { instrumented } from "../tools/ways/instrument.mjs";
import { sitesOf } from "../tools/ways/sites.mjs";
import { faultsOfTable } from "../tools/ways/thresholds.mjs";
import { WayCounts } from "../tools/ways/way-counts.mjs";
import "./mistakes.suite.js";
import "./mutation.suite.js";
import "./nightly.suite.js";

test("each comparison with a threshold is in the table, and each entry of the table is a comparison", () => {
  expect(faultsOfTable()).toEqual([]);
});

const thresholdsIn = (text) => sitesOf(text).map(({ threshold }) => threshold);

test("comparisons with named constants and with numbers are found, on either side", () => {
  expect(thresholdsIn("export const f = (n) => n < kSmall || 2 * kLarge <= n || n >= 16 || n > 4 * kWide * m;")).toEqual([
    "kSmall",
    "kLarge",
    "16",
    "kWide",
  ]);
});

test("conditions of loops, refusals and small numbers are no thresholds", () => {
  expect(thresholdsIn("export function f(n) { for (let i = 0; i < kCount; i++) n++; return n > 2; }")).toEqual([]);
  expect(thresholdsIn("export function f(n) { if (n > kMost) throw new Error(); if (n > kMost) fail(n); return n; }")).toEqual([]);
  expect(thresholdsIn("export function f(n) { if (n > kMost) return slow(n); return n; }")).toEqual(["kMost"]);
});

test("an instrumented module has the same values, and notes both ways and the nearest subjects", () => {
  const text = "const kSmall = 8; const f = (n) => (n < kSmall && (n + (n > 4 ? 1 : 0)) <= kSmall ? 1 : 0); f;";
  const counts = new WayCounts();
  const [plain, noted] = [text, instrumented(text, "m")].map((each) =>
    new Function("__way", `return eval(${JSON.stringify(each)})`)(counts.note),
  );
  for (const n of [0, 4, 5, 7, 8, 20]) expect(noted(n)).toBe(plain(n));
  expect([counts.get("m#0"), counts.get("m#1"), counts.get("m#2")]).toEqual([
    [4, 2, 1, 0],
    [4, 0, 0, Infinity],
    [2, 2, 1, 0],
  ]);
});

test("what processes noted is added up, also after it was written as JSON", () => {
  const [all, one] = [new WayCounts(), new WayCounts()];
  one.note("m", 0, 3, 5, "<");
  for (let k = 0; k < 2; k++) all.add(JSON.parse(JSON.stringify(one.entries())));
  expect(all.get("m#0")).toEqual([2, 0, 2, Infinity]);
});
