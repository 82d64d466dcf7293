// The properties of the lifetime net (packages/allocator/src/lifetime), one function for each. run-property.ts runs them in a process of
// plain Node, because a test runner keeps objects alive that nothing else refers to. mutants.ts has the changes of the library that must
// make them fail.
import assert from "node:assert/strict";
import os from "node:os";
import v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { isStatusError } from "@onebuffer/base";
import type { AllocationAttributes, Pointer } from "@onebuffer/allocator";
import {
  Allocator,
  AllocatorWrapper,
  BFCAllocator,
  configureMemory,
  cpuAllocator,
  defaultAllocator,
  LinearMemorySubAllocator,
  liveBuffers,
  reclaim,
  TrackingAllocator,
} from "@onebuffer/allocator";
import { bufferLedger, memorySnapshot } from "@onebuffer/allocator/internal";
import { Tensor, Variant } from "@onebuffer/core";
import { nextTask, runGc } from "./host.ts";

const MiB = 1048576;

/** Calls `make` and drops its results. A function of its own, so that no reference stays on the caller's stack. */
function forget(make: () => unknown, times: number = 1): void {
  for (let i = 0; i < times; i++) make();
}

/** Objects that must stay alive. */
const held: unknown[] = [];

/** Runs garbage collections and tasks until all dropped tensors are reclaimed. */
async function settle(): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await nextTask();
    runGc();
    await nextTask();
  }
}

/** Creates the arena, if there is none yet, and waits for the garbage collection that its reserved bytes provoke. */
async function quiet(): Promise<void> {
  if (memorySnapshot().arena !== null) return;
  Tensor.zeros([1]).dispose();
  await settle();
}

function code(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return isStatusError(error) ? error.code : String(error);
  }
  return "nothing thrown";
}

/** Returns a tensor of `size` bytes, all of them `value`. */
function bytes(size: number, value: number): Tensor {
  return Tensor.full([size], value, { dtype: "uint8" });
}

/** The statistics before the property began. */
const before = { buffers: 0, bytes: 0, sweeps: 0 };

function reclaimed(): number {
  return memorySnapshot().reclaimedBuffers - before.buffers;
}

function sweeps(): number {
  return memorySnapshot().sweeps - before.sweeps;
}

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

/** Tensors of 1 MiB that a loop drops: more than the 4,096 that fill the linear memory. */
const kDropped = isLong ? 10_000 : 4500;

/** One-element tensors of one sweep and some more: a sweep is due, or the host is asked for its memory, at 131,072. */
const kOneSweep = isLong ? 200_000 : 140_000;

/** The sweeps that tests of many one-element tensors wait for. */
const kSweeps = isLong ? 2 : 1;

/** Limits the arena to 8 MiB. This is possible only before the arena exists, so only the first property of a process does it. */
function inLittleRoom(): void {
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

/** An allocator whose `deallocateRaw` throws. */
class Refusing extends AllocatorWrapper {
  override deallocateRaw(): void {
    throw new Error("not mine");
  }
}

/** An allocator that records live and doubly freed allocations. The garbage collector does not free its memory. */
class Counting extends Allocator {
  readonly out = new Set<number>();
  freedTwice = 0;
  private readonly memory = new ArrayBuffer(MiB);
  private top = 0;

  override get name(): string {
    return "counting";
  }

  override allocateRaw(_alignment: number, numBytes: number, _attributes?: AllocationAttributes): Pointer {
    const byteOffset = this.top;
    this.top += Math.ceil(numBytes / 64) * 64;
    this.out.add(byteOffset);
    return { buffer: this.memory, byteOffset };
  }

  override deallocateRaw(pointer: Pointer | null): void {
    if (pointer !== null && !this.out.delete(pointer.byteOffset)) this.freedTwice++;
  }
}

export const properties: Readonly<Record<string, () => Promise<void> | void>> = {
  "a map of freed memory throws": () => {
    const t = Tensor.zeros([4]);
    const map = t.vec();
    const strided = t.strided();
    t.dispose();
    for (const act of [() => map.at(1), () => map.set(1, 2), () => map.data, () => map.fill(1), () => strided.at(1)])
      assert.equal(code(act), "FAILED_PRECONDITION");
  },

  "a typed array of a tensor keeps its bytes alive": async () => {
    const arrays: ArrayLike<unknown>[] = [];
    forget(() => arrays.push(Tensor.full([1000], 7).vec().data));
    forget(() => arrays.push(Tensor.full([10, 100], 7).slice(1, 3).flat().data));
    forget(() => arrays.push(Tensor.full([1000], 7, { dtype: "uint8" }).tensorData));
    forget(() => arrays.push(Tensor.full([1000], 7).buffer!.typedArray("float32")!));
    await settle();
    forget(() => held.push(Tensor.full([1000], 9)), 20);
    assert.deepEqual([arrays.map((array) => array[1]), reclaimed(), liveBuffers()], [[7, 7, 7, 7], 0, 24]);
  },

  "a map keeps its bytes alive": async () => {
    forget(() => held.push(Tensor.full([1000], 7).vec()));
    await settle();
    forget(() => held.push(Tensor.full([1000], 9)), 20);
    assert.deepEqual([(held[0] as { at(i: number): number }).at(1), reclaimed()], [7, 0]);
  },

  "a map of a freed tensor does not keep the Keeper, which watches another buffer by then": async () => {
    forget(() => {
      const t = Tensor.zeros([1000]);
      held.push(t.vec());
      t.dispose();
    });
    forget(() => Tensor.zeros([1000]));
    await settle();
    assert.deepEqual([reclaimed(), liveBuffers(), defaultAllocator().getStats()?.bytesInUse], [1, 0, 0]);
  },

  "a freed buffer does not keep its Keeper, which watches another buffer by then": async () => {
    forget(() => {
      const t = Tensor.zeros([1000]);
      held.push(t.buffer);
      t.dispose();
    });
    forget(() => Tensor.zeros([1000]));
    await settle();
    assert.deepEqual([reclaimed(), liveBuffers()], [1, 0]);
  },

  "a disposed tensor is not reclaimed again": async () => {
    const allocator = new Counting();
    const many = Array.from({ length: 5000 }, () => new Tensor("uint8", [8], { allocator }));
    for (const t of many) t.dispose();
    many.length = 0;
    await settle();
    assert.deepEqual([allocator.out.size, allocator.freedTwice, reclaimed(), liveBuffers()], [0, 0, 0, 0]);
  },

  "a tensor reclaimed by a sweep is not reclaimed again": async () => {
    const allocator = new Counting();
    forget(() => new Tensor("uint8", [8], { allocator }), 100);
    inLittleRoom();
    forget(() => bytes(MiB, 1), 20);
    assert.ok(sweeps() > 0 && reclaimed() >= 100);
    await settle();
    const { liveBuffers: live, watchedBuffers } = memorySnapshot();
    assert.deepEqual([allocator.out.size, allocator.freedTwice, live, reclaimed(), watchedBuffers], [0, 0, 0, 120, 0]);
  },

  "a dropped tensor is reclaimed in a later task, and not before": async () => {
    await quiet();
    forget(() => Tensor.zeros([1000]), 10);
    runGc();
    for (let i = 0; i < 10; i++) await null;
    runGc();
    assert.deepEqual([reclaimed(), liveBuffers()], [0, 10]);
    await settle();
    assert.deepEqual([reclaimed(), liveBuffers(), memorySnapshot().reclaimedBytes - before.bytes], [10, 0, 10 * 4096]);
  },

  "reclaim() returns after dropped tensors were reclaimed": async () => {
    await quiet();
    forget(() => Tensor.zeros([1000]), 10);
    assert.deepEqual([await reclaim(), liveBuffers(), await reclaim()], [10 * 4096, 0, 0]);
    let aborted: unknown = null;
    await reclaim({ signal: { aborted: true, reason: "tired" } }).catch((error: unknown) => (aborted = error));
    assert.ok(isStatusError(aborted, "CANCELLED") && String(aborted).includes("tired"));
  },

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

  "ballast makes the garbage collector run, without a sweep": async () => {
    configureMemory({ sweep: false });
    await quiet();
    // The garbage collector runs in parallel, and slowly on a busy machine. It only matters that it runs without a sweep.
    for (let i = 0; i < 3000 && reclaimed() < 200; i++) {
      forget(() => new Tensor("uint8", [MiB]));
      if (i % 16 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assert.ok(reclaimed() >= 200, `${reclaimed()} reclaimed`);
  },

  "ballast lives exactly as long as the tensors of its epoch": async () => {
    configureMemory({ sweep: false });
    forget(() => held.push(new Tensor("uint8", [MiB])), 200);
    await settle();
    const full = process.memoryUsage().arrayBuffers;
    assert.ok(full > 200 * MiB, `${full} bytes of ballast for 200 MiB`);
    for (const t of held) (t as Tensor).dispose();
    held.length = 0;
    new Tensor("uint8", [1]).dispose();
    await settle();
    const empty = process.memoryUsage().arrayBuffers;
    assert.ok(empty < 32 * MiB, `${empty} bytes of ballast for nothing`);
  },

  "ballast can be switched off": async () => {
    configureMemory({ sweep: false, ballast: 0 });
    forget(() => held.push(new Tensor("uint8", [MiB])), 200);
    await settle();
    assert.ok(process.memoryUsage().arrayBuffers < 32 * MiB);
  },

  "an ArrayBuffer that fails for ballast is not an error": () => {
    const Real = ArrayBuffer;
    let refused = 0;
    globalThis.ArrayBuffer = new Proxy(Real, {
      construct(target, args: [number]) {
        if (args[0] >= 32 * MiB) {
          refused++;
          throw new RangeError("Array buffer allocation failed");
        }
        return new target(...args);
      },
    });
    try {
      configureMemory({ sweep: false });
      forget(() => held.push(new Tensor("uint8", [MiB])), 200);
    } finally {
      globalThis.ArrayBuffer = Real;
    }
    assert.ok(refused >= 2);
    assert.equal(liveBuffers(), 200);
  },

  "tensors of objects are reclaimed, even one that holds itself": async () => {
    forget(() => {
      Tensor.from(["a", "b"]);
      const t = new Tensor("variant", [1]);
      t.flat().set(0, new Variant(t.share()));
    });
    assert.equal(liveBuffers(), 2);
    await settle();
    assert.deepEqual([reclaimed(), liveBuffers(), defaultAllocator().getStats()?.bytesInUse], [2, 0, 0]);
  },

  "the ledger lists reclaimed tensors with the stacks that created them": async () => {
    bufferLedger.enable();
    forget(function makeSlice() {
      Tensor.zeros([4, 4]).slice(1, 2);
    });
    const kept = Tensor.zeros([2]);
    await settle();
    const entries = bufferLedger.reclaimed();
    assert.deepEqual(
      entries.map(({ name, refs, collected }) => [name, refs, collected]),
      [
        ["Buffer of 64 bytes", 0, true],
        ["SubBuffer of 16 bytes", 0, true],
      ],
    );
    for (const { stack } of entries) assert.match(stack, /makeSlice/);
    assert.deepEqual(
      bufferLedger.held().map(({ name }) => name),
      ["Buffer of 8 bytes"],
    );
    assert.deepEqual(
      memorySnapshot().holders.map(({ name, refs }) => [name, refs]),
      [["Buffer of 8 bytes", 1]],
    );
    kept.dispose();
    assert.deepEqual(bufferLedger.held(), []);
    assert.match(
      code(() => bufferLedger.assertEmpty()),
      /FAILED_PRECONDITION/,
    );
    bufferLedger.enable();
    bufferLedger.assertEmpty();
  },

  "an allocator that throws in a finalizer does not end the process": async () => {
    const arena = new BFCAllocator(new LinearMemorySubAllocator(), MiB, "small");
    const allocator = new Refusing(arena);
    forget(() => new Tensor("uint8", [8], { allocator }), 20);
    forget(() => new Tensor("uint8", [8], { allocator: arena }), 1);
    arena.dispose();
    await settle();
    const { reclaimFailures } = memorySnapshot();
    assert.deepEqual([reclaimed(), reclaimFailures.length, liveBuffers()], [21, 16, 0]);
    assert.ok(reclaimFailures.includes("Error: not mine"), String(reclaimFailures));
  },

  "memory of the engine is not watched, that of a tracking allocator is": async () => {
    const tracking = new TrackingAllocator(cpuAllocator(), true);
    const allocator = cpuAllocator();
    const watched = memorySnapshot().watchedBuffers;
    forget(() =>
      held.push(new Tensor("uint8", [100], { allocator }), new Tensor("uint8", [100], { allocator: new AllocatorWrapper(allocator) })),
    );
    assert.equal(memorySnapshot().watchedBuffers, watched);
    forget(() => new Tensor("uint8", [100], { allocator: tracking }), 3);
    assert.deepEqual(tracking.getSizes(), [300, 300, 300]);
    await settle();
    assert.deepEqual(tracking.getSizes(), [300, 300, 0]);
  },

  "in a browser a full arena throws RESOURCE_EXHAUSTED, and reclaim() frees it": async () => {
    configureMemory({ limit: 32 * MiB, ballast: 0 });
    await quiet();
    let error: unknown = null;
    try {
      forget(() => bytes(MiB, 1), 100);
    } catch (caught) {
      error = caught;
    }
    assert.match(String(error), /^RESOURCE_EXHAUSTED: .*33554432 bytes in 32 buffers are not released; some of them may belong/s);
    assert.equal(memorySnapshot().sweeps, 0);
    const came = await reclaim();
    assert.ok(came >= 31 * MiB && liveBuffers() <= 1, `${came} bytes came back`);
    forget(() => bytes(MiB, 1), 31);
  },

  "in a browser dropped tensors are reclaimed between tasks": async () => {
    await quiet();
    for (let i = 0; i < 3000 && reclaimed() < 200; i++) {
      forget(() => new Tensor("uint8", [MiB]));
      if (i % 16 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assert.ok(reclaimed() >= 200, `${reclaimed()} reclaimed`);
  },

  "a sweep does not leave the gc function in the program": () => {
    inLittleRoom();
    forget(() => bytes(MiB, 1), 20);
    assert.ok(sweeps() > 0);
    assert.equal((globalThis as { gc?: unknown }).gc, undefined);
    assert.equal(runInNewContext("typeof gc"), "undefined");
  },
};
