// A short run of the fuzzer (fuzz.ts) over every reader; `npm run long` runs a million mutants.
import { expect, test } from "@jest/globals";
import { fuzz, reportText } from "./fuzz.ts";
import { targets } from "./targets.ts";

test("2,000 mutants of files are read or refused with a StatusError, and nothing is held", async () => {
  const reports = await fuzz(targets, 2000, 1);
  const text = reportText(reports);
  expect({ text, failures: reports.flatMap(({ failures }) => failures) }).toEqual({ text, failures: [] });
  for (const { name, read, refused } of reports) expect([name, read > 0, refused.size > 0]).toEqual([name, true, true]);
});
