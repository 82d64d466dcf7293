// The pure parts of the mutation tests (tools/mutation): samples, the list of survivors, scores, and which tests run for a mutant.
import { describe, expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { coverageOf, runsOf } from "../tools/mutation/coverage.mjs";
import { optionsOf } from "../tools/mutation/options.mjs";
import { sampled } from "../tools/mutation/sample.mjs";
import { isMutable, kSubjects, sourceOf } from "../tools/mutation/subjects.mjs";
import { explainedBy, mergeSurvivors, parseSurvivors, scoreOf, survivorsText } from "../tools/mutation/survivors.mjs";
import { trialsBy } from "../tools/mutation/trial.mjs";
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

test("the line of each survivor is in its file", () => {
  const lines = new Map();
  const linesOf = (file) =>
    lines.get(file) ??
    lines
      .set(
        file,
        new Set(
          read(file)
            .split("\n")
            .map((line) => line.trim()),
        ),
      )
      .get(file);
  const entries = parseSurvivors(read("tools/mutation/survivors.json"));
  expect(entries.filter(({ file, code }) => !linesOf(file).has(code)).map(({ file, line, code }) => `${file}:${line} ${code}`)).toEqual([]);
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

test("the quickest tests that reach a mutant run; all of a file if it is reached while loading", () => {
  const result = (name, milliseconds, hits, isFailed = false) => ({ name, milliseconds, hits, isFailed });
  const asked = (name, milliseconds, hits, isRepeatable = true) => ({ name, milliseconds, hits, isRepeatable });
  const coverage = (path, milliseconds, reached, results, again) =>
    coverageOf(path, { milliseconds, reached, results }, { results: again });
  const slow = coverage(
    "slow",
    900,
    { 3: 2 },
    [result("one", 10, { 1: 5 }), result("two", 20, { 2: 1 })],
    [result("one", 9, {}), result("two", 9, {}, true)],
  );
  const quick = coverage("quick", 100, {}, [result("one", 10, { 1: 5 }), result("two", 20, { 2: 1 }, true), result("three", 4, { 1: 1 })]);
  expect(runsOf(1, [slow, quick])).toMatchObject({
    runs: [
      { path: "quick", tests: [asked("three", 4, 1), asked("one", 10, 5)], isStatic: false, milliseconds: 114 },
      { path: "slow", tests: [asked("one", 10, 5)], isStatic: false, milliseconds: 910 },
    ],
    isAll: true,
  });
  // A test that failed without a mutant shows nothing; one that failed when it was repeated runs in a new opening only.
  expect(runsOf(2, [slow, quick]).runs).toMatchObject([{ path: "slow", tests: [asked("two", 20, 1, false)] }]);
  expect(runsOf(3, [slow, quick]).runs).toMatchObject([
    { path: "slow", tests: [asked("one", 10, 0), asked("two", 20, 0, false)], isStatic: true },
  ]);
  expect(runsOf(4, [slow, quick])).toEqual({ runs: [], isAll: true });
  // Beyond some seconds, the others are left out, but never all.
  const long = coverage("long", 1, {}, [result("a", 4000, { 1: 1 }), result("b", 3000, { 1: 1, 2: 1 }), result("c", 9000, { 3: 1 })]);
  expect(runsOf(1, [long])).toMatchObject({ runs: [{ tests: [{ name: "b" }] }], isAll: false });
  expect(runsOf(3, [long])).toMatchObject({ runs: [{ tests: [{ name: "c" }] }], isAll: true });
});

describe("a mutant is killed only by a failure that can be trusted", () => {
  const asked = (name, hits = 1, isRepeatable = true) => ({ name, hits, isRepeatable, milliseconds: 1 });
  const passed = (hits = 1) => ({ hits, isFailed: false, isOverLimit: false });
  const failed = { hits: 1, isFailed: true, isOverLimit: false };
  const ended = { ended: "process" };

  /** Tries mutant 1 with tests and with answers by what is run: "mutant tests loading". Returns the verdict and what was run. */
  async function trial(tests, isStatic, answers) {
    const runs = [];
    const run = async ({ mutant, tests: wanted, loading }) => {
      const key = `${mutant} ${wanted.map(({ name }) => name)} ${loading}`;
      runs.push(key);
      const answer = answers[key];
      if (answer === undefined) throw new Error(`${key} was not to be run`);
      if (!Array.isArray(answer)) return answer;
      return { error: null, results: answer.map((each, k) => ({ name: wanted[k].name, ...each })) };
    };
    return [await trialsBy({ run, has: () => true })("path").try(1, { tests, loading: 1, isStatic }), runs.length];
  }
  const [a, b] = [asked("a"), asked("b")];

  test.each([
    [
      "a test fails, and passes without the mutant",
      [a, b],
      false,
      { "1 a,b any": [passed(), failed], "null b any": [passed()] },
      "test",
      2,
    ],
    ["a mutant without end", [a], false, { "1 a any": [{ ...failed, isOverLimit: true }], "null a any": [passed()] }, "time", 2],
    ["a process ends", [a], false, { "1 a any": ended }, "time", 1],
    ["all pass", [a, b], false, { "1 a,b any": [passed(), passed()] }, null, 1],
    [
      "what is broken in the opening is not the mutant",
      [a, b],
      false,
      { "1 a,b any": [failed], "null a any": [failed], "1 a,b new": [passed(), passed()] },
      null,
      3,
    ],
    [
      "what the mutant breaks for good is the mutant",
      [a],
      false,
      { "1 a any": [failed], "null a any": [failed], "1 a new": [failed], "null a new": [passed()] },
      "test",
      4,
    ],
    [
      "a test that fails alone shows nothing",
      [a, b],
      false,
      { "1 a,b any": [failed], "null a any": [failed], "1 a,b new": [failed], "null a new": [failed], "1 b new": [passed()] },
      null,
      5,
    ],
    [
      "a test that reached it less often runs anew",
      [asked("a", 10), b],
      false,
      { "1 a,b any": [passed(4), passed()], "1 a new": [passed(4)] },
      null,
      2,
    ],
    [
      "a test that cannot be repeated runs in a new opening",
      [asked("a", 1, false)],
      false,
      { "1 a new": [failed], "null a new": [passed()] },
      "test",
      2,
    ],
    [
      "a mutant that is reached while loading",
      [a],
      true,
      { "1 a any": [passed()], "1 a mutated": [failed], "null a new": [passed()] },
      "test",
      3,
    ],
    [
      "a mutant with which a file cannot be loaded",
      [asked("a", 0)],
      true,
      { "1 a mutated": { error: "it fails", results: [] } },
      "test",
      1,
    ],
  ])("%s", async (_, tests, isStatic, answers, verdict, count) => {
    expect(await trial(tests, isStatic, answers)).toEqual([verdict, count]);
  });
});

test("subjects are compiled modules that do something", () => {
  const subjectsOf = (path) => (isMutable(path) ? Object.keys(kSubjects).filter((name) => kSubjects[name].sources.test(path)) : []);
  expect(subjectsOf("packages/storage/dist/src/geometry/axis.js")).toEqual(["geometry"]);
  expect(subjectsOf("packages/kernels/dist/src/products/contract.js")).toEqual(["contraction"]);
  expect(subjectsOf("packages/compiler/dist/src/contraction/product-loops.js")).toEqual(["contraction"]);
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
