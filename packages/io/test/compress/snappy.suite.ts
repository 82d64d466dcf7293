// Tests the snappy decoder: every kind of element, every corruption, and a naive encoder's output.
import { describe, expect, test } from "@jest/globals";
import { expectStatus, statusErrorsOnly } from "@onebuffer/test-support";
import fc from "fast-check";
import { snappyDecode } from "../../src/compress/snappy.ts";

const decoded = (bytes: readonly number[], most = 1000): number[] => [...snappyDecode(Uint8Array.from(bytes), most)];

/** The bytes of a varint. */
const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]);

type Element =
  | { readonly literal: readonly number[]; readonly bytes: number }
  | { readonly back: number; readonly length: number; readonly kind: 1 | 2 | 3 };

const little = (value: number, bytes: number): number[] => Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i) % 256);

function encoded(element: Element): number[] {
  if ("literal" in element) {
    const { literal, bytes } = element;
    const head = bytes === 0 ? [(literal.length - 1) << 2] : [(59 + bytes) << 2, ...little(literal.length - 1, bytes)];
    return [...head, ...literal];
  }
  const { back, length, kind } = element;
  if (kind === 1) return [1 | ((length - 4) << 2) | ((back >> 8) << 5), back & 255];
  return [kind | ((length - 1) << 2), ...little(back, kind === 2 ? 2 : 4)];
}

function applied(elements: readonly Element[]): number[] {
  const output: number[] = [];
  for (const element of elements)
    if ("literal" in element) output.push(...element.literal);
    else for (let i = 0; i < element.length; i++) output.push(output[output.length - element.back]!);
  return output;
}

describe("elements", () => {
  test("the empty output", () => {
    expect(decoded([0])).toEqual([]);
  });
  test("literals with lengths in 0 to 4 bytes", () => {
    for (const bytes of [0, 1, 2, 3, 4]) expect(decoded([3, ...encoded({ literal: [7, 8, 9], bytes })])).toEqual([7, 8, 9]);
  });
  test("a length may take five bytes, also if fewer would do", () => {
    expect(decoded([0x83, 0x80, 0x80, 0x80, 0, ...encoded({ literal: [7, 8, 9], bytes: 0 })])).toEqual([7, 8, 9]);
  });
  test("copies of each kind, overlapping ones too", () => {
    for (const kind of [1, 2, 3] as const)
      for (const back of [1, 2, 3]) {
        const elements: Element[] = [
          { literal: [7, 8, 9], bytes: 0 },
          { back, length: 8, kind },
        ];
        expect(decoded([11, ...elements.flatMap(encoded)])).toEqual(applied(elements));
      }
  });

  test("any sequence of elements", () => {
    const step = fc.oneof(
      fc.record({ literal: fc.array(fc.nat(255), { minLength: 1, maxLength: 60 }), bytes: fc.nat(4) }),
      fc.record({ back: fc.integer({ min: 1, max: 2047 }), length: fc.integer({ min: 4, max: 11 }), kind: fc.constant(1 as const) }),
      fc.record({
        back: fc.integer({ min: 1, max: 9999 }),
        length: fc.integer({ min: 1, max: 64 }),
        kind: fc.constantFrom(2 as const, 3 as const),
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let written = 0;
        const elements = steps.filter((element) => {
          const fits = "literal" in element || element.back <= written;
          if (fits) written += "literal" in element ? element.literal.length : element.length;
          return fits;
        });
        const output = applied(elements);
        expect(decoded([...varint(output.length), ...elements.flatMap(encoded)], 1e6)).toEqual(output);
      }),
    );
  });
});

describe("refuses", () => {
  test.each([
    ["no bytes", [], "declared length"],
    ["a length that never ends", [128, 128], "declared length"],
    ["a length of more than 32 bits", [255, 255, 255, 255, 16], "declared length"],
    ["a length beyond the limit", [...varint(1001), ...new Array<number>(60).fill(0)], "1001 bytes of output, at most 1000 are possible"],
    ["a length that so few bytes cannot make", [...varint(500), 0, 1], "500 bytes of output, at most 42 are possible"],
    ["an element of a literal cut short", [4, 12, 1, 2, 3], "ends within"],
    ["a literal's length cut short", [4, 61 << 2, 1], "ends within"],
    ["a copy cut short", [4, 0, 1, 2, 1], "ends within"],
    ["a copy from distance 0", [5, 0, 7, 1, 0], "0 bytes before byte 1"],
    ["a copy from before the output", [5, 0, 7, 1, 2], "2 bytes before byte 1"],
    ["a copy from a distance of 2^32 - 1", [5, 0, 7, 15, 255, 255, 255, 255], "4294967295 bytes before"],
    ["more output than declared by a literal", [2, 8, 1, 2, 3], "beyond the declared 2"],
    ["more output than declared by a copy", [4, 0, 7, 1, 1], "beyond the declared 4"],
    ["less output than declared", [4, 8, 1, 2, 3], "expected 4 bytes of output, got 3"],
  ] as const)("%s", (_, bytes, message) => {
    expectStatus(() => decoded(bytes), "DATA_LOSS", message);
  });

  test("or decodes any bytes, within the limit", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const output = statusErrorsOnly(() => snappyDecode(bytes, 500));
        expect(output === undefined || output.length <= 500).toBe(true);
      }),
    );
  });
});
