// ThreadPoolDevice: the same bits for any number of threads, and pools whose workers end.
import { spawnSync } from "node:child_process";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { convolve, DefaultDevice, maxPool, tensorMap, ThreadPoolDevice } from "@onebuffer/eigen";
import type { PoolWorker } from "@onebuffer/eigen";
import { isLong, sampled } from "@onebuffer/test-support";
import { arenaMap } from "../kernel/kernel-subjects.ts";
import { bytesOf, divideAll, endSoon, numbers } from "./pool-subjects.ts";

type Any = ReturnType<typeof JSON.parse>;

/** The numbers of threads of the pools. Each thread loads the library. */
const kThreads = isLong ? [1, 2, 4, 8] : [1, 2, 4];
const pools: ThreadPoolDevice[] = [];
let undo: () => void;

beforeAll(async () => {
  undo = divideAll();
  for (const n of kThreads) pools.push(new ThreadPoolDevice(n, { spinMs: isLong ? 0.1 : 0 }));
  await Promise.all(pools.map((pool) => pool.ready()));
}, 60_000);

afterAll(async () => {
  undo();
  await Promise.all(pools.map((pool) => pool.dispose()));
}, 60_000);

/**
 * Expressions by name. The sums over k of the products have one, two, three and more blocks, also of
 * unequal lengths, and the parts of the larger products have several blocks of rows.
 */
const kCases: [string, () => Any][] = [
  [
    "elementwise",
    () =>
      numbers([300, 41])
        .mul(numbers([300, 41], 2))
        .add(numbers([41], 3))
        .exp(),
  ],
  [
    "a strided operand",
    () =>
      numbers([90, 70])
        .transpose()
        .add(numbers([70, 90])),
  ],
  ["a transpose", () => numbers([257, 129]).transpose()],
  ["short rows with a period", () => numbers([500, 3]).add(numbers([3], 4))],
  [
    "a ramp",
    () =>
      numbers([1000])
        .argmax()
        .cast("float32")
        .add(numbers([1000])),
  ],
  ["sums of rows", () => numbers([130, 77]).sum([1])],
  ["sums of columns", () => numbers([130, 177]).sum([0])],
  ["softmax", () => numbers([64, 100]).softmax()],
  ["variance", () => numbers([64, 100]).variance([0])],
  ["argmax of columns", () => numbers([40, 300]).argmax(0).cast("float32")],
  [
    "a product",
    () =>
      numbers([67, 50])
        .matMul(numbers([50, 45], 5))
        .add(numbers([45], 6)),
  ],
  ["a transposed product", () => numbers([50, 67]).matMul(numbers([45, 50], 5), { transposeA: true, transposeB: true })],
  ...(isLong ? [300, 515, 640, 700] : [300, 700]).map((k): [string, () => Any] => [
    `k = ${k}`,
    () => numbers([isLong ? k : 300, k]).matMul(numbers([k, isLong ? k - 7 : 93], 5)),
  ]),
  ["few rows", () => numbers([11, 300]).matMul(numbers([300, 141], 5))],
  ["a batch of products", () => numbers([12, 20, 30]).matMul(numbers([12, 30, 25], 5))],
  ["an outer batch", () => numbers([3, 5, 33, 20]).matMul(numbers([5, 20, 40], 7))],
  [
    "bytes",
    () =>
      numbers([60, 70])
        .cast("int8")
        .matMul(numbers([70, 50]).cast("int8"), { outputType: "int32" })
        .cast("float32"),
  ],
  [
    "float64",
    () =>
      numbers([60, 530])
        .cast("float64")
        .matMul(numbers([530, 50]).cast("float64"))
        .cast("float32"),
  ],
  ["a convolution", () => convolve(numbers([2, 14, 14, 6]), numbers([3, 3, 6, 17], 8), { padding: "same" } as Any)],
  ["pooling", () => maxPool(numbers([2, 16, 16, 8]) as Any, [2, 2])],
  [
    "several steps",
    () =>
      numbers([80, 60])
        .matMul(numbers([60, 70]))
        .softmax()
        .sum([0]),
  ],
  ["a long sum", () => numbers([5_001]).sum()],
  ["a long mean of squares", () => numbers([1, 123, 61]).square().mean()],
  ["few long columns", () => numbers([900, 4]).max([0])],
  [
    "a long norm",
    () =>
      numbers([3_000])
        .square()
        .sum()
        .sqrt()
        .mul(numbers([10])),
  ],
];

test.each(sampled(kCases, 5))("%s: the same bits with any number of threads", async (name, make) => {
  const expression = make();
  const outs = pools.map(() => arenaMap("float32", expression.dimensions) as Any);
  for (let round = 0; round < (isLong ? 100 : 1); round++) {
    for (const [k, pool] of pools.entries()) {
      outs[k].data.fill(7);
      await outs[k].device(pool).assign(expression);
    }
    for (const out of outs) expect(bytesOf(out).equals(bytesOf(outs[0]))).toBe(true);
  }
  const alone = arenaMap("float32", expression.dimensions) as Any;
  alone.assign(expression);
  if (!/long|columns|variance/.test(name)) expect(bytesOf(outs[1]).equals(bytesOf(alone))).toBe(true);
  const isNear = (value: number, i: number): boolean => Math.abs(outs[1].data[i] - value) <= 1e-6 * (100 + Math.abs(value));
  expect(alone.data.every(isNear)).toBe(true);
});

test("products and chains of any sizes have the bits of one thread", async () => {
  const size = fc.integer({ min: 1, max: 90 });
  const property = fc.asyncProperty(
    size,
    fc.integer({ min: 2, max: 600 }),
    size,
    fc.constantFrom(...pools),
    async (rows, inner, columns, pool) => {
      const [a, b] = [numbers([rows, inner]), numbers([inner, columns], 9)];
      for (const expression of [
        a.matMul(b),
        a.transpose().mul(2).exp(),
        b.softmax(),
        a
          .matMul(b)
          .add(numbers([columns]))
          .max([0]),
      ] as Any[]) {
        const [alone, out] = [arenaMap("float32", expression.dimensions) as Any, arenaMap("float32", expression.dimensions) as Any];
        alone.assign(expression);
        await out.device(pool).assign(expression);
        expect(bytesOf(out).equals(bytesOf(alone))).toBe(true);
      }
    },
  );
  await fc.assert(property, { numRuns: isLong ? 500 : 3 });
});

test("updates in place, targets outside the linear memory, and several assignments", async () => {
  const pool = pools[2]!;
  const [a, expected] = [numbers([5000]), numbers([5000])];
  await a.device(pool).assign(a.mul(a).add(1));
  expected.assign(expected.mul(expected).add(1));
  expect(bytesOf(a).equals(bytesOf(expected))).toBe(true);
  await a.device(pool).assign(a.reverse());
  expected.assign(expected.reverse());
  expect(bytesOf(a).equals(bytesOf(expected))).toBe(true);
  const outside = tensorMap("float32", new Float32Array(5000), [5000]);
  await outside.device(pool).assign(a.sqrt());
  a.device(pool).assignSync(a.sqrt());
  expect(bytesOf(outside).equals(bytesOf(a))).toBe(true);
});

test("an integer division by 0 in a part of a worker is an error", async () => {
  const pool = pools.at(-1)!;
  const [a, out] = [arenaMap("int32", [4000]) as Any, arenaMap("int32", [4000]) as Any];
  a.data.fill(3);
  a.data[3000] = 0;
  await expect(out.device(pool).assign(out.add(9).div(a))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  a.data[3000] = 3;
  await out.device(pool).assign(out.fill(9) ?? out.div(a));
  expect(out.data.every((value: number) => value === 3)).toBe(true);
});

test("wrong options", () => {
  for (const n of [0, 65, 1.5, Number.NaN, "2", 2n]) {
    expect(() => new ThreadPoolDevice(n as number)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  }
  for (const options of [null, 3, { worker: 3 }, { spinMs: -1 }, { recordsJobs: 1 }, { learns: 1 }, { other: 1 }]) {
    expect(() => new ThreadPoolDevice(2, options as never)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  }
});

test("a pool of one thread has no workers; a disposed pool refuses", async () => {
  const pool = new ThreadPoolDevice(1);
  expect([await pool.ready(), pool.numThreads, pool.reason]).toEqual([1, 1, null]);
  await pool.dispose();
  await pool.dispose();
  const out = tensorMap("float32", new Float32Array(1), [1]);
  await expect(out.device(pool).assign(1)).rejects.toMatchObject({ code: "FAILED_PRECONDITION" });
  expect(() => out.device(pool).assignSync(1)).toThrow("ThreadPoolDevice(1) is disposed");
});

/** A worker of the test's own in the place of a pool's: `program` runs with `start`, the shared `words` and `post`. */
function workerOf(program: string): () => PoolWorker {
  return () => {
    const source = `const { parentPort } = require("node:worker_threads");
      parentPort.once("message", (start) => {
        const words = new Int32Array(start.memory.buffer, start.control, start.numWords);
        const post = (message) => parentPort.postMessage(message);
        Atomics.store(words, 16 + start.index, 1);
        post({ ready: true });
        while (Atomics.load(words, 0) === 0 && Atomics.load(words, 1) === 0);
        const claim = () => {
          for (;;) {
            const free = Atomics.load(words, 0) * 256;
            for (let p = 0; p < words[2]; p++) if (Atomics.compareExchange(words, 128 + p, free, free + 16 + start.index) === free) return 128 + p;
            if (Atomics.load(words, 1) !== 0) return 0;
          }
        };
        ${program}
      });`;
    const worker = new Worker(source, { eval: true });
    return Object.defineProperty(
      { postMessage: (m: unknown) => worker.postMessage(m), terminate: () => void worker.terminate() },
      "onmessage",
      {
        set: (listener: (event: { data: unknown }) => void) => worker.on("message", (data: unknown) => listener({ data })),
      },
    );
  };
}

/** Runs `work` with a pool whose one worker runs `program`, until that worker has claimed a part at least once. */
async function withWorker(program: string, work: (pool: ThreadPoolDevice) => Promise<void>): Promise<void> {
  const restore = [divideAll({ sleepMs: 5, lostMs: 30 }), endSoon()];
  const pool = new ThreadPoolDevice(2, { worker: workerOf(program) });
  try {
    await pool.ready();
    await work(pool);
  } finally {
    await pool.dispose();
    for (const undoOne of restore) undoOne();
  }
}

/** A worker of a page whose program the page's policy refuses: it reports an error without a message. */
class RefusedWorker {
  onerror: ((event: object) => void) | null = null;
  postMessage(): void {
    setImmediate(() => this.onerror?.({ type: "error" }));
  }
  terminate(): void {}
}

test("the reason of a pool whose worker did not load names the policy and the option, unless the option made the worker", async () => {
  const { getBuiltinModule } = process;
  const globals = globalThis as { Worker?: unknown };
  const { Worker: before } = globals;
  const pools: ThreadPoolDevice[] = [];
  try {
    globals.Worker = RefusedWorker;
    process.getBuiltinModule = undefined as never;
    pools.push(new ThreadPoolDevice(2), new ThreadPoolDevice(2, { worker: () => new RefusedWorker() }));
    for (const pool of pools) expect(await pool.ready()).toBe(1);
  } finally {
    process.getBuiltinModule = getBuiltinModule;
    globals.Worker = before;
    for (const pool of pools) await pool.dispose();
  }
  const loading = "a worker could not be started: its program could not be loaded";
  const advice = ": a Content-Security-Policy may forbid workers from blobs, the option worker of ThreadPoolDevice starts them from a file";
  expect(pools.map(({ reason }) => reason)).toEqual([loading + advice, loading]);
});

/** Assigns until a worker took part. Returns true if all results were right. */
async function assignOften(pool: ThreadPoolDevice, isSync: boolean): Promise<boolean> {
  const [a, out, expected] = [numbers([8000]), arenaMap("float32", [8000]) as Any, arenaMap("float32", [8000]) as Any];
  expected.assign(a.exp());
  for (let round = 0; round < 12; round++) {
    out.data.fill(0);
    if (isSync) out.device(pool).assignSync(a.exp());
    else await out.device(pool).assign(a.exp());
    if (!bytesOf(out).equals(bytesOf(expected))) return false;
  }
  return true;
}

test.each([false, true])(
  "a worker that never finishes its part is replaced, and the part is computed again (assignSync: %s)",
  async (isSync) => {
    await withWorker("if (claim() !== 0) Atomics.wait(words, 1, 0);", async (pool) => {
      expect(await assignOften(pool, isSync)).toBe(true);
    });
  },
);

test("a pool that is disposed while an assignment waits for a worker finishes the assignment first", async () => {
  await withWorker("if (claim() !== 0) Atomics.wait(words, 1, 0);", async (pool) => {
    const [a, out, expected] = [numbers([30_000]), arenaMap("float32", [30_000]) as Any, arenaMap("float32", [30_000]) as Any];
    expected.assign(a.tanh());
    // Assignments in which the worker gets no part are done at once.
    let isDone = true;
    let done = Promise.resolve();
    for (const end = Date.now() + 20_000; Date.now() < end && isDone; await null) {
      isDone = false;
      out.data.fill(0);
      done = out.device(pool).assign(a.tanh());
      void done.then(() => void (isDone = true));
      for (let turn = 0; turn < 9; turn++) await null;
    }
    expect(isDone).toBe(false);
    await pool.dispose();
    await done;
    expect(bytesOf(out).equals(bytesOf(expected))).toBe(true);
  });
});

test("a worker that throws is replaced, and the part is computed again", async () => {
  const program = `const p = claim();
    Atomics.store(words, p, words[0] * 256 + 3);
    Atomics.notify(words, p);
    Atomics.store(words, 16 + start.index, 2);
    post({ error: "it threw" });`;
  await withWorker(program, async (pool) => {
    expect(await assignOften(pool, false)).toBe(true);
  });
});

test("a worker that ends while it updates a target in place is an error, and the pool goes on", async () => {
  await withWorker("if (claim() !== 0) Atomics.wait(words, 1, 0);", async (pool) => {
    const a = numbers([30_000]);
    let code: string | null = null;
    // The worker claims a part when the machine lets it run.
    for (const end = Date.now() + 20_000; Date.now() < end && code === null; ) {
      await a
        .device(pool)
        .assign(a.tanh())
        .catch((error: unknown) => void (code = isStatusError(error) ? error.code : String(error)));
    }
    expect(code).toBe("DATA_LOSS");
    a.fill(1);
    expect(await assignOften(pool, false)).toBe(true);
  });
});

// Each worker, and each that replaces one, loads the library. Workers that end at each step: worker-deaths.suite.ts.
if (isLong)
  test("workers that are terminated at any time are replaced; a process that used a pool exits by itself", () => {
    const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
    const threads = 3;
    const program = `
      import { tensorMap, ThreadPoolDevice } from ${url("../../src/index.js")};
      import { poolLimits } from ${url("../../src/device/thread-pool.js")};
      Object.assign(poolLimits, { partNs: 1000, leastSpinningNs: 0, leastParkedNs: 0, sleepMs: 5 });
      const workers = [];
      process.on("worker", (worker) => workers.push(worker));
      const pool = new ThreadPoolDevice(${threads});
      console.log(await pool.ready());
      const [x, y] = [0, 1].map(() => tensorMap("float32", new Float32Array(200_000), [200_000]));
      let wrong = 0;
      for (let round = 0; round < 60; round++) {
        void workers[round].terminate();
        for (let k = 0; k < 10; k++) {
          await x.device(pool).assign(y.add(k).exp());
          if (x.at(0) !== x.at(199_999) || x.at(0) !== x.at(150_000) || Math.abs(x.at(0) - Math.exp(k)) > 1e-5 * x.at(0)) wrong++;
        }
        while (workers.length < ${threads} + round) await new Promise((resolve) => setTimeout(resolve, 2));
        await pool.ready();
      }
      console.log(wrong, pool.numThreads, pool.reason);
    `;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
      timeout: 60_000,
    });
    expect([status, stdout, stderr]).toEqual([0, `${threads}\n0 ${threads} null\n`, ""]);
  });

test("products that are long both ways are divided along both, and others along one", async () => {
  for (const [rows, columns] of [
    [530, 520],
    [530, 40],
  ] as const) {
    const e = numbers([rows, 8]).matMul(numbers([8, columns], 5));
    const outs = pools.slice(0, 2).map(() => tensorMap("float32", new Float32Array(rows * columns), [rows, columns]));
    for (const [k, out] of outs.entries()) await out.device(pools[k]!).assign(e);
    expect(bytesOf(outs[1]!).equals(bytesOf(outs[0]!))).toBe(true);
  }
});

test("a DefaultDevice is a device like a pool", () => {
  expect(new DefaultDevice().name).toBe("DefaultDevice");
  expect(pools[1]!.name).toBe("ThreadPoolDevice(2)");
});
