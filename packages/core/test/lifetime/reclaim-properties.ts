// Properties of the lifetime net: which tensors are reclaimed, when, once, and what keeps their bytes alive.
import assert from "node:assert/strict";
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
import { runGc } from "./host.ts";
import { MiB, forget, held, settle, quiet, bytes, before, reclaimed, sweeps, inLittleRoom } from "./property-state.ts";
import type { Property } from "./property-state.ts";

function code(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return isStatusError(error) ? error.code : String(error);
  }
  return "nothing thrown";
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

export const reclaimProperties: Readonly<Record<string, Property>> = {
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
};
