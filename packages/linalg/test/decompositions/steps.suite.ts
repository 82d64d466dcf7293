// assignInSteps: the results of assignTogether, turns of other work in between, progress, and nothing written or kept when it ends early.
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { existingThreadArena } from "@onebuffer/allocator/internal";
import { Tensor } from "@onebuffer/core";
import { assignTogether } from "@onebuffer/eigen";
import type { Assigned } from "@onebuffer/eigen";
import { assignInSteps, eig, eigh, inverse, logm, qr, schur, sqrtm, svd } from "@onebuffer/linalg";
import type { MatrixDType } from "@onebuffer/linalg";
import { isLong } from "@onebuffer/test-support";
import { linearMemory } from "@onebuffer/wasm";
import { scratchMark } from "@onebuffer/kernels/internal";
import { matrixTensor } from "./decomposed.ts";
import { kinds, Numbers } from "./matrix-kinds.ts";

/** Makes time pass at each look at the clock: with 20 milliseconds every step is a turn of its own. */
function ticking(milliseconds: number): void {
  let now = 0;
  jest.spyOn(Date, "now").mockImplementation(() => (now += milliseconds));
}

beforeEach(() => {
  ticking(20);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const matrix = (n: number, dtype: MatrixDType = "float64"): Tensor =>
  matrixTensor(kinds["normal"]!(n, n, dtype, new Numbers(5)), n, n, dtype);

/** Decompositions by name: the parts of one. */
const calls: Readonly<Record<string, (a: never) => readonly unknown[]>> = {
  qr: (a) => Object.values(qr(a)),
  svd: (a) => Object.values(svd(a)),
  eigh: (a) => Object.values(eigh(a)),
  eig: (a) => Object.values(eig(a)),
  schur: (a) => Object.values(schur(a)),
  "sqrtm of a product": (a: never) => [sqrtm((a as { matMul(b: never, options: object): never }).matMul(a, { transposeB: true }))],
  "logm of an orthogonal matrix": (a) => [logm((qr(a).q as { cast(dtype: string): unknown }).cast("complex128") as never)],
};

/** Returns targets for expressions, and pairs of both. */
function targetsOf(parts: readonly unknown[]): { targets: Tensor[]; pairs: Assigned[] } {
  const targets = parts.map((part) => {
    const { dimensions, dtype } = part as { readonly dimensions: readonly number[]; readonly dtype: "float64" };
    return Tensor.zeros([...dimensions], { dtype });
  });
  return { targets, pairs: targets.map((target, k) => [target, parts[k]] as unknown as Assigned) };
}

const bytesOf = (targets: readonly Tensor[]): string[] => targets.map((each) => Buffer.from(each.tensorData).toString("hex"));

/** In the short form the decompositions of float64 have more rows than a block; functions, which use them, have fewer. */
const sizeOf = (name: string, dtype: MatrixDType): number => (isLong ? 70 : dtype === "complex64" ? 9 : name.includes(" ") ? 16 : 34);

test.each(Object.entries(calls))("%s: bits of assignTogether, with growing progress", async (name, partsOf) => {
  // Turns of a few steps: each turn waits for a task. A qr has only a few steps in all.
  if (!isLong && name !== "qr") ticking(4);
  for (const dtype of ["float64", "complex64"] as const) {
    using a = matrix(sizeOf(name, dtype), dtype);
    const parts = partsOf(a.matrix() as never);
    const [at, wanted] = [targetsOf(parts), targetsOf(parts)];
    assignTogether(wanted.pairs);
    const reports: number[] = [];
    let others = 0;
    const other = setInterval(() => others++, 0);
    await assignInSteps(at.pairs, { onProgress: ({ flops, totalFlops }) => reports.push(flops / totalFlops) });
    clearInterval(other);
    expect(bytesOf(at.targets)).toEqual(bytesOf(wanted.targets));
    expect([reports.at(-1), reports.every((each, k) => each >= 0 && (k === 0 || each >= reports[k - 1]!))]).toEqual([1, true]);
    expect(reports.length > 1 && (others > 1 || dtype === "complex64")).toBe(true);
    for (const each of [...at.targets, ...wanted.targets]) each.dispose();
  }
});

const usedBytes = (): unknown => [existingThreadArena()!.allocator.getStats()?.bytesInUse, scratchMark()];

/** Hundreds of runs, each with thousands of turns. */
const kMostMilliseconds = isLong ? 180_000 : 30_000;

/** Hundreds of runs reserve one region more of the linear memory, as bytes that were just freed are not handed out at once. */
const kMostReserved = isLong ? 2 ** 25 : 0;

/** Runs all decompositions until one ends early at some time; `begin` starts the trouble at a time, and returns whether it came. */
async function untilNothingEnds(begin: (time: number) => { readonly options?: object; came(): boolean }, code: string): Promise<void> {
  using a = matrix(isLong ? 20 : 6);
  for (const name of isLong ? Object.keys(calls) : ["svd", "logm of an orthogonal matrix"]) {
    const parts = calls[name]!(a.matrix() as never);
    // Once to its end, so that all memory that it needs is reserved before bytes are counted.
    const first = targetsOf(parts);
    await assignInSteps(first.pairs);
    for (const each of first.targets) each.dispose();
    const { targets, pairs } = targetsOf(parts);
    const before = [usedBytes(), bytesOf(targets)];
    const reserved = linearMemory().reservedBytes;
    let time = 0;
    for (let came = true; came; time += isLong ? 1 : time + 1) {
      const trouble = begin(time);
      const failure: unknown = await assignInSteps(pairs, trouble.options).then(
        () => null,
        (error: unknown) => error,
      );
      came = trouble.came();
      if (came) expect([time, failure, usedBytes(), bytesOf(targets)]).toEqual([time, expect.objectContaining({ code }), ...before]);
      else expect(failure).toBe(null);
    }
    expect(linearMemory().reservedBytes - reserved).toBeLessThanOrEqual(kMostReserved);
    // A qr of 20 rows has only five turns.
    expect(time).toBeGreaterThan(name === "qr" ? 4 : 6);
    for (const each of targets) each.dispose();
  }
}

test(
  "aborted at any turn, nothing is written and no memory is kept",
  async () => {
    await untilNothingEnds((time) => {
      let looks = 0;
      const signal = {
        get aborted() {
          return looks++ >= time;
        },
        reason: "enough",
      };
      return { options: { signal }, came: () => looks > time };
    }, "CANCELLED");
  },
  kMostMilliseconds,
);

test("without memory at any allocation, nothing is written and no memory is kept", async () => {
  jest.spyOn(linearMemory(), "reserve").mockReturnValue(null);
  const arena = existingThreadArena()!.allocator;
  const allocate = arena.allocateRaw.bind(arena);
  let [count, limit] = [0, Infinity];
  jest.spyOn(arena, "allocateRaw").mockImplementation((...request) => (count++ >= limit ? null : allocate(...request)));
  await untilNothingEnds((time) => {
    [count, limit] = [0, time];
    return {
      came: () => {
        const came = count > limit;
        limit = Infinity;
        return came;
      },
    };
  }, "RESOURCE_EXHAUSTED");
});

test("what ends it: invalid elements, a listener's error, a target that is disposed, wrong options", async () => {
  using a = matrix(9);
  using e = Tensor.zeros([9], { dtype: "complex128" });
  const pairs = [[e, eig(a.matrix() as never).e]] as unknown as Assigned[];
  const problem = new Error("enough");
  const throws = (): never => {
    throw problem;
  };
  await expect(assignInSteps(pairs, { onProgress: throws })).rejects.toBe(problem);
  await expect(assignInSteps(pairs, { onProgress: 5 } as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await expect(assignInSteps(pairs, { signals: [] } as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await expect(assignInSteps(5 as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  const gone = Tensor.zeros([9], { dtype: "complex128" });
  const late = assignInSteps([[gone, pairs[0]![1]]] as never);
  gone.dispose();
  await expect(late).rejects.toMatchObject({ code: "FAILED_PRECONDITION" });
  (a.matrix() as unknown as { set(i: number, j: number, value: number): void }).set(3, 3, NaN);
  await expect(assignInSteps(pairs)).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringMatching(/an element is NaN/),
  });
  expect(e.toArray()).toEqual(Array(9).fill([0, 0]));
});

test("an error when targets are written: those that are written already get back what they had", async () => {
  using a = Tensor.from(
    [
      [1, 2],
      [2, 4],
    ],
    { dtype: "float64" },
  );
  using s = Tensor.from([7, 8], { dtype: "float64" });
  using sums = Tensor.from([5, 6], { dtype: "float64" });
  using inverses = Tensor.zeros([2, 2], { dtype: "float64" });
  const late = assignInSteps([
    [s, svd(a.matrix()).s],
    [sums.strided("::-1"), a.matrix().sum(0)],
    [inverses, inverse(a.matrix())],
  ]);
  await expect(late).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringMatching(/not invertible/) });
  expect([s.toArray(), sums.toArray(), inverses.toArray()]).toEqual([
    [7, 8],
    [5, 6],
    [
      [0, 0],
      [0, 0],
    ],
  ]);
});
