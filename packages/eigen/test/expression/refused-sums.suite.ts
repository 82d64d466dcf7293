// Sums of 8 and 16-bit integers and means of integers are refused where they are written, with the remedy; `wraps` gives TensorFlow's bits.
import { describe, expect, test } from "@jest/globals";
import { avgPool, constant, einsum, evaluate, item, tensorMap } from "@onebuffer/eigen";
import type { Expression, IntegerDType } from "@onebuffer/eigen";
import { integerDTypes } from "@onebuffer/expression/src/tree/dtype-groups";
import { refusal } from "@onebuffer/test-support";

/** The trees here are built from tables of names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** Returns a map of two ones. */
const mapOfOnes = (dtype: IntegerDType): Any => evaluate(constant("int32", 1).cast(dtype).broadcast([2]));

const kSums = ["sum", "prod", "cumsum", "cumprod"] as const;
const kSmall = ["int8", "uint8", "int16", "uint16"] as const;
const bytes = tensorMap("uint8", Uint8Array.of(200, 100, 4, 2), [2, 2]);

describe("sums and products", () => {
  test.each(kSums)("%s of 8 and 16-bit integers is refused, of wider ones not", (op) => {
    for (const dtype of integerDTypes) {
      const call = (): Any => mapOfOnes(dtype)[op](0);
      if (!(kSmall as readonly string[]).includes(dtype)) {
        expect(call().dtype).toBe(dtype);
        continue;
      }
      const { code, message } = refusal(call);
      expect([code, message]).toEqual(["INVALID_ARGUMENT", expect.stringContaining(`.cast("int32").${op}(`)]);
      expect(message).toContain("{ wraps: true }");
      expect(mapOfOnes(dtype)[op](0, { wraps: true }).dtype).toBe(dtype);
    }
  });

  test("with `wraps` the bits are TensorFlow's, after a cast the numbers are right", () => {
    expect(item(bytes.sum(null, { wraps: true }))).toBe(50);
    expect(item(bytes.prod([0, 1], { wraps: true }))).toBe(0);
    expect(evaluate(bytes.sum(1, { wraps: true, keepDims: true })).toArray()).toEqual([[44], [6]]);
    expect(evaluate(bytes.cumsum(1, { wraps: true, reverse: true })).toArray()).toEqual([
      [44, 100],
      [6, 2],
    ]);
    expect(item(bytes.cast("int32").sum())).toBe(306);
  });

  test("the compiler refuses them too, and accepts them with `wraps`", () => {
    // @ts-expect-error sums of uint8 wrap around
    expect(() => bytes.sum()).toThrow("uint8 is too small");
    // @ts-expect-error `wraps: false` asks for nothing
    expect(() => bytes.sum(0, { wraps: false })).toThrow("uint8 is too small");
    // @ts-expect-error cumulative sums of uint8 wrap around
    expect(() => bytes.cumsum(0)).toThrow("uint8 is too small");
    // @ts-expect-error the largest element has no option `wraps`
    expect(() => bytes.max(0, { wraps: true })).toThrow('unknown option "wraps"');
    const wrapped: Expression<"uint8", 1> = bytes.sum(0, { wraps: true });
    const kept: Expression<"uint8", 2> = bytes.sum(0, { wraps: true, keepDims: true });
    expect([wrapped.rank, kept.rank]).toEqual([1, 2]);
  });
});

describe("means", () => {
  test("of every integer dtype are refused with the cast", () => {
    for (const dtype of integerDTypes)
      expect(refusal(() => mapOfOnes(dtype).mean()).message).toMatch(/mean is not defined for .*: \.cast\("float32"\)\.mean\(\)/);
    // @ts-expect-error means of integers are refused
    expect(() => bytes.mean(1)).toThrow('.cast("float32").mean()');
    expect(item(bytes.cast("float32").mean())).toBe(76.5);
  });
});

test("operations that are composed of sums keep TensorFlow's bits of small integers", () => {
  expect(item(einsum("ij->", bytes))).toBe(50);
  expect(evaluate(bytes.matMul(bytes)).toArray()).toEqual([
    [(200 * 200 + 100 * 4) % 256, (200 * 100 + 100 * 2) % 256],
    [(4 * 200 + 2 * 4) % 256, (4 * 100 + 2 * 2) % 256],
  ]);
  expect(
    item(
      bytes.contract(bytes, [
        [0, 0],
        [1, 1],
      ]),
    ),
  ).toBe((200 * 200 + 100 * 100 + 16 + 4) % 256);
  expect(() => avgPool(bytes.reshape([1, 2, 2, 1]) as never, 2)).toThrow('cast("float32") first');
});
