// Workers that the option `worker` of a ThreadPoolDevice returns: those of node:worker_threads serve it, and those that do not serve are missing.
import { spawnSync } from "node:child_process";
import { Worker } from "node:worker_threads";
import { expect, test } from "@jest/globals";
import { ThreadPoolDevice } from "@onebuffer/eigen";
import type { PoolWorker } from "@onebuffer/eigen";
import { crewLimits } from "../../src/device/pool-crew.js";
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

/** A worker of a browser that runs a program of Node: the end of its thread is not told. */
function webWorker(program: string): PoolWorker {
  const worker = nodeWorker(program);
  return Object.defineProperty({ postMessage: (m: unknown) => worker.postMessage(m), terminate: () => worker.terminate() }, "onmessage", {
    set: (listen: (event: { data: unknown }) => void) => void worker.on("message", (data: unknown) => listen({ data })),
  });
}

/** Gives workers so many milliseconds to be ready, and little time to end. Returns the function that undoes it. */
function startWithin(milliseconds: number): () => void {
  const { startMs } = crewLimits;
  const undo = endSoon();
  crewLimits.startMs = milliseconds;
  return () => {
    undo();
    crewLimits.startMs = startMs;
  };
}

/** Programs of workers that do not serve. `words` of the start are not written. */
const kJunk: readonly (readonly [string, string])[] = [
  ["is silent", "require('node:worker_threads').parentPort.on('message', () => {});"],
  [
    "posts junk",
    `const { parentPort } = require("node:worker_threads");
    for (const junk of [null, undefined, 3, "ready", [], { ready: 1 }, { ready: true }, { error: null }, { error: { toString: 1 } }])
      parentPort.postMessage(junk);
    parentPort.on("message", () => {});`,
  ],
  ["never comes to its messages", "for (;;);"],
];

test.each([nodeWorker, webWorker].flatMap((make) => kJunk.map(([what, program]) => [make.name, what, make, program] as const)))(
  "a %s that %s is missing after a while",
  async (_name, _what, make, program) => {
    const undo = startWithin(200);
    const pool = new ThreadPoolDevice(2, { worker: () => make(program) });
    expect([pool.numThreads, pool.reason]).toEqual([2, null]);
    expect([await pool.ready(), pool.numThreads]).toEqual([1, 1]);
    expect(pool.reason).toBe("a worker could not be started: it does not answer");
    await pool.dispose();
    undo();
  },
);

test.each<[string, () => unknown]>([
  [
    "throws",
    () => {
      throw new Error("not now");
    },
  ],
  ["is rejected", () => Promise.reject(new Error("not now"))],
])("a worker whose terminate %s is missing after a while", async (_, terminate) => {
  const undo = startWithin(20);
  const pool = new ThreadPoolDevice(2, { worker: () => ({ postMessage: () => {}, terminate }) });
  expect([await pool.ready(), pool.reason]).toEqual([1, "a worker could not be started: it does not answer"]);
  await pool.dispose();
  undo();
});

test("a worker that ends at once is missing, and `ready` does not wait for the time that workers may take", async () => {
  const undo = endSoon();
  const pool = new ThreadPoolDevice(2, { worker: () => nodeWorker("") });
  expect([await pool.ready(), pool.reason]).toEqual([1, "a worker could not be started: it ended"]);
  await pool.dispose();
  undo();
});

test("a worker that writes its state, and posts nothing, is ready after a while", async () => {
  const undo = startWithin(400);
  const program = `require("node:worker_threads").parentPort.on("message", ({ memory, control, index }) =>
    Atomics.store(new Int32Array(memory.buffer, control), 16 + index, 1));`;
  const pool = new ThreadPoolDevice(2, { worker: () => nodeWorker(program) });
  expect([await pool.ready(), pool.reason]).toEqual([2, null]);
  await pool.dispose();
  undo();
});

test("the wait for a worker that does not answer keeps no process alive", () => {
  const program = `
    import { Worker } from "node:worker_threads";
    import { ThreadPoolDevice } from ${JSON.stringify(new URL("../../src/index.js", import.meta.url).href)};
    const worker = () => new Worker("setInterval(() => {}, 1000)", { eval: true });
    new ThreadPoolDevice(2, { worker });
    console.log("done");`;
  const begin = Date.now();
  const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8", timeout: 60_000 });
  expect([status, stdout]).toEqual([0, "done\n"]);
  expect(Date.now() - begin).toBeLessThan(crewLimits.startMs);
});
