// Kernels that load after a page has begun: the module that bundlers get in the place of assign/loaded-kernels.ts.
import { expect, jest, test } from "@jest/globals";
import { constant, ready, tensorMap } from "@onebuffer/eigen";
import { evaluateEarly } from "../../src/assign/evaluate-early.ts";
import * as later from "../../src/assign/later-kernels.ts";
import { kernelOfPart, laterPart, prefetched } from "../../src/assign/later-part.ts";
import * as atOnce from "../../src/assign/loaded-kernels.ts";
import type { CustomKernel } from "@onebuffer/expression/internal";
import { checkAssignment } from "@onebuffer/evaluator/src/assignable";
import { kernels } from "@onebuffer/compiler/src/kernels";
import { kernelCounts, setKernelHooks } from "@onebuffer/kernels/internal";

// Bundlers put one module in the place of the other, so both have the same functions.
const same: typeof atOnce = later;

test("there are no kernels until they have loaded, for which ready waits", async () => {
  expect(Object.keys(same).sort()).toEqual(Object.keys(atOnce).sort());
  expect(later.loadedKernels()).toBeNull();
  later.prefetchKernels();
  const loading = ready();
  expect(later.loadedKernels()).toBeNull();
  await loading;
  expect(later.loadedKernels()).toBe(kernels);
});

test("all calls wait for one load; after one that failed the next call loads again", async () => {
  const results = [Promise.reject(new Error("offline")), Promise.resolve({ answer: 42 })];
  const part = laterPart(() => results.shift()!);
  const loading = part.load();
  expect(part.load()).toBe(loading);
  await expect(loading).rejects.toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("offline") });
  expect(part.kernels).toBeNull();
  prefetched(part);
  await ready();
  expect(part.kernels).toEqual({ answer: 42 });
  expect(results).toEqual([]);
});

test("the kernel of an operation is made once, when its part has loaded; before, the evaluator computes", async () => {
  const made: string[] = [];
  const part = laterPart(() => Promise.resolve("loaded"));
  const make = (kernels: string): CustomKernel | null => {
    made.push(kernels);
    return (target) => target > 0;
  };
  const [kernel, refused] = [kernelOfPart(part, make), kernelOfPart(part, () => null)];
  expect([kernel!(1, []), refused!(1, []), made]).toEqual([false, false, []]);
  await part.load();
  expect([kernel!(1, []), kernel!(0, []), refused!(1, []), made]).toEqual([true, false, false, ["loaded"]]);
  expect([kernelOfPart(part, make)!(1, []), kernelOfPart(part, () => null)]).toEqual([true, null]);
});

test("elsewhere the kernels are there at once, and ready resolves", async () => {
  expect(atOnce.loadedKernels()).toBe(kernels);
  atOnce.prefetchKernels();
  expect(await ready()).toBeUndefined();
  const { runs } = kernelCounts();
  const out = tensorMap("float32", new Float32Array(2), [2]);
  out.assign(constant("float32", 3).square());
  expect(out.toArray()).toEqual([9, 9]);
  expect(kernelCounts().runs).toBe(runs + 1);
});

test("what is computed without kernels is right, reported once, and after 200 ms the console says what to do", () => {
  const reasons: string[] = [];
  const before = setKernelHooks({ onFallback: (reason) => reasons.push(reason) });
  try {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    let now = 0;
    jest.spyOn(performance, "now").mockImplementation(() => (now += 90));
    const out = tensorMap("float32", new Float32Array(2), [2]);
    const early = (value: number): number[] => {
      evaluateEarly(checkAssignment(out as never, constant("float32", value).square() as never, null));
      return Array.from(out.data);
    };
    expect([early(2), early(3), warn.mock.calls.length]).toEqual([[4, 4], [9, 9], 0]);
    expect([early(4), early(5)]).toEqual([
      [16, 16],
      [25, 25],
    ]);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^onebuffer: 270 ms of assignments without kernels.*`await ready\(\)`/)]]);
    expect(reasons).toEqual(["the kernels have not been loaded yet"]);
  } finally {
    jest.restoreAllMocks();
    setKernelHooks(before);
  }
});
