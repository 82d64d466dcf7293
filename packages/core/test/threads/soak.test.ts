// Runs the soak program (soak.ts) with one worker until it is terminated, in a separate process: loading the library takes most of the time.
// `npm run long` runs it for a minute with three workers, each of which another one follows.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { builtProgram } from "@onebuffer/test-support";

test("after threads share, receive, slice, rewrite, dispose, drop and end at random, no memory is in use", () => {
  const program = fileURLToPath(builtProgram(new URL("./soak.js", import.meta.url)));
  const seed = Math.floor(Math.random() * 1e6);
  const options = ["--seconds", "0", "--workers", "1", "--received", "10", "--largest", "10000", "--pause", "5", "--seed", String(seed)];
  const done = spawnSync(process.execPath, [program, ...options], {
    encoding: "utf8",
    timeout: 60_000,
  });
  expect(`seed ${seed}: ${done.stderr}`).toBe(`seed ${seed}: `);
  const { isClean, kills, left, reports } = JSON.parse(done.stdout) as {
    isClean: boolean;
    kills: number;
    left: Record<string, number>;
    reports: { received: number }[];
  };
  expect(left).toEqual({ threads: 0, blocks: 0, tickets: 0, bytes: 0, live: 0 });
  expect([isClean, done.status, kills > 0]).toEqual([true, 0, true]);
  // The worker that follows has been started only if too little had happened before.
  expect([1, 2]).toContain(reports.length);
  expect(reports[0]!.received).toBeGreaterThan(10);
}, 90_000);
