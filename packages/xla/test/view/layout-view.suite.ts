// LayoutView and relayout: XLA's worked examples, all layouts against a naive implementation, slices.
import { describe, expect, test } from "@jest/globals";
import type { LayoutElement, PrimitiveTypeLike } from "@onebuffer/xla";
import { layoutView, PaddingValue, parseShape, relayout, Shape, ShapeUtil, tiledElementCount } from "@onebuffer/xla";
import fc from "fast-check";
import { isLong } from "@onebuffer/test-support";
import { laidOut, twoLayouts } from "../address/laid-out.ts";
import { indicesOf, naiveBuffer } from "../address/naive-layout.ts";
import { plain, paddedLayout, bufferFor } from "./shapes-and-buffers.ts";

const letters = (text: string): number[] => [...text.replaceAll(" ", "")].map((letter) => (letter === "0" ? 0 : letter.charCodeAt(0)));

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

test("packed elements of tiles are moved by their bits", () => {
  const source = { shape: parseShape("s4[2,4]{1,0:E(4)}"), data: Uint8Array.of(0x12, 0x34, 0x56, 0x71) };
  const target = { shape: parseShape("s4[2,4]{0,1:E(4)}"), data: new Uint8Array(4) };
  relayout(source, target);
  expect([...target.data]).toEqual([0x15, 0x26, 0x37, 0x41]);
  const quarters = { shape: parseShape("s2[2,4]{1,0:E(2)}"), data: Uint8Array.of(0x1b, 0xe4) };
  const turned = { shape: parseShape("s2[2,4]{0,1:E(2)}"), data: new Uint8Array(2) };
  relayout(quarters, turned);
  expect([...turned.data]).toEqual([0x36, 0x9c]);
});
