// What the properties of the lifetime net have in common: the objects that they hold, the statistics before each began, and how to drop
// tensors and wait until they are reclaimed.
import assert from "node:assert/strict";
import { configureMemory, liveBuffers } from "@onebuffer/allocator";
import { memorySnapshot } from "@onebuffer/allocator/internal";
import { Tensor } from "@onebuffer/core";
import { nextTask, runGc } from "./host.ts";

export const MiB = 1048576;

/** Calls `make` and drops its results. A function of its own, so that no reference stays on the caller's stack. */
export function forget(make: () => unknown, times: number = 1): void {
  for (let i = 0; i < times; i++) make();
}

/** Objects that must stay alive. */
export const held: unknown[] = [];

/** Runs garbage collections and tasks until all dropped tensors are reclaimed. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await nextTask();
    runGc();
    await nextTask();
  }
}

/** Creates the arena, if there is none yet, and waits for the garbage collection that its reserved bytes provoke. */
export async function quiet(): Promise<void> {
  if (memorySnapshot().arena !== null) return;
  Tensor.zeros([1]).dispose();
  await settle();
}

/** Returns a tensor of `size` bytes, all of them `value`. */
export function bytes(size: number, value: number): Tensor {
  return Tensor.full([size], value, { dtype: "uint8" });
}

/** The statistics before the property began. */
export const before = { buffers: 0, bytes: 0, sweeps: 0 };

export function reclaimed(): number {
  return memorySnapshot().reclaimedBuffers - before.buffers;
}

export function sweeps(): number {
  return memorySnapshot().sweeps - before.sweeps;
}

export const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

/** Limits the arena to 8 MiB. This is possible only before the arena exists, so only the first property of a process does it. */
export function inLittleRoom(): void {
  if (memorySnapshot().arena === null) configureMemory({ limit: 8 * MiB });
}

/** Cleans up between two properties of a process: reclaims the tensors of the first, and sets the statistics for the next. */
export async function beginAgain(): Promise<void> {
  held.length = 0;
  if (liveBuffers() > 0) await settle();
  const { reclaimedBuffers, reclaimedBytes, sweeps: swept } = memorySnapshot();
  before.sweeps = swept;
  before.buffers = reclaimedBuffers;
  before.bytes = reclaimedBytes;
  assert.equal(liveBuffers(), 0);
}

/** A property: throws an AssertionError if it does not hold. */
export type Property = () => Promise<void> | void;
