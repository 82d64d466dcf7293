// Unknown options are refused by name.
import { expect, test } from "@jest/globals";
import { AllocationAttributes, BFCAllocator, configureMemory, LinearMemorySubAllocator, reclaim } from "@onebuffer/allocator";
import { isMemoryGone, threadArena } from "@onebuffer/allocator/internal";
import { refusal } from "@onebuffer/test-support";

const arena = (options: object): BFCAllocator => new BFCAllocator(new LinearMemorySubAllocator(), 2 ** 20, "a", options);

test.each<[string, () => unknown, string]>([
  ["BFCAllocator", () => arena({ allowgrowth: true }), 'BFCAllocator: unknown option "allowgrowth", did you mean "allowGrowth"'],
  [
    "checked mode",
    () => arena({ checked: { quarantine: 1 } }),
    'BFCAllocator: checked: unknown option "quarantine", did you mean "quarantineBytes"',
  ],
  ["configureMemory", () => configureMemory({ ballst: 1 } as object), 'did you mean "ballast"'],
  ["configureMemory's checked", () => configureMemory({ checked: { onWrite: null } as object }), 'did you mean "onWriteAfterFree"'],
  [
    "configureMemory's quarantine",
    () => configureMemory({ checked: { quarantineBytes: "5" as unknown as number } }),
    "checked.quarantineBytes cannot be",
  ],
  ["AllocationAttributes", () => new AllocationAttributes({ retry: false } as object), 'did you mean "retryOnFailure"'],
])("%s", (_, call, words) => {
  const error = refusal(call);
  expect([error.code, error.message]).toEqual(["INVALID_ARGUMENT", expect.stringContaining(words)]);
});

test("checked mode and limits are refused once the arena exists", () => {
  threadArena();
  for (const options of [{ checked: true }, { checked: false }, { limit: 2 ** 30 }])
    expect(refusal(() => configureMemory(options)).code).toBe("FAILED_PRECONDITION");
});

test("reclaim rejects", async () => {
  await expect(reclaim({ singal: null } as object)).rejects.toThrow('reclaim: unknown option "singal", did you mean "signal"');
});

test("memory is gone if it was detached, or is shorter than it was", () => {
  const memory = new ArrayBuffer(16);
  expect([isMemoryGone(memory, 16), isMemoryGone(memory, 17), isMemoryGone(new ArrayBuffer(0), 0)]).toEqual([false, true, false]);
  structuredClone(memory, { transfer: [memory] });
  expect([isMemoryGone(memory, 16), isMemoryGone(memory, 0)]).toEqual([true, true]);
});
