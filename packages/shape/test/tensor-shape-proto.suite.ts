// Tests shapes as messages: round trips, TensorFlow's validity rules, and malformed messages.
import { describe, expect, test } from "@jest/globals";
import { PartialTensorShape, TensorShape } from "@onebuffer/shape";
import type { TensorShapeProto } from "@onebuffer/shape";
import fc from "fast-check";
import { expectStatus } from "@onebuffer/test-support";

const message = (...sizes: (number | bigint)[]): TensorShapeProto => ({ dim: sizes.map((size) => ({ size })) });
const kUnknown: TensorShapeProto = { unknownRank: true };
const kBoth: TensorShapeProto = { dim: [{ size: 3 }], unknownRank: true };
const ones = (n: number): TensorShapeProto => message(...new Array<number>(n).fill(1));

describe("round trips", () => {
  test.each<[string, TensorShapeProto]>([
    ["a scalar", message()],
    ["sizes", message(2, 0, 70000)],
    ["large sizes", message(2 ** 40, 0, 2 ** 12)],
    ["seven sizes", message(1, 2, 3, 4, 5, 6, 7)],
  ])("%s", (_, proto) => {
    expect(TensorShape.fromProto(proto).asProto()).toEqual(proto);
    expect(PartialTensorShape.fromProto(proto).asProto()).toEqual(proto);
    expect(TensorShape.build(proto).asProto()).toEqual(proto);
  });

  test("unknown sizes and unknown rank", () => {
    expect(PartialTensorShape.fromProto(message(-1, 2)).asProto()).toEqual(message(-1, 2));
    expect(PartialTensorShape.fromProto(kUnknown).asProto()).toEqual({ dim: [], unknownRank: true });
    expect(PartialTensorShape.fromProto(kBoth).asProto()).toEqual({ dim: [], unknownRank: true });
  });

  test("an int64 as a bigint, an absent size, a name", () => {
    expect(TensorShape.fromProto(message(1n, 2n ** 53n - 1n)).dimSizes).toEqual([1, 2 ** 53 - 1]);
    expect(TensorShape.fromProto({ dim: [{}, { name: "batch", size: 4 }] }).dimSizes).toEqual([0, 4]);
    expect([TensorShape.fromProto({}).dims, PartialTensorShape.fromProto({}).dims]).toEqual([0, 0]);
  });

  test("any shape", () => {
    const size = fc.oneof(fc.constant(-1), fc.nat(9), fc.nat(2 ** 31 - 1));
    fc.assert(
      fc.property(fc.array(size, { maxLength: 9 }), (dims) => {
        if (!PartialTensorShape.isValid(message(...dims))) return;
        const shape = PartialTensorShape.fromProto(message(...dims));
        expect(PartialTensorShape.fromProto(JSON.parse(JSON.stringify(shape.asProto())) as TensorShapeProto).equals(shape)).toBe(true);
      }),
    );
  });
});

describe("messages that TensorFlow accepts or refuses", () => {
  test.each<[string, TensorShapeProto, string | null, string | null]>([
    ["a scalar", message(), null, null],
    ["sizes", message(2, 3), null, null],
    ["254 dimensions", ones(254), null, null],
    ["255 dimensions", ones(255), "has too many dimensions", "has too many dimensions"],
    ["an unknown size", message(2, -1), "Shape [2,?] is not fully defined", null],
    ["a size below -1", message(1, -1, -2), "Shape [1,?,-2] is not fully defined", "Shape [1,?,-2] has dimensions with values below -1"],
    ["unknown rank, which a TensorShape ignores", kUnknown, null, null],
    ["unknown rank with sizes", kBoth, null, "An unknown shape must not have any dimensions set"],
    ["overflow", message(2 ** 30, 2 ** 30), "is too large", "is too large"],
    ["overflow before a zero", message(2 ** 40, 2 ** 40, 0), "is too large", "is too large"],
    ["no overflow after a zero", message(0, 2 ** 40, 2 ** 40), null, null],
    ["no overflow after an unknown size", message(-1, 2 ** 40, 2 ** 40), "is not fully defined", null],
    ["overflow before an unknown size", message(2 ** 40, 2 ** 40, -1), "is not fully defined", "is too large"],
    ["a size beyond 2^53 - 1", message(2n ** 63n - 1n), "9223372036854775807", "9223372036854775807"],
  ])("%s", (_, proto, full, partial) => {
    for (const [type, verdict] of [
      [TensorShape, full],
      [PartialTensorShape, partial],
    ] as const) {
      expect(type.isValid(proto)).toBe(verdict === null);
      if (verdict === null) expect(type.isValidShape(proto)).toBe(undefined);
      else expectStatus(() => type.isValidShape(proto), "INVALID_ARGUMENT", verdict);
    }
  });

  test("fromProto and build", () => {
    expect(TensorShape.fromProto(kBoth).dimSizes).toEqual([3]);
    expect(PartialTensorShape.fromProto(message(-2, 3)).dimSizes).toEqual([-1, 3]);
    expect(TensorShape.build([2, 3]).dimSizes).toEqual([2, 3]);
    expect(PartialTensorShape.build([2, -1]).dimSizes).toEqual([2, -1]);
    expect(PartialTensorShape.build(kUnknown).unknownRank).toBe(true);
    expectStatus(() => TensorShape.build([-10, 5, 20]), "INVALID_ARGUMENT", "non-negative", -10);
    expectStatus(() => TensorShape.fromProto(message(-1)), "INVALID_ARGUMENT", -1);
    expectStatus(() => TensorShape.fromProto(ones(255)), "INVALID_ARGUMENT", "Too many dimensions", 255);
  });

  test("a negative size has the same message whatever the other sizes", () => {
    for (const proto of [message(2, -3), message(55109, -3)]) {
      expectStatus(() => TensorShape.fromProto(proto), "INVALID_ARGUMENT", "Expected a non-negative size, got -3");
      expectStatus(() => TensorShape.build(proto), "INVALID_ARGUMENT", "Expected a non-negative size, got -3");
    }
  });

  test("build refuses a message whose non-zero sizes alone overflow", () => {
    expect(TensorShape.fromProto(message(0, 2 ** 40, 2 ** 40)).numElements).toBe(0);
    expectStatus(
      () => TensorShape.build(message(0, 2 ** 40, 2 ** 40)),
      "INVALID_ARGUMENT",
      "Encountered overflow when multiplying shape dimensions",
      2 ** 40,
    );
    expectStatus(() => PartialTensorShape.build(message(-1, 2 ** 40, 2 ** 40)), "INVALID_ARGUMENT", "overflow");
    expect(PartialTensorShape.build(message(-1, 2 ** 40, 0)).dims).toBe(3);
    // 2^63 - 1 and 2^63. Without a zero the number of elements is beyond 2^53 - 1 in both.
    const most = [7, 7, 73, 127, 337, 92737, 649657];
    expect(TensorShape.build(message(0, ...most)).numElements).toBe(0);
    expect(PartialTensorShape.build(message(-1, 0, ...most)).dimSizes).toEqual([-1, 0, ...most]);
    expectStatus(() => TensorShape.build(message(...most)), "INVALID_ARGUMENT", "overflow");
    expectStatus(() => TensorShape.build(message(0, 2 ** 32, 2 ** 31)), "INVALID_ARGUMENT", "overflow", "4294967296 with 2147483648");
  });
});

test.each<[TensorShapeProto, string]>([
  [message(), "[]"],
  [message(2, -1, -1n), "[2,?,?]"],
  [message(-2), "[-2]"],
  [message(2n ** 63n - 1n), "[9223372036854775807]"],
  [kUnknown, "<unknown>"],
  [kBoth, "<unknown>[3]"],
])("debugString of message %#", (proto, text) => {
  expect(TensorShape.debugString(proto)).toBe(text);
  expect(PartialTensorShape.debugString(proto)).toBe(text);
});

describe("malformed messages are refused", () => {
  const hostile: readonly [string, unknown, string][] = [
    ["null", null, "null"],
    ["undefined", undefined, "undefined"],
    ["a number", 3, "3"],
    ["dim of another type", { dim: "23" }, '"23"'],
    ["dim that only looks like a list", { dim: { length: 2 ** 31 } }, "object"],
    ["dim null", { dim: null }, "null"],
    ["an entry that is a number", { dim: [3] }, "dim[0]"],
    ["an entry that is null", { dim: [{ size: 1 }, null] }, "dim[1]"],
    ["a hole", { dim: new Array(1) }, "dim[0]"],
    ["a size that is text", { dim: [{ size: "3" }] }, '"3"'],
    ["a size that is null", { dim: [{ size: null }] }, "null"],
    ["unknownRank of another type", { unknownRank: 1 }, "unknownRank"],
  ];
  test.each(hostile)("%s", (_, proto, part) => {
    for (const type of [TensorShape, PartialTensorShape]) {
      const given = proto as TensorShapeProto;
      expect(type.isValid(given)).toBe(false);
      for (const act of [
        () => type.fromProto(given),
        () => type.build(given),
        () => type.isValidShape(given),
        () => type.debugString(given),
      ]) {
        expectStatus(act, "INVALID_ARGUMENT", part);
      }
    }
  });

  test.each<[string, TensorShapeProto, string]>([
    ["a fraction", message(1.5), "1.5"],
    ["NaN", message(Number.NaN), "NaN"],
    ["2^53", message(2 ** 53), "9007199254740992"],
    ["2^53 as a bigint", message(2n ** 53n), "9007199254740992"],
    ["-2^63 as a bigint", message(-(2n ** 63n)), "9223372036854775808"],
  ])("a size that is %s", (_, proto, part) => {
    expect(TensorShape.isValid(proto)).toBe(false);
    expect(PartialTensorShape.isValid(proto)).toBe(false);
    expectStatus(() => TensorShape.fromProto(proto), "INVALID_ARGUMENT", part);
    expectStatus(() => PartialTensorShape.fromProto(proto), "INVALID_ARGUMENT", part);
  });

  test("any value gives a shape or a StatusError", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true }), (proto) => {
        for (const type of [TensorShape, PartialTensorShape]) {
          for (const given of [
            proto,
            { dim: proto },
            { dim: [proto] },
            { dim: [{ size: proto }] },
            { unknownRank: proto },
          ] as TensorShapeProto[]) {
            if (type.isValid(given)) expect(String(type.fromProto(type.fromProto(given).asProto()))).toBe(String(type.fromProto(given)));
            else expectStatus(() => type.isValidShape(given), "INVALID_ARGUMENT");
          }
        }
      }),
      { numRuns: process.env["ONEBUFFER_LONG"] === undefined ? 60 : 300 },
    );
  });
});
