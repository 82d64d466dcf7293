// A worker of a pool ends before or after each step of the protocol: each operation on a shared word, and each message. Results stay right, the
// pool goes on, and its memory is given back. `npm test` has a sample of the steps, `npm run long` all of them.
import { expect, test } from "@jest/globals";
import { Worker } from "node:worker_threads";
import { ThreadPoolDevice } from "@onebuffer/eigen";
import type { PoolWorker } from "@onebuffer/eigen";
import { isLong, sampled } from "@onebuffer/test-support";
import { linearMemory } from "@onebuffer/wasm";
import { PoolCrew } from "../../src/device/pool-crew.js";
import { servePool } from "../../src/device/pool-worker.js";
import type { PoolWorkerStart } from "../../src/device/pool-worker.js";
import { kClaimed, kDone, kFailed, kFree, kNumWords, kOwn, kPartStates, kWorkerStates } from "../../src/device/pool-words.js";
import { arenaMap } from "../kernel/kernel-subjects.ts";
import { bytesOf, divideAll, endSoon, numbers } from "./pool-subjects.ts";

/** The bytes of a pool's words, a multiple of 256. */
const kWordBytes = Math.ceil(kNumWords / 64) * 256;

/** How long a worker may take until it comes to a step, in milliseconds. */
const kLongestMs = 8000;

/** Notes the regions for the words of pools. Returns a function that ends this, and returns how many are still held. */
function heldWords(): () => number {
  const memory = linearMemory() as { reserve: Allocate; release: (offset: number, bytes: number) => void };
  const { reserve, release } = memory;
  const held = new Set<number>();
  memory.reserve = (bytes, ...rest) => {
    const offset = Reflect.apply(reserve, memory, [bytes, ...rest]) as number | null;
    if (bytes === kWordBytes && offset !== null) held.add(offset);
    return offset;
  };
  memory.release = (offset, bytes) => {
    held.delete(offset);
    Reflect.apply(release, memory, [offset, bytes]);
  };
  return () => {
    Object.assign(memory, { reserve, release });
    return held.size;
  };
}

/** The steps of a worker, in the order in which it takes them first: an operation, and the word or the message. */
const kSteps = [
  "store worker",
  "notify worker",
  "post ready",
  "load stop",
  "load job",
  "add parked",
  "wait job",
  "sub parked",
  "load part",
  "compareExchange part",
  "load modules",
  "load age",
  "store part",
  "load waiter",
  "notify part",
  "post ended",
] as const;

/** What a worker does at the step: it ends before it, or just after it. */
const kSides = ["before", "after"] as const;

type Allocate = (bytes: number, ...rest: readonly number[]) => number | null;

interface Death {
  readonly step: string;
  readonly side: (typeof kSides)[number];
  /** True if the host tells that a worker has ended, as Node does; a browser does not. */
  readonly isTold: boolean;
  /** True for a worker of Node as it is; the others are like those of a browser. */
  readonly isNode: boolean;
}

/** The program of a worker that ends at a step: `servePool` over operations that are counted. `steps[0]` becomes 1 when it ends there. */
const programOf = ({ step, side }: Death): string => `
  const { parentPort } = require("node:worker_threads");
  parentPort.once("message", ([start, ended]) => {
    const names = ["job", "stop", "parts", "parked", "modules", "table", "threads", "waiter", "age", "records"];
    const place = (word) => (word < 16 ? names[word] : word < 128 ? "worker" : "part");
    const end = () => {
      Atomics.store(ended, 0, 1);
      process.exit(0);
    };
    const at = (name, act) => {
      if (name === ${JSON.stringify(step)} && ${JSON.stringify(side)} === "before") end();
      // The pool waits for a part that takes this long.
      for (const until = performance.now() + 4; name === "store part" && performance.now() < until; );
      const result = act();
      if (name === ${JSON.stringify(step)}) end();
      return result;
    };
    const own = Atomics;
    const counted = {};
    for (const op of ["load", "store", "add", "sub", "notify", "wait", "compareExchange"])
      counted[op] = (words, word, ...rest) => at(op + " " + place(word), () => own[op](words, word, ...rest));
    const post = (message) => at("post " + Object.keys(message)[0], () => parentPort.postMessage(message));
    new Function("Atomics", "return " + ${JSON.stringify(String(servePool))})(counted)(start, post);
  });`;

/** A maker of workers, the first of which ends at a step, and a word that is 1 once it has. */
function workersWith(death: Death): { make: () => PoolWorker; ended: Int32Array } {
  const ended = new Int32Array(new SharedArrayBuffer(4));
  let made = 0;
  const make = (): PoolWorker => {
    const worker = new Worker(programOf(made++ === 0 ? death : { ...death, step: "" }), { eval: true });
    const post = worker.postMessage.bind(worker);
    if (death.isNode) return Object.assign(worker, { postMessage: (start: unknown) => post([start, ended]) });
    return Object.defineProperties(
      { postMessage: (start: unknown) => worker.postMessage([start, ended]), terminate: () => void worker.terminate() },
      {
        onmessage: {
          set: (listen: (event: { data: unknown }) => void) => void worker.on("message", (data: unknown) => listen({ data })),
        },
        onerror: {
          set: (listen: (event: { message: string }) => void) =>
            void (death.isTold && worker.on("exit", () => listen({ message: "it ended" }))),
        },
      },
    );
  };
  return { make, ended };
}

/** Uses a pool whose first worker ends at a step. Returns what is wrong, null if nothing, and whether the worker has ended there. */
async function faultOf(death: Death): Promise<{ fault: string | null; hasDied: boolean }> {
  // A worker that comes to the end of its work is not terminated before.
  const isLast = death.step === "post ended";
  const undo = [divideAll({ sleepMs: 2, lostMs: 15 }), ...(isLast ? [] : [endSoon()])];
  const { make, ended } = workersWith(death);
  const pool = new ThreadPoolDevice(2, { worker: make, spinMs: 0 });
  const [a, out, expected] = [numbers([8000]), arenaMap("float32", [8000]), arenaMap("float32", [8000])];
  expected.assign(a.exp());
  let fault: string | null = null;
  try {
    await pool.ready();
    // A worker takes part when the machine lets it run: until it has ended, and then a few times more.
    for (let round = 0, until = Date.now() + kLongestMs, left = 6; left > 0 && fault === null; round++) {
      if (isLast || Atomics.load(ended, 0) === 1 || Date.now() > until) left--;
      out.data.fill(0 as never);
      if (round % 2 === 0) await out.device(pool).assign(a.exp());
      else out.device(pool).assignSync(a.exp());
      if (!bytesOf(out as never).equals(bytesOf(expected as never))) fault = `assignment ${round} is wrong`;
      // Of three rounds, a worker parks before one.
      if (round % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 3));
    }
  } catch (error) {
    fault = String(error);
  }
  await pool.dispose();
  for (const undoOne of undo) undoOne();
  return { fault, hasDied: Atomics.load(ended, 0) === 1 };
}

const kHosts = [
  { isTold: true, isNode: false },
  { isTold: false, isNode: false },
  { isTold: true, isNode: true },
];

const kDeaths: readonly Death[] = kHosts.flatMap(({ isTold, isNode }) =>
  kSteps.flatMap((step, k) =>
    kSides
      // A browser whose worker never runs reports an error: it is told. Without that, a worker that is dead before it is ready is one that is slow.
      .filter((side) => isTold || k > 2 || (step === "post ready" && side === "after"))
      .map((side) => ({ step, side, isTold, isNode })),
  ),
);

test.each(sampled(kDeaths, 4))("a worker that ends $side the step $step (told: $isTold, of Node: $isNode)", async (death) => {
  const held = heldWords();
  const { fault, hasDied } = await faultOf(death);
  // A worker that has said that it has ended is terminated, mostly before it can end by itself.
  const isTerminated = death.step === "post ended" && death.side === "after";
  expect([fault, held(), hasDied || isTerminated]).toEqual([null, 0, true]);
});

/** The program of a worker that serves a pool. */
const kServing = programOf({ step: "", side: "before", isTold: true, isNode: true });

/** A pool of two threads, and the workers of Node that it has made. `made` runs for each, with the number of those before. */
function poolOf(made: (worker: Worker, before: number) => void): { pool: ThreadPoolDevice; workers: Worker[] } {
  const workers: Worker[] = [];
  const worker = (): Worker => {
    const next = new Worker(kServing, { eval: true });
    const post = next.postMessage.bind(next);
    next.postMessage = (start: unknown) => post([start, new Int32Array(4)]);
    made(next, workers.push(next) - 1);
    return next;
  };
  return { pool: new ThreadPoolDevice(2, { worker, spinMs: 0 }), workers };
}

test("a worker that is terminated before it is ready is replaced", async () => {
  const { pool, workers } = poolOf((worker, before) => void (before < 2 && worker.terminate()));
  expect([await pool.ready(), pool.reason, workers.length]).toEqual([2, null, 3]);
  await pool.dispose();
});

test("workers that all end before they are ready are tried a few times, and the reason says so", async () => {
  const { pool, workers } = poolOf((worker) => void worker.terminate());
  expect([await pool.ready(), pool.reason, workers.length]).toEqual([1, "a worker could not be started: it ended", 9]);
  await pool.dispose();
});

test("workers that end when they are ready are replaced under the same number, however many they are", async () => {
  const indices: number[] = [];
  const { pool, workers } = poolOf((worker) => {
    const { postMessage } = worker;
    worker.postMessage = (start: PoolWorkerStart) => {
      indices.push(start.index);
      postMessage(start);
    };
  });
  for (let death = 0; death < (isLong ? 200 : 4); death++) {
    await pool.ready();
    await workers.at(-1)!.terminate();
  }
  expect([await pool.ready(), pool.reason, new Set(indices)]).toEqual([2, null, new Set([0])]);
  await pool.dispose();
}, 120_000);

/** A worker without a thread, which is ready at once: one of a browser, or with `on` one of Node. */
function threadless(on?: (event: string, listener: () => void) => void): PoolWorker {
  const worker = {
    onmessage: (_event: object): void => {},
    ...(on === undefined ? {} : { on, ref() {}, unref() {} }),
    postMessage({ memory, control, index }: PoolWorkerStart) {
      Atomics.store(new Int32Array(memory.buffer, control), kWorkerStates + index, 1);
      setImmediate(() => worker.onmessage({}));
    },
    terminate() {},
  };
  return worker as PoolWorker;
}

test("a pool whose workers never certainly ended has no more numbers for workers at last, and says so", async () => {
  const undo = endSoon();
  const crew = new PoolCrew(1, { worker: () => threadless(), spinMs: 0 });
  for (let index = 0; index < kPartStates - kWorkerStates; index++) {
    await crew.ready();
    expect([crew.numThreads, crew.reason]).toEqual([2, null]);
    crew.lose(index);
  }
  expect([crew.numThreads, crew.reason]).toEqual([1, "too many workers ended"]);
  await crew.stop();
  undo();
});

test("the parts that a worker had claimed are cut off when it has ended, before another one gets its number", async () => {
  const exits: (() => void)[] = [];
  const worker = (): PoolWorker => threadless((event, listener) => void (event === "exit" && exits.push(listener)));
  const crew = new PoolCrew(2, { worker, spinMs: 0 });
  const job = 5 * 256;
  const codes = [kClaimed, kClaimed + 1, kDone, kClaimed, kOwn, kFree];
  for (const [part, code] of codes.entries()) crew.words[kPartStates + part] = job + code;
  crew.lose(0);
  expect([crew.hasEnded(0), crew.words[kPartStates]]).toEqual([true, job + kClaimed]);
  exits[0]!();
  crew.lose(1);
  expect([crew.hasEnded(0), crew.hasEnded(1), crew.numThreads]).toEqual([false, true, 3]);
  const cutOff = [kFailed, kClaimed + 1, kDone, kFailed, kOwn, kFree];
  expect([...crew.words.subarray(kPartStates, kPartStates + codes.length)]).toEqual(cutOff.map((code) => job + code));
  const stopped = crew.stop();
  for (const exit of exits) exit();
  await stopped;
});
