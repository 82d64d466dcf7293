// Workers that the option `worker` of a ThreadPoolDevice returns: those of node:worker_threads serve it.
import { Worker } from "node:worker_threads";
import { expect, test } from "@jest/globals";
import { ThreadPoolDevice } from "@onebuffer/eigen";
import { arenaMap } from "../kernel/kernel-subjects.ts";
import { bytesOf, divideAll, endSoon, numbers } from "./pool-subjects.ts";

/** A worker of Node that runs a program. */
const nodeWorker = (program: string): Worker => new Worker(program, { eval: true });

/** The program of a worker of Node that serves a pool. */
const kServing = `import(${JSON.stringify(new URL("../../src/device/serve-pool-worker.js", import.meta.url).href)})
  .then(({ servePoolWorker }) => servePoolWorker());`;

/** Resolves to true if a worker takes part in an assignment of a pool within some seconds, and all results are right. */
async function takesPart(pool: ThreadPoolDevice): Promise<boolean> {
  const undo = divideAll();
  const [a, out, expected] = [numbers([8000]), arenaMap("float32", [8000]), arenaMap("float32", [8000])];
  expected.assign(a.exp());
  try {
    for (const end = Date.now() + 20_000; Date.now() < end; ) {
      out.data.fill(0 as never);
      await out.device(pool).assign(a.exp());
      if (!bytesOf(out as never).equals(bytesOf(expected as never))) return false;
      if (pool.jobs.some(({ parts }) => parts.some(({ thread }) => thread > 0))) return true;
    }
    return false;
  } finally {
    undo();
  }
}

test("workers of node:worker_threads serve a pool, and end by themselves when it is disposed", async () => {
  const workers: Worker[] = [];
  const worker = (): Worker => workers[workers.push(nodeWorker(kServing)) - 1]!;
  const pool = new ThreadPoolDevice(3, { worker, recordsJobs: true });
  const codes = workers.map((each) => new Promise((resolve) => each.once("exit", resolve)));
  expect([await pool.ready(), pool.reason]).toEqual([3, null]);
  expect(await takesPart(pool)).toBe(true);
  await pool.dispose();
  expect(await Promise.all(codes)).toEqual([0, 0]);
}, 60_000);

test("a worker of node:worker_threads whose program throws is missing, and the reason has its error", async () => {
  const undo = endSoon();
  const pool = new ThreadPoolDevice(2, { worker: () => nodeWorker("throw new Error('no such file')") });
  expect([await pool.ready(), pool.reason]).toEqual([1, "a worker could not be started: Error: no such file"]);
  await pool.dispose();
  undo();
});
