// The pure parts of the mutation tests (tools/mutation): samples, the list of survivors, scores, and which tests run for a mutant.
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { coverageOf, runsOf } from "../tools/mutation/coverage.mjs";
import { optionsOf } from "../tools/mutation/options.mjs";
import { sampled } from "../tools/mutation/sample.mjs";
import { isMutable, kSubjects, sourceOf } from "../tools/mutation/subjects.mjs";
import { explainedBy, mergeSurvivors, parseSurvivors, scoreOf, survivorsText } from "../tools/mutation/survivors.mjs";
import { root } from "./source-files.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");
const mutant = {
  package: "p",
  file: "a.ts",
  line: 3,
  code: "n > 2;",
  mutator: "EqualityOperator",
  original: "n > 2",
  replacement: "n >= 2",
  reason: "",
};
const explained = { ...mutant, replacement: "n > 1", reason: "n is even" };

test("a seed gives one sample, whose beginning is the smaller sample", () => {
  const items = Array.from({ length: 1000 }, (_, k) => k);
  const sample = sampled(items, 100, 7);
  expect(new Set(sample).size).toBe(100);
  expect(sampled(items, 40, 7)).toEqual(sample.slice(0, 40));
  expect(sampled(items, 100, 8)).not.toEqual(sample);
  expect(sampled(items, 2000, 7).sort((a, b) => a - b)).toEqual(items);
  // Each tenth of the items has its share of a sample.
  for (let k = 0; k < 1000; k += 100)
    expect(sampled(items, 500, k).filter((each) => each >= k && each < k + 100).length).toBeGreaterThan(30);
});

test("the list of survivors is valid, of known packages, and in its order", () => {
  const text = read("tools/mutation/survivors.json");
  const entries = parseSurvivors(text);
  expect(survivorsText(entries)).toBe(text);
  for (const { package: name } of entries) expect(Object.keys(kSubjects)).toContain(name);
});

test("a list is read as it was written, and a wrong one is refused", () => {
  const entries = [mutant, explained, { ...mutant, file: "A.ts" }];
  expect(parseSurvivors(survivorsText(entries))).toEqual([entries[2], mutant, explained]);
  expect(parseSurvivors(survivorsText([]))).toEqual([]);
  expect(() => parseSurvivors("{}")).toThrow("is no array");
  expect(() => parseSurvivors(JSON.stringify([{ ...mutant, line: "3", reason: undefined }]))).toThrow("no valid line, reason");
  expect(() => parseSurvivors(JSON.stringify([mutant, { ...mutant, line: 9 }]))).toThrow("occurs twice");
});

test("a run adds survivors, removes the killed, keeps reasons, and drops entries whose line is gone", () => {
  const moved = { ...explained, line: 8, isKilled: false };
  const added = { ...mutant, replacement: "true", isKilled: false };
  const gone = { ...mutant, code: "n > 3;" };
  const linesOf = (file) => (file === "a.ts" ? ["  n > 2;"] : null);
  const merged = mergeSurvivors(
    [mutant, explained, gone, { ...mutant, file: "b.ts" }],
    [{ ...mutant, isKilled: true }, moved, added],
    linesOf,
  );
  expect(parseSurvivors(survivorsText(merged))).toEqual([
    { ...mutant, replacement: "true" },
    { ...explained, line: 8 },
  ]);
  // What was not tried stays.
  expect(mergeSurvivors([mutant, explained], [], linesOf)).toEqual([mutant, explained]);
});

test("the score is that of the mutants without an explanation, rounded down", () => {
  const isExplained = explainedBy([mutant, explained]);
  const tried = [...[true, true, false].map((isKilled) => ({ ...mutant, isKilled })), { ...explained, isKilled: false }];
  expect(scoreOf(tried, isExplained)).toEqual({ killed: 2, explained: 1, survived: 1, score: 66 });
  expect(scoreOf([], isExplained).score).toBe(100);
});

test("the tests that reach a mutant run, the quickest file first; all of a file if it is reached while loading", () => {
  const answer = (milliseconds, reached, tests, failed = []) => ({ milliseconds, reached, tests, failed });
  const tests = { one: { milliseconds: 10, hits: { 1: 5 } }, two: { milliseconds: 20, hits: { 2: 1 } } };
  const files = [coverageOf("slow", answer(900, { 3: 2 }, tests)), coverageOf("quick", answer(100, {}, tests, ["two"]))];
  expect(runsOf("1", files)).toEqual([
    { path: "quick", names: ["one"], milliseconds: 80, hitLimit: 1500 },
    { path: "slow", names: ["one"], milliseconds: 880, hitLimit: 1500 },
  ]);
  // A test that failed without a mutant shows nothing.
  expect(runsOf("2", files).map(({ path }) => path)).toEqual(["slow"]);
  expect(runsOf("3", files)).toEqual([{ path: "slow", names: null, milliseconds: 900, hitLimit: 1200 }]);
  expect(runsOf("4", files)).toEqual([]);
});

test("subjects are compiled modules that do something", () => {
  const subjectsOf = (path) => (isMutable(path) ? Object.keys(kSubjects).filter((name) => kSubjects[name].sources.test(path)) : []);
  expect(subjectsOf("packages/storage/dist/src/geometry/axis.js")).toEqual(["geometry"]);
  expect(subjectsOf("packages/compiler/dist/src/contraction/contract.js")).toEqual(["contraction"]);
  expect(subjectsOf("packages/io/dist/src/npy/npy-header.js")).toEqual(["io"]);
  for (const none of [
    "io/dist/src/npy/write-npy.js",
    "shape/dist/src/index.js",
    "shape/dist/src/types.d.ts",
    "core/dist/src/generated/a.js",
  ])
    expect(subjectsOf(`packages/${none}`)).toEqual([]);
  expect(sourceOf("packages/io/dist/src/npy/npy-header.js")).toBe("packages/io/src/npy/npy-header.ts");
});

test("options are read, and wrong ones are refused", () => {
  const options = (...args) => optionsOf(args, ["a", "b"], 2);
  expect(options("--packages", "b", "--mutants", "5", "--seed", "0", "--write")).toMatchObject({
    packages: ["b"],
    mutants: 5,
    seed: 0,
    write: true,
  });
  expect(options()).toEqual({ packages: ["a", "b"], mutants: 30, seed: 1, seconds: Infinity, jobs: 2, changed: null, write: false });
  expect(() => options("--packages", "a,c")).toThrow("unknown package c; there are a, b");
  expect(() => options("--mutants", "0")).toThrow("--mutants is 0");
  expect(() => options("--seconds")).toThrow("--seconds is undefined");
  expect(() => options("--all")).toThrow("unknown option --all");
});
