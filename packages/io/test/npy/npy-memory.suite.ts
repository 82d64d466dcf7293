// Tests readNpy from plain and shared memory, into plain and shared memory, and without memory for a copy.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { BFCAllocator, cpuAllocator, LinearMemorySubAllocator } from "@onebuffer/allocator";
import { parseNpyHeader, readNpy } from "@onebuffer/io";
import { npy, npyFile, npyHeader } from "./npy-file.ts";

const MiB = 1048576;
const bytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, (_, i) => (i * 37 + 5) & 0xff);
const isShared = (memory: unknown): boolean => Object.prototype.toString.call(memory) === "[object SharedArrayBuffer]";

/** Returns the same file in shared memory. */
function inSharedMemory(file: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const shared = new Uint8Array(new SharedArrayBuffer(file.length));
  shared.set(file);
  return shared;
}

/** A file for each reason to copy, and one that needs no copy. */
const kFiles: readonly (readonly [name: string, file: Uint8Array, copies: boolean])[] = [
  ["usable in place", npy("<f4", [2, 3], bytes(24)), false],
  ["big-endian, 2 bytes", npy(">i2", [2, 3], bytes(12)), true],
  ["big-endian, 4 bytes", npy(">f4", [2, 3], bytes(24)), true],
  ["big-endian, 8 bytes", npy(">i8", [2, 3], bytes(48)), true],
  ["column-major, 1 byte", npy("|u1", [3, 4, 5], bytes(60), "True"), true],
  ["column-major, 2 bytes", npy("<u2", [3, 4, 5], bytes(120), "True"), true],
  ["column-major and big-endian, 16 bytes", npy(">c16", [2, 3], bytes(96), "True"), true],
  ["at an odd place", npyFile({ version: [1, 0], header: `${npyHeader("<i4", [6])}  `, data: bytes(24) }), true],
  ["odd bools", npy("|b1", [6], bytes(6)), true],
];

describe.each(kFiles)("%s", (_name, file, copies) => {
  test("reads the same elements from and into plain and shared memory", () => {
    using arena = new BFCAllocator(new LinearMemorySubAllocator(), 4 * MiB, "arena");
    using expected = readNpy(file, { allocator: cpuAllocator() });
    for (const source of [file, inSharedMemory(file)]) {
      for (const allocator of [arena, cpuAllocator()]) {
        using tensor = readNpy(source, { allocator });
        expect(tensor.equals(expected, { equalNan: true })).toBe(true);
        expect(Array.from(tensor.tensorData)).toEqual(Array.from(expected.tensorData));
        expect(isShared(tensor.buffer?.memory)).toBe(copies ? allocator === arena : source !== file);
      }
    }
  });
});

describe("in browsers", () => {
  test("a header of version 3 in shared memory is decoded from a copy", () => {
    const file = inSharedMemory(npyFile({ version: [3, 0], header: npyHeader("<f4", [2]), data: new Uint8Array(8), align: 16 }));
    const { decode } = TextDecoder.prototype;
    let refused = 0;
    TextDecoder.prototype.decode = function (this: InstanceType<typeof TextDecoder>, input?, options?) {
      if (ArrayBuffer.isView(input) && isShared(input.buffer)) {
        refused++;
        throw new TypeError("The provided Uint8Array value must not be shared.");
      }
      return decode.call(this, input, options);
    };
    try {
      expect(parseNpyHeader(file).shape).toEqual([2]);
    } finally {
      TextDecoder.prototype.decode = decode;
    }
    expect(refused).toBe(0);
  });
});

test("throws RESOURCE_EXHAUSTED with the allocator's report if there is no memory for a copy", () => {
  using arena = new BFCAllocator(new LinearMemorySubAllocator(), MiB, "small");
  let error: unknown;
  try {
    readNpy(npy(">f4", [MiB], new Uint8Array(4 * MiB)), { allocator: arena }).dispose();
  } catch (caught) {
    error = caught;
  }
  expect(isStatusError(error, "RESOURCE_EXHAUSTED")).toBe(true);
  expect(String(error)).toMatch(/small has no room for 4194304 bytes of float32\nallocator "small": no room for 4194304 bytes/);
});
