// The tools that measure the tests. Every comparison with a threshold is in the table of ways (tools/ways/table.mjs), and the tool finds
// and notes comparisons as it says.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formSiteOf, kFormSites } from "../tools/ways/form-sites.mjs";
import { formCounts, formTable, kForms } from "../tools/ways/forms.mjs";
import { instrumented } from "../tools/ways/instrument.mjs";
import { kLowered, lowered } from "../tools/ways/lowered.mjs";
import { sitesOf } from "../tools/ways/sites.mjs";
import { faultsOfTable } from "../tools/ways/thresholds.mjs";
import { WayCounts } from "../tools/ways/way-counts.mjs";
import { root } from "./source-files.mjs";
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

test("the functions that choose a form are where the tool looks for them, and call it", () => {
  for (const [name, { note }] of Object.entries(kFormSites)) {
    const path = join(root, "packages", name.replace("/", "/dist/src/"));
    expect(instrumented(readFileSync(`${path}.js`, "utf8"), name)).toContain(` ${note}`);
  }
  expect(() => formSiteOf("compiler/run/kernel-cache", "get(other) {")).toThrow("a function that has changed");
});

test("the constants that random trees lower are in their modules", () => {
  for (const [name, constants] of Object.entries(kLowered)) {
    const path = join(root, "packages", `${name.replace("/", "/dist/src/")}.js`);
    const text = lowered(readFileSync(path, "utf8"), name);
    for (const [constant, value] of Object.entries(constants))
      expect(text).toMatch(new RegExp(`^(export )?(const|var) ${constant} = ${value};`, "m"));
  }
  const [name] = Object.keys(kLowered);
  expect(() => lowered("const kOther = 3;", name)).toThrow("has no constant");
  expect(lowered("const kOther = 3;", "another/module")).toBe("const kOther = 3;");
});

test("forms are added up by class, and differences from the table are found", () => {
  const [form] = Object.keys(kForms);
  const counts = formCounts([["exp|new", 2], ["neg|new", 3], ["noOperation|new", 1]]); // biome-ignore format: one line
  expect(counts).toEqual({ new: { unary: 5 } });
  const { differences, summary } = formTable(counts);
  expect(differences).toContain("not in tools/ways/forms.mjs: a unary in the form new");
  expect(differences).toContain(`not taken: a ${kForms[form][0]} in the form ${form}`);
  expect(summary).toMatch(/^0 of \d+ forms$/);
});

test("what processes noted is added up, also after it was written as JSON", () => {
  const [all, one] = [new WayCounts(), new WayCounts()];
  one.note("m", 0, 3, 5, "<");
  for (let k = 0; k < 2; k++) all.add(JSON.parse(JSON.stringify(one.entries())));
  expect(all.get("m#0")).toEqual([2, 0, 2, Infinity]);
});
