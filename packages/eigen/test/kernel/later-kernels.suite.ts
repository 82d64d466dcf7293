// Kernels that load after a page has begun: the module that bundlers get in the place of assign/loaded-kernels.ts.
import { expect, test } from "@jest/globals";
import { constant, ready, tensorMap } from "@onebuffer/eigen";
import { kernelCounts } from "@onebuffer/eigen/internal";
import * as later from "../../src/assign/later-kernels.ts";
import * as atOnce from "../../src/assign/loaded-kernels.ts";
import { kernels } from "../../src/kernel/run/kernels.ts";

// Bundlers put one module in the place of the other, so both have the same functions.
const same: typeof atOnce = later;

test("there are no kernels until they have loaded; all calls wait for one load", async () => {
  expect(Object.keys(same).sort()).toEqual(Object.keys(atOnce).sort());
  expect(later.loadedKernels()).toBeNull();
  later.prefetchKernels();
  const loading = later.loadKernels();
  expect(later.loadKernels()).toBe(loading);
  expect(later.loadedKernels()).toBeNull();
  await loading;
  expect(later.loadedKernels()).toBe(kernels);
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
