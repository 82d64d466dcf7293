// The stopwatch of tests of speed counts work and not waiting.
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { stopwatch } from "../test-support/dist/src/stopwatch.js";

/** The intervals of which one must be quiet: 8 seconds. */
const kIntervals = 40;

test("the stopwatch counts processor time, and not the time that others use", async () => {
  // The engine's own threads compile, and collect garbage, for what this worker did before: that is processor time of this process. It
  // ends soon, so one of the intervals is quiet.
  let milliseconds;
  let idle = Number.POSITIVE_INFINITY;
  for (let i = 0; i < kIntervals && idle >= 100; i++) {
    milliseconds = stopwatch();
    await wait(200);
    idle = milliseconds();
  }
  expect(idle).toBeLessThan(100);
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < 50_000);
  expect(milliseconds() - idle).toBeGreaterThan(45);
});
