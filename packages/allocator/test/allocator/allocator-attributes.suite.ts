// AllocatorAttributes, AllocationAttributes and AllocatorStats.
import { expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { AllocationAttributes, AllocatorAttributes, AllocatorStats } from "@onebuffer/allocator";
import { thrown } from "@onebuffer/test-support";

function attributes(value: number, scopeId = 0): AllocatorAttributes {
  return Object.assign(new AllocatorAttributes(), { value, scopeId });
}

test("the setters and getters agree for every combination of bits", () => {
  for (let value = 0; value < 16; value++) {
    const a = new AllocatorAttributes();
    a.setOnHost((value & 1) !== 0);
    a.setNicCompatible((value & 2) !== 0);
    a.setGpuCompatible((value & 4) !== 0);
    a.setUsePjrtAllocator((value & 8) !== 0);
    expect(a.value).toBe(value);
    expect([a.onHost, a.nicCompatible, a.gpuCompatible, a.usePjrtAllocator]).toEqual([1, 2, 4, 8].map((bit) => (value & bit) !== 0));
  }
});

test("a setter with false clears nothing, as in TensorFlow", () => {
  const a = attributes(15);
  a.setOnHost(false);
  a.setNicCompatible(false);
  a.setGpuCompatible(false);
  a.setUsePjrtAllocator(false);
  expect(a.value).toBe(15);
});

test.each([
  [0, 0, true],
  [0, 4, true],
  [4, 0, false],
  [4, 4, true],
  [2, 4, false],
  [6, 4, false],
  [4, 6, true],
  [1 << 24, 0xff << 24, true],
])("%i is equal or less restrictive than %i: %s", (a, b, expected) => {
  expect(attributes(a).isEqualOrLessRestrictiveThan(attributes(b))).toBe(expected);
});

test.each([
  [0, 0, 2, 0, 2, 0],
  [0, 0, 0, 1, 0, 1],
  [1, 2, 4, 0, 5, 2],
  [0, 2, 0, 2, 0, 2],
])("merge of (%i, scope %i) and (%i, scope %i)", (v1, s1, v2, s2, value, scopeId) => {
  const a = attributes(v1, s1);
  a.merge(attributes(v2, s2));
  expect([a.value, a.scopeId]).toEqual([value, scopeId]);
});

test("refuses to merge two different scope ids", () => {
  const a = attributes(1, 3);
  const error = thrown(() => a.merge(attributes(2, 4)));
  expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
  expect(String(error)).toMatch(/scope_id.*3.*4/);
  expect([a.value, a.scopeId]).toEqual([1, 3]);
});

test("debugString is TensorFlow's text without the fourth bit", () => {
  expect(attributes(10).debugString()).toBe("AllocatorAttributes(on_host=0 nic_compatible=1 gpu_compatible=0)");
});

test("AllocationAttributes has TensorFlow's defaults", () => {
  const { retryOnFailure, allocationWillBeLogged, freedByFunc } = new AllocationAttributes();
  expect([retryOnFailure, allocationWillBeLogged, freedByFunc]).toEqual([true, false, null]);
  expect(new AllocationAttributes({ freedByFunc: () => 7, allocationWillBeLogged: true }).freedByFunc?.()).toBe(7);
});

test("AllocatorStats.debugString gives eight aligned lines", () => {
  const stats = new AllocatorStats();
  stats.bytesLimit = 1024;
  stats.bytesInUse = 5;
  stats.peakBytesInUse = 6;
  stats.numAllocs = 7;
  stats.largestAllocSize = 8;
  stats.bytesReserved = 9;
  stats.peakBytesReserved = 10;
  stats.largestFreeBlockBytes = 2 ** 40;
  expect(stats.debugString()).toBe(
    [
      "Limit:                            1024",
      "InUse:                               5",
      "MaxInUse:                            6",
      "NumAllocs:                           7",
      "MaxAllocSize:                        8",
      "Reserved:                            9",
      "PeakReserved:                       10",
      "LargestFreeBlock:        1099511627776",
      "",
    ].join("\n"),
  );
  expect(new AllocatorStats().debugString().split("\n")[0]).toBe("Limit:                               0");
});
