// Tests the kernel that shortens messages: its polynomials, its equality with the tables in and outside the arena, and doing without it.
import { describe, expect, test } from "@jest/globals";
import { LinearMemory, linearMemory } from "@onebuffer/wasm";
import { crc32c } from "@onebuffer/io";
import fc from "fast-check";
import { crc32 as zlibCrc32 } from "node:zlib";
import { Crc } from "../../src/checksum/crc.ts";
import { crc32 } from "../../src/checksum/crc32.ts";
import { kFewestBytes, newFoldKernel } from "../../src/checksum/fold-kernel.ts";

const kPolynomials = [
  ["crc32c", 0x11edc6f41n, 0x82f63b78, [65, 155, 170, 195, 209], crc32c],
  ["crc32", 0x104c11db7n, 0xedb88320, [145, 183, 211, 300], crc32],
] as const;

/** The remainder of x^exponent by a polynomial of degree 32 over GF(2). */
function powerOfX(exponent: number, by: bigint): bigint {
  let power = 1n;
  for (let i = 0; i < exponent; i++) {
    power <<= 1n;
    if (power >> 32n) power ^= by;
  }
  return power;
}

const kMost = 70_000;
const content = Uint8Array.from({ length: kMost }, (_, i) => (Math.imul(i, 2654435761) >>> 13) ^ (i >> 8));
const place = linearMemory().reserve(Math.ceil(kMost / 256) * 256 + 256)!;
const inside = new Uint8Array(linearMemory().buffer, place, kMost);
inside.set(content);

describe.each(kPolynomials)("%s", (_, polynomial, reversed, distances, checksum) => {
  const tables = new Crc(reversed, distances, null);

  test("the distances are those of a multiple of the polynomial, in units of 1 and of 128 bits", () => {
    const longest = Math.max(...distances);
    for (const unit of [1, 128]) {
      const sum = [0, ...distances].reduce((terms, distance) => terms ^ powerOfX((longest - distance) * unit, polynomial), 0n);
      expect(sum).toBe(0n);
    }
    // The kernel computes four units at a time from earlier ones.
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(4);
  });

  test("the kernel gives what the tables give, in the arena and outside, after any checksum", () => {
    fc.assert(
      fc.property(fc.nat(300), fc.integer({ min: kFewestBytes - 1, max: kMost - 300 }), fc.nat(0xffffffff), (offset, length, previous) => {
        const expected = tables.extend(content.subarray(offset, offset + length), previous);
        expect(checksum(content.subarray(offset, offset + length), previous)).toBe(expected);
        expect(checksum(inside.subarray(offset, offset + length), previous)).toBe(expected);
      }),
    );
  });

  test("at the lengths where turns and blocks begin", () => {
    const starts = [kFewestBytes, 16384, 32768, 16384 + 16 * Math.max(...distances)];
    for (const start of starts)
      for (let length = start - 1; length < start + 130; length += 1 + (length % 5))
        expect(checksum(inside.subarray(1, 1 + length))).toBe(tables.extend(content.subarray(1, 1 + length), 0));
  });

  test("is not compiled without a linear memory, and the tables do without it", () => {
    expect(newFoldKernel(new LinearMemory({ constructMemory: null }), distances)).toBeNull();
    expect(tables.extend(content, 0)).toBe(checksum(content));
  });

  test("is not compiled if the engine refuses the module or the memory is full", () => {
    const memory = new LinearMemory();
    const engine = (globalThis as unknown as { readonly WebAssembly: { Module: unknown } }).WebAssembly;
    const { Module } = engine;
    try {
      engine.Module = function refuse() {
        throw new EvalError("a page's policy forbids it");
      };
      expect(newFoldKernel(memory, distances)).toBeNull();
    } finally {
      engine.Module = Module;
    }
    while (memory.reserve(2 ** 28) !== null);
    while (memory.reserve(2 ** 13) !== null);
    expect(newFoldKernel(memory, distances)).toBeNull();
  });
});

test("long messages agree with zlib", () => {
  expect(crc32(content)).toBe(zlibCrc32(content));
  expect(crc32(inside.subarray(3))).toBe(zlibCrc32(content.subarray(3)));
});

test("the kernel of checksums writes only into the memory that it has reserved", () => {
  const memory = new LinearMemory();
  const kernel = newFoldKernel(memory, [145, 183, 211, 300]);
  const behind = memory.reserve(65536)!;
  const bytes = new Uint8Array(memory.buffer, behind, 65536).fill(0xaa);
  kernel!.shorten(new Uint8Array(70_000).fill(3), 0);
  expect(bytes.findIndex((byte) => byte !== 0xaa)).toBe(-1);
});
