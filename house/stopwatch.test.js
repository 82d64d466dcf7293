// The stopwatch of tests of speed counts work and not waiting.
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { stopwatch } from "../test-support/dist/src/stopwatch.js";

test("the stopwatch counts processor time, and not the time that others use", async () => {
  const milliseconds = stopwatch();
  await wait(400);
  const idle = milliseconds();
  expect(idle).toBeLessThan(200);
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < 50_000);
  expect(milliseconds() - idle).toBeGreaterThan(45);
});
