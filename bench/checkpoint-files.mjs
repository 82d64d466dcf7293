// A checkpoint of 1 GiB in a temporary folder: 64 tensors of 16 MiB, the same for every library.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const kTensors = 64;
export const kTensorElements = 4 << 20;
export const kIndexEntries = 6000;

/** The key of entry `i` of the long index. */
export const keyOf = (i) => `model/very/long/scope/name/for/block_${i}/kernel/.ATTRIBUTES/VARIABLE_VALUE`;

/** Runs `act` with a temporary folder and removes it. */
export async function inFolder(act) {
  const folder = mkdtempSync(join(tmpdir(), "onebuffer-bench-"));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the time that `act` takes, in ns. */
export async function timeOf(act) {
  const before = performance.now();
  await act();
  return (performance.now() - before) * 1e6;
}
