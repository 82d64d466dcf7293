// The lifetime net (src/lifetime/lifetime-net.ts) without tensors: what is watched, what a sweep reclaims, and what it does with errors. The properties
// of packages/core/test/lifetime show the same for tensors, in processes of their own.
import { describe, expect, test } from "@jest/globals";
import type { Pointer } from "../../src/index.ts";
import { AllocatorWrapper, cpuAllocator } from "../../src/index.ts";
import { forgottenReport } from "../../src/lifetime/forgotten-report.ts";
import type { Keeper } from "../../src/lifetime/keeper.ts";
import * as net from "../../src/lifetime/lifetime-net.ts";
import { kKeeperMark, kReclaimedBuffers, kReclaimedBytes, kSweepMark, kSweeps, lifetimeStats } from "../../src/lifetime/lifetime-stats.ts";
import { enableSweep, sweepForgotten } from "../../src/lifetime/sweep.ts";
import { countLiveBuffer, liveBuffers } from "../../src/refs/live-buffers.ts";

/** An allocator that notes what is returned to it, by the place. */
class Noting extends AllocatorWrapper {
  readonly returned: number[] = [];
  onReturn: (place: number) => void = () => {};

  constructor() {
    super(cpuAllocator());
  }

  override deallocateRaw(pointer: Pointer): void {
    this.returned.push(pointer.byteOffset);
    this.onReturn(pointer.byteOffset);
  }
}

const buffer = new ArrayBuffer(16);
const at = (byteOffset: number): Pointer => ({ buffer, byteOffset });

/** Watches some bytes as a buffer would. */
function watched(allocator: Noting, place: number, numBytes: number): Keeper {
  countLiveBuffer(1);
  return net.watch(allocator, at(place), numBytes);
}

/** Ends a watch as the last `unref` would. */
function end(keeper: Keeper): void {
  countLiveBuffer(-1);
  net.unwatch(keeper);
}

/** Calls `make` for the numbers below `count` and drops the results; a function of its own, so that the stack has no reference to one. */
function drop(count: number, make: (k: number) => unknown): void {
  for (let k = 0; k < count; k++) make(k);
}

/** The pool has room for so many Keepers. */
const kPooled = 4096;

/** Empties the pool, so that what is watched next gets Keepers of its own, and returns what refills it. */
function emptyPool(allocator: Noting): () => void {
  const keepers = Array.from({ length: kPooled }, () => watched(allocator, 0, 0));
  return () => keepers.forEach(end);
}

const stats = (): { buffers: number; bytes: number; live: number } => ({
  buffers: net.watchedBuffers(),
  bytes: net.watchedBytes(),
  live: liveBuffers(),
});

test("what is watched counts until the watch ends, and its Keeper is used again", () => {
  const allocator = new Noting();
  const before = stats();
  const [a, b] = [watched(allocator, 8, 1000), watched(allocator, 9, 1)];
  expect(a.record).toMatchObject({ allocator, pointer: at(8), units: 6, control: 0, line: null });
  expect(stats()).toEqual({ buffers: before.buffers + 2, bytes: before.bytes + 1024 + 256, live: before.live + 2 });
  end(a);
  expect(a.record!.pointer).toBe(null);
  expect(stats()).toEqual({ buffers: before.buffers + 1, bytes: before.bytes + 256, live: before.live + 1 });
  const other = new Noting();
  const again = watched(other, 1, 0);
  expect(again).toBe(a);
  expect(again.record).toMatchObject({ allocator: other, pointer: at(1), units: 2 });
  end(b);
  end(again);
  expect([stats(), allocator.returned, other.returned]).toEqual([before, [], []]);
});

describe("sweeps", () => {
  test("a sweep returns the bytes of what was dropped, and of nothing else", () => {
    const allocator = new Noting();
    const refill = emptyPool(allocator);
    const before = stats();
    const [bytes, buffers, sweeps] = [lifetimeStats[kReclaimedBytes]!, lifetimeStats[kReclaimedBuffers]!, lifetimeStats[kSweeps]!];
    const records = net.keeperRecords();
    const held = [watched(allocator, 100, 300), watched(allocator, 101, 300)];
    drop(20, (k) => watched(allocator, k, 700));
    expect(net.keeperRecords()).toBe(records + 22);
    const swept = sweepForgotten();
    const count = allocator.returned.length;
    // The last one may still be in a register.
    expect(count).toBeGreaterThanOrEqual(19);
    expect(new Set(allocator.returned).size).toBe(count);
    expect(allocator.returned.every((place) => place < 20)).toBe(true);
    expect(swept).toBe(count * 768);
    expect([lifetimeStats[kReclaimedBytes], lifetimeStats[kReclaimedBuffers]]).toEqual([bytes + swept, buffers + count]);
    expect(lifetimeStats[kSweeps]).toBe(sweeps + 1);
    expect(net.keeperRecords()).toBe(records + 22 - count);
    expect(stats()).toEqual({
      buffers: before.buffers + 22 - count,
      bytes: before.bytes + 1024 + (20 - count) * 768,
      live: before.live + 22 - count,
    });
    // A second sweep finds no more than what was left, and what is watched now is new.
    allocator.returned.length = 0;
    drop(5, (k) => watched(allocator, k, 1));
    sweepForgotten();
    expect(allocator.returned.length).toBeGreaterThanOrEqual(4);
    expect(stats().buffers).toBe(before.buffers + 2 + 20 - count + 5 - allocator.returned.length);
    held.forEach(end);
    refill();
  });

  test("what was released while the pool was full is not returned again when its Keeper is collected", () => {
    const allocator = new Noting();
    const before = stats();
    const release = (count: number): void => Array.from({ length: count }, (_, k) => watched(allocator, k, 1)).forEach(end);
    release(kPooled + 104);
    const records = net.keeperRecords();
    expect(sweepForgotten()).toBe(0);
    expect(net.keeperRecords()).toBeLessThan(records - 90);
    expect([allocator.returned, stats()]).toEqual([[], before]);
  });

  test("as many Keepers as the mark allows make no sweep due, one more does", () => {
    const allocator = new Noting();
    const refill = emptyPool(allocator);
    const marks = [lifetimeStats[kSweepMark]!, lifetimeStats[kKeeperMark]!] as const;
    lifetimeStats[kKeeperMark] = net.keeperRecords() + 1;
    const first = watched(allocator, 0, 1);
    expect(lifetimeStats[kSweepMark]).toBe(marks[0]);
    const second = watched(allocator, 1, 1);
    expect(lifetimeStats[kSweepMark]).toBe(-1);
    [lifetimeStats[kSweepMark], lifetimeStats[kKeeperMark]] = marks;
    end(first);
    end(second);
    refill();
  });

  test("a sweep within a sweep, and one that is switched off, do nothing", () => {
    const allocator = new Noting();
    const refill = emptyPool(allocator);
    const within: number[] = [];
    allocator.onReturn = () => within.push(sweepForgotten());
    const sweeps = lifetimeStats[kSweeps]!;
    drop(3, (k) => watched(allocator, k, 1));
    enableSweep(false);
    expect([sweepForgotten(), within]).toEqual([0, []]);
    enableSweep(true);
    sweepForgotten();
    expect(within.length).toBeGreaterThanOrEqual(2);
    expect([new Set(within), lifetimeStats[kSweeps]]).toEqual([new Set([0]), sweeps + 1]);
    refill();
  });

  test("a hold that was dropped is released in place of the bytes", () => {
    const allocator = new Noting();
    const refill = emptyPool(allocator);
    const released: number[] = [];
    const holds = { release: (control: number) => void released.push(control) };
    drop(4, (k) => {
      countLiveBuffer(1);
      if (k % 2 === 0) net.watchHold(allocator, at(k), 1, 50 + k, holds);
      else net.keepHold(net.watch(allocator, at(k), 1), 50 + k, holds);
    });
    sweepForgotten();
    expect(released.length).toBeGreaterThanOrEqual(3);
    expect([released.every((control) => control >= 50 && control < 54), allocator.returned]).toEqual([true, []]);
    refill();
  });

  test("a hold ends with its watch", () => {
    const allocator = new Noting();
    countLiveBuffer(1);
    const keeper = net.watchHold(allocator, at(0), 1, 7, { release: () => {} });
    expect(keeper.record!.control).toBe(7);
    end(keeper);
    expect(keeper.record!.control).toBe(0);
  });

  test("the first 16 errors of allocators are kept, and no sweep fails", () => {
    const allocator = new Noting();
    const refill = emptyPool(allocator);
    allocator.onReturn = (place) => {
      throw new Error(`not ${place}`);
    };
    const before = net.netFailures().length;
    // None but those of this test, if it has run before.
    expect(net.netFailures().filter((text) => !/^Error: not \d/.test(text))).toEqual([]);
    drop(3, (k) => watched(allocator, k, 1));
    sweepForgotten();
    const few = net.netFailures();
    expect(few.length - before).toBe(allocator.returned.length);
    expect(few.slice(before)).toEqual(allocator.returned.map((place) => `Error: not ${place}`));
    few.push("of the copy");
    drop(30, (k) => watched(allocator, k, 1));
    sweepForgotten();
    expect(allocator.returned.length).toBeGreaterThan(20);
    expect(net.netFailures().length).toBe(16);
    expect(net.netFailures()).not.toContain("of the copy");
    refill();
  });

  test("a full arena's message tells what is not released, and whether a sweep has looked", () => {
    const allocator = new Noting();
    const before = stats();
    if (before.buffers === 0) expect(forgottenReport()).toBe("");
    const keeper = watched(allocator, 0, 1000);
    const text = `${before.bytes + 1024} bytes in ${before.buffers + 1} buffers are not released`;
    expect(forgottenReport()).toBe(`${text}; the garbage collector found no dropped tensors among them, so all are still referenced`);
    enableSweep(false);
    expect(forgottenReport()).toBe(
      `${text}; some of them may belong to dropped tensors: dispose tensors, or await reclaim() and try again`,
    );
    enableSweep(true);
    end(keeper);
  });
});
