// Kernels that load after a page has begun: the module that bundlers get in the place of batch/loaded-kernels.ts.
import { expect, test } from "@jest/globals";
import { ready } from "@onebuffer/eigen";
import * as later from "../src/batch/later-kernels.ts";
import { linalgKernels } from "../src/batch/linalg-kernels.ts";
import * as atOnce from "../src/batch/loaded-kernels.ts";

// Bundlers put one module in the place of the other, so both have the same exports.
const same: typeof atOnce = later;

// Loading begins with the module, and has not ended yet.
const first = later.linalgPart.kernels;

test("there are no kernels of linear algebra until they have loaded, for which ready waits", async () => {
  expect(Object.keys(same)).toEqual(Object.keys(atOnce));
  expect(first).toBeNull();
  await ready();
  expect(later.linalgPart.kernels).toBe(linalgKernels);
  expect(atOnce.linalgPart.kernels).toBe(linalgKernels);
});
