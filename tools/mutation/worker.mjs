// A process that runs test files over instrumented modules, one after the other: the parts of Jest are loaded once, the library anew by each run.
// A message `{ path, mutant, names, hitLimit }` is answered with what the run found (task.mjs).
import { TestRunner } from "./jest-parts.mjs";
import { beginTask, task } from "./task.mjs";

const runner = await TestRunner.create();

// What a run has left behind must not end the runs after it.
process.on("unhandledRejection", () => {});

process.on("message", async ({ path, mutant, names, hitLimit }) => {
  beginTask(mutant, names === null ? null : new Set(names), hitLimit ?? Infinity);
  const { milliseconds, error } = await runner.run(path);
  const { reached, tests, failed, isKilled, isOverLimit } = task;
  const answer = { milliseconds, error, failed, isKilled: isKilled || error !== null, isOverLimit, heap: process.memoryUsage().rss };
  process.send(mutant === null ? { ...answer, reached, tests } : answer);
});
process.send("ready");
