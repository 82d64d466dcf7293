// Numbers of tables, which take as many bytes as they need: those that end too early or have too many bytes are damaged.
import { expect, test } from "@jest/globals";
import { expectStatus } from "@onebuffer/test-support";
import { readVarint } from "../../src/table/varint.ts";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

test("a number that ends behind the bytes it is read from is damaged", () => {
  const cursor = { bytes: Uint8Array.of(0x80, 1), at: 0, end: 1, what: "a number" } as Any;
  expectStatus(() => readVarint(cursor), "DATA_LOSS", "the bytes end within the number at byte 0");
  expect(readVarint({ ...cursor, at: 0, end: 2 })).toBe(128);
});

test("a number of more bytes than it may have is damaged, also if they add nothing", () => {
  const cursor = (count: number): Any => ({ bytes: new Uint8Array(count).fill(0x80, 0, -1), at: 0, end: count, what: "a number" });
  for (const most of [5, 10] as const) {
    expect(readVarint(cursor(most), most)).toBe(0);
    expectStatus(() => readVarint(cursor(most + 1), most), "DATA_LOSS", "the number at byte 0 is too large");
  }
});
