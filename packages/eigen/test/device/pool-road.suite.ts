// Undivided assignments of a pool take the road of assignments without a device; a pool whose worker is slow learns not to divide.
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { DefaultDevice, maxPool, ThreadPoolDevice } from "@onebuffer/eigen";
import type { PoolWorker, ThreadPoolOptions } from "@onebuffer/eigen";
import { blockLimits } from "@onebuffer/compiler/src/split/reduce-in-blocks";
import { isLong, sampled } from "@onebuffer/test-support";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { arenaMap } from "../kernel/kernel-subjects.ts";
import { poolLimits } from "../../src/device/thread-pool.js";
import { bytesOf, canShare, divideAll, numbers } from "./pool-subjects.ts";

type Any = ReturnType<typeof JSON.parse>;

let pool: ThreadPoolDevice;
beforeAll(async () => {
  pool = new ThreadPoolDevice(2);
  await pool.ready();
}, 60_000);
afterAll(() => pool.dispose(), 60_000);

const kSmall: [string, () => Any][] = [
  ["an addition", () => numbers([10_000]).add(numbers([10_000], 2))],
  ["a product", () => numbers([32, 32]).matMul(numbers([32, 32], 2))],
  ["sums over axis 0", () => numbers([64, 64]).sum([0])],
  ["softmax", () => numbers([40, 30]).softmax()],
  ["pooling", () => maxPool(numbers([1, 8, 8, 4]) as Any, [2, 2])],
];

// The suites of this file share the limits, and others have set them so that everything is divided. Then an assignment is checked once
// more whenever a worker keeps its part for long. Here nothing is divided.
describe("with workers that get nothing", () => {
  let before: number;
  beforeAll(() => {
    before = poolLimits.leastSpinningNs;
    poolLimits.leastSpinningNs = Number.POSITIVE_INFINITY;
  });
  afterAll(() => void (poolLimits.leastSpinningNs = before));

  test.each(kSmall)("%s that is not divided is neither checked nor planned again", async (_, make) => {
    const first = make();
    const [out, alone] = [0, 1].map(() => arenaMap("float32", first.dimensions) as Any);
    alone.assign(first);
    for (const device of [pool, new DefaultDevice()]) {
      await out.device(device).assign(make());
      await out.device(device).assign(make());
      const places = out.rawPlaces;
      const { planned, runs } = kernelCounts();
      let checks = 0;
      out.rawPlaces = () => {
        checks++;
        return places.call(out);
      };
      // Written anew, and one expression again and again, by both calls.
      const same = make();
      for (let round = 0; round < 4; round++) {
        out.device(device).assignSync(make());
        await out.device(device).assign(same);
      }
      delete out.rawPlaces;
      expect([checks, kernelCounts().planned - planned]).toEqual([0, 0]);
      expect(kernelCounts().runs - runs).toBeGreaterThanOrEqual(8);
      expect(bytesOf(out).equals(bytesOf(alone))).toBe(true);
    }
  });
});

test("a long sum in blocks has a plan of its own, which is kept; without a pool the sum has one block", async () => {
  const before = blockLimits.leastElements;
  blockLimits.leastElements = 5_000;
  try {
    const [x, y] = [numbers([6_400]), numbers([6_400])];
    const [inBlocks, inOne, out] = [0, 1, 2].map(() => arenaMap("float32", []) as Any);
    inBlocks.assign(y.reshape([64, 100]).sum([1]).sum([0]));
    inOne.assign(y.reshape([6_400]).sum());
    const same = x.sum() as Any;
    for (let round = 0; round < 6; round++) {
      const { planned } = kernelCounts();
      // Found by its pattern, by its numbers, and bound to the expression.
      for (const next of [() => x.sum() as Any, () => same]) {
        await out.device(pool).assign(next());
        expect(bytesOf(out).equals(bytesOf(inBlocks))).toBe(true);
        out.assign(next());
        expect(bytesOf(out).equals(bytesOf(inOne))).toBe(true);
      }
      if (round > 0) expect(kernelCounts().planned - planned).toBe(0);
    }
  } finally {
    blockLimits.leastElements = before;
  }
});

/** A worker that keeps each part for a while, and then leaves it undone. It ends when the pool stops, and says so. */
function slowWorker(milliseconds: number): PoolWorker {
  const source = `const { parentPort } = require("node:worker_threads");
    parentPort.once("message", (start) => {
      const words = new Int32Array(start.memory.buffer, start.control, start.numWords);
      Atomics.store(words, 16 + start.index, 1);
      parentPort.postMessage({ ready: true });
      for (let part = 0; Atomics.load(words, 1) === 0; part++) {
        const free = Atomics.load(words, 0) * 256;
        const state = 128 + (part % Math.max(1, words[2]));
        if (Atomics.compareExchange(words, state, free, free + 16 + start.index) !== free) continue;
        Atomics.add(words, 12, 1);
        Atomics.wait(words, 13, 0, ${milliseconds});
        Atomics.store(words, state, free + 3);
        Atomics.notify(words, state);
      }
      Atomics.store(words, 16 + start.index, 3);
    });`;
  const worker = new Worker(source, { eval: true });
  const place = { postMessage: (m: unknown) => worker.postMessage(m), terminate: () => void worker.terminate() };
  return Object.defineProperty(place, "onmessage", {
    set: (listener: (event: { data: unknown }) => void) => worker.on("message", (data: unknown) => listener({ data })),
  }) as unknown as PoolWorker;
}

/**
 * Assigns with a slow worker until 20 assignments in a row were not divided, for at most `rounds` rounds and 20 seconds. Returns true if there
 * was such a row. The worker slows an assignment down only if the machine lets it claim a part, so the number of rounds that this takes varies.
 */
async function isSoonWhole(make: () => Any, rounds: number, options: ThreadPoolOptions = {}): Promise<boolean> {
  const undo = divideAll({ learns: true, partNs: 6_000 });
  const slow = new ThreadPoolDevice(2, { worker: () => slowWorker(2), recordsJobs: true, ...options });
  try {
    await slow.ready();
    const expression = make();
    const [out, alone] = [0, 1].map(() => arenaMap("float32", expression.dimensions) as Any);
    alone.assign(expression);
    const end = Date.now() + 20_000;
    let streak = 0;
    for (let round = 0; round < rounds && streak < 20 && Date.now() < end; round++) {
      await out.device(slow).assign(expression);
      streak = slow.jobs.length > 0 ? 0 : streak + 1;
      expect(bytesOf(out).equals(bytesOf(alone))).toBe(true);
    }
    return streak === 20;
  } finally {
    await slow.dispose();
    undo();
  }
}

const kLearned: readonly (readonly [string, () => Any])[] = [
  ["a function", () => numbers([40_000]).exp()],
  ["a product", () => numbers([96, 96]).matMul(numbers([96, 96], 2))],
  ["sums of rows", () => numbers([900, 300]).sum([1])],
];

test.each(sampled(kLearned, 1))("%s with a slow worker is soon not divided any more, and has the same bits", async (_, make) => {
  if (!canShare()) return;
  expect(await isSoonWhole(make as () => Any, Number.POSITIVE_INFINITY)).toBe(true);
});

test("a pool with learns: false divides the same work at every run, however long that takes; one with learns: true learns", async () => {
  if (!canShare()) return;
  const exp = (): Any => numbers([40_000]).exp();
  expect(await isSoonWhole(exp, 30, { learns: false })).toBe(false);
  if (isLong) expect(await isSoonWhole(exp, Number.POSITIVE_INFINITY, { learns: true })).toBe(true);
});
