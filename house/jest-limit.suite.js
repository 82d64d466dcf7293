// No test takes longer than `npm test` can afford (jest-limit.js).
import { spawnSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import { TestLimit } from "../jest-limit.js";

/** Returns a limit of 2,000 ms whose clock is also the time of day. */
const limitOver = (clock) => new TestLimit(clock, 2000, clock);

/** Returns the errors of tests that took these times, in milliseconds. */
function errorsOf(...times) {
  let now = 500;
  const limit = limitOver(() => now);
  return times.map((time) => {
    const errors = [];
    limit.handle({ name: "test_fn_start", test: { errors } });
    now += time;
    limit.handle({ name: "test_fn_success", test: { errors } });
    return errors.map(({ message }) => message);
  });
}

test("a test over the limit gets an error, the ones before and after it do not", () => {
  expect(errorsOf(1999, 2001, 3)).toEqual([[], [expect.stringContaining("took 2001 ms of processor time, more than 2000")], []]);
});

test("a test that fails by itself gets no second error", () => {
  const errors = [];
  let now = 0;
  const limit = limitOver(() => now);
  limit.handle({ name: "test_fn_start", test: { errors } });
  now = 9000;
  limit.handle({ name: "test_fn_failure", test: { errors } });
  expect(errors).toEqual([]);
});

test("tests that run for a short time do not read the clock each", () => {
  let now = 0;
  let readings = 0;
  const limit = new TestLimit(
    () => ++readings,
    2000,
    () => now,
  );
  for (let i = 0; i < 1000; i++) {
    limit.handle({ name: "test_fn_start", test: { errors: [] } });
    now += 0.5;
    limit.handle({ name: "test_fn_success", test: { errors: [] } });
  }
  expect(readings).toBeLessThanOrEqual(25);
});

test("a test is measured from the last reading before it", () => {
  const errors = [];
  let now = 0;
  const limit = limitOver(() => now);
  for (const time of [5, 5, 2001]) {
    limit.handle({ name: "test_fn_start", test: { errors } });
    now += time;
    limit.handle({ name: "test_fn_success", test: { errors } });
  }
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining("took 2011 ms of processor time")]);
});

const isLinux = process.platform === "linux";

test.each([
  [
    "this process",
    (until = process.cpuUsage().user + 60_000) => {
      while (process.cpuUsage().user < until);
    },
  ],
  ...(isLinux
    ? [["a process that it waits for", () => spawnSync(process.execPath, ["-e", "while (process.cpuUsage().user < 150_000);"])]]
    : []),
])("the clock counts the processor time of %s", (_, work) => {
  const errors = [];
  const limit = new TestLimit(undefined, 50);
  limit.handle({ name: "test_fn_start", test: { errors } });
  work();
  limit.handle({ name: "test_fn_success", test: { errors } });
  expect(errors).toHaveLength(1);
});
