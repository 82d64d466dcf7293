// Tests elementCodec, which reads and writes single elements in raw bytes: every raw dtype, at any offset, little-endian on every machine.
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { allDTypes, elementCodec, floatToHalf, halfToFloat, isRawDType, typedArrayConstructor } from "@onebuffer/base";
import type { ElementOf, RawDType } from "@onebuffer/base";
import { expectStatus } from "@onebuffer/test-support";

type Element = ElementOf<RawDType>;

const rawDTypes = allDTypes.filter((dtype): dtype is RawDType => isRawDType(dtype));

/** For every raw dtype: the dtype, an element, the element's bytes in hexadecimal. */
const cases: readonly (readonly [RawDType, Element, string])[] = [
  ["float32", 1.5, "0000c03f"],
  ["float64", -2, "00000000000000c0"],
  ["int32", -2, "feffffff"],
  ["uint8", 200, "c8"],
  ["int16", -2, "feff"],
  ["int8", -56, "c8"],
  ["complex64", [1, -2], "0000803f000000c0"],
  ["int64", -2n, "feffffffffffffff"],
  ["bool", true, "01"],
  ["bool", false, "00"],
  ["qint8", -1, "ff"],
  ["quint8", 255, "ff"],
  ["qint32", 0x01020304, "04030201"],
  ["bfloat16", -1, "80bf"],
  ["qint16", 0x0102, "0201"],
  ["quint16", 0xff01, "01ff"],
  ["uint16", 65534, "feff"],
  ["complex128", [1, -2], "000000000000f03f00000000000000c0"],
  ["float16", -1, "00bc"],
  ["uint32", 0xfffffffe, "feffffff"],
  ["uint64", 0xfffffffffffffffen, "feffffffffffffff"],
  ["float8_e5m2", -1, "bc"],
  ["float8_e4m3fn", -1, "b8"],
  ["float8_e4m3fnuz", -1, "c0"],
  ["float8_e4m3b11fnuz", -1, "d8"],
  ["float8_e5m2fnuz", -1, "c0"],
  ["int4", -2, "0e"],
  ["uint4", 14, "0e"],
  ["int2", -2, "02"],
  ["uint2", 3, "03"],
  ["float4_e2m1fn", -6, "0f"],
];

/** Returns `count` bytes of a view in hexadecimal. */
const hex = (view: DataView, from: number, count: number): string =>
  Array.from({ length: count }, (_, i) =>
    view
      .getUint8(from + i)
      .toString(16)
      .padStart(2, "0"),
  ).join("");

test("the cases cover every raw dtype", () => {
  expect(new Set(cases.map(([dtype]) => dtype))).toEqual(new Set(rawDTypes));
});

test.each(cases)("%s %p is stored as %s at every offset, and the bytes around it do not change", (dtype, element, bytes) => {
  const codec = elementCodec<RawDType>(dtype);
  for (let offset = 0; offset <= 17; offset++) {
    // The view starts at byte 3 of its buffer, because offsets must be relative to the view.
    const view = new DataView(new ArrayBuffer(40), 3, 34);
    for (let i = 0; i < 34; i++) view.setUint8(i, 0xa5);
    codec.write(view, offset, element);
    expect(hex(view, offset, codec.bytes)).toBe(bytes);
    expect(codec.read(view, offset)).toEqual(element);
    expect(hex(view, 0, 34).replaceAll("a5", "").length).toBe(2 * codec.bytes);
  }
});

describe.each(rawDTypes)("%s", (dtype) => {
  const codec = elementCodec<RawDType>(dtype);
  const ones = new DataView(new ArrayBuffer(codec.bytes));

  test("returns the same codec each time", () => {
    expect(elementCodec(dtype)).toBe(codec);
  });

  test("reads any bytes as an element, and reads the same element after writing it back", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: codec.bytes, maxLength: codec.bytes }), (bytes) => {
        const view = new DataView(bytes.slice().buffer);
        const element = codec.read(view, 0);
        codec.write(view, 0, element);
        expect(codec.read(view, 0)).toEqual(element);
      }),
    );
  });

  test("refuses an element that is not wholly inside the view", () => {
    for (const offset of [-1, 1, 0.5, NaN, Infinity, 2 ** 53]) {
      expectStatus(() => codec.read(ones, offset), "OUT_OF_RANGE", String(codec.bytes), String(offset));
      expectStatus(() => codec.write(ones, offset, cases.find(([each]) => each === dtype)![1]), "OUT_OF_RANGE", String(offset));
    }
    expectStatus(() => codec.read(new DataView(new ArrayBuffer(0)), 0), "OUT_OF_RANGE");
  });

  test("refuses elements of another type and does not change the bytes", () => {
    const right = typeof cases.find(([each]) => each === dtype)![1];
    const others = [1, 1n, true, [1, 2], [1], [1, 2, 3], ["1", 2], "1", null, undefined, {}, Object.create(null)];
    for (const value of others) {
      if (typeof value === right && (right !== "object" || (Array.isArray(value) && value.length === 2 && typeof value[0] === "number")))
        continue;
      expectStatus(() => codec.write(ones, 0, value as Element), "INVALID_ARGUMENT", dtype);
    }
    expect(hex(ones, 0, codec.bytes)).toBe("00".repeat(codec.bytes));
  });

  test("refuses detached memory", () => {
    const view = new DataView(new ArrayBuffer(16));
    structuredClone(view.buffer, { transfer: [view.buffer] });
    expectStatus(() => codec.read(view, 0), "FAILED_PRECONDITION");
  });
});

test("reads and writes shared memory", () => {
  const view = new DataView(new SharedArrayBuffer(8));
  elementCodec("int64").write(view, 0, -5n);
  expect(elementCodec("int64").read(view, 0)).toBe(-5n);
});

test("a bool byte other than 0 reads as true", () => {
  const view = new DataView(Uint8Array.of(0, 1, 2, 0x80, 255).buffer);
  expect([0, 1, 2, 3, 4].map((at) => elementCodec("bool").read(view, at))).toEqual([false, true, true, true, true]);
});

test("ignores the upper bits of a byte that holds a 4-bit or 2-bit integer", () => {
  const view = new DataView(Uint8Array.of(0xf7, 0x18, 0xff).buffer);
  expect([elementCodec("int4").read(view, 0), elementCodec("int4").read(view, 1), elementCodec("uint4").read(view, 0)]).toEqual([7, -8, 7]);
  expect([elementCodec("int2").read(view, 2), elementCodec("uint2").read(view, 2)]).toEqual([-1, 3]);
});

test("converts numbers and bigints that do not fit the dtype as a typed array does", () => {
  const wrapping = [
    "int32",
    "uint8",
    "int16",
    "int8",
    "qint8",
    "quint8",
    "qint32",
    "qint16",
    "quint16",
    "uint16",
    "uint32",
    "float32",
  ] as const;
  const view = new DataView(new ArrayBuffer(8));
  fc.assert(
    fc.property(fc.constantFrom(...wrapping), fc.double(), (dtype, x) => {
      const array = new (typedArrayConstructor(dtype))(1);
      array[0] = x;
      elementCodec(dtype).write(view, 0, x);
      expect(elementCodec(dtype).read(view, 0)).toBe(array[0]);
    }),
  );
  elementCodec("uint64").write(view, 0, -1n);
  expect(elementCodec("uint64").read(view, 0)).toBe(2n ** 64n - 1n);
  elementCodec("int64").write(view, 0, 2n ** 64n + 7n);
  expect(elementCodec("int64").read(view, 0)).toBe(7n);
});

test("float16 elements are encoded as floatToHalf does and decoded as halfToFloat does", () => {
  const view = new DataView(new ArrayBuffer(2));
  fc.assert(
    fc.property(fc.double(), (x) => {
      elementCodec("float16").write(view, 0, x);
      expect(view.getUint16(0, true)).toBe(floatToHalf(x));
      expect(elementCodec("float16").read(view, 0)).toBe(halfToFloat(floatToHalf(x)));
    }),
  );
});
