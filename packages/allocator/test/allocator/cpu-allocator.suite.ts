// The CPU allocator: its statistics, its errors, and the records of a tracking allocator over it.
import { expect, test } from "@jest/globals";
import {
  cpuAllocator,
  cpuAllocatorStatsEnabled,
  disableCpuAllocatorStats,
  enableCpuAllocatorStats,
  TrackingAllocator,
} from "@onebuffer/allocator";
import { exhaustedError } from "@onebuffer/allocator/internal";

test("a tracking allocator gives copies of its records, and its memory is not collected", () => {
  const tracking = new TrackingAllocator(cpuAllocator(), true);
  const pointer = tracking.allocateRaw(64, 100)!;
  const records = tracking.getCurrentRecords();
  records.length = 0;
  expect([tracking.getCurrentRecords().length, tracking.memoryIsCollected()]).toEqual([1, false]);
  tracking.deallocateRaw(pointer);
  tracking.getRecordsAndUnRef();
});

test("the statistics of CPU allocators are switched off again", () => {
  const before = cpuAllocatorStatsEnabled();
  enableCpuAllocatorStats();
  expect(cpuAllocatorStatsEnabled()).toBe(true);
  disableCpuAllocatorStats();
  expect(cpuAllocatorStatsEnabled()).toBe(false);
  if (before) enableCpuAllocatorStats();
});

test("the error of an allocator without a report ends with what was asked for", () => {
  expect(exhaustedError(cpuAllocator(), 100, "no room for 100 bytes").message.endsWith("no room for 100 bytes")).toBe(true);
});
