// The page of the last night (tools/nightly).
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lastLine, pageText, rowsOf, stepNames, stepsOf } from "../tools/nightly/page-text.mjs";
import { root } from "./source-files.mjs";

test("the last line of a log that says something is shown without colors, paths of the machine and backticks", () => {
  expect(lastLine("one\n\u001b[31mtwo `x`\u001b[0m\n\n  \n")).toBe("two 'x'");
  const separators = ["/", "\\"];
  for (const separator of separators)
    expect(lastLine(`read ${["", "home", "me", "a.txt"].join(separator)} in 2 s\r\n`)).toBe("read … in 2 s");
  expect(lastLine("a".repeat(1000))).toHaveLength(241);
  expect(lastLine("\n")).toBe("");
});

const names = ["ways", "mutation", "xla", "bench"];
const run = { date: "2027-01-31", commit: "abc", machine: "2 × Chip with Node 20", names };
const rowsIn = (page) => page.match(/^\| (?!step).*$/gm);

test("the page has a row per step, also for those that did not run", () => {
  const steps = stepsOf("ways\tpassed\t61\t1\nmutation\tFAILED\t120\t2\nxla\tpassed\t3\t3\n");
  const lines = ["9 of 9 ways | all", "shape 80", "skipped: no JAX"];
  const page = pageText({ ...run, steps: steps.map((step, k) => ({ ...step, line: lines[k] })), earlier: "" });
  expect(page).toContain("2027-01-31, commit abc, on 2 × Chip with Node 20.\n3 of 4 steps ran, 1 of them failed, in 3 minutes.\n");
  expect(rowsIn(page)).toEqual([
    "| ways | passed | 61 | 2027-01-31 | abc | `9 of 9 ways \\| all` |",
    "| mutation | FAILED | 120 | 2027-01-31 | abc | `shape 80` |",
    "| xla | skipped | 3 | 2027-01-31 | abc | `skipped: no JAX` |",
    "| bench | not run |  |  |  |  |",
  ]);
  expect(() => stepsOf("ways\tperhaps\t1\t1\n")).toThrow("is no step");
});

test("a step that did not run keeps its row of the page as it stands", () => {
  const step = (name, verdict, line) => ({ name, verdict, seconds: 5, line });
  const steps = [step("ways", "passed", "a | b"), step("mutation", "FAILED", ""), step("gone", "passed", "c")];
  const earlier = pageText({ ...run, names: ["gone", ...names], steps, earlier: "" });
  const later = { ...run, date: "2027-02-01", commit: "def with changes" };
  const page = pageText({ ...later, steps: [step("mutation", "passed", "shape 90")], earlier });
  expect(page).toContain("2027-02-01, commit def with changes, on 2 × Chip with Node 20.\n1 of 4 steps ran, 0 of them failed, ");
  const rows = [
    "| ways | passed | 5 | 2027-01-31 | abc | `a \\| b` |",
    "| mutation | passed | 5 | 2027-02-01 | def with changes | `shape 90` |",
    "| xla | not run |  |  |  |  |",
    "| bench | not run |  |  |  |  |",
  ];
  expect(rowsIn(page)).toEqual(rows);
  // A third run has nothing of the steps that ran before but their rows.
  const third = pageText({ ...run, date: "2027-02-02", steps: [step("xla", "passed", "skipped: no JAX")], earlier: page });
  rows[2] = "| xla | skipped | 5 | 2027-02-02 | abc | `skipped: no JAX` |";
  expect(rowsIn(third)).toEqual(rows);
});

test("the page in the repository has the steps of .ci/nightly, and each row its run", () => {
  const read = (path) => readFileSync(join(root, path), "utf8");
  const steps = stepNames(read(".ci/nightly"));
  const rows = rowsOf(read("docs/contributing/nightly.md"));
  expect(steps.length).toBeGreaterThan(10);
  expect([...rows.keys()]).toEqual(steps);
  for (const row of rows.values())
    expect(row).toMatch(/\| not run \|(?: {2}\|){4}$|\| \d+ \| \d{4}-\d\d-\d\d \| [\da-f]{10}(?: with changes)? \| /);
});
