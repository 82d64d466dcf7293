// Tests full statistics of the CPU allocator. The last suite of its file, because the switch cannot be turned off again; each test file
// has its own copy of the module.
import { expect, test } from "@jest/globals";
import { cpuAllocator, cpuAllocatorFullStatsEnabled, enableCpuAllocatorFullStats } from "@onebuffer/allocator";
import { Buffer } from "@onebuffer/core";

test("full statistics make the process-wide allocator track sizes from then on", () => {
  const early = new Buffer("float32", cpuAllocator(), 4);
  enableCpuAllocatorFullStats();
  expect(cpuAllocatorFullStatsEnabled()).toBe(true);
  expect(cpuAllocator()).toBe(cpuAllocator());
  expect([cpuAllocator().name, cpuAllocator().tracksAllocationSizes()]).toEqual(["cpu", true]);
  const late = new Buffer("float32", cpuAllocator(), 4);
  expect([early.getAllocatedBytes(), late.getAllocatedBytes()]).toEqual([null, 16]);
  expect(late.fillAllocationDescription()).toMatchObject({ allocationId: 1, hasSingleReference: true });
  early.unref();
  late.unref();
});
