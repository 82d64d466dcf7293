// No test is left out: every suite is imported by a test file, and every test with a long form is part of `npm run long`.
import { expect, test } from "@jest/globals";
import { longTestFiles, testFiles } from "../tools/test-files.mjs";

const files = testFiles();

test("every suite belongs to exactly one test file", () => {
  const suites = files.filter(({ path }) => /\.suite\.[jt]s$/.test(path)).map(({ path }) => path);
  expect(files.flatMap((file) => file.suites).sort()).toEqual(suites.sort());
});

test("longTestFiles finds the tests with a long form, also those in suites", () => {
  const found = longTestFiles();
  expect(found).toEqual(
    expect.arrayContaining(["packages/core/test/threads/share-threads.test.ts", "packages/core/test/ownership.test.ts"]),
  );
  expect(found.every((path) => path.endsWith(".test.ts"))).toBe(true);
  // longTestFiles searches for this exact spelling, so no file may read the variable in another way.
  const asking = files.filter(({ text }) => text.includes("ONEBUFFER_LONG"));
  expect(asking.filter(({ text }) => !text.includes('process.env["ONEBUFFER_LONG"]')).map(({ path }) => path)).toEqual([]);
});
