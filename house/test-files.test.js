// Nothing that is written as a test is left out: every suite has its test file, and every long form its step in `npm run long`.
import { expect, test } from "@jest/globals";
import { longTestFiles, testFiles } from "../tools/test-files.mjs";

const files = testFiles();

test("every suite belongs to exactly one test file", () => {
  const suites = files.filter(({ path }) => path.endsWith(".suite.ts")).map(({ path }) => path);
  expect(files.flatMap((file) => file.suites).sort()).toEqual(suites.sort());
});

test("what has a long form is found, by itself or in a suite", () => {
  const found = longTestFiles();
  expect(found).toEqual(
    expect.arrayContaining(["packages/core/test/threads/share-threads.test.ts", "packages/core/test/ownership.test.ts"]),
  );
  expect(found.every((path) => path.endsWith(".test.ts"))).toBe(true);
  // Another way of asking for it would not be found.
  const asking = files.filter(({ text }) => text.includes("ONEBUFFER_LONG"));
  expect(asking.filter(({ text }) => !text.includes('process.env["ONEBUFFER_LONG"]')).map(({ path }) => path)).toEqual([]);
});
