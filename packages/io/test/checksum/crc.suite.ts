// Tests crc32c and CRC-32 against known values, a bitwise twin and node:zlib, over all alignments.
import { describe, expect, test } from "@jest/globals";
import { crc32c, maskCrc, unmaskCrc } from "@onebuffer/io";
import { expectStatus } from "@onebuffer/test-support";
import fc from "fast-check";
import { crc32 as zlibCrc32 } from "node:zlib";
import { crc32 } from "../../src/checksum/crc32.ts";

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** The definition: one bit at a time. */
function bitwise(polynomial: number, bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  for (const byte of bytes) {
    remainder ^= byte;
    for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? polynomial : 0);
  }
  return ~remainder >>> 0;
}

describe("crc32c", () => {
  // RFC 3720, section B.4, and the check value of the polynomial.
  test.each([
    ["", ascii(""), 0],
    ["123456789", ascii("123456789"), 0xe3069283],
    ["32 zeros", new Uint8Array(32), 0x8a9136aa],
    ["32 ones", new Uint8Array(32).fill(0xff), 0x62a8ab43],
    ["0 to 31", Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd794e],
    ["31 to 0", Uint8Array.from({ length: 32 }, (_, i) => 31 - i), 0x113fdb5c],
  ])("of %s", (_, bytes, expected) => {
    expect(crc32c(bytes)).toBe(expected);
  });

  test("takes buffers and views of any kind", () => {
    const bytes = Uint8Array.from({ length: 80 }, (_, i) => i * 7);
    const expected = bitwise(0x82f63b78, bytes);
    const shared = new Uint8Array(new SharedArrayBuffer(80));
    shared.set(bytes);
    expect([crc32c(bytes.buffer), crc32c(new DataView(bytes.buffer)), crc32c(new Float64Array(bytes.buffer)), crc32c(shared)]).toEqual([
      expected,
      expected,
      expected,
      expected,
    ]);
  });

  test("refuses other values", () => {
    expectStatus(() => crc32c("abc" as never), "INVALID_ARGUMENT", "abc");
    expectStatus(() => crc32c(null as never), "INVALID_ARGUMENT");
    for (const previous of [-1, 2 ** 32, 0.5, "0", null])
      expectStatus(() => crc32c(new Uint8Array(1), previous as never), "INVALID_ARGUMENT", "checksum");
  });
});

describe.each([
  ["crc32c", crc32c, (bytes: Uint8Array): number => bitwise(0x82f63b78, bytes)],
  ["crc32", crc32, (bytes: Uint8Array): number => zlibCrc32(bytes)],
] as const)("%s", (_, checksum, twin) => {
  test("agrees with its twin for every alignment and length", () => {
    const memory = Uint8Array.from({ length: 300 }, (_, i) => (i * i * 31) >> 3);
    for (let offset = 0; offset < 9; offset++)
      for (let length = 0; length < 200; length += 1 + (length % 3)) {
        const bytes = memory.subarray(offset, offset + length);
        expect(checksum(bytes)).toBe(twin(bytes));
      }
  });

  test("of two parts is that of the whole", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(400), (bytes, cut) => {
        expect(checksum(bytes.subarray(cut), checksum(bytes.subarray(0, cut)))).toBe(twin(bytes));
      }),
    );
  });
});

test("CRC-32 has a check value, and refuses what crc32c refuses", () => {
  expect(crc32(ascii("123456789"))).toBe(0xcbf43926);
  expectStatus(() => crc32(new Uint8Array(1), -1), "INVALID_ARGUMENT", -1);
  expectStatus(() => crc32([1] as never), "INVALID_ARGUMENT");
});

test("masks are TensorFlow's, and are undone", () => {
  expect(maskCrc(0)).toBe(0xa282ead8);
  expect(maskCrc(crc32c(ascii("foo")))).not.toBe(crc32c(ascii("foo")));
  fc.assert(
    fc.property(fc.nat(0xffffffff), (crc) => {
      const rotated = (BigInt(crc) >> 15n) | ((BigInt(crc) << 17n) & 0xffffffffn);
      expect(maskCrc(crc)).toBe(Number((rotated + 0xa282ead8n) & 0xffffffffn));
      expect(unmaskCrc(maskCrc(crc))).toBe(crc);
    }),
  );
  for (const wrong of [-1, 2 ** 32, 1.5, "1"]) {
    expectStatus(() => maskCrc(wrong as never), "INVALID_ARGUMENT");
    expectStatus(() => unmaskCrc(wrong as never), "INVALID_ARGUMENT");
  }
});
