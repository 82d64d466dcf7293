// The elements of a LayoutView: every type is read and written as its bytes, also where it is padding.
import { describe, expect, test } from "@jest/globals";
import type { Complex, RawDType } from "@onebuffer/base";
import { elementCodec, typedArrayConstructor } from "@onebuffer/base";
import type { LayoutElement, LayoutView, PrimitiveTypeLike } from "@onebuffer/xla";
import { layoutView, PaddingValue, parseShape, primitiveTypeToDType, relayout, Shape, ShapeUtil } from "@onebuffer/xla";
import { expectStatus } from "@onebuffer/test-support";
import { plain, paddedLayout, bufferFor } from "./shapes-and-buffers.ts";

describe("elements", () => {
  const numbers = [
    "f32",
    "f64",
    "s8",
    "s16",
    "s32",
    "u8",
    "u16",
    "u32",
    "bf16",
    "f16",
    "f8e5m2",
    "f8e4m3fn",
    "f8e4m3b11fnuz",
    "f8e5m2fnuz",
    "f8e4m3fnuz",
    "s4",
    "u4",
    "s2",
    "u2",
  ] as const;

  test.each(numbers)("%s is read and written as by base's codec, in ranks 0 to 5", (type) => {
    const dtype = primitiveTypeToDType(type) as RawDType;
    const codec = elementCodec(dtype);
    for (const dims of [[], [2], [1, 2], [1, 1, 2], [1, 2, 1, 1], [1, 1, 1, 2, 1]]) {
      const view = layoutView(ShapeUtil.makeShape(type, dims), new (typedArrayConstructor(dtype))(2));
      const bytes = new DataView(view.data.buffer);
      for (const value of [0, 1, -1, 2.5, -3, 6, 1e9, Number.NaN, -0, 0.1]) {
        const last = dims.map((size) => size - 1);
        view.set(...last, value);
        const expected = new DataView(new ArrayBuffer(8));
        codec.write(expected, 0, value as never);
        expect(view.at(...last)).toEqual(codec.read(expected, 0));
        expect(view.at(...last)).toEqual(codec.read(bytes, dims.length === 0 ? 0 : codec.bytes));
      }
    }
  });

  test("reads and writes bigints, booleans and complex numbers", () => {
    const s64 = layoutView<bigint>(plain("s64", [2, 2], [0, 1]), new BigInt64Array(4));
    s64.set(1, 0, -5n);
    expect([s64.at(1, 0), s64.data[1]]).toEqual([-5n, -5n]);
    const u64 = layoutView<bigint>(ShapeUtil.makeShape("u64", [1]), new BigUint64Array(1));
    u64.set(0, -1n);
    expect(u64.at(0)).toBe(2n ** 64n - 1n);
    const pred = layoutView<boolean>(ShapeUtil.makeShape("pred", [3]), new Uint8Array([0, 1, 7]));
    expect(pred.toArray()).toEqual([false, true, true]);
    pred.set(0, true);
    expect(pred.data[0]).toBe(1);
    const c64 = layoutView<Complex>(plain("c64", [2, 2], [0, 1]), new Float32Array(8));
    c64.set(0, 1, [1.5, -2]);
    expect([...c64.data]).toEqual([0, 0, 0, 0, 1.5, -2, 0, 0]);
    expect(c64.at(0, 1)).toEqual([1.5, -2]);
    const c128 = layoutView<Complex>(ShapeUtil.makeShape("c128", []), new Float64Array(2));
    c128.set([3, 4]);
    expect(c128.at()).toEqual([3, 4]);
  });

  test("packed elements fill bytes from the high bits down", () => {
    const s4 = layoutView(parseShape("s4[5]{0:E(4)}"), new Uint8Array(3));
    s4.copyFrom([1, -1, 7, -8, 3]);
    expect([...s4.data]).toEqual([0x1f, 0x78, 0x30]);
    expect(s4.toArray()).toEqual([1, -1, 7, -8, 3]);
    const u2 = layoutView(parseShape("u2[5]{0:E(2)}"), new Uint8Array(2));
    u2.copyFrom([1, 2, 3, 0, 2]);
    expect([...u2.data]).toEqual([0b01101100, 0b10000000]);
    const s1 = layoutView(parseShape("s1[3]{0:E(1)}"), new Uint8Array(1));
    s1.copyFrom([-1, 0, -1]);
    expect([...s1.data]).toEqual([0b10100000]);
    expect(s1.toArray()).toEqual([-1, 0, -1]);
    const wider = layoutView(parseShape("u2[3]{0:E(4)}"), new Uint8Array(2));
    wider.copyFrom([1, 2, 3]);
    expect([...wider.data]).toEqual([0x12, 0x30]);
    const f4 = layoutView(parseShape("f4e2m1fn[3]{0:E(4)}"), new Uint8Array(2));
    f4.copyFrom([0.5, -6, 3]);
    expect([...f4.data]).toEqual([0x1f, 0x50]);
  });

  const small: readonly (readonly [PrimitiveTypeLike, readonly (readonly [number, number, number])[]])[] = [
    // Value written, byte, value read.
    [
      "f8e4m3",
      [
        [240, 0x77, 240],
        [247, 0x77, 240],
        [248, 0x78, Infinity],
        [-Infinity, 0xf8, -Infinity],
        [Number.NaN, 0x7c, Number.NaN],
        [2 ** -9, 1, 2 ** -9],
        [2 ** -10, 0, 0],
        [1.0625, 0x38, 1],
        [1.1875, 0x3a, 1.25],
        [-0, 0x80, -0],
      ],
    ],
    [
      "f8e3m4",
      [
        [15.5, 0x6f, 15.5],
        [15.75, 0x70, Infinity],
        [0.015625, 1, 0.015625],
        [1, 0x30, 1],
        [-2, 0xc0, -2],
      ],
    ],
    [
      "f4e2m1fn",
      [
        [6, 7, 6],
        [100, 7, 6],
        [-Infinity, 15, -6],
        [2.5, 4, 2],
        [3.5, 6, 4],
        [0.25, 0, 0],
        [0.75, 2, 1],
        [Number.NaN, 8, -0],
      ],
    ],
    [
      "f8e8m0fnu",
      [
        [1, 127, 1],
        [2 ** 127, 254, 2 ** 127],
        [1.5, 128, 2],
        [2 ** -127, 0, 2 ** -127],
        [0, 0, 2 ** -127],
        [-1, 255, Number.NaN],
        [Infinity, 255, Number.NaN],
      ],
    ],
    [
      "s1",
      [
        [-1, 0xff, -1],
        [3, 0xff, -1],
        [2, 0, 0],
      ],
    ],
    [
      "u1",
      [
        [1, 1, 1],
        [2, 0, 0],
      ],
    ],
  ];

  test.each(small)("%s reads and writes the expected bytes", (type, cases) => {
    const view = layoutView(ShapeUtil.makeShape(type, [1]), new Uint8Array(1));
    for (const [written, byte, read] of cases) {
      view.set(0, written);
      expect([written, view.data[0], view.at(0)]).toEqual([written, byte, read]);
    }
  });

  test.each(["f8e4m3", "f8e3m4"] as const)("every pattern of %s is read and written unchanged", (type) => {
    const view = layoutView(
      ShapeUtil.makeShape(type, [256]),
      Uint8Array.from({ length: 256 }, (_, i) => i),
    );
    const copy = layoutView(view.shape, new Uint8Array(256));
    copy.copyFrom(view);
    view.toArray().forEach((value, i) => (Number.isNaN(value) ? expect(copy.at(i)).toBeNaN() : expect(copy.data[i]).toBe(i)));
  });
});

describe("padding values", () => {
  const { ZERO_PAD, ONE_PAD, LOWEST_PAD, HIGHEST_PAD, UNKNOWN_PAD, INVALID_PAD } = PaddingValue;
  const pads = [ZERO_PAD, ONE_PAD, LOWEST_PAD, HIGHEST_PAD, UNKNOWN_PAD, INVALID_PAD];
  const cases: readonly (readonly [PrimitiveTypeLike, readonly LayoutElement[]])[] = [
    ["f32", [0, 1, -Infinity, Infinity, Number.NaN, 0]],
    ["f64", [0, 1, -Infinity, Infinity, Number.NaN, 0]],
    ["bf16", [0, 1, -Infinity, Infinity, Number.NaN, 0]],
    ["f16", [0, 1, -Infinity, Infinity, Number.NaN, 0]],
    ["f8e5m2", [0, 1, -Infinity, Infinity, Number.NaN, 0]],
    ["f8e4m3fn", [0, 1, -448, 448, Number.NaN, 0]],
    ["f8e4m3fnuz", [0, 1, -240, 240, Number.NaN, 0]],
    ["s8", [0, 1, -128, 127, 0, 0]],
    ["s4", [0, 1, -8, 7, 0, 0]],
    ["u2", [0, 1, 0, 3, 0, 0]],
    ["u32", [0, 1, 0, 2 ** 32 - 1, 0, 0]],
    ["s64", [0n, 1n, -(2n ** 63n), 2n ** 63n - 1n, 0n, 0n]],
    ["u64", [0n, 1n, 0n, 2n ** 64n - 1n, 0n, 0n]],
    ["pred", [false, true, false, true, false, false]],
  ];

  test.each(cases)("fillPadding and relayout fill the padding of %s", (type, expected) => {
    pads.forEach((pad, i) => {
      const shape = Shape.array(type, [1], { layout: paddedLayout([0], [2], pad) });
      const view = layoutView<LayoutElement>(shape, bufferFor(shape, 2));
      view.fillPadding();
      const cells = layoutView<LayoutElement>(ShapeUtil.makeShape(type, [2]), view.data);
      expect([pad, cells.at(1)]).toEqual([pad, expected[i]]);
      const data = bufferFor(shape, 2);
      relayout({ shape: ShapeUtil.makeShape(type, [1]), data: bufferFor(shape, 1) }, { shape, data });
      expect(data).toEqual(view.data);
    });
  });

  test("complex types have no lowest and no highest padding", () => {
    const of = (pad: PaddingValue): LayoutView<Complex> =>
      layoutView<Complex>(Shape.array("c64", [1], { layout: paddedLayout([0], [2], pad) }), new Float32Array(4));
    const one = of(ONE_PAD);
    one.fillPadding();
    expect([...one.data]).toEqual([0, 0, 1, 0]);
    for (const pad of [LOWEST_PAD, HIGHEST_PAD]) expectStatus(() => of(pad).fillPadding(), "INVALID_ARGUMENT", "c64", "order");
  });

  test("tiles are padded with zeros up to the tail alignment; later cells are untouched", () => {
    const view = layoutView(parseShape("u8[3]{0:T(2)L(6)}"), new Uint8Array(8).fill(9));
    expect(view.cells).toBe(6);
    view.fillPadding();
    expect([...view.data]).toEqual([9, 9, 9, 0, 0, 0, 9, 9]);
    const packed = { shape: parseShape("u4[3]{0:T(5)E(4)}"), data: new Uint8Array(3).fill(0xff) };
    relayout({ shape: parseShape("u4[3]{0:E(4)}"), data: new Uint8Array([0x12, 0x30]) }, packed);
    expect([...packed.data]).toEqual([0x12, 0x30, 0x0f]);
  });
});
