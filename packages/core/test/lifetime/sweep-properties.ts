// Properties of the lifetime net: the reasons for a sweep, and the errors of a full arena that no sweep helps.
import assert from "node:assert/strict";
import os from "node:os";
import v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { isStatusError } from "@onebuffer/base";
import { configureMemory, liveBuffers, reclaim } from "@onebuffer/allocator";
import { memorySnapshot } from "@onebuffer/allocator/internal";
import { Tensor } from "@onebuffer/core";
import { nextTask, runGc } from "./host.ts";
import { MiB, forget, held, bytes, reclaimed, sweeps, isLong, inLittleRoom } from "./property-state.ts";
import type { Property } from "./property-state.ts";

/** Tensors of 1 MiB that a loop drops: more than the 4,096 that fill the linear memory. */
const kDropped = isLong ? 10_000 : 4500;

/** One-element tensors of one sweep and some more: a sweep is due, or the host is asked for its memory, at 131,072. */
const kOneSweep = isLong ? 200_000 : 140_000;

/** The sweeps that tests of many one-element tensors wait for. */
const kSweeps = isLong ? 2 : 1;

/** Runs `act` as on a machine or in a container with the given memory, in the default mode of sweeps. */
function withMemory(host: { total?: number; container?: number | undefined; heap?: number }, act: () => void): void {
  const { total = 2 ** 40, container = 0, heap = 2 ** 40 } = host;
  const { totalmem } = os;
  const { constrainedMemory } = process;
  const { getHeapStatistics } = v8;
  os.totalmem = () => total;
  process.constrainedMemory = () => container;
  v8.getHeapStatistics = () => ({ ...getHeapStatistics(), heap_size_limit: heap });
  // Resets the sweep policy, so that it asks the host for its memory again.
  configureMemory({ sweep: true });
  try {
    act();
  } finally {
    Object.assign(os, { totalmem });
    process.constrainedMemory = constrainedMemory;
    v8.getHeapStatistics = getHeapStatistics;
    configureMemory({ sweep: true });
  }
}

/** Passes `times` new tensors of 1 MiB to `make` and returns the largest number of watched bytes at a time. The bytes are not written. */
function mostWatched(times: number, make: (tensor: Tensor) => void): number {
  let most = 0;
  for (let i = 0; i < times; i++) {
    make(new Tensor("uint8", [MiB]));
    if (i % 8 === 0) most = Math.max(most, memorySnapshot().watchedBytes);
  }
  return most;
}

/** Returns a WeakRef to a new object, which the language guarantees to keep until the job ends. */
function weakly(): WeakRef<object> {
  return new WeakRef({ some: "thing" });
}

export const sweepProperties: Readonly<Record<string, Property>> = {
  "a full arena runs a sweep in the middle of a job": () => {
    inLittleRoom();
    const keep = bytes(MiB, 5);
    // At most 7 dropped tensors fit beside the one that is held, so every 8th causes a sweep.
    const dropped = isLong ? 100 : 40;
    forget(() => bytes(MiB, 1), dropped);
    assert.ok(sweeps() >= dropped / 10 && reclaimed() >= dropped - 10);
    assert.deepEqual([keep.vec().at(MiB - 1), keep.refCount], [5, 1]);
  },

  "without a reason no sweep runs: WeakRefs of other code keep their targets within the job": () => {
    const ref = weakly();
    forget(() => new Tensor("uint8", [MiB]), 400);
    forget(() => new Tensor("uint8", [1]), isLong ? kOneSweep : 5000);
    assert.deepEqual([sweeps(), ref.deref() !== undefined], [0, true]);
    // With eager sweeps the target is collected: the WeakRef above would have shown a sweep.
    configureMemory({ sweep: "eager" });
    forget(() => new Tensor("uint8", [MiB]), 400);
    assert.deepEqual([sweeps() > 0, ref.deref()], [true, undefined]);
    configureMemory({ sweep: true });
  },

  "a synchronous loop that drops tensors does not run out of memory": () => {
    forget(() => new Tensor("uint8", [MiB]), kDropped);
    assert.ok(reclaimed() >= kDropped - 4096 && sweeps() >= 1 && sweeps() <= 4, `${sweeps()} sweeps`);
    forget(() => new Tensor("uint8", [34e6]), 300);
    assert.ok(sweeps() <= 8, `${sweeps()} sweeps`);
  },

  "a loop of microtasks that drops tensors does not run out of memory": async () => {
    for (let i = 0; i < kDropped; i++) {
      forget(() => new Tensor("uint8", [MiB]));
      await null;
    }
    assert.ok(reclaimed() >= kDropped - 4096 && sweeps() >= 1 && sweeps() <= 4, `${sweeps()} sweeps`);
  },

  "a loop of tasks that drops tensors does not run out of memory": async () => {
    for (let i = 0; i < kDropped; i++) {
      forget(() => new Tensor("uint8", [MiB]));
      if (i % 8 === 0) await nextTask();
    }
    assert.ok(reclaimed() >= kDropped - 4096, `${reclaimed()} reclaimed`);
  },

  "a sweep runs at a quarter of the memory of the machine or its container": () => {
    const forgotten = (host: Parameters<typeof withMemory>[0]): [most: number, swept: number] => {
      let most = 0;
      const before = sweeps();
      withMemory(host, () => (most = mostWatched(isLong ? 500 : 150, () => {})));
      return [most / MiB, sweeps() - before];
    };
    // A sweep is due above 128 MiB, including the 2 units for the objects of each tensor.
    for (const host of [
      { total: 512 * MiB },
      { container: 512 * MiB },
      { total: 512 * MiB, container: 2 ** 64 },
      { total: 512 * MiB, container: undefined },
    ]) {
      const [most, swept] = forgotten(host);
      const [fewest, mostSweeps] = isLong ? [3, 5] : [1, 2];
      assert.ok(
        most >= 120 && most <= 130 && swept >= fewest && swept <= mostSweeps,
        `${JSON.stringify(host)}: ${most} MiB, ${swept} sweeps`,
      );
    }
    assert.deepEqual(forgotten({ total: 2 ** 40 })[1], 0);
  },

  "sweeps are rare if more than a quarter of the memory is held": () => {
    const before = sweeps();
    withMemory({ container: 512 * MiB }, () => mostWatched(1000, (tensor) => held.push(tensor)));
    const swept = sweeps() - before;
    assert.ok(swept >= 3 && swept <= 12, `${swept} sweeps`);
  },

  "tensors of one element cause a sweep before their records fill the heap": () => {
    // A quarter of the heap is 104,857 records. The host is asked for its limit at 131,072 records.
    withMemory({ heap: 128 * MiB }, () => forget(() => new Tensor("uint8", [1]), kSweeps * 140_000));
    assert.ok(sweeps() >= kSweeps && sweeps() <= 2 * kSweeps, `${sweeps()} sweeps`);
  },

  "a sweep leaves nothing of the reclaimed tensors on the heap": () => {
    configureMemory({ sweep: "eager" });
    const heap = (): number => {
      runGc();
      return process.memoryUsage().heapUsed;
    };
    forget(() => new Tensor("uint8", [1]), 140_000);
    const first = heap();
    const before = sweeps();
    // One or two sweeps more. The same number of tensors is left after the last of them as before the first.
    forget(() => new Tensor("uint8", [1]), kSweeps * 131_072);
    const grown = heap() - first;
    assert.ok(sweeps() > before);
    configureMemory({ sweep: true });
    // The records take 200 bytes each: 25 MiB for those of a sweep.
    assert.ok(grown < kSweeps * 12 * MiB, `${grown} bytes more`);
  },

  "eager sweeps run when many bytes were dropped": () => {
    configureMemory({ sweep: "eager" });
    forget(() => new Tensor("uint8", [MiB]), 400);
    const { watchedBytes, arena } = memorySnapshot();
    assert.ok(
      sweeps() >= 3 && sweeps() <= 8 && watchedBytes <= 96 * MiB && arena!.peakBytesInUse <= 97 * MiB,
      JSON.stringify({ sweeps: sweeps(), arena }),
    );
  },

  "eager sweeps are rare if all tensors are held": () => {
    configureMemory({ sweep: "eager" });
    forget(() => held.push(new Tensor("uint8", [MiB])), 1000);
    assert.ok(sweeps() >= 2 && sweeps() <= 5, `${sweeps()} sweeps`);
    assert.equal(liveBuffers(), 1000);
  },

  "many small tensors cause an eager sweep by their objects": () => {
    configureMemory({ sweep: "eager" });
    forget(() => new Tensor("uint8", [1]), kOneSweep);
    assert.ok(sweeps() >= 1);
  },

  "with sweeps switched off the error of a full arena says what may be dropped": async () => {
    inLittleRoom();
    configureMemory({ sweep: false });
    let error: unknown = null;
    try {
      forget(() => bytes(MiB, 1), 20);
    } catch (caught) {
      error = caught;
    }
    assert.ok(isStatusError(error, "RESOURCE_EXHAUSTED"));
    assert.match(
      String(error),
      /8388608 bytes in use[\s\S]*8388608 bytes in 8 buffers are not released; some of them may.*dropped.*await reclaim\(\)/,
    );
    assert.equal(sweeps(), 0);
    assert.equal(await reclaim(), 8 * MiB);
    forget(() => bytes(MiB, 1), 8);
  },

  "the error of a full arena says that all tensors are held": () => {
    inLittleRoom();
    forget(() => held.push(bytes(MiB, 1)), 8);
    let error: unknown = null;
    try {
      forget(() => bytes(MiB, 1));
    } catch (caught) {
      error = caught;
    }
    assert.ok(isStatusError(error, "RESOURCE_EXHAUSTED"));
    assert.match(String(error), /8388608 bytes in 8 buffers are not released; the garbage collector found no dropped tensors/);
    assert.deepEqual(
      held.map((t) => (t as Tensor<"uint8">).flat().at(7)),
      Array(8).fill(1),
    );
  },

  "a sweep does not leave the gc function in the program": () => {
    inLittleRoom();
    forget(() => bytes(MiB, 1), 20);
    assert.ok(sweeps() > 0);
    assert.equal((globalThis as { gc?: unknown }).gc, undefined);
    assert.equal(runInNewContext("typeof gc"), "undefined");
  },
};
