// A short run of the fuzzer (fuzz.ts) over every reader; `npm run long` runs 2,000 mutants here, and a million with run-fuzz.ts.
import { expect, test } from "@jest/globals";
import { fuzz, reportText } from "./fuzz.ts";
import { targets } from "./targets.ts";

const mutants = process.env["ONEBUFFER_LONG"] === undefined ? 50 : 2000;

test(`${mutants} mutants of files are read or refused with a StatusError, and nothing is held`, async () => {
  const reports = await fuzz(targets, mutants, 1);
  const text = reportText(reports);
  expect({ text, failures: reports.flatMap(({ failures }) => failures) }).toEqual({ text, failures: [] });
  // Few mutants of a compressed file can be read: among fewer than 100 there may be none.
  for (const { name, mutants: tried, read, refused } of reports)
    expect([name, read > 0 || tried < 100, refused.size > 0]).toEqual([name, true, true]);
});
