// Literals as messages: every element type both ways, tuples, eras, and refused messages.
import { describe, expect, test } from "@jest/globals";
import type { TypedArray } from "@onebuffer/base";
import type { Literal, LiteralProto, PrimitiveTypeName } from "@onebuffer/xla";
import {
  Layout,
  layoutView,
  literalFromProto,
  literalToProto,
  parseShape,
  PrimitiveType,
  primitiveTypeName,
  Shape,
  ShapeUtil,
} from "@onebuffer/xla";
import { refusalText, expectStatus } from "@onebuffer/test-support";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

const array = (text: string, data: TypedArray): Literal => ({ shape: parseShape(text), data, tupleLiterals: [] });

/** Two elements of each type: the type, the content of its field in the message, and the array in memory. */
const kTypes: readonly [type: PrimitiveTypeName, field: TypedArray, data: TypedArray][] = [
  ["pred", Uint8Array.of(1, 0), Uint8Array.of(1, 0)],
  ["s8", Uint8Array.of(255, 1), Int8Array.of(-1, 1)],
  ["u8", Uint8Array.of(255, 1), Uint8Array.of(255, 1)],
  ["s16", Uint8Array.of(254, 255, 1, 0), Int16Array.of(-2, 1)],
  ["u16", Uint8Array.of(254, 255, 1, 0), Uint16Array.of(65534, 1)],
  ["f16", Uint8Array.of(0, 0x3c, 0, 0xc0), Uint16Array.of(0x3c00, 0xc000)],
  ["bf16", Uint8Array.of(0x80, 0x3f, 0, 0xc0), Uint16Array.of(0x3f80, 0xc000)],
  ["s32", Int32Array.of(-1, 2), Int32Array.of(-1, 2)],
  ["u32", Uint32Array.of(2 ** 32 - 1, 2), Uint32Array.of(2 ** 32 - 1, 2)],
  ["s64", BigInt64Array.of(-1n, 2n), BigInt64Array.of(-1n, 2n)],
  ["u64", BigUint64Array.of(2n ** 64n - 1n, 2n), BigUint64Array.of(2n ** 64n - 1n, 2n)],
  ["f32", Float32Array.of(1.5, -0), Float32Array.of(1.5, -0)],
  ["f64", Float64Array.of(0.1, -0), Float64Array.of(0.1, -0)],
  ["c64", Float32Array.of(1, 2, 3, 4), Float32Array.of(1, 2, 3, 4)],
  ["c128", Float64Array.of(1, 2, 3, 4), Float64Array.of(1, 2, 3, 4)],
  ...(["s1", "s2", "s4"] as const).map((type) => [type, Uint8Array.of(255, 0), Int8Array.of(-1, 0)] as const),
  ...(
    [
      "u1",
      "u2",
      "u4",
      "f8e5m2",
      "f8e4m3",
      "f8e4m3fn",
      "f8e4m3b11fnuz",
      "f8e4m3fnuz",
      "f8e5m2fnuz",
      "f8e3m4",
      "f8e8m0fnu",
      "f4e2m1fn",
    ] as const
  ).map((type) => [type, Uint8Array.of(1, 0), Uint8Array.of(1, 0)] as const),
] as unknown as [PrimitiveTypeName, TypedArray, TypedArray][];

test("the table has every array type", () => {
  const all = Object.values(PrimitiveType).filter((type) => Shape.prototype.isArray.call({ elementType: type }) as boolean);
  expect(kTypes.map(([type]) => type).sort()).toEqual(all.map(primitiveTypeName).sort());
});

test.each(kTypes)("%s is written to its field and read back", (type, field, data) => {
  const literal = array(`${type}[2]{0}`, data);
  const proto = literalToProto(literal);
  expect(proto).toEqual({ shape: { ...proto.shape }, [`${type}s`]: field });
  const back = literalFromProto(proto);
  expect([back.shape.toString(true), back.data, back.tupleLiterals]).toEqual([literal.shape.toString(true), data, []]);
  const short = { ...proto, [`${type}s`]: field.subarray(0, field.length - 1) };
  expect(refusalText(() => literalFromProto(short))).toMatch(/^INVALID_ARGUMENT: Expected \d elements in LiteralProto\./);
  expect(refusalText(() => literalToProto({ ...literal, data: null }))).toMatch(/^INVALID_ARGUMENT: .*null/);
});

test("shares the data where possible and reads it in the order of the layout", () => {
  const f32s = Float32Array.of(1, 4, 2, 5, 3, 6);
  const literal = literalFromProto({
    shape: { elementType: PrimitiveType.F32, dimensions: [2, 3], layout: { minorToMajor: [0, 1] } },
    f32s,
  });
  expect(literal.data).toBe(f32s);
  expect(layoutView(literal.shape, literal.data!).at(1, 2)).toBe(6);
  expect(literalToProto(literal).f32s).toBe(f32s);
  const bytes = new Uint8Array(9).subarray(1);
  const odd = literalFromProto({ shape: { elementType: PrimitiveType.S16, dimensions: [4] }, s16s: bytes });
  expect([odd.data?.buffer === bytes.buffer, odd.data?.length]).toEqual([false, 4]);
  const even = literalFromProto({ shape: { elementType: PrimitiveType.S16, dimensions: [2] }, s16s: new Uint8Array(6).subarray(2) });
  expect(even.data?.byteOffset).toBe(2);
});

test("accepts plain lists of numbers, with exact int64", () => {
  const read = (name: keyof typeof PrimitiveType, field: Partial<LiteralProto>): TypedArray | null =>
    literalFromProto({ shape: { elementType: PrimitiveType[name], dimensions: [2] }, ...field }).data;
  expect(read("PRED", { preds: [true, false] })).toEqual(Uint8Array.of(1, 0));
  expect(read("F32", { f32s: [0.1, Number.NaN] })).toEqual(Float32Array.of(0.1, Number.NaN));
  expect(read("S64", { s64s: [2n ** 62n, 3 as unknown as bigint] })).toEqual(BigInt64Array.of(2n ** 62n, 3n));
});

test("adds a missing layout, drops a packed element size, keeps the memory space", () => {
  const shape = { elementType: PrimitiveType.S4, dimensions: [2, 1] };
  const s4s = Uint8Array.of(1, 2);
  expect(literalFromProto({ shape, s4s }).shape.toString(true)).toBe("s4[2,1]{1,0}");
  const layout = { minorToMajor: [1, 0], elementSizeInBits: 4, memorySpace: 5 };
  expect(literalFromProto({ shape: { ...shape, layout }, s4s }).shape.toString(true)).toBe("s4[2,1]{1,0:S(5)}");
});

describe("tuples", () => {
  const tuple: Literal = {
    shape: parseShape("(f32[1], (), token[])"),
    data: null,
    tupleLiterals: [
      array("f32[1]", Float32Array.of(2)),
      { shape: Shape.tuple([]), data: null, tupleLiterals: [] },
      { shape: Shape.token(), data: null, tupleLiterals: [] },
    ],
  };

  test("are written with the shape of every literal", () => {
    const proto = literalToProto(tuple);
    expect(proto.tupleLiterals?.map(({ shape }) => shape?.elementType)).toEqual([11, 13, 17]);
    const back = literalFromProto(proto);
    expect(back.shape.toString()).toBe(tuple.shape.toString());
    expect(back.tupleLiterals.map(({ data }) => data)).toEqual([Float32Array.of(2), null, null]);
  });

  test("may leave out the shapes of their literals, but not contradict them", () => {
    const shape = { elementType: PrimitiveType.TUPLE, tupleShapes: [{ elementType: PrimitiveType.U8, dimensions: [1] }] };
    expect(literalFromProto({ shape, tupleLiterals: [{ u8s: Uint8Array.of(3) }] }).tupleLiterals[0]?.data).toEqual(Uint8Array.of(3));
    const other = { shape: { elementType: PrimitiveType.U8, dimensions: [2] }, u8s: Uint8Array.of(3, 4) };
    expect(refusalText(() => literalFromProto({ shape, tupleLiterals: [other] }))).toMatch(
      /tuple_literals\[0\] is of shape u8\[2\].*u8\[1\]/,
    );
    expect(refusalText(() => literalFromProto({ shape, tupleLiterals: [] }))).toMatch(/0 tuple_literals for a tuple of 1/);
    expect(refusalText(() => literalToProto({ ...tuple, tupleLiterals: [] }))).toMatch(/0 literals in a tuple of 3/);
  });
});

test("the message of 2017 has fewer fields and no dynamic dimensions", () => {
  const f32 = array("f32[1]", Float32Array.of(1));
  expect(literalToProto(f32, "2017")).toEqual({
    shape: { elementType: 11, dimensions: [1], layout: { minorToMajor: [0] } },
    f32s: Float32Array.of(1),
  });
  expect(refusalText(() => literalToProto(array("bf16[1]", Uint16Array.of(1)), "2017"))).toMatch(/2017 has no field for elements of bf16/);
  expect(refusalText(() => literalToProto(array("f32[<=1]", Float32Array.of(1)), "2017"))).toMatch(/2017/);
});

test.each<[string, () => unknown, RegExp]>([
  ["messages that are not objects", () => literalFromProto(7 as unknown as LiteralProto), /LiteralProto/],
  ["messages without a shape", () => literalFromProto({}), /INVALID_ARGUMENT/],
  ["opaque values", () => literalFromProto({ shape: { elementType: PrimitiveType.OPAQUE_TYPE } }), /no literals of opaque/],
  [
    "unbounded dimensions",
    () => literalFromProto({ shape: { elementType: 11, dimensions: [-(2n ** 63n)], isDynamicDimension: [true] } }),
    /unbounded dimension/,
  ],
  ["tiled layouts", () => literalToProto(array("u8[2,2]{1,0:T(2,2)}", new Uint8Array(4))), /only be an order of its dimensions/],
  [
    "padded layouts",
    () =>
      literalToProto({
        shape: ShapeUtil.makeShape("u8", [2]).with({ layout: new Layout([0], { paddedDimensions: [3] }) }),
        data: new Uint8Array(2),
        tupleLiterals: [],
      }),
    /without tiles or padding/,
  ],
  [
    "data of another class",
    () => literalToProto(array("f32[1]", new Int32Array(1))),
    /a Float32Array of length 1, got Int32Array of length 1/,
  ],
  ["fields that are not lists", () => literalFromProto({ shape: { elementType: 11 }, f32s: {} as never }), /f32s/],
  ["lists in place of bytes", () => literalFromProto({ shape: { elementType: 6 }, u8s: [1] as never }), /bytes as LiteralProto\.u8s/],
  ["values of the wrong type", () => literalFromProto({ shape: { elementType: 11 }, f32s: ["1" as never] }), /f32s\[0\]/],
  ["integers that do not fit", () => literalFromProto({ shape: { elementType: 4 }, s32s: [2 ** 31] }), /s32s\[0\] cannot be 2147483648/],
  ["int64 values that do not fit", () => literalFromProto({ shape: { elementType: 5 }, s64s: [2n ** 63n] }), /s64s\[0\]/],
  ["preds of 2", () => literalFromProto({ shape: { elementType: 1 }, preds: Uint8Array.of(2) }), /preds\[0\] cannot be 2/],
])("%s are refused", (_, act, words) => {
  const said = refusalText(act);
  expect(said).toMatch(/^INVALID_ARGUMENT/);
  expect(said).toMatch(words);
});

test("a literal of no elements may leave out their field", () => {
  const { shape, data } = literalFromProto({ shape: { elementType: PrimitiveType.F32, dimensions: [0] } } as never);
  expect([shape.toString(), data?.length]).toEqual(["f32[0]", 0]);
});

test("a literal has as many elements as its shape, and a literal in a tuple the type of the tuple's shape", () => {
  const vector = parseShape("f32[2]{0}");
  const literal = (length: number): Any => ({ shape: vector, data: new Float32Array(length), tupleLiterals: [] });
  expectStatus(() => literalToProto(literal(3)), "INVALID_ARGUMENT", "Float32Array of length 3");
  expectStatus(() => literalToProto(literal(1)), "INVALID_ARGUMENT", "Float32Array of length 1");
  const proto = literalToProto({ shape: Shape.tuple([vector]), data: null, tupleLiterals: [literal(2)] } as Any);
  const other = literalToProto({ shape: parseShape("s32[2]{0}"), data: new Int32Array(2), tupleLiterals: [] });
  expectStatus(
    () => literalFromProto({ ...proto, tupleLiterals: [other] } as Any),
    "INVALID_ARGUMENT",
    "tuple_literals[0] is of shape s32[2]",
  );
});
