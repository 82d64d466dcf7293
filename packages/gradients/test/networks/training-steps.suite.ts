// A sample of the steps of training-steps.ts, whose long form is a step of `npm run long`.
import { expect, test } from "@jest/globals";
import { ready } from "@onebuffer/eigen";
import { isLong } from "@onebuffer/test-support";
import { trainingSteps } from "./training-steps.ts";

test("steps of training hold no buffers and plan nothing after the second", async () => {
  await ready();
  const { buffers, planned, compiled, losses } = trainingSteps(isLong ? 120 : 40, 40);
  expect(buffers[1]).toBe(buffers[0]);
  expect([planned, compiled]).toEqual([0, 0]);
  expect(losses[1]).toBeLessThan(losses[0]);
});
