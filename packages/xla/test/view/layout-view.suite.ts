// LayoutView and relayout: XLA's worked examples, all layouts and element types, padding, slices, refused arguments.
import { describe, expect, test } from "@jest/globals";
import type { Complex, RawDType, TypedArray } from "@onebuffer/base";
import { elementCodec, typedArrayConstructor } from "@onebuffer/base";
import type { LayoutElement, LayoutView, PrimitiveTypeLike } from "@onebuffer/xla";
import {
  kUnboundedSize,
  Layout,
  layoutView,
  PaddingValue,
  parseShape,
  primitiveTypeToDType,
  relayout,
  Shape,
  ShapeUtil,
  SplitConfig,
  tiledElementCount,
} from "@onebuffer/xla";
import fc from "fast-check";
import { expectStatus, isLong } from "@onebuffer/test-support";
import { laidOut, twoLayouts } from "../address/laid-out.ts";
import { indicesOf, naiveBuffer } from "../address/naive-layout.ts";

const letters = (text: string): number[] => [...text.replaceAll(" ", "")].map((letter) => (letter === "0" ? 0 : letter.charCodeAt(0)));
const plain = (type: PrimitiveTypeLike, dims: number[], order: number[]): Shape => ShapeUtil.makeShapeWithDenseLayout(type, dims, order);
const paddedLayout = (order: number[], widths: number[], paddingValue: PaddingValue = PaddingValue.ZERO_PAD): Layout =>
  new Layout(order, { paddedDimensions: widths, paddingValue });

/** A new array of the class that stores the shape's element type. */
function bufferFor(shape: Shape, cells: number): TypedArray {
  return new (typedArrayConstructor(primitiveTypeToDType(shape.elementType) as RawDType))(cells);
}

describe("the worked examples of XLA's documents", () => {
  const abc = letters("abcdef");

  test("2x3: {0,1} is column-major, {1,0} row-major", () => {
    for (const [order, text] of [
      [[0, 1], "adbecf"],
      [[1, 0], "abcdef"],
    ] as const) {
      const view = layoutView(plain("u8", [2, 3], [...order]), new Uint8Array(6));
      view.copyFrom(abc);
      expect([...view.data]).toEqual(letters(text));
      expect(view.toArray()).toEqual(abc);
    }
  });

  test("2x3 padded to [3,5] with dimension 0 minor has the bytes of an unpadded 3x5 array", () => {
    const view = layoutView(Shape.array("u8", [2, 3], { layout: paddedLayout([0, 1], [3, 5]) }), new Uint8Array(15).fill(9));
    view.copyFrom(abc);
    view.fillPadding();
    const bytes = letters("ad0 be0 cf0 000 000");
    expect([...view.data]).toEqual(bytes);
    const whole = layoutView(plain("u8", [3, 5], [0, 1]), new Uint8Array(15));
    whole.copyFrom(letters("abc00 def00 00000"));
    expect([...whole.data]).toEqual(bytes);
  });

  test("relayout of 1..12", () => {
    const target = { shape: plain("s32", [2, 2, 3], [0, 1, 2]), data: new Int32Array(12) };
    relayout({ shape: ShapeUtil.makeShape("s32", [2, 2, 3]), data: Int32Array.from({ length: 12 }, (_, i) => i + 1) }, target);
    expect([...target.data]).toEqual([1, 7, 4, 10, 2, 8, 5, 11, 3, 9, 6, 12]);
  });
});

describe("views and relayout against a naive implementation", () => {
  test("a view reads and writes the right cells in every layout and rank", () => {
    fc.assert(
      fc.property(laidOut("s32", 5), (shape) => {
        const buffer = naiveBuffer(shape);
        const view = layoutView(shape, new Int32Array(buffer.length));
        indicesOf(shape.dimensions).forEach((index, element) => view.set(...index, element + 1));
        expect([...view.data]).toEqual(buffer.map((element) => element + 1));
        expect(indicesOf(shape.dimensions).map((index) => view.at(...index))).toEqual(view.toArray());
        expect([...view]).toEqual(view.toArray());
        const again = layoutView(shape, new Int32Array(buffer.length));
        again.copyFrom(view);
        again.fillPadding(-7);
        expect([...again.data]).toEqual(buffer.map((element) => (element < 0 ? -7 : element + 1)));
      }),
      { numRuns: isLong ? 300 : 150 },
    );
  });

  const widths: readonly (readonly [PrimitiveTypeLike, (i: number) => LayoutElement])[] = [
    ["u8", (i) => i + 1],
    ["bf16", (i) => i + 1],
    ["f32", (i) => i + 1],
    ["s64", (i) => BigInt(i + 1)],
    ["c64", (i) => [i + 1, -i]],
    ["c128", (i) => [i + 1, -i]],
  ];

  test.each(widths)("relayout of %s copies every element and fills the padding", (type, valueOf) => {
    fc.assert(
      fc.property(twoLayouts(type), ([a, b]) => {
        fc.pre(!isUnordered(b));
        const source = layoutView<LayoutElement>(a, bufferFor(a, tiledElementCount(a) * slotsOf(type)));
        source.copyFrom(Array.from({ length: source.size }, (_, i) => valueOf(i)));
        const target = layoutView<LayoutElement>(b, bufferFor(b, tiledElementCount(b) * slotsOf(type)));
        target.copyFrom(source);
        target.fillPadding();
        const copied = bufferFor(b, tiledElementCount(b) * slotsOf(type));
        (copied as Uint8Array).fill((typeof valueOf(0) === "bigint" ? 77n : 77) as number);
        relayout({ shape: a, data: source.data }, { shape: b, data: copied });
        expect(copied).toEqual(target.data);
      }),
      { numRuns: 120 },
    );
  });

  test("relayout copies packed elements", () => {
    const [a, b] = [parseShape("s4[3,5]{1,0:E(4)}"), parseShape("s4[3,5]{0,1:T(2,2)E(4)}")];
    const source = layoutView(a, new Uint8Array(8));
    source.copyFrom(Array.from({ length: 15 }, (_, i) => i - 8));
    const target = layoutView(b, new Uint8Array(12).fill(0xff));
    relayout({ shape: a, data: source.data }, { shape: b, data: target.data });
    expect(target.toArray()).toEqual(source.toArray());
    const twin = layoutView(b, new Uint8Array(12));
    twin.copyFrom(source);
    expect(target.data).toEqual(twin.data);
  });

  test("relayout transposes every width, with sizes that no block divides", () => {
    for (const type of ["u8", "u16", "s32", "f64", "c128"] as const) {
      const [a, b] = [ShapeUtil.makeShape(type, [67, 3, 45]), plain(type, [67, 3, 45], [0, 1, 2])];
      const source = layoutView<LayoutElement>(a, bufferFor(a, 67 * 3 * 45 * slotsOf(type)));
      source.copyFrom(Array.from({ length: source.size }, (_, i) => (type === "c128" ? [i, -i] : i % 251)));
      const data = bufferFor(b, source.data.length);
      relayout({ shape: a, data: source.data }, { shape: b, data });
      expect(layoutView<LayoutElement>(b, data).toArray()).toEqual(source.toArray());
    }
  });

  test("relayout keeps a NaN's payload", () => {
    const bits = new Uint32Array([0x7fc01234, 0xffabcdef, 1, 2]);
    const data = new Float32Array(4);
    relayout(
      { shape: ShapeUtil.makeShape("f32", [2, 2]), data: new Float32Array(bits.buffer) },
      { shape: plain("f32", [2, 2], [0, 1]), data },
    );
    expect([...new Uint32Array(data.buffer)]).toEqual([0x7fc01234, 1, 0xffabcdef, 2]);
  });

  test("a view and relayout handle a long tiled dimension", () => {
    const shape = parseShape("u8[2,100000]{1,0:T(2,128)(2,1)}");
    const view = layoutView(shape, new Uint8Array(tiledElementCount(shape)));
    view.set(1, 99_999, 7);
    expect(view.data.indexOf(7 as never)).toBe(Math.floor(99_999 / 128) * 256 + (99_999 % 128) * 2 + 1);
    const rows = new Uint8Array(200_000);
    relayout({ shape, data: view.data }, { shape: ShapeUtil.makeShape("u8", [2, 100_000]), data: rows });
    expect(rows.indexOf(7)).toBe(199_999);
  });
});

function slotsOf(type: PrimitiveTypeLike): 1 | 2 {
  return type === "c64" || type === "c128" ? 2 : 1;
}

/** True if the padding is the lowest or highest value of a complex type, which has no order. */
function isUnordered(shape: Shape): boolean {
  const { paddingValue } = shape.layout!;
  return shape.toString().startsWith("c") && (paddingValue === PaddingValue.LOWEST_PAD || paddingValue === PaddingValue.HIGHEST_PAD);
}

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

describe("slices", () => {
  test("sliceValues agrees with a filter over all indices", () => {
    fc.assert(
      fc.property(laidOut("s32", 3), fc.infiniteStream(fc.nat(5)), (shape, stream) => {
        const next = (): number => stream.next().value;
        const view = layoutView(shape, new Int32Array(tiledElementCount(shape)));
        view.copyFrom(Array.from({ length: view.size }, (_, i) => i));
        const bounds = shape.dimensions.map((size) => [next() % (size + 1), next() % (size + 1)].sort((a, b) => a - b));
        const [starts, limits, strides] = [
          bounds.map(([start]) => start!),
          bounds.map(([, limit]) => limit!),
          bounds.map(() => 1 + (next() % 3)),
        ];
        const inside = (index: readonly number[]): boolean =>
          index.every((i, d) => i >= starts[d]! && i < limits[d]! && (i - starts[d]!) % strides[d]! === 0);
        expect(view.sliceValues(starts, limits, strides)).toEqual(
          indicesOf(shape.dimensions)
            .filter(inside)
            .map((index) => view.at(...index)),
        );
      }),
      { numRuns: 150 },
    );
  });
});

describe("refuses", () => {
  const f32 = ShapeUtil.makeShape("f32", [2, 3]);
  const view = layoutView(f32, new Float32Array(6));
  const rank3 = layoutView(ShapeUtil.makeShape("f32", [2, 3, 4]), new Float32Array(24));
  const rank5 = layoutView(ShapeUtil.makeShape("f32", [1, 1, 1, 2, 3]), new Float32Array(6));
  const tiled = layoutView(parseShape("f32[2,3]{1,0:T(2,2)}"), new Float32Array(8));
  const pred = layoutView<boolean>(ShapeUtil.makeShape("pred", [2, 3]), new Uint8Array(6));

  const indices: readonly (readonly [string, () => unknown, number | string, number])[] = [
    ["an index too large", () => view.at(2, 0), 2, 0],
    ["a negative index", () => view.at(0, -1), -1, 1],
    ["a fraction", () => view.at(0.5, 0), 0.5, 0],
    ["NaN", () => view.at(0, Number.NaN), "NaN", 1],
    ["an index beyond 32 bits", () => view.at(2 ** 32, 0), 2 ** 32, 0],
    ["an index too large in set", () => view.set(0, 3, 1), 3, 1],
    ["an index too large in a tiled array", () => tiled.at(0, 3), 3, 1],
    ["an index too large in rank 3", () => rank3.at(0, 0, 4), 4, 2],
    ["an index too large in rank 5", () => rank5.at(0, 0, 0, 2, 0), 2, 3],
    ["an index too large in a view of booleans", () => pred.at(0, 3), 3, 1],
    ["any index in an array without elements", () => layoutView(ShapeUtil.makeShape("f32", [0, 3]), new Float32Array(0)).at(0, 0), 0, 0],
  ];
  test.each(indices)("OUT_OF_RANGE: %s", (_, act, index, dim) => expectStatus(act, "OUT_OF_RANGE", `index ${index}`, `dimension ${dim}`));

  const invalid: readonly (readonly [string, () => unknown, readonly (string | number)[]])[] = [
    ["too few indices", () => view.at(1), ["1 indices", "rank 2"]],
    ["too many indices", () => view.at(1, 1, 1), ["3 indices", "rank 2"]],
    ["five indices in rank 3", () => rank3.at(0, 0, 0, 0, 0), ["5 indices", "rank 3"]],
    ["set without indices", () => view.set(1), ["0 indices"]],
    ["a value of the wrong type", () => view.set(0, 0, 1n as never), ["f32", "1"]],
    ["a number as a boolean", () => pred.set(0, 0, 1 as never), ["pred", "1"]],
    [
      "a pair as a bigint",
      () => layoutView<bigint>(ShapeUtil.makeShape("s64", [1]), new BigInt64Array(1)).set(0, [1, 2] as never),
      ["s64"],
    ],
    [
      "half a complex number",
      () => layoutView<Complex>(ShapeUtil.makeShape("c64", [1]), new Float32Array(2)).set(0, [1] as never),
      ["c64"],
    ],
    ["an array of another class", () => layoutView(f32, new Float64Array(6)), ["f32", "Float32Array", "Float64Array"]],
    ["bytes instead of floats", () => layoutView(f32, new Uint8Array(24)), ["Uint8Array"]],
    ["a plain list as the array", () => layoutView(f32, [1, 2, 3] as never), ["f32"]],
    ["an array too short", () => layoutView(f32, new Float32Array(5)), ["6", "5"]],
    [
      "an array too short for its padding",
      () => layoutView(Shape.array("f32", [2, 3], { layout: paddedLayout([0, 1], [3, 5]) }), new Float32Array(14)),
      ["15", "14"],
    ],
    ["an array too short for its tiles", () => layoutView(parseShape("f32[3,5]{1,0:T(2,2)L(16)}"), new Float32Array(24)), ["32", "24"]],
    ["an array too short for packed elements", () => layoutView(parseShape("s4[5]{0:E(4)}"), new Uint8Array(2)), ["3", "2"]],
    ["a shape without a layout", () => layoutView(Shape.array("f32", [2]), new Float32Array(2)), ["f32[2] does not have a layout"]],
    ["a tuple", () => layoutView(ShapeUtil.makeNil(), new Float32Array(2)), ["()"]],
    [
      "an unbounded array",
      () => layoutView(Shape.array("f32", [kUnboundedSize], { layout: new Layout([0]) }), new Float32Array(2)),
      ["dimension 0"],
    ],
    ["too few values", () => view.copyFrom([1, 2]), ["2 values", "6 elements"]],
    ["a list with a value of the wrong type", () => view.copyFrom([1, 2, 3, 4, 5, "6" as never]), ["f32", "6"]],
    ["a padding value of the wrong type", () => view.fillPadding(1n as never), ["f32"]],
    ["a slice beyond the end", () => view.sliceValues([0, 0], [2, 4]), ["from 0 to 4", "dimension 1"]],
    ["a slice with too few bounds", () => view.sliceValues([0], [2]), ["{0}"]],
    ["a slice with a step of 0", () => view.sliceValues([0, 0], [1, 1], [1, 0]), ["stride 0", "dimension 1"]],
    [
      "relayout between different types",
      () => relayout({ shape: f32, data: view.data }, { shape: ShapeUtil.makeShape("s32", [2, 3]), data: new Int32Array(6) }),
      ["f32[2,3]", "s32[2,3]"],
    ],
    [
      "relayout between different dimensions",
      () => relayout({ shape: f32, data: view.data }, { shape: ShapeUtil.makeShape("f32", [6]), data: new Float32Array(6) }),
      ["f32[2,3]", "f32[6]"],
    ],
    [
      "relayout between different element sizes",
      () =>
        relayout(
          { shape: parseShape("s4[2]{0:E(4)}"), data: new Uint8Array(1) },
          { shape: parseShape("s4[2]{0}"), data: new Int8Array(2) },
        ),
      ["4", "8"],
    ],
    [
      "relayout in place",
      () => relayout({ shape: f32, data: view.data }, { shape: plain("f32", [2, 3], [0, 1]), data: view.data }),
      ["overlap"],
    ],
    [
      "a split that does not fit",
      () =>
        ShapeUtil.arraySize(
          Shape.array("f32", [4], { layout: new Layout([0], { tiles: [[2]], splitConfigs: [new SplitConfig(0, [9])] }) }),
        ),
      ["9"],
    ],
    ["a tuple without a pointer size", () => ShapeUtil.byteSizeOf(parseShape("(f32[])"), 0), ["pointer size 0"]],
  ];
  test.each(invalid)("INVALID_ARGUMENT: %s", (_, act, contains) => expectStatus(act, "INVALID_ARGUMENT", ...contains));

  test("UNIMPLEMENTED: split layouts, and element sizes that are neither natural nor packed", () => {
    expectStatus(() => layoutView(parseShape("f32[4]{0:SC(0:2)}"), new Float32Array(4)), "UNIMPLEMENTED", "split");
    expectStatus(() => layoutView(parseShape("s8[4]{0:E(16)}"), new Int8Array(8)), "UNIMPLEMENTED", "16 bits");
    expectStatus(() => layoutView(parseShape("s4[4]{0:E(2)}"), new Uint8Array(8)), "UNIMPLEMENTED", "2 bits");
  });

  test("FAILED_PRECONDITION if the memory is detached", () => {
    const lost = layoutView(f32, new Float32Array(6));
    const lostBits = layoutView(ShapeUtil.makeShape("bf16", [2]), new Uint16Array(2));
    const lostPred = layoutView<boolean>(ShapeUtil.makeShape("pred", [2]), new Uint8Array(2));
    structuredClone(0, {
      transfer: [lost.data.buffer as ArrayBuffer, lostBits.data.buffer as ArrayBuffer, lostPred.data.buffer as ArrayBuffer],
    });
    expectStatus(() => lost.at(0, 0), "FAILED_PRECONDITION", "f32[2,3]");
    expectStatus(() => lost.set(0, 0, 1), "FAILED_PRECONDITION", "f32[2,3]");
    expectStatus(() => lost.toArray(), "FAILED_PRECONDITION", "f32[2,3]");
    expectStatus(() => [...lost], "FAILED_PRECONDITION", "f32[2,3]");
    expectStatus(() => lostBits.at(0), "FAILED_PRECONDITION", "bf16[2]");
    expectStatus(() => lostPred.at(0), "FAILED_PRECONDITION", "pred[2]");
  });

  test("a view prints its shape and shares the array", () => {
    expect(String(tiled)).toBe("LayoutView f32[2,3]{1,0:T(2,2)}");
    expect(tiled.dimensions).toEqual([2, 3]);
    const data = new Float32Array(6);
    layoutView(f32, data).set(1, 1, 5);
    expect(data[4]).toBe(5);
  });
});

test.each([1, 2, 3, 4])("an index of %d entries with a fraction is refused, in each place and for numbers and others", (rank) => {
  for (const type of ["f32", "c64"] as const) {
    const view = layoutView(
      ShapeUtil.makeShape(
        type,
        Array.from({ length: rank }, () => 2),
      ),
      new Float32Array(2 ** rank * 2).subarray(0, type === "f32" ? 2 ** rank : undefined) as never,
    );
    const at = view.at.bind(view) as (...index: readonly number[]) => unknown;
    expect(() => at(...Array.from({ length: rank }, () => 1))).not.toThrow();
    for (let place = 0; place < rank; place++)
      expect(() => at(...Array.from({ length: rank }, (_, k) => (k === place ? 0.5 : 0)))).toThrow(/0\.5/);
  }
});
