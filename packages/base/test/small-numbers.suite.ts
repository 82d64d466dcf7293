// Compares the small number formats with NumPy and ml_dtypes: whole decoding tables and millions of encodings by digest,
// the interesting numbers one by one.
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { createHash } from "node:crypto";
import {
  bfloat16ToFloat,
  float4E2m1fnToFloat,
  float8E4m3b11fnuzToFloat,
  float8E4m3fnToFloat,
  float8E4m3fnuzToFloat,
  float8E5m2ToFloat,
  float8E5m2fnuzToFloat,
  floatToBfloat16,
  floatToFloat4E2m1fn,
  floatToFloat8E4m3b11fnuz,
  floatToFloat8E4m3fn,
  floatToFloat8E4m3fnuz,
  floatToFloat8E5m2,
  floatToFloat8E5m2fnuz,
  floatToHalf,
  halfToFloat,
  int2Bits,
  int4Bits,
  toInt2,
  toInt4,
  toUint2,
  toUint4,
} from "@onebuffer/base";
import { halfTable } from "@onebuffer/base/internal";
import { decodedInts, digests, encodedFloats, encodedInts } from "./small-number-fixture.ts";
import { borders, finiteValues, nextDouble, randomDoubles, randomFloats, rangedDoubles } from "./small-number-inputs.ts";

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

interface Format {
  readonly name: keyof typeof digests;
  readonly bits: 4 | 8 | 16;
  readonly decode: (bits: number) => number;
  readonly encode: (x: number) => number;
}

/** The formats in the order of the fixture's columns. */
const formats: readonly Format[] = [
  { name: "float16", bits: 16, decode: halfToFloat, encode: floatToHalf },
  { name: "bfloat16", bits: 16, decode: bfloat16ToFloat, encode: floatToBfloat16 },
  { name: "float8_e5m2", bits: 8, decode: float8E5m2ToFloat, encode: floatToFloat8E5m2 },
  { name: "float8_e4m3fn", bits: 8, decode: float8E4m3fnToFloat, encode: floatToFloat8E4m3fn },
  { name: "float8_e4m3fnuz", bits: 8, decode: float8E4m3fnuzToFloat, encode: floatToFloat8E4m3fnuz },
  { name: "float8_e4m3b11fnuz", bits: 8, decode: float8E4m3b11fnuzToFloat, encode: floatToFloat8E4m3b11fnuz },
  { name: "float8_e5m2fnuz", bits: 8, decode: float8E5m2fnuzToFloat, encode: floatToFloat8E5m2fnuz },
  { name: "float4_e2m1fn", bits: 4, decode: float4E2m1fnToFloat, encode: floatToFloat4E2m1fn },
];

const sha256 = (bytes: NodeJS.ArrayBufferView): string => createHash("sha256").update(bytes).digest("hex");

/** The digest of doubles, with the fixture's pattern for every NaN. */
function digestOfDoubles(numbers: Float64Array): string {
  const bytes = new DataView(numbers.slice().buffer);
  numbers.forEach((x, i) => x === x || bytes.setBigUint64(8 * i, 0x7ff8000000000000n, true));
  return sha256(bytes);
}

function digestOfFloats(numbers: readonly number[]): string {
  const bytes = new DataView(Float32Array.from(numbers).buffer);
  numbers.forEach((x, i) => Number.isNaN(x) && bytes.setUint32(4 * i, 0x7fc00000, true));
  return sha256(bytes);
}

function digestOfPatterns(numbers: Float64Array, { bits, encode }: Format): string {
  const patterns = bits === 16 ? new Uint16Array(numbers.length) : new Uint8Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) patterns[i] = encode(numbers[i]!);
  return sha256(patterns);
}

const patterns = ({ bits }: Format): number[] => Array.from({ length: 1 << bits }, (_, i) => i);

const shared = { randomDoubles: randomDoubles(), randomFloats: randomFloats() };
const sharedInputs = new Map(Object.values(shared).map((numbers) => [numbers, digestOfDoubles(numbers)]));

describe.each(formats)("$name", (format) => {
  const { name, bits, decode, encode } = format;
  const table = patterns(format).map(decode);
  const values = finiteValues(table);

  test("decodes every pattern as NumPy or ml_dtypes does", () => {
    expect(digestOfFloats(table)).toBe(digests[name].decoded);
  });

  test("ignores the upper bits when decoding", () => {
    for (const pattern of [0, 1, 0x35, 0x7f, (1 << bits) - 2]) expect(decode(pattern - (1 << bits))).toBe(decode(pattern));
  });

  test("encodes random doubles and floats, doubles of its range, its values, ties and their neighbors as NumPy or ml_dtypes does", () => {
    const streams = {
      randomDoubles: () => shared.randomDoubles,
      randomFloats: () => shared.randomFloats,
      rangedDoubles: () => rangedDoubles(values),
      borders: () => borders(values),
    };
    // `npm test` encodes the borders in every format, and of the streams of 700,000 random numbers one, by turns.
    const turn = Object.keys(streams)[formats.indexOf(format) % 3];
    for (const [stream, make] of Object.entries(streams)) {
      if (!isLong && stream !== "borders" && stream !== turn) continue;
      const numbers = make();
      const fixture = digests[name][stream as keyof typeof streams];
      const got = {
        stream,
        count: numbers.length,
        inputs: sharedInputs.get(numbers) ?? digestOfDoubles(numbers),
        encoded: digestOfPatterns(numbers, format),
      };
      expect(got).toEqual({ stream, ...fixture });
    }
  });

  test("encodes the value of every pattern except NaN to the same pattern", () => {
    const wrong = patterns(format).filter((pattern) => !Number.isNaN(decode(pattern)) && encode(decode(pattern)) !== pattern);
    expect(wrong).toEqual([]);
  });

  test("keeps the order of numbers and rounds to a nearest value", () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -values.at(-1)!, max: values.at(-1)! });
    fc.assert(
      fc.property(finite, finite, (x, y) => {
        const [low, high] = x <= y ? [x, y] : [y, x];
        expect(decode(encode(low))).toBeLessThanOrEqual(decode(encode(high)));
        const near = decode(encode(Math.abs(x)));
        const at = values.indexOf(near);
        const source = name === "bfloat16" ? Math.fround(Math.abs(x)) : Math.abs(x);
        for (const other of [values[at - 1], values[at + 1]]) {
          if (other !== undefined) expect(Math.abs(source - near)).toBeLessThanOrEqual(Math.abs(source - other));
        }
      }),
    );
  });
});

test.each(encodedFloats)("%d is encoded in all formats", (x, ...expected) => {
  expect(formats.map(({ encode }) => encode(x))).toEqual(expected);
});

describe("differences between the formats for a double", () => {
  const aboveTie = (lower: number, upper: number): number => nextDouble((lower + upper) / 2, 1);

  test("float16 and float8 round once", () => {
    expect(floatToHalf(aboveTie(1, 1 + 2 ** -10))).toBe(0x3c01);
    expect(floatToFloat8E4m3fn(aboveTie(1, 1.125))).toBe(0x39);
    expect(floatToHalf(65520 - 2 ** -37)).toBe(0x7bff);
  });

  test("bfloat16 rounds through float32", () => {
    expect(floatToBfloat16(aboveTie(1, 1 + 2 ** -7))).toBe(0x3f80);
    expect(floatToBfloat16(Math.fround(1 + 2 ** -8 + 2 ** -23))).toBe(0x3f81);
  });
});

describe("the decoding table", () => {
  test("float16's table is made once and has all patterns", () => {
    expect(halfTable()).toBe(halfTable());
    expect(patterns(formats[0]!).every((pattern) => Object.is(halfTable()[pattern], halfToFloat(pattern)))).toBe(true);
  });
});

describe("2- and 4-bit integers", () => {
  const kinds = { int4: [toInt4, int4Bits], uint4: [toUint4, toUint4], int2: [toInt2, int2Bits], uint2: [toUint2, toUint2] } as const;
  const names = ["int4", "uint4", "int2", "uint2"] as const;

  test.each(encodedInts)("%d is stored as ml_dtypes stores it", (x, ...expected) => {
    expect(names.map((name) => kinds[name][1](x))).toEqual(expected);
  });

  test.each(names)("%s decodes every byte as ml_dtypes does", (name) => {
    const [decode] = kinds[name];
    expect(sha256(Int8Array.from({ length: 256 }, (_, byte) => decode(byte)))).toBe(decodedInts[name]);
  });

  test.each(names)("%s: encoding and decoding a number is the cast", (name) => {
    const [cast, store] = kinds[name];
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: -300, max: 300 }), fc.double()), (x) => {
        expect(cast(store(x))).toBe(cast(x));
        expect(store(x)).toBeGreaterThanOrEqual(0);
        expect(store(x)).toBeLessThan(name.endsWith("4") ? 16 : 4);
      }),
    );
  });

  test("numbers beyond 32 bits wrap around", () => {
    expect(toInt4(2 ** 40 + 5)).toBe(5);
    expect(toInt4(-(2 ** 40) - 3)).toBe(-3);
  });
});
