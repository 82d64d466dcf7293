// What `npm test` prints: a line per package, failures in full, and one line for skipped tests (tools/test-report.mjs).
import { expect, test } from "@jest/globals";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import TestReport, { themeOf } from "../tools/test-report.mjs";
import { root } from "./source-files.mjs";

/** Runs the reporter over results of test files, and returns what it prints. */
function printed(results, options = {}) {
  let text = "";
  const report = new TestReport({ rootDir: "/r", ...options }, {}, {}, (piece) => {
    text += piece;
  });
  for (const result of results)
    report.onTestResult({}, { testResults: [], perfStats: { runtime: 500 }, ...result }, { numTotalTestSuites: 9 });
  report.onRunComplete();
  return text;
}

const counts = (numPassingTests, numFailingTests = 0, numPendingTests = 0) => ({
  numPassingTests,
  numFailingTests,
  numPendingTests,
  numTodoTests: 0,
});

test("a line per package, with its counts and its promise", () => {
  const text = printed([
    { testFilePath: "/r/packages/shape/dist/test/a.test.js", ...counts(3) },
    { testFilePath: "/r/packages/shape/dist/test/b.test.js", ...counts(4) },
    { testFilePath: "/r/packages/base/dist/test/doc-examples/source.test.js", ...counts(5) },
    { testFilePath: "/r/house/c.test.js", ...counts(1) },
  ]);
  expect(text.trim().split("\n")).toEqual([
    expect.stringMatching(/^kept +shape +7 passed in 2 files, 1\.0 s +a shape is/),
    expect.stringMatching(/^kept +examples +5 passed in 1 file, 0\.5 s/),
    expect.stringMatching(/^kept +house +1 passed/),
  ]);
});

test("failures and other output are printed in full, and their package is FAILED", () => {
  const text = printed([
    {
      testFilePath: "/r/packages/io/dist/test/a.test.js",
      ...counts(3, 1),
      failureMessage: "  ● reads\n\n    the whole message",
      console: [{ message: "a note", origin: "    at a.ts:1" }],
    },
    {
      testFilePath: "/r/packages/xla/dist/test/b.test.js",
      ...counts(0),
      testExecError: new Error("no module"),
      failureMessage: "no module",
    },
  ]);
  expect(text).toContain("FAIL packages/io/dist/test/a.test.js\n  ● reads\n\n    the whole message\n");
  expect(text).toContain("packages/io/dist/test/a.test.js printed: a note\n    at a.ts:1\n");
  expect(text).toMatch(/^FAILED +io +3 passed, 1 failed in 1 file/m);
  expect(text).toMatch(/^FAILED +xla +0 passed, 1 failed in 1 file/m);
});

test("absent files are one line, however many suites miss them", () => {
  const skipped = (name) => ({
    testFilePath: `/r/packages/${name}/dist/test/real-files.test.js`,
    ...counts(1, 0, 40),
    console: [{ message: "skipped: no real files at ../shared", origin: "    at x.ts:1" }],
  });
  const text = printed([skipped("io"), skipped("proto")]);
  expect(text.match(/^skipped:.*$/gm)).toEqual(["skipped: no real files at ../shared"]);
  expect(text).toMatch(/^kept +io +1 passed, 40 skipped in 1 file, 0\.5 s {2,}files are read/m);
});

test("with --verbose, a line per test", () => {
  const testResults = [{ status: "passed", fullName: "adds" }];
  const result = { testFilePath: "/r/house/a.test.js", ...counts(1), testResults };
  expect(printed([result], { verbose: true })).toContain("  passed  adds\n");
  expect(printed([result])).not.toContain("adds");
});

test("every package has a promise", () => {
  for (const name of readdirSync(join(root, "packages"))) {
    const path = join("packages", name, "dist/test/a.test.js");
    expect(themeOf(path)).toBe(name);
    const last = printed([{ testFilePath: `/r/${path}`, ...counts(1) }]).trim();
    expect(last).toMatch(/ s {2,}\w.{10,}$/);
  }
});
