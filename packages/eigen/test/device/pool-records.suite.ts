// The records of a pool: who ran which part of a job.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ThreadPoolDevice } from "@onebuffer/eigen";
import type { PoolJobRecord } from "@onebuffer/eigen";
import { arenaMap } from "../kernel/kernel-subjects.ts";
import { canShare, divideAll, numbers } from "./pool-subjects.ts";

type Any = ReturnType<typeof JSON.parse>;

let undo: () => void;
let pool: ThreadPoolDevice;

beforeAll(async () => {
  undo = divideAll();
  pool = new ThreadPoolDevice(3, { recordsJobs: true });
  await pool.ready();
}, 60_000);

afterAll(async () => {
  undo();
  await pool.dispose();
}, 60_000);

/** How often each element of a job's loops is in a part: 1 everywhere if the parts cover them without an overlap. */
function coverage({ sizes, parts }: PoolJobRecord): Set<number> {
  const counts = new Uint8Array(sizes.reduce((a, b) => a * b, 1));
  for (const { begin, end } of parts) {
    const visit = (loop: number, at: number): void => {
      if (loop === sizes.length) counts[at]!++;
      else for (let i = begin[loop]!; i < end[loop]!; i++) visit(loop + 1, at * sizes[loop]! + i);
    };
    visit(0, 0);
  }
  return new Set(counts);
}

const kCases: [string, () => Any, PoolJobRecord["by"], readonly number[]][] = [
  [
    "elementwise",
    () =>
      numbers([300, 41])
        .mul(numbers([300, 41], 2))
        .exp(),
    "map",
    [12_300],
  ],
  ["a broadcast", () => numbers([300, 41]).mul(numbers([300, 1], 2)), "map", [300, 41]],
  ["a transpose", () => numbers([256, 128]).transpose(), "tile", [128, 256]],
  ["sums of rows", () => numbers([130, 77]).sum([1]), "rows", [130, 77]],
  ["sums of columns", () => numbers([130, 177]).sum([0]), "columns", [177, 130]],
  ["a long sum in 64 blocks", () => numbers([6400]).sum(), "rows", [64, 100]],
  ["a product", () => numbers([200, 50]).matMul(numbers([50, 90], 5)), "contraction", [200, 90]],
  ["a few large products", () => numbers([2, 150, 20]).matMul(numbers([2, 20, 140], 7)), "contraction", [2, 150, 140]],
  ["many small products", () => numbers([25, 12, 30]).matMul(numbers([25, 30, 17], 7)), "contraction", [25, 12, 17]],
];

test.each(kCases)("%s: the parts cover the loops once", async (_, make, by, sizes) => {
  if (!canShare()) return;
  const expression = make();
  const out = arenaMap("float32", expression.dimensions) as Any;
  await out.device(pool).assign(expression);
  const [job, ...others] = pool.jobs as [PoolJobRecord, ...PoolJobRecord[]];
  expect([job.by, job.sizes, others]).toEqual([by, sizes, []]);
  expect(job.parts.length).toBeGreaterThan(1);
  expect([...coverage(job)]).toEqual([1]);
  for (const { thread, milliseconds } of job.parts) {
    expect([0, 1, 2]).toContain(thread);
    expect(milliseconds).toBeGreaterThanOrEqual(0);
    expect(milliseconds).toBeLessThan(10_000);
  }
});

test("workers record the parts that they ran, with times that fit the whole", async () => {
  if (!canShare()) return;
  const [a, out] = [numbers([500, 500]), arenaMap("float32", [500, 500]) as Any];
  const seen = new Set<number>();
  for (const end = Date.now() + 20_000; Date.now() < end && seen.size < 3; ) {
    const begin = performance.now();
    await out.device(pool).assign(a.erf().exp().tanh());
    const took = performance.now() - begin;
    const busy = [0, 0, 0];
    for (const { thread, milliseconds } of pool.jobs[0]!.parts) {
      seen.add(thread);
      busy[thread]! += milliseconds;
    }
    expect(Math.max(...busy)).toBeGreaterThan(0);
    expect(Math.max(...busy)).toBeLessThanOrEqual(took + 0.1);
  }
  expect([...seen].sort()).toEqual([0, 1, 2]);
});

test("the jobs are those of the latest assignment, one for each kernel", async () => {
  if (!canShare()) return;
  const [a, out] = [numbers([80, 60]), arenaMap("float32", [80]) as Any];
  const expression = a
    .matMul(numbers([60, 70]))
    .softmax()
    .sum([1]) as Any;
  for (let round = 0; round < 2; round++) {
    await out.device(pool).assign(expression);
    expect(pool.jobs.map(({ by }) => by)).toEqual(["contraction", "rows"]);
  }
  await out.device(pool).assign(out.cumsum());
  expect(pool.jobs).toEqual([]);
});

test("without the option, or with one thread, there are no records", async () => {
  const expression = numbers([300, 41]).exp() as Any;
  for (const [threads, options] of [
    [2, {}],
    [1, { recordsJobs: true }],
  ] as const) {
    const other = new ThreadPoolDevice(threads, options);
    await other.ready();
    await (arenaMap("float32", [300, 41]) as Any).device(other).assign(expression);
    expect(other.jobs).toEqual([]);
    await other.dispose();
  }
  expect(() => new ThreadPoolDevice(2, { recordsJobs: 1 } as never)).toThrow("recordsJobs: 1 is not a boolean");
  expect(() => new ThreadPoolDevice(2, { learns: 1 } as never)).toThrow("learns: 1 is not a boolean");
});
