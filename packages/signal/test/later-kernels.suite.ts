// Kernels that load after a page has begun: the module that bundlers get in the place of kernels/loaded-kernels.ts.
import { expect, test } from "@jest/globals";
import { ready } from "@onebuffer/eigen";
import * as later from "../src/kernels/later-kernels.ts";
import * as atOnce from "../src/kernels/loaded-kernels.ts";
import { signalKernels } from "../src/kernels/signal-kernels.ts";

// Bundlers put one module in the place of the other, so both have the same exports.
const same: typeof atOnce = later;

// Loading begins with the module, and has not ended yet.
const first = later.signalPart.kernels;

test("there are no kernels of transforms until they have loaded, for which ready waits", async () => {
  expect(Object.keys(same)).toEqual(Object.keys(atOnce));
  expect(first).toBeNull();
  await ready();
  expect(later.signalPart.kernels).toBe(signalKernels);
  expect(atOnce.signalPart.kernels).toBe(signalKernels);
});
